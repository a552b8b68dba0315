//! The parts of a bundle, and the check that they are intact.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::path::Path;

use formats::archive::{Archive, ArchiveWriter, Limits};
use vault::audit::{CheckpointError, ExportError, ExportVerifier, NoteError};
use vault::canonical::{canonicalize_serializable, parse_strict};
use vault::encoding::{from_base64url, hex};
use vault::key_directory::Passphrase;
use vault::parcel;
use vault::signature::PublicKey;
use wire::bundle::{BundleSignature, FORMAT, Manifest, Part};
use wire::{Code, Problem};

use crate::clock;
use crate::command::export::{new_private_file, unwritable};

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const SIGNATURE: &str = "signature.json";
pub(super) const DOCUMENT: &str = "persona.json";
pub(super) const MEMORIES: &str = "memories.jsonl";
pub(super) const TIMELINE: &str = "timeline.jsonl";
pub(super) const SESSIONS: &str = "sessions.jsonl";
pub(super) const AUDIT: &str = "audit.jsonl";
/// The parts whose lines the manifest counts, and under which names.
const COUNTED: [(&str, &[&str]); 3] =
    [(MEMORIES, &["memories", "personalMemories"]), (TIMELINE, &["events"]), (SESSIONS, &["conversations"])];
/// The folder of the persona's own files.
pub(super) const FILES: &str = "files/";
/// The version of bundles that is written and read here.
pub(super) const VERSION: u32 = 1;

/// A part that is collected before it is archived.
pub(super) struct PartFile {
    path: String,
    file: BufWriter<File>,
}

impl PartFile {
    pub(super) fn new(path: &str) -> Result<Self, Problem> {
        let file = tempfile::tempfile().map_err(|error| failed(&error))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    pub(super) fn write(&mut self, text: &str) -> Result<(), Problem> {
        self.file.write_all(text.as_bytes()).map_err(|error| failed(&error))
    }

    /// The manifest entry of the part, and the part from its beginning.
    pub(super) fn finish(self) -> Result<(Part, File), Problem> {
        let mut file = self.file.into_inner().map_err(|error| failed(error.error()))?;
        let rewind =
            |file: &mut File| file.seek(SeekFrom::Start(0)).map(drop).map_err(|error| failed(&error));
        rewind(&mut file)?;
        let (hash, bytes) =
            vault::backup::copy_and_hash(&mut file, &mut io::sink()).map_err(|error| failed(&error))?;
        rewind(&mut file)?;
        Ok((Part { path: self.path, sha256: hex(&hash), bytes }, file))
    }
}

/// Writes the archive, sealed if there is a passphrase, to a new file.
pub(super) fn write(
    to: &Path,
    passphrase: Option<&Passphrase>,
    manifest: &Manifest,
    signature: &BundleSignature,
    parts: Vec<(Part, File)>,
) -> Result<(), Problem> {
    let mut archive = ArchiveWriter::new(tempfile::tempfile().map_err(|error| failed(&error))?);
    let heads = [(MANIFEST, text(manifest)), (SIGNATURE, text(signature))];
    for (name, text) in &heads {
        archive.add(name, &mut text.as_bytes()).map_err(|error| failed(&error))?;
    }
    for (part, file) in parts {
        archive.add(&part.path, &mut BufReader::new(file)).map_err(|error| failed(&error))?;
    }
    let mut zip = archive.finish().map_err(|error| failed(&error))?;
    zip.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
    let mut target = new_private_file(to).map_err(|error| unwritable(to, &error))?;
    match passphrase {
        None => io::copy(&mut zip, &mut target).map(drop).map_err(|error| failed(&error))?,
        Some(passphrase) => parcel::seal(&mut BufReader::new(zip), &mut target, passphrase, &clock::chance())
            .map_err(|error| Problem::new(Code::IoFailed, error.to_string()))?,
    }
    target.sync_all().map_err(|error| failed(&error))
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// A verified bundle: its parts match its manifest and its signature is valid.
pub(super) struct Bundle {
    archive: Archive<BufReader<File>>,
    pub(super) manifest: Manifest,
    pub(super) signature: BundleSignature,
}

impl Bundle {
    /// Opens a bundle, unsealing it first if necessary, and checks all of it before anything is used.
    pub(super) fn open(path: &Path, passphrase: Option<&Passphrase>) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| crate::command::import::unreadable(&name, &error))?;
        let file = unsealed(BufReader::new(file), passphrase, &name)?;
        let wrong = |what: String| {
            Problem::new(Code::SignatureInvalid, format!("{name}: {what}; nothing was imported"))
        };
        let mut archive = Archive::open(file, Limits::LARGE)
            .map_err(|broken| Problem::new(Code::ValidationFailed, format!("{name}: {broken}")))?;
        let manifest: Manifest = read(&mut archive, MANIFEST, &name)?;
        let signature: BundleSignature = read(&mut archive, SIGNATURE, &name)?;
        if manifest.format != FORMAT || manifest.version != VERSION {
            let detail =
                format!("{name} is not a bundle of version {VERSION}; export it again with this release");
            return Err(Problem::new(Code::ValidationFailed, detail));
        }
        check_signature(&manifest, &signature).map_err(wrong)?;
        check_parts(&mut archive, &manifest).map_err(wrong)?;
        check_counts(&mut archive, &manifest).map_err(wrong)?;
        check_log(&mut archive, &manifest, &signature).map_err(wrong)?;
        Ok(Self { archive, manifest, signature })
    }

    /// The hash of its manifest, and so of everything in it.
    pub(super) fn hash(&self) -> Result<String, Problem> {
        hash_of(&self.manifest)
    }

    /// The names of its parts.
    pub(super) fn paths(&self) -> Vec<String> {
        self.manifest.parts.iter().map(|part| part.path.clone()).collect()
    }

    /// A part as a stream.
    pub(super) fn part<'a>(&'a mut self, path: &str) -> Result<impl io::BufRead + use<'a>, Problem> {
        self.archive.entry(path).map_err(|broken| Problem::new(Code::ValidationFailed, broken.to_string()))
    }

    /// A part as text.
    pub(super) fn text(&mut self, path: &str) -> Result<String, Problem> {
        let mut text = String::new();
        self.part(path)?.read_to_string(&mut text).map_err(|error| failed(&error))?;
        Ok(text)
    }
}

/// The hash of the canonical JSON of `value`.
pub(super) fn hash_of(value: &impl serde::Serialize) -> Result<String, Problem> {
    let bytes = canonicalize_serializable(value)
        .map_err(|error| Problem::new(Code::ValidationFailed, error.to_string()))?;
    let (hash, _) = vault::backup::copy_and_hash(&mut bytes.as_slice(), &mut io::sink())
        .map_err(|error| failed(&error))?;
    Ok(format!("sha256:{}", hex(&hash)))
}

/// The first line of a file, as a passphrase.
pub(super) fn passphrase(file: Option<&Path>) -> Result<Option<Passphrase>, Problem> {
    let Some(path) = file else { return Ok(None) };
    let name = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| crate::command::import::unreadable(&name, &error))?;
    let line = text.lines().next().unwrap_or_default().trim();
    if line.is_empty() {
        return Err(Problem::new(Code::Usage, format!("{name} is empty; its first line is the passphrase")));
    }
    Ok(Some(Passphrase::new(line.to_owned())))
}

fn unsealed(
    mut file: BufReader<File>,
    passphrase: Option<&Passphrase>,
    name: &str,
) -> Result<BufReader<File>, Problem> {
    let head = file.fill_buf().map_err(|error| failed(&error))?;
    if !head.starts_with(parcel::MARK.as_bytes()) {
        return Ok(file);
    }
    let Some(passphrase) = passphrase else {
        let detail = format!("{name} is sealed with a passphrase; give it with --passphrase-file");
        return Err(Problem::new(Code::KeyMissing, detail));
    };
    let mut plain = tempfile::tempfile().map_err(|error| failed(&error))?;
    parcel::open(&mut file, &mut plain, passphrase)
        .map_err(|error| Problem::new(Code::KeyMissing, format!("{name} can't be opened: {error}")))?;
    plain.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
    Ok(BufReader::new(plain))
}

fn read<T: serde::de::DeserializeOwned>(
    archive: &mut Archive<BufReader<File>>,
    path: &str,
    name: &str,
) -> Result<T, Problem> {
    let bytes = archive
        .bytes(path)
        .map_err(|broken| Problem::new(Code::ValidationFailed, format!("{name}: {broken}")))?;
    let wrong = |error: &dyn std::fmt::Display| {
        Problem::new(Code::ValidationFailed, format!("{name}: {path} is not what it should be ({error})"))
    };
    // A repeated member could mean one thing here and another to another reader.
    let value = parse_strict(&bytes).map_err(|error| wrong(&error))?;
    serde_json::from_value(value).map_err(|error| wrong(&error))
}

fn check_signature(manifest: &Manifest, signature: &BundleSignature) -> Result<(), String> {
    let signer: PublicKey =
        signature.signer.parse().map_err(|_| "its signer is not a `did:key`".to_owned())?;
    let bytes = canonicalize_serializable(manifest).map_err(|error| error.to_string())?;
    let made = from_base64url(&signature.signature).unwrap_or_default();
    if signer.verifies(&bytes, &made) { Ok(()) } else { Err("its signature is invalid".to_owned()) }
}

/// Checks that every part has the hash in the manifest, and that there is no other.
fn check_parts(archive: &mut Archive<BufReader<File>>, manifest: &Manifest) -> Result<(), String> {
    let listed = |name: &String| manifest.parts.iter().any(|part| part.path == *name);
    let is_head = |name: &String| name == MANIFEST || name == SIGNATURE;
    if let Some(other) = archive.names().into_iter().find(|name| !listed(name) && !is_head(name)) {
        return Err(format!("`{other}` is not in its manifest"));
    }
    for part in &manifest.parts {
        let mut entry = archive.entry(&part.path).map_err(|broken| broken.to_string())?;
        let read = vault::backup::copy_and_hash(&mut entry, &mut io::sink());
        let (hash, bytes) = read.map_err(|error| format!("`{}`: {error}", part.path))?;
        if hex(&hash) != part.sha256 || bytes != part.bytes {
            return Err(format!("`{}` is not what its manifest says", part.path));
        }
    }
    Ok(())
}

/// Checks that there is as much in it as its manifest says.
fn check_counts(archive: &mut Archive<BufReader<File>>, manifest: &Manifest) -> Result<(), String> {
    for (path, names) in COUNTED {
        let said: usize = names.iter().filter_map(|name| manifest.counts.get(*name)).sum();
        let found = if archive.names().iter().any(|name| name == path) {
            let entry = archive.entry(path).map_err(|broken| broken.to_string())?;
            entry
                .split(b'\n')
                .try_fold(0, |count, line| line.map(|_| count + 1))
                .map_err(|error| error.to_string())?
        } else {
            0
        };
        if found != said {
            return Err(format!("`{path}` has {found} lines, and its manifest counts {said}"));
        }
    }
    Ok(())
}

/// Checks that the audit log in it, if there is one, is of this persona, and whole as far as the bundle's signer signed it.
fn check_log(
    archive: &mut Archive<BufReader<File>>,
    manifest: &Manifest,
    signature: &BundleSignature,
) -> Result<(), String> {
    if !archive.names().iter().any(|name| name == AUDIT) {
        return Ok(());
    }
    let log = archive.bytes(AUDIT).map_err(|broken| broken.to_string())?;
    if log.is_empty() {
        return Ok(());
    }
    let signer: PublicKey =
        signature.signer.parse().map_err(|_| "its signer is not a `did:key`".to_owned())?;
    let lines: Vec<&[u8]> = log.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let origin = crate::command::verify::origin(&lines).unwrap_or_default();
    if !origin.ends_with(&format!("/{}", manifest.persona.id)) {
        return Err(format!("`{AUDIT}` is the log of another persona"));
    }
    let signers = [signer];
    let mut verifier = ExportVerifier::new(&origin, &signers);
    let judged = lines.iter().try_for_each(|line| verifier.line(line)).and_then(|()| verifier.finish());
    match judged {
        // A checkpoint by an earlier operator, whose key isn't in the bundle. Its signature covers the log all the same.
        Ok(_)
        | Err(ExportError::Checkpoint { reason: CheckpointError::Note(NoteError::NotSigned(_)), .. }) => {
            Ok(())
        }
        Err(error) => Err(format!("`{AUDIT}`: {error}")),
    }
}

fn failed(error: &io::Error) -> Problem {
    Problem::new(Code::IoFailed, format!("reading or writing the bundle failed: {error}"))
}
