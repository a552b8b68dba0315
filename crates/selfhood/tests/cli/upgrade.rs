//! Homes of earlier releases open in this one with everything in them, one of a later release is refused, and what is to
//! be deleted after the program was removed is what the documentation names.
//!
//! `tests/fixtures/README.md` says how the homes were made. They are never made again: later releases must open them as
//! they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::{Stage, file_names};

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

#[test]
fn a_home_of_a_later_release_is_refused_by_serving_and_by_its_check_and_stays_as_it_is() {
    for database in DATABASES {
        let stage = unpacked("home-0.1.0.tar.gz");
        let fine = stage.run(&["serve", "--check", "--port", "0"]);
        assert_eq!(fine.status, 0, "{} {}", fine.stdout, fine.stderr);
        let mut bytes = fs::read(stage.path(database)).unwrap();
        bytes[SCHEMA].copy_from_slice(&900_u32.to_be_bytes());
        fs::write(stage.path(database), &bytes).unwrap();
        let checked = stage.run(&["serve", "--check", "--port", "0", "-o", "json"]);
        let home = checked.rows().into_iter().find(|row| row["check"] == "home").unwrap();
        let detail = home["detail"].as_str().unwrap();
        assert!(checked.status != 0 && home["result"] == "failed", "{database}: {}", checked.stdout);
        assert!(detail.contains("schema 900") && detail.contains("update this program"), "{detail}");
        let served = stage.run(&["serve", "--port", "0"]);
        assert!(served.status != 0 && served.stderr.contains("schema 900"), "{database}: {}", served.stderr);
        assert_eq!(fs::read(stage.path(database)).unwrap(), bytes, "{database} is unchanged");
    }
}

#[test]
fn after_the_program_nothing_but_the_home_and_the_keys_is_to_be_deleted() {
    let stage = Stage::new();
    fs::create_dir_all(stage.path("user")).unwrap();
    fs::create_dir_all(stage.path("tmp")).unwrap();
    let (user, temporary) = (stage.at("user"), stage.at("tmp"));
    let environment = [("SELFHOOD_HOME", ""), ("HOME", &*user), ("TMPDIR", &*temporary)];
    let run = |arguments: &[&str]| {
        let ran = stage.run_in(&environment, arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.stderr);
        ran
    };
    run(&["persona", "new", "inara"]);
    let server = stage.serve_in(&environment, &[]);
    run(&["memory", "add", "The harbour office closes at five."]);
    run(&["chat", "inara", "When does the harbour office close?"]);
    assert_eq!(server.end().0, 0);
    run(&["doctor"]);
    assert_eq!(file_names(&stage.path("user")), [".local"]);
    assert_eq!(file_names(&stage.path("user/.local")), ["share"]);
    assert_eq!(file_names(&stage.path("user/.local/share")), ["selfhood", "selfhood.keys"]);
    assert_eq!(file_names(&stage.path("tmp")), [""; 0]);
    fs::remove_dir_all(stage.path("user/.local/share/selfhood.keys")).unwrap();
    let unreadable = stage.run_in(&environment, &["memory", "list"]);
    assert!(unreadable.status != 0 && unreadable.stdout.is_empty(), "{}", unreadable.stdout);
}
