//! Persona documents on disk: found, read, and replaced only if nobody changed them meanwhile.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use vault::canonical::{ParseError, parse_strict};
use wire::{Code, Problem};

use crate::config::Bytes;
use crate::home::DOCUMENT_NAME;

/// The greatest depth of folders that is searched.
const DEEPEST: usize = 8;

/// A document as it was read, not yet parsed.
pub(crate) struct Document {
    /// Where it was read from.
    pub(crate) path: PathBuf,
    bytes: Vec<u8>,
}

impl Document {
    /// Reads the file at `path`, if it is no larger than `limit`.
    pub(crate) fn read(path: &Path, limit: Bytes) -> Result<Self, Problem> {
        read_up_to(path, limit).map(|bytes| Self { path: path.to_owned(), bytes })
    }

    /// A document that doesn't come from a file.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { path: PathBuf::from("-"), bytes }
    }

    /// The parsed content; ambiguous JSON is refused.
    pub(crate) fn content(&self) -> Result<Value, ParseError> {
        parse_strict(&self.bytes)
    }

    /// Writes what was read to `persona.json.bak` beside the document.
    pub(crate) fn keep_copy(&self) -> Result<PathBuf, Problem> {
        let mut name = self.path.clone().into_os_string();
        name.push(".bak");
        let copy = PathBuf::from(name);
        write_whole(&copy, &self.bytes).map_err(|error| unwritable(&copy, &error))?;
        Ok(copy)
    }

    /// Replaces the file with `content`, whole or not at all.
    ///
    /// People edit these files with their own editors; a file that changed since it was read is not
    /// overwritten.
    pub(crate) fn replace(&self, content: &Value) -> Result<(), Problem> {
        let mut text = serde_json::to_vec_pretty(content)
            .map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        text.push(b'\n');
        if fs::read(&self.path).ok().as_ref() != Some(&self.bytes) {
            let detail = format!(
                "{} changed since it was read and was not overwritten; run the command again",
                self.path.display()
            );
            return Err(Problem::new(Code::Conflict, detail));
        }
        write_whole(&self.path, &text).map_err(|error| unwritable(&self.path, &error))
    }
}

/// The document at `path`, or every `persona.json` below it when it is a folder.
pub(crate) fn find(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    walk(path, DEEPEST, &mut found).map_err(|error| unreadable(path, &error))?;
    found.sort();
    if found.is_empty() {
        return Err(Problem::new(
            Code::NotFound,
            format!("no {DOCUMENT_NAME} in {}; name a file, or another folder", path.display()),
        ));
    }
    Ok(found)
}

/// Links are not followed: they could lead out of the folder, or in circles.
fn walk(folder: &Path, deeper: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && deeper > 0 {
            walk(&entry.path(), deeper - 1, found)?;
        } else if kind.is_file() && entry.file_name() == DOCUMENT_NAME {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn read_up_to(path: &Path, limit: Bytes) -> Result<Vec<u8>, Problem> {
    let failed = |error: io::Error| unreadable(path, &error);
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(failed)?
        .take(limit.0.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > limit.0 {
        let detail = format!(
            "{} is larger than {} bytes; raise limits.document_bytes in selfhood.toml",
            path.display(),
            limit.0
        );
        return Err(Problem::new(Code::ValidationFailed, detail));
    }
    Ok(bytes)
}

/// Writes a new file beside `path`, syncs it, and renames it.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    if let Ok(before) = fs::metadata(&target) {
        file.as_file().set_permissions(before.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn unreadable(path: &Path, error: &io::Error) -> Problem {
    let code = if error.kind() == io::ErrorKind::NotFound { Code::NotFound } else { Code::IoFailed };
    Problem::new(code, format!("can't read {}: {error}", path.display()))
}

fn unwritable(path: &Path, error: &io::Error) -> Problem {
    Problem::new(Code::IoFailed, format!("can't write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_changed_by_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DOCUMENT_NAME);
        fs::write(&path, "{\"a\": 1}").unwrap();
        let document = Document::read(&path, Bytes::DOCUMENT).unwrap();
        fs::write(&path, "{\"a\": 2}").unwrap();
        assert_eq!(document.replace(&serde_json::json!({"a": 3})).unwrap_err().code, Code::Conflict);
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\": 2}");
    }

    #[test]
    fn a_document_over_the_limit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DOCUMENT_NAME);
        fs::write(&path, "[1,2,3]").unwrap();
        assert!(Document::read(&path, Bytes(7)).is_ok());
        assert_eq!(
            Document::read(&path, Bytes(6)).err().map(|problem| problem.code),
            Some(Code::ValidationFailed)
        );
    }

    #[test]
    fn every_document_below_a_folder_is_found_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        for place in ["scott/persona/inara", "holly/persona/tina"] {
            fs::create_dir_all(folder.path().join(place)).unwrap();
            fs::write(folder.path().join(place).join(DOCUMENT_NAME), "{}").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("scott/again")).unwrap();
        let found = find(folder.path()).unwrap();
        let below: Vec<_> =
            found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(below, ["holly/persona/tina/persona.json", "scott/persona/inara/persona.json"]);
    }
}
