//! A home of an earlier release opens in this one with everything in it.
//!
//! `tests/fixtures/home-0.1.0.tar.gz` is the example home as release 0.1.0 made it, with its keys. It is never made
//! again: later releases must open it as it is. A database of a later release is refused (`crates/store/tests`).

use std::path::PathBuf;
use std::process::Command;

use crate::Stage;

#[test]
fn a_home_of_the_first_release_opens_with_everything_in_it() {
    let stage = Stage::new();
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    let archive = root.join("tests/fixtures/home-0.1.0.tar.gz");
    let unpacked = Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(stage.folder.path()).status();
    assert!(unpacked.unwrap().success(), "{}", archive.display());
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
