//! The files to search: those of a home, of its keys and of whatever else was named, each with its place.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::ResidueError;
use super::compiled_needles::Wording;
use super::finding::UnreadableFile;
use crate::place::{Scan, place_of_file};

/// Prefixes of the names of our files in the system's temporary directory.
const TEMP_PREFIXES: [&str; 3] = ["selfhood", ".selfhood", "etilqs_"];

/// Everything that is searched.
#[derive(Clone, Debug)]
pub struct ScanRoots {
    roots: Vec<Root>,
    planting: PathBuf,
}

#[derive(Clone, Debug)]
struct Root {
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Home,
    Keys,
    Mirror,
    Temp,
    Given,
}

/// One file to search.
#[derive(Clone, Debug)]
pub(super) struct ScanFile {
    pub(super) path: PathBuf,
    /// Its path inside its root; the path may itself contain personal data.
    pub(super) name: String,
    pub(super) root: PathBuf,
    pub(super) place: &'static str,
    pub(super) wording: Wording,
    pub(super) bytes: u64,
}

impl ScanRoots {
    /// A home and its key directory. The canary is planted in the home.
    #[must_use]
    pub fn of_home(home: &Path, keys: &Path) -> Self {
        let root = |path: &Path, kind| Root { path: path.to_owned(), kind };
        Self { roots: vec![root(home, Kind::Home), root(keys, Kind::Keys)], planting: home.to_owned() }
    }

    /// The files on a node's own disk when its records are in a shared database: the keys. The canary is
    /// planted next to them.
    #[must_use]
    pub fn of_keys(keys: &Path) -> Self {
        Self { roots: Vec::new(), planting: keys.to_owned() }.and(keys, Kind::Keys)
    }

    /// A file or a folder of any kind: a backup, a folder of logs, the data directory of a database. The
    /// canary is planted in `temp`, because a folder that is not ours must not be written to.
    pub fn of_path(path: &Path, temp: &Path) -> Result<Self, ResidueError> {
        if !path.exists() {
            return Err(ResidueError::NoSuchPlace(path.to_owned()));
        }
        let grounds = Self { roots: Vec::new(), planting: temp.to_owned() };
        Ok(grounds.and(path, Kind::Given))
    }

    /// Adds a registered copy of the key directory.
    #[must_use]
    pub fn and_mirror(self, path: &Path) -> Self {
        self.and(path, Kind::Mirror)
    }

    /// Adds our files in `temp`.
    #[must_use]
    pub fn and_temp(self, temp: &Path) -> Self {
        self.and(temp, Kind::Temp)
    }

    /// Adds a file or folder: a backup, a log or anything else.
    #[must_use]
    pub fn and_path(self, path: &Path) -> Self {
        self.and(path, Kind::Given)
    }

    /// The total number of bytes to search.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.walk().spots.iter().map(|spot| spot.bytes).sum()
    }

    fn and(mut self, path: &Path, kind: Kind) -> Self {
        self.roots.push(Root { path: path.to_owned(), kind });
        self
    }

    pub(super) fn planting_ground(&self) -> &Path {
        &self.planting
    }

    /// Every existing file, each once even if it has several hard links.
    pub(super) fn walk(&self) -> ScanWalk {
        let mut walk = ScanWalk::default();
        for root in &self.roots {
            walk.walk_root(root);
        }
        if !self.roots.iter().any(|root| root.path == self.planting) {
            walk.canaries_in(&self.planting);
        }
        walk
    }
}

/// The result of walking the directories.
#[derive(Default)]
pub(super) struct ScanWalk {
    pub(super) spots: Vec<ScanFile>,
    /// Paths that could not be read.
    pub(super) closed: Vec<UnreadableFile>,
    seen: HashSet<(u64, u64)>,
}

impl ScanWalk {
    fn walk_root(&mut self, root: &Root) {
        let mut waiting = vec![root.path.clone()];
        while let Some(path) = waiting.pop() {
            match self.visit(root, &path) {
                Ok(inside) => waiting.extend(inside),
                // A file removed during the walk holds nothing; a root that was named must exist.
                Err(error) if error.kind() == io::ErrorKind::NotFound && path != root.path => {}
                Err(error) => self.closed.push(UnreadableFile { path, why: error.to_string() }),
            }
        }
    }

    /// Adds a file, or lists a folder.
    fn visit(&mut self, root: &Root, path: &Path) -> io::Result<Vec<PathBuf>> {
        let found = fs::metadata(path)?;
        if !self.seen.insert((found.dev(), found.ino())) {
            return Ok(Vec::new());
        }
        if found.is_file() && !root.is_foreign_program(found.mode()) {
            self.spots.push(root.spot(path.to_owned(), found.len()));
        }
        if !found.is_dir() {
            return Ok(Vec::new());
        }
        let entries: io::Result<Vec<PathBuf>> =
            fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect();
        Ok(entries?.into_iter().filter(|entry| root.includes(entry)).collect())
    }

    fn canaries_in(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        for path in entries.map(|entry| entry.path()).filter(|path| super::canary::is_canary(path)) {
            let bytes = fs::metadata(&path).map_or(0, |found| found.len());
            self.spots.push(Root { path: folder.to_owned(), kind: Kind::Given }.spot(path, bytes));
        }
    }
}

impl Root {
    /// The system's temporary directory is shared; only files with our names are searched there.
    fn includes(&self, path: &Path) -> bool {
        let is_top = path.parent() == Some(&self.path);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.kind != Kind::Temp || !is_top || TEMP_PREFIXES.iter().any(|start| name.starts_with(start))
    }

    /// We write no programs into the temporary directory; one with our name there is a copy of ours, whose
    /// built-in name lists would be taken for residue.
    fn is_foreign_program(&self, mode: u32) -> bool {
        self.kind == Kind::Temp && mode & 0o111 != 0
    }

    fn spot(&self, path: PathBuf, bytes: u64) -> ScanFile {
        let inside = path.strip_prefix(&self.path).unwrap_or(&path);
        let registered = (self.kind == Kind::Home).then(|| place_of_file(inside)).flatten();
        let wording = match registered.map(|place| place.scan) {
            Some(Scan::Text) => Wording::Text,
            Some(Scan::Bytes | Scan::Key | Scan::Not) | None => Wording::AsItLooks,
        };
        let place = match self.kind {
            Kind::Home => registered.map_or("home: other files", |place| place.name),
            Kind::Keys => "keys",
            Kind::Mirror => "mirrors of the keys",
            Kind::Temp => "temporary files",
            Kind::Given => "given path",
        };
        let name = inside.to_string_lossy().into_owned();
        ScanFile { name, root: self.path.clone(), place, wording, bytes, path }
    }
}
