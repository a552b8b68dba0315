//! A client's settings file: read, edited in one place, and written with a backup beside it.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use toml_edit::{DocumentMut, TomlError};
use wire::{Code, Problem};

use super::diff::diff;
use super::entry::NoTable;
use crate::jsonc::NotJson;

/// A file before and after.
pub(super) struct SettingsFile {
    path: PathBuf,
    old: String,
    new: String,
}

impl SettingsFile {
    /// The current file; a missing one is empty.
    pub(super) fn read(path: PathBuf) -> Result<Self, Problem> {
        // A symbolic link stays: its target is written.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let old = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| failed("read", &path, &error))?,
        };
        Ok(Self { path, new: old.clone(), old })
    }

    /// Changes a file that is JSON.
    pub(super) fn edit_json(
        &mut self,
        edit: impl FnOnce(&str) -> Result<String, NotJson>,
    ) -> Result<(), Problem> {
        self.new = edit(&self.new)
            .map_err(|NotJson { line }| self.unreadable(&format!("line {line} is not JSON")))?;
        Ok(())
    }

    /// Changes a file that is TOML.
    pub(super) fn edit_toml(
        &mut self,
        edit: impl FnOnce(&mut DocumentMut) -> Result<(), NoTable>,
    ) -> Result<(), Problem> {
        let mut document: DocumentMut = self
            .new
            .parse()
            .map_err(|error: TomlError| self.unreadable(&format!("it is not TOML: {}", error.message())))?;
        edit(&mut document)
            .map_err(|NoTable| self.unreadable("something else is in the place of our table"))?;
        self.new = document.to_string();
        Ok(())
    }

    /// Whether anything changes.
    pub(super) fn is_changed(&self) -> bool {
        self.old != self.new
    }

    /// What changes.
    pub(super) fn diff(&self) -> String {
        diff(&self.path.display().to_string(), &self.old, &self.new)
    }

    /// Writes the file whole or not at all, with a backup beside it.
    pub(super) fn write(&self) -> Result<(), Problem> {
        let folder = self.path.parent().map(PathBuf::from).unwrap_or_default();
        fs::create_dir_all(&folder).map_err(|error| failed("make a folder for", &self.path, &error))?;
        if !self.old.is_empty() {
            fs::copy(&self.path, self.backup())
                .map_err(|error| failed("keep a copy of", &self.path, &error))?;
        }
        let written = || -> std::io::Result<()> {
            let file = tempfile::NamedTempFile::new_in(&folder)?;
            fs::write(file.path(), &self.new)?;
            if let Ok(before) = fs::metadata(&self.path) {
                fs::set_permissions(file.path(), before.permissions())?;
            }
            file.persist(&self.path).map(drop).map_err(|error| error.error)
        };
        written().map_err(|error| failed("write", &self.path, &error))
    }

    fn backup(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".before-selfhood");
        self.path.with_file_name(name)
    }

    fn unreadable(&self, why: &str) -> Problem {
        let path = self.path.display();
        Problem::new(Code::Conflict, format!("{path} was not changed, because {why}; fix it first"))
    }
}

fn failed(what: &str, path: &std::path::Path, error: &std::io::Error) -> Problem {
    Problem::new(Code::IoFailed, format!("can't {what} {}: {error}", path.display()))
}
