//! Copies of a home that nobody has open, for harnesses that damage one copy after the other.

use std::fs;
use std::path::{Path, PathBuf};

use domain::example;
use store::Upkeep as _;
use tempfile::TempDir;

use crate::workload;
use crate::world::{INARA, make_persona, open, scope};

/// A home whose persona has gone through `steps`, closed.
pub(crate) async fn lived(steps: u64) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await.unwrap();
    make_persona(&store, INARA).await.unwrap();
    for step in 0..steps {
        workload::take(&store, &scope(INARA), step).await.unwrap();
    }
    store.close(example::day(10_000)).await.unwrap();
    directory
}

/// A copy of everything in `directory`.
pub(crate) fn copy(directory: &Path) -> TempDir {
    let target = tempfile::tempdir().unwrap();
    for path in files(directory) {
        let copied = target.path().join(path.strip_prefix(directory).unwrap());
        make_private(copied.parent().unwrap());
        fs::copy(&path, copied).unwrap();
    }
    target
}

/// Every file in `directory`, in order.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn make_private(directory: &Path) {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory).unwrap();
}
