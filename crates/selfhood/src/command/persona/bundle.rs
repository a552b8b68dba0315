//! The parts of a bundle, written and read.

mod check;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::path::Path;

use formats::archive::{Archive, ArchiveWriter, Limits};
use vault::canonical::canonicalize_serializable;
use vault::encoding::hex;
use vault::key_directory::Passphrase;
use vault::parcel;
use wire::bundle::{BundleSignature, Manifest, Part};
use wire::{Code, Problem};

use crate::clock;
use crate::command::export::{new_private_file, unwritable};

pub(super) use check::{AUDIT, MANIFEST, MEMORIES, SESSIONS, TIMELINE, VERSION};
use check::{Refusal, SIGNATURE, check};

pub(super) const DOCUMENT: &str = "persona.json";
/// The folder of the persona's own files.
pub(super) const FILES: &str = "files/";

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
        let mut archive = Archive::open(file, Limits::LARGE)
            .map_err(|broken| Problem::new(Code::ValidationFailed, format!("{name}: {broken}")))?;
        let (manifest, signature) = check(&mut archive).map_err(|refusal| refused(&name, refusal))?;
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

fn refused(name: &str, refusal: Refusal) -> Problem {
    match refusal {
        Refusal::Unreadable(why) => Problem::new(Code::ValidationFailed, format!("{name}: {why}")),
        Refusal::OtherVersion => {
            let detail =
                format!("{name} is not a bundle of version {VERSION}; export it again with this release");
            Problem::new(Code::ValidationFailed, detail)
        }
        Refusal::Wrong(why) => {
            Problem::new(Code::SignatureInvalid, format!("{name}: {why}; nothing was imported"))
        }
    }
}

fn failed(error: &io::Error) -> Problem {
    Problem::new(Code::IoFailed, format!("reading or writing the bundle failed: {error}"))
}
