//! Rules of the house that no compiler checks.
#![expect(clippy::unwrap_used, reason = "a test that can't read the project fails loudly")]

mod fuzz;
mod names;
mod notice;
mod parameters;
#[cfg(unix)]
mod supply_chain;

use std::fs;
use std::path::{Path, PathBuf};

/// The longest a source file may be; most are far shorter.
const LONGEST_FILE: usize = 500;
/// File names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["mod.rs", "utils.rs", "helpers.rs", "common.rs", "manager.rs", "types.rs"];

/// Turns of phrase that a newcomer has to decode, and that comments no longer have. They have no plain use.
const MANNERED_PHRASES: [&str; 16] = [
    "anew",
    "whoever",
    "somebody",
    "somebody's",
    "let go of",
    "lets go of",
    "gone on with",
    "goes on with",
    "comes to be",
    "came to be",
    "sees to",
    "in vain",
    "is owed",
    "on its way",
    "on their way",
    "takes the place of",
];

fn root() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..")
}

fn crates() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    files_ending(folder, "rs")
}

fn files_ending(folder: &Path, wanted: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(files_ending(&path, wanted));
        } else if path.extension().is_some_and(|extension| extension == wanted) {
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

/// Clones share a build cache, so a path that was compiled in may be another clone's.
#[test]
fn tests_ask_at_run_time_where_the_project_is() {
    let compiled_in = ["env!(\"CARGO_MANIFEST", "_DIR\")"].concat();
    let is_test = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests");
    let tests = all_sources().into_iter().chain(sources(&root().join("tests"))).filter(is_test);
    let wrong: Vec<_> =
        tests.filter(|path| fs::read_to_string(path).unwrap().contains(&compiled_in)).collect();
    assert!(wrong.is_empty(), "use std::env::var(\"CARGO_MANIFEST_DIR\"): {wrong:?}");
}

/// A path in the program would make builds of one commit in two folders differ.
#[test]
fn the_program_does_not_name_the_folder_it_was_built_in() {
    let compiled_in = ["env!(\"CARGO_MANIFEST", "_DIR\")"].concat();
    let names_it = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        text.split("#[cfg(test)]").next().unwrap().contains(&compiled_in)
    };
    let is_program = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "src");
    let wrong: Vec<_> =
        sources(&root().join("crates")).into_iter().filter(is_program).filter(names_it).collect();
    assert!(wrong.is_empty(), "ask at run time instead: {wrong:?}");
}

#[test]
fn every_file_is_named_after_what_is_in_it() {
    let empty_name = |path: &PathBuf| EMPTY_NAMES.iter().any(|name| path.ends_with(name));
    let unnamed: Vec<_> = all_sources().into_iter().filter(empty_name).collect();
    assert!(unnamed.is_empty(), "name the thing: {unnamed:?}");
}

#[test]
fn comments_are_in_plain_words() {
    let is_held = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "src");
    let mut found = Vec::new();
    for path in sources(&root().join("crates")).into_iter().filter(is_held) {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"))
        {
            let words = plain_words(line);
            let phrases = MANNERED_PHRASES.iter().filter(|phrase| words.contains(&format!(" {phrase} ")));
            found.extend(phrases.map(|phrase| format!("{}:{}: {phrase}", path.display(), number + 1)));
        }
    }
    assert!(found.is_empty(), "say it as to a colleague: {found:#?}");
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

#[test]
fn every_alarm_has_its_part_of_the_runbook_and_every_part_its_alarm() {
    let rules = fs::read_to_string(root().join("deploy/monitoring/alerts.yaml")).unwrap();
    let named = |line: &str, start: &str| line.trim().strip_prefix(start).map(str::to_owned);
    let alarms: Vec<String> = rules.lines().filter_map(|line| named(line, "- alert: ")).collect();
    let runbooks: Vec<String> =
        rules.lines().filter_map(|line| named(line, "runbook: docs/operate.md#")).collect();
    assert_eq!(alarms.iter().map(|alarm| alarm.to_lowercase()).collect::<Vec<_>>(), runbooks);
    let page = fs::read_to_string(root().join("docs/operate.md")).unwrap();
    let mut parts: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let mut alarms: Vec<&str> = alarms.iter().map(String::as_str).collect();
    parts.sort_unstable();
    alarms.sort_unstable();
    assert_eq!(parts, alarms);
}

/// What stands in backquotes or in a link's brackets and starts with one of our folders or is one of our files.
fn named_paths(text: &str) -> Vec<String> {
    let at_root: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let folders = [
        "crates/", "docs/", "xtask/", ".ci/", ".config/", "schemas/", ".cargo/", "tests/", "web/", "model/",
        "benches/", "clients/", "deploy/",
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

/// The words of `line` in lower case, each between single spaces.
fn plain_words(line: &str) -> String {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" ").to_lowercase())
}
