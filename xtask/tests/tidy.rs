//! Rules of the house that no compiler checks.
#![expect(clippy::unwrap_used, reason = "a test that can't read the project fails loudly")]

use std::fs;
use std::path::{Path, PathBuf};

/// The longest a source file may be; most are far shorter.
const LONGEST_FILE: usize = 500;
/// File names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["mod.rs", "utils.rs", "helpers.rs", "common.rs", "manager.rs", "types.rs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn all_sources() -> Vec<PathBuf> {
    ["crates", "xtask"].iter().flat_map(|folder| sources(&root().join(folder))).collect()
}

#[test]
fn no_source_file_is_too_long_to_read() {
    let too_long: Vec<_> = all_sources()
        .into_iter()
        .map(|path| (fs::read_to_string(&path).unwrap().lines().count(), path))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .collect();
    assert!(too_long.is_empty(), "longer than {LONGEST_FILE} lines: {too_long:?}");
}

#[test]
fn every_file_is_named_after_what_is_in_it() {
    let empty_name = |path: &PathBuf| EMPTY_NAMES.iter().any(|name| path.ends_with(name));
    let unnamed: Vec<_> = all_sources().into_iter().filter(empty_name).collect();
    assert!(unnamed.is_empty(), "name the thing: {unnamed:?}");
}

#[test]
fn every_crate_obeys_the_lints_of_the_workspace_and_bears_its_folders_name() {
    for name in crates() {
        let manifest = fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains(&format!("name = \"{name}\"\n")),
            "crates/{name} holds a crate of another name"
        );
        assert!(
            manifest.contains("[lints]\nworkspace = true\n"),
            "crates/{name} leaves the workspace's lints"
        );
    }
}

#[test]
fn the_architecture_names_every_crate() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for name in crates() {
        assert!(text.contains(&format!("`crates/{name}`")), "ARCHITECTURE.md doesn't name crates/{name}");
    }
}

#[test]
fn every_path_the_documents_name_exists() {
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let paths = named_paths(&text);
        assert!(!paths.is_empty(), "{document} names no path; does the test still read it right?");
        for path in paths {
            assert!(root().join(&path).exists(), "{document} names {path}, which doesn't exist");
        }
    }
}

/// What stands in backquotes or in a link's brackets and starts with one of our folders or is one of our files.
fn named_paths(text: &str) -> Vec<String> {
    let at_root: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let folders = [
        "crates/", "docs/", "xtask/", ".ci/", ".config/", "schemas/", ".cargo/", "tests/", "web/", "model/",
        "benches/",
    ];
    let quoted = text.split('`').skip(1).step_by(2);
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_ours = |word: &&str| {
        !word.contains([' ', '{', '<', '…'])
            && (folders.iter().any(|folder| word.starts_with(folder))
                || at_root.iter().any(|name| name == word))
    };
    quoted.chain(linked).filter(is_ours).map(str::to_owned).collect()
}
