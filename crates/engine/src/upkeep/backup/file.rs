//! The backup file: a line with its format, the signed list of contents, and the parts in its order.
//! ```text
//! selfhood-backup 1
//! <length of the signed list in bytes, decimal>
//! <the list as canonical JSON, a line, signed as a note>
//! <the parts, one after the other>
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, SeekFrom, Take, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use store::home::Paths;
use vault::audit::{open_note, sign_note};
use vault::backup::copy_and_hash;
use vault::canonical::{canonicalize_serializable, parse_strict};
use vault::encoding::hex;
use vault::signature::{PublicKey, SigningKey};

use super::failure::{BackupError, io_error};
use super::manifest::{Manifest, ManifestPart};
use super::part::Part;

const FAMILY: &str = "selfhood-backup ";
const VERSION: &str = "1";
const SIGNED_AS: &str = "selfhood/backup";
const LONGEST_LINE: u64 = 64;
const LONGEST_LIST: u64 = 64 * 1024 * 1024;

/// A backup opened for reading. Its list of contents has been read; its parts have not been checked yet.
#[derive(Debug)]
pub struct BackupFile {
    path: PathBuf,
    reader: BufReader<File>,
    note: String,
    manifest: Manifest,
    /// Where the first part begins.
    parts_at: u64,
}

/// The hash and length of one part.
pub(super) type Hashed = ([u8; 32], u64);

impl BackupFile {
    /// Opens the backup at `path` and reads its list of contents.
    pub fn open(path: &Path) -> Result<Self, BackupError> {
        let file = File::open(path).map_err(io_error("open", path))?;
        let found = file.metadata().map_err(io_error("open", path))?.len();
        let mut reader = BufReader::new(file);
        let first = line(&mut reader, path)?;
        match first.strip_prefix(FAMILY) {
            Some(VERSION) => {}
            Some(_) => return Err(BackupError::Newer(path.to_owned())),
            None => return Err(BackupError::NotABackup(path.to_owned())),
        }
        let second = line(&mut reader, path)?;
        let malformed =
            |reason: &str| BackupError::Malformed { path: path.to_owned(), reason: reason.to_owned() };
        let length = second.parse().ok().filter(|length| *length <= LONGEST_LIST.min(found));
        let length: u64 = length.ok_or_else(|| malformed("its length is not a number, or too great"))?;
        let mut note = String::new();
        reader.by_ref().take(length).read_to_string(&mut note).map_err(|_| malformed("it is not text"))?;
        let manifest = read_manifest(&note).map_err(|reason| malformed(&reason))?;
        let parts_at = (first.len() + second.len() + 2) as u64 + length;
        let expected = manifest.bytes().and_then(|bytes| bytes.checked_add(parts_at));
        let expected = expected.ok_or_else(|| malformed("its parts are too long for a file"))?;
        if expected != found {
            return Err(BackupError::Length { path: path.to_owned(), expected, found });
        }
        Ok(Self { path: path.to_owned(), reader, note, manifest, parts_at })
    }

    /// Its list of contents.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The signer of the list of contents, if it is one of `signers`.
    pub fn signed_by(&self, signers: &[PublicKey]) -> Result<PublicKey, BackupError> {
        let unsigned = |error: vault::audit::NoteError| BackupError::Unsigned {
            path: self.path.clone(),
            reason: error.to_string(),
        };
        open_note(&self.note, SIGNED_AS, signers).map(|(_, signer)| signer).map_err(unsigned)
    }

    /// Reads every part and compares it with its hash; `passed` is called with the length of each.
    pub fn check(&mut self, passed: impl Fn(u64)) -> Result<(), BackupError> {
        let path = self.path.clone();
        self.read_parts(|part, bytes| {
            let hashed = copy_and_hash(bytes, &mut io::sink()).map_err(io_error("read", &path));
            passed(part.bytes);
            hashed
        })
    }

    /// Passes the bytes of every part to `receive`, in order, and compares them with the hash.
    pub(super) fn read_parts(
        &mut self,
        mut receive: impl FnMut(&ManifestPart, &mut Take<&mut BufReader<File>>) -> Result<Hashed, BackupError>,
    ) -> Result<(), BackupError> {
        self.reader.seek(SeekFrom::Start(self.parts_at)).map_err(io_error("read", &self.path))?;
        for part in &self.manifest.parts {
            let mut bytes = self.reader.by_ref().take(part.bytes);
            let (hash, length) = receive(part, &mut bytes)?;
            if !part.is(&hash, length) {
                let (path, part) = (self.path.clone(), part.path.to_string());
                return Err(BackupError::Damaged { path, part });
            }
        }
        Ok(())
    }
}

fn read_manifest(note: &str) -> Result<Manifest, String> {
    let json = note.lines().next().unwrap_or_default();
    let value = parse_strict(json.as_bytes()).map_err(|error| error.to_string())?;
    let manifest: Manifest = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let canonical = canonicalize_serializable(&manifest).map_err(|error| error.to_string())?;
    if canonical != json.as_bytes() {
        return Err("it is not written in its one form".to_owned());
    }
    manifest.fault().map_or(Ok(manifest), |fault| Err(fault.to_owned()))
}

fn line(reader: &mut BufReader<File>, path: &Path) -> Result<String, BackupError> {
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(io_error("read", path))?;
    let text = String::from_utf8(line).ok().and_then(|line| line.strip_suffix('\n').map(str::to_owned));
    text.ok_or_else(|| BackupError::NotABackup(path.to_owned()))
}

/// Measures the parts in `staged`.
pub(super) fn measure(staged: &Paths, parts: Vec<Part>) -> Result<Vec<ManifestPart>, BackupError> {
    let measured = parts.into_iter().map(|path| {
        let place = path.place(staged);
        let hashed = File::open(&place).and_then(|mut file| copy_and_hash(&mut file, &mut io::sink()));
        let (hash, bytes) = hashed.map_err(io_error("read", &place))?;
        Ok(ManifestPart { path, bytes, sha256: hex(&hash) })
    });
    measured.collect()
}

/// The list of contents as written in the file: canonical JSON, signed.
pub(super) fn sign(manifest: &Manifest, signer: &SigningKey) -> Result<String, String> {
    let json = canonicalize_serializable(manifest).map_err(|error| error.to_string())?;
    let json = String::from_utf8(json).map_err(|error| error.to_string())?;
    sign_note(&format!("{json}\n"), SIGNED_AS, signer).map_err(|error| error.to_string())
}

/// Writes the backup `to`, which must not exist, from the parts in `staged`. Returns its length.
pub(super) fn write(to: &Path, manifest: &Manifest, note: &str, staged: &Paths) -> Result<u64, BackupError> {
    let partial = PathBuf::from(format!("{}.part", to.display()));
    let written = write_whole(&partial, manifest, note, staged);
    let named = written.and_then(|bytes| {
        refuse_taken(to)?;
        fs::rename(&partial, to).map_err(io_error("write", to))?;
        sync_folder(to).map_err(io_error("write", to))?;
        Ok(bytes)
    });
    if named.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&partial);
    }
    named
}

/// Refuses a path that exists.
pub(super) fn refuse_taken(to: &Path) -> Result<(), BackupError> {
    match fs::symlink_metadata(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io_error("write", to)(error)),
        Ok(_) => Err(io_error("write", to)(io::ErrorKind::AlreadyExists.into())),
    }
}

fn write_whole(partial: &Path, manifest: &Manifest, note: &str, staged: &Paths) -> Result<u64, BackupError> {
    let failed = io_error("write", partial);
    let mut options = OpenOptions::new();
    let file = options.write(true).create(true).truncate(true).mode(0o600).open(partial).map_err(&failed)?;
    let mut file = BufWriter::new(file);
    write!(file, "{FAMILY}{VERSION}\n{}\n{note}", note.len()).map_err(&failed)?;
    for part in &manifest.parts {
        let place = part.path.place(staged);
        let copied = File::open(&place).and_then(|mut from| copy_and_hash(&mut from, &mut file));
        let (hash, bytes) = copied.map_err(&failed)?;
        if !part.is(&hash, bytes) {
            return Err(BackupError::Damaged { path: partial.to_owned(), part: part.path.to_string() });
        }
    }
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    if !is_broken() {
        file.sync_all().map_err(&failed)?;
    }
    Ok(file.metadata().map_err(&failed)?.len())
}

pub(super) fn sync_folder(of: &Path) -> io::Result<()> {
    let folder = of.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Whether this build and run names a backup and a restored home before they are flushed, so that the trust harness can
/// show that it would notice. Without the `broken` feature it is a constant.
pub(super) fn is_broken() -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == "backup")
}
