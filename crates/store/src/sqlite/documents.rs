//! Documents as plain files that people edit: read again for every request, and replaced atomically.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use domain::{PersonaName, TenantName, Text};

use super::Sqlite;
use crate::deployment::PersonaEntry;
use crate::document::{Document, DocumentHash, DocumentName};
use crate::documents::Documents;
use crate::error::{Conflict, StoreError};
use crate::home::Paths;
use crate::records::Stored;
use crate::scope::Scope;

/// The maximum size of a document; a longer file is a mistake.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// Every request reads a `persona.json`, which is a few kilobytes.
const SMALL_BYTES: u64 = 64 * 1024;
/// The ending of temporary file names.
const TEMPORARY: &str = ".selfhood-tmp";

impl Documents for Sqlite {
    async fn read(&self, scope: &Scope, name: DocumentName) -> Stored<Option<Document>> {
        let path = self.document_path(scope, name)?;
        if is_small(&path) {
            return self.record_fault(read_file(&path, name));
        }
        self.blocking(move || read_file(&path, name)).await
    }

    async fn write(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: Option<DocumentHash>,
        content: Text,
    ) -> Stored<DocumentHash> {
        let path = self.document_path(scope, name)?;
        let _writing = self.inner.writing_documents.lock().await;
        self.inner.shared.health.admit()?;
        self.blocking(move || {
            check_unchanged(&path, name, found)?;
            write_whole(&path, content.as_str()).map_err(io_error("write", &path))?;
            Ok(DocumentHash::of(content.as_str()))
        })
        .await
    }

    async fn append(&self, scope: &Scope, name: DocumentName, text: Text) -> Stored<()> {
        let path = self.document_path(scope, name)?;
        let _writing = self.inner.writing_documents.lock().await;
        self.inner.shared.health.admit()?;
        self.blocking(move || append_durably(&path, text.as_str()).map_err(io_error("append to", &path)))
            .await
    }

    async fn remove(&self, scope: &Scope, name: DocumentName, found: DocumentHash) -> Stored<()> {
        let path = self.document_path(scope, name)?;
        let _writing = self.inner.writing_documents.lock().await;
        self.blocking(move || {
            check_unchanged(&path, name, Some(found))?;
            fs::remove_file(&path).and_then(|()| sync_parent(&path)).map_err(io_error("remove", &path))
        })
        .await
    }

    async fn list(&self, scope: &Scope) -> Stored<Vec<DocumentName>> {
        let folder = self.folder(scope)?;
        self.blocking(move || {
            let logs = names_in(&folder.join("sessions"))?.into_iter().map(|name| format!("sessions/{name}"));
            let names = names_in(&folder)?.into_iter().chain(logs);
            let mut documents: Vec<DocumentName> = names.filter_map(|name| name.parse().ok()).collect();
            documents.sort_unstable();
            Ok(documents)
        })
        .await
    }

    async fn channels(&self, tenant: &TenantName) -> Stored<Option<Document>> {
        self.check_open()?;
        let path = self.inner.paths.channels(tenant);
        self.blocking(move || match read_text(&path) {
            Ok(content) => Ok(content.map(Document::new)),
            Err(Unfit::Io(source)) => Err(io_error("read", &path)(source)),
            Err(Unfit::Not(problem)) => {
                let source = io::Error::new(io::ErrorKind::InvalidData, problem);
                Err(io_error("read", &path)(source))
            }
        })
        .await
    }
}

impl Sqlite {
    /// Creates a persona's folder, with those of `documents` that don't exist yet.
    pub(super) async fn create_folder(
        &self,
        entry: &PersonaEntry,
        documents: Vec<(DocumentName, Text)>,
    ) -> Stored<()> {
        let (paths, PersonaEntry { tenant, name, .. }) = (self.inner.paths.clone(), entry.clone());
        self.inner.shared.health.admit()?;
        self.blocking(move || {
            let folder = paths.persona(&tenant, &name);
            make_directory(&folder).map_err(io_error("create", &folder))?;
            for (document, content) in documents {
                let path = paths.document(&tenant, &name, document);
                if !path.exists() {
                    write_whole(&path, content.as_str()).map_err(io_error("write", &path))?;
                }
            }
            Ok(())
        })
        .await
    }

    fn folder(&self, scope: &Scope) -> Stored<PathBuf> {
        self.check_open()?;
        let entry = self.inner.registry.entry(scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        Ok(self.inner.paths.persona(&entry.tenant, &entry.name))
    }

    fn document_path(&self, scope: &Scope, name: DocumentName) -> Stored<PathBuf> {
        Ok(self.folder(scope)?.join(name.to_string()))
    }
}

/// All persona folders, including those created by hand. A folder without any file of a persona isn't one.
pub(super) fn persona_folders(paths: &Paths) -> Stored<Vec<(TenantName, PersonaName)>> {
    let mut found = Vec::new();
    for tenant in names_in(paths.home())?.iter().filter_map(|name| name.parse::<TenantName>().ok()) {
        for name in names_in(&paths.personas(&tenant))?.iter().filter_map(|name| name.parse().ok()) {
            let folder = paths.persona(&tenant, &name);
            // A folder that can't be read counts, so that its own use says why.
            let is_empty = names_in(&folder).is_ok_and(|files| !files.iter().any(|file| is_of_persona(file)));
            if folder.is_dir() && !is_empty {
                found.push((tenant.clone(), name));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_of_persona(file: &str) -> bool {
    file == "sessions" || file.starts_with("memory.db") || file.parse::<DocumentName>().is_ok()
}

/// Removes a persona's folder with everything in it.
pub(super) fn remove_folder(folder: &Path) -> Stored<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.and_then(|()| sync_parent(folder)).map_err(io_error("remove", folder)),
    }
}

/// Creates a directory and its parents, for the home's user alone, and flushes them to the disk.
pub(super) fn make_directory(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    path.ancestors().take(3).try_for_each(sync_parent)
}

/// Whether reading the file takes less time than waking another thread for it.
fn is_small(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.len() <= SMALL_BYTES)
}

pub(super) fn read_file(path: &Path, name: DocumentName) -> Stored<Option<Document>> {
    match read_text(path) {
        Ok(content) => Ok(content.map(Document::new)),
        Err(Unfit::Io(source)) => Err(io_error("read", path)(source)),
        Err(Unfit::Not(problem)) => Err(StoreError::Document { name, problem }),
    }
}

/// Why a file is not a valid document.
enum Unfit {
    Io(io::Error),
    Not(&'static str),
}

impl From<io::Error> for Unfit {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn read_text(path: &Path) -> Result<Option<Text>, Unfit> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    if !metadata.is_file() {
        return Err(Unfit::Not("is a link or a folder; put a plain file in its place"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(MOST_BYTES)).unwrap_or(0) + 1);
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Unfit::Not("is longer than 4 MiB; shorten it"));
    }
    let text = String::from_utf8(bytes).map_err(|_| Unfit::Not("is not UTF-8 text; save it as UTF-8"))?;
    Ok(Some(Text::new(text)))
}

/// Writes a file if it does not exist.
pub(super) fn put_if_absent(path: &Path, content: &Text) -> Stored<()> {
    if path.exists() {
        return Ok(());
    }
    write_whole(path, content.as_str()).map_err(io_error("write", path))
}

/// Writes a file in place of the one that is there.
pub(super) fn replace(path: &Path, content: &Text) -> Stored<()> {
    write_whole(path, content.as_str()).map_err(io_error("write", path))
}

fn check_unchanged(path: &Path, name: DocumentName, found: Option<DocumentHash>) -> Stored<()> {
    let kept = read_file(path, name)?.map(|document| document.hash);
    if kept == found { Ok(()) } else { Err(Conflict::DocumentChanged(name).into()) }
}

/// Replaces a file atomically, so that readers see the old or the new content, also after a crash. An
/// existing file keeps its mode.
fn write_whole(path: &Path, content: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        make_directory(parent)?;
    }
    let mode = fs::metadata(path).map_or(0o600, |metadata| metadata.mode() & 0o777);
    let mut name = path.as_os_str().to_owned();
    name.push(TEMPORARY);
    let temporary = PathBuf::from(name);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    let written = file
        .write_all(content.as_bytes())
        .and_then(|()| file.set_permissions(fs::Permissions::from_mode(mode)))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        // The first failure is the one to report.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    sync_parent(path)
}

fn append_durably(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        make_directory(parent)?;
    }
    let is_new = !path.exists();
    let mut options = OpenOptions::new();
    let mut file = options
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default())
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    if is_new { sync_parent(path) } else { Ok(()) }
}

pub(super) fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

/// The names in a directory; none if there is no such directory.
pub(super) fn names_in(directory: &Path) -> Stored<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries.map_err(io_error("list", directory))?,
    };
    let names = entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok());
    Ok(names.collect())
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { action, path: path.clone(), source }
}
