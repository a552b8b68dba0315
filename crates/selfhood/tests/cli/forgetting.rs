//! `selfhood memory redact-user`, and the keys that sign for it.

use std::fs;

use serde_json::Value;

use crate::Stage;

fn with_ana() -> Stage {
    let stage = Stage::with_inara();
    for (gist, who) in [
        ("Ana hides her letters.", "ana"),
        ("Write to ana.popescu@example.org.", "bogdan"),
        ("Bogdan likes tea.", "bogdan"),
    ] {
        let basis = ["--subject", who, "--consent-basis", "service-delivery", "--salience", "0.9"];
        let made = stage.run(&[&["memory", "add", gist], &basis[..]].concat());
        assert_eq!(made.status, 0, "{}", made.stderr);
    }
    stage
}

const ASKED: [&str; 7] = [
    "memory",
    "redact-user",
    "ana",
    "--reason",
    "right-to-be-forgotten",
    "--identifier",
    "ana.popescu@example.org",
];

#[test]
fn a_person_is_forgotten_with_one_command_and_the_certificate_is_theirs() {
    let stage = with_ana();
    let dry = stage.run(&[&ASKED[..], &["--dry-run"]].concat());
    assert_eq!(dry.status, 0, "{}", dry.stderr);
    assert!(
        dry.stdout.contains("memory.db:payloads") && dry.stderr.contains("nothing was changed"),
        "{}",
        dry.stderr
    );
    let unasked = stage.run(&ASKED);
    assert!(unasked.status == 2 && unasked.stderr.contains("--yes"), "{}", unasked.stderr);
    assert_eq!(stage.run(&["memory", "list"]).stdout.lines().count(), 3, "nothing has gone yet");
    let copy = stage.at("ana.json");
    let done = stage.run(&[&ASKED[..], &["--yes", "--certificate", &copy, "-o", "table"]].concat());
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stdout.contains("nothing is left of it") && done.stderr.contains("backup create"),
        "{}",
        done.stdout
    );
    let left = stage.run(&["memory", "list", "--include-redacted"]).stdout;
    assert!(left.contains("Bogdan likes tea.") && left.lines().count() == 1, "{left}");
    let copy: Value = serde_json::from_slice(&fs::read(&copy).unwrap()).unwrap();
    assert_eq!(
        (&copy["certificate"]["outcome"], &copy["opening"]["subject"]),
        (&"done".into(), &"ana".into())
    );
    let twice = stage.run(&[&ASKED[..], &["--yes", "--certificate", &stage.at("ana.json")]].concat());
    assert_ne!(twice.status, 0, "a file that is there stays");
}

#[test]
fn what_is_left_is_listed_and_the_exit_says_so() {
    let stage = with_ana();
    let note = stage.write("home/default/notes.txt", "call ana.popescu@example.org");
    let home = stage.path("home");
    assert!(home.is_dir(), "the home of the stage is {}", home.display());
    let partial = stage.run(&[&ASKED[..], &["--yes", "-o", "json"]].concat());
    assert_eq!(partial.status, 8, "{}", partial.stderr);
    assert_eq!(partial.object()["erasure"]["status"], "partial");
    assert!(partial.stderr.contains("notes.txt"), "{}", partial.stderr);
    let doctor = stage.run(&["doctor"]);
    assert!(doctor.stdout.contains("erasures"), "{}", doctor.stdout);
    fs::remove_file(note).unwrap();
}

#[test]
fn operators_have_keys_of_their_own_and_none_revokes_itself() {
    let stage = Stage::with_inara();
    let made = stage.run(&["key", "operator", "new", "--name", "zoe", "-o", "json"]);
    assert!(
        made.status == 0 && made.rows()[0]["did"].as_str().unwrap().starts_with("did:key:z6Mk"),
        "{}",
        made.stderr
    );
    assert_eq!(stage.run(&["key", "operator", "new", "--name", "zoe"]).status, 5);
    assert_ne!(stage.run(&["key", "operator", "new", "--name", "../zoe"]).status, 0);
    let listed = stage.run(&["key", "operator", "list", "-o", "json"]).rows();
    let names: Vec<&str> = listed.iter().map(|known| known["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["default", "zoe"]);
    assert_eq!(stage.run(&["key", "operator", "revoke", "default", "--yes"]).status, 5);
    let revoked = stage.run(&["key", "operator", "revoke", "zoe", "--yes", "-o", "json"]);
    assert!(revoked.rows()[0]["revokedAt"].is_string(), "{}", revoked.stderr);
    assert_eq!(stage.run(&["key", "operator", "revoke", "nobody"]).status, 3);
}
