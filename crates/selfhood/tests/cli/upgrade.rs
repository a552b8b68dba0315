//! Homes of earlier releases open in this one with everything in them.
//!
//! `tests/fixtures/README.md` says how they were made. They are never made again: later releases must open them as they
//! are. A database of a later release is refused (`crates/store/tests`).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::Stage;

/// The databases of the home, below it.
const DATABASES: [&str; 2] = ["home/deployment.db", "home/default/persona/nora-lindqvist/memory.db"];
/// Where the header of a database has the number of its schema.
const SCHEMA: std::ops::Range<usize> = 60..64;

/// A stage with an archive of a home.
fn unpacked(archive: &str) -> Stage {
    let stage = Stage::new();
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    let archive = root.join("tests/fixtures").join(archive);
    let unpacked = Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(stage.folder.path()).status();
    assert!(unpacked.unwrap().success(), "{}", archive.display());
    stage
}

/// The numbers of the schemas, as the files have them.
fn schemas(stage: &Stage) -> [u32; 2] {
    DATABASES.map(|database| {
        let bytes = fs::read(stage.folder.path().join(database)).unwrap();
        u32::from_be_bytes(bytes[SCHEMA].try_into().unwrap())
    })
}

/// What is shown of each memory and event, by its id. What fades with time is left out.
fn shown(stage: &Stage) -> BTreeMap<String, Value> {
    let lists =
        [&["memory", "list", "--include-redacted", "-o", "json"][..], &["timeline", "list", "-o", "json"]];
    let rows = lists.into_iter().flat_map(|list| stage.run(list).rows());
    let shown = rows.map(|row| {
        let kept = ["gist", "eventLabel", "facts", "createdAt", "kind", "privacyClass", "eventAt", "subject"];
        let words: Vec<Value> = kept.iter().map(|name| row[*name].clone()).collect();
        let id = ["id", "timelineId"].iter().find_map(|name| row[*name].as_str()).unwrap();
        (id.to_owned(), Value::Array(words))
    });
    shown.collect()
}

/// Checks that everything is there, is proven, and that the home takes more.
fn check_whole(stage: &Stage) {
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "nora-lindqvist\n");
    // What is about nobody has no expiry, so it is there in any year.
    let memories = stage.run(&["memory", "list", "--include-redacted", "-o", "json"]).rows();
    assert!(
        memories.iter().any(|memory| memory["id"].as_str().unwrap().starts_with("mem:bad2")),
        "{memories:?}"
    );
    assert!(!stage.run(&["timeline", "list", "-o", "json"]).rows().is_empty());
    let proven = stage.run(&["memory", "audit", "--verify"]);
    assert_eq!(proven.status, 0, "{}", proven.stderr);
    let added = stage.run(&["memory", "add", "The harbour office closes at five."]);
    assert_eq!(added.status, 0, "{}", added.stderr);
    assert!(stage.run(&["memory", "list", "harbour office"]).stdout.contains("harbour office closes"));
}

#[test]
fn a_home_of_the_first_release_opens_with_everything_in_it() {
    check_whole(&unpacked("home-0.1.0.tar.gz"));
}

#[test]
fn databases_of_the_first_schema_are_migrated_with_everything_in_them() {
    let (newer, oldest) = (unpacked("home-0.1.0.tar.gz"), unpacked("home-first-schema.tar.gz"));
    assert_eq!(schemas(&oldest), [1, 1], "nothing but the first step was run on them");
    let expected = shown(&newer);
    assert!(expected.len() > 15, "{expected:?}");
    assert_eq!(shown(&oldest), expected);
    check_whole(&oldest);
    // Pins came with the second step.
    let id = expected.keys().find(|id| id.starts_with("mem:bad2")).unwrap();
    let pinned = oldest.run(&["memory", "pin", id]);
    assert_eq!(pinned.status, 0, "{}", pinned.stderr);
}
