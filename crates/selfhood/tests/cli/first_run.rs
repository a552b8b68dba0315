//! The first run: a home, its keys, and the key that opens it, shown once.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::{Stage, file_names};

#[test]
fn init_makes_home_and_keys_for_their_user_alone_and_shows_the_key_once() {
    let stage = Stage::new();
    let first = stage.run(&["init", "-o", "json"]);
    assert_eq!(first.status, 0, "{}", first.stderr);
    let made = first.object();
    assert!(made["key"].as_str().unwrap().starts_with("sh_"), "{made}");
    assert_eq!((&made["home"], &made["keys"]), (&stage.at("home").into(), &stage.at("home.keys").into()));
    for folder in ["home", "home.keys"] {
        assert_eq!(fs::metadata(stage.path(folder)).unwrap().permissions().mode() & 0o777, 0o700, "{folder}");
    }
    for file in file_names(&stage.path("home.keys")) {
        let path = stage.path("home.keys").join(&file);
        if path.is_file() {
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
        }
    }
    assert!(stage.run(&["init", "-o", "json"]).object()["key"].is_null(), "the key is shown once");
    assert_eq!(stage.run(&["key", "list"]).stdout.lines().count(), 1, "and made once");
}

#[test]
fn the_first_key_opens_everything_and_speaks_for_the_owner() {
    let stage = Stage::new();
    let key = stage.run(&["init", "-o", "quiet"]).stdout.trim().to_owned();
    let listed = stage.run(&["key", "list", "-o", "json"]).rows();
    assert_eq!(listed[0]["speaks"], "owner");
    assert_eq!(listed[0]["scopes"].as_array().unwrap().len(), 6);
    let server = stage.serve(&[]);
    assert_eq!(server.get("/personas", &key), (200, r#"{"personas":[]}"#.to_owned()));
    assert_eq!(server.get("/personas", "sh_0000000000000000_00").0, 401);
}

#[test]
fn people_learn_where_things_are_and_what_not_to_lose() {
    let stage = Stage::new();
    let printed = stage.run(&["init", "-o", "table"]).stdout;
    for part in
        [&stage.at("home"), &stage.at("home.keys"), "without the keys the data is lost", "persona new", "sh_"]
    {
        assert!(printed.contains(part), "{part} is missing from {printed}");
    }
}

#[test]
fn a_command_that_only_looks_makes_no_home() {
    let stage = Stage::new();
    for command in [&["persona", "list"][..], &["memory", "list"], &["timeline", "check"], &["key", "list"]] {
        let ran = stage.run(command);
        assert_eq!(ran.status, 3, "{command:?}");
        assert!(
            ran.stderr.contains("there is no home at") && ran.stderr.contains("selfhood init"),
            "{}",
            ran.stderr
        );
    }
    assert!(!stage.path("home").exists() && !stage.path("home.keys").exists());
}

#[test]
fn a_home_whose_keys_are_gone_is_not_given_new_ones() {
    let stage = Stage::with_inara();
    fs::rename(stage.path("home.keys"), stage.path("elsewhere")).unwrap();
    let ran = stage.run(&["persona", "list"]);
    assert_eq!(ran.status, 4);
    assert!(ran.stderr.contains("restore your copy"), "{}", ran.stderr);
    assert!(!stage.path("home.keys").exists());
    fs::rename(stage.path("elsewhere"), stage.path("home.keys")).unwrap();
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "inara\n");
}

#[test]
fn a_database_that_does_not_answer_is_said_to_be_away() {
    let stage = Stage::new();
    let ran = stage.run(&["--store", "postgres://self@%2Fnowhere/self", "init"]);
    assert_eq!(ran.status, 7);
    assert!(ran.stderr.contains("the database is unavailable"), "{}", ran.stderr);
}
