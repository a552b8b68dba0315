//! What newcomers meet first: no home, a wrong flag, a code they don't know, a port that is taken.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;

use crate::Stage;

#[test]
fn without_a_home_the_demo_is_suggested() {
    let ran = Stage::new().run(&["memory", "list"]);
    assert_eq!(ran.status, 3);
    assert!(
        ran.stderr.contains("`selfhood serve --demo`") && ran.stderr.contains("`selfhood init`"),
        "{}",
        ran.stderr
    );
    let help = Stage::new().run(&["--help"]).stdout;
    assert!(help.contains("selfhood serve --demo --open"), "{help}");
}

#[test]
fn what_is_wrong_is_said_of_flags_and_programs_get_the_place() {
    let stage = Stage::with_inara();
    for (command, expected) in [
        (&["memory", "add", "A note.", "--salience", "3"][..], "error: --salience must be at most 1"),
        (&["memory", "add", "A note.", "--valence", "-2"], "error: --valence must be at least -1"),
        (&["memory", "add", ""], "error: GIST "),
        (&["memory", "add", "A note.", "--half-life", "0"], "error: --half-life "),
        (&["memory", "search", "note", "--max", "999"], "error: --max "),
        (
            &["memory", "add", "A note.", "--subject", "ana", "--consent-basis", "because"],
            "--consent-basis takes explicit-consent, ",
        ),
    ] {
        let ran = stage.run(command);
        assert!(ran.stderr.contains(expected), "{command:?} says {}", ran.stderr);
        assert!(!ran.stderr.contains(" /"), "{command:?} speaks of JSON: {}", ran.stderr);
        assert!(ran.stderr.contains("`selfhood explain "), "{}", ran.stderr);
    }
    let json = stage.run(&["memory", "add", "A note.", "--salience", "3", "-o", "json"]);
    assert_eq!(json.problem()["errors"][0]["pointer"], "/salience");
    let choice = stage.run(&["memory", "add", "A note.", "--privacy-class", "secret"]);
    assert!(choice.status == 2 && choice.stderr.contains("guest-pii"), "{}", choice.stderr);
}

#[test]
fn a_slip_is_answered_with_what_is_meant_or_allowed() {
    let stage = Stage::with_inara();
    for note in ["The sauna opens at seven.", "The harbour office closes at five."] {
        assert_eq!(stage.run(&["memory", "add", note]).status, 0);
    }
    let missing = stage.at("missing/folder/self.backup");
    let other = stage.at("home/default/persona/inara/SOUL.md");
    for (command, status, expected) in [
        (&["memory", "add", "A note.", "--salience", "much"][..], 2, "write a number such as `0.7`"),
        (&["memory", "list", "--limit", "-3"], 2, "write a whole number such as `20`"),
        (&["memory", "list", "--subject", "anna"], 0, "no such memories of `anna`; `selfhood subject list` "),
        (&["memory", "list", "--kind", "procedural"], 0, "no such memories"),
        (&["memory", "inspect", "mem:"], 2, "2 ids begin with `mem:`; type more of the id"),
        (&["memory", "correct", "mem:"], 2, "--gist <TEXT>"),
        (&["memory", "why", "that"], 3, "`that` is not found: not a UUID: "),
        (&["persona", "show", "ina"], 3, "did you mean `inara`?"),
        (&["timeline", "add", "A day"], 1, "error: --facts is required (and 2 more)"),
        (&["key", "new", "--subject", "ana", "--speaks", "owner"], 1, "leave --speaks out"),
        (
            &["key", "new", "--subject", "ana", "--scope", "admin"],
            1,
            "--scope may only be `read` and `write`",
        ),
        (&["import", "--undo", "1"], 3, "see `selfhood import --list`"),
        (&["backup", "create", &missing], 1, "missing/folder; create it, or mount what should be there"),
        (&["verify", &other], 6, "is neither a certificate nor an exported audit log"),
    ] {
        let ran = stage.run(command);
        assert!(ran.stderr.contains(expected), "{command:?} says {}", ran.stderr);
        assert_eq!(ran.status, status, "{command:?} says {}", ran.stderr);
    }
}

#[test]
fn a_home_that_cannot_be_written_is_named_by_every_command_and_by_the_check_before_serving() {
    let stage = Stage::with_inara();
    let home = stage.path("home");
    fs::set_permissions(&home, Permissions::from_mode(0o500)).unwrap();
    let is_root = fs::metadata(&home).unwrap().uid() == 0;
    for (command, place) in
        [(&["memory", "list"][..], "stderr"), (&["serve", "--check", "--port", "0"], "stdout")]
    {
        // Root may write everywhere, unless this power is taken away.
        let mut program = Command::new(if is_root { "setpriv" } else { "env" });
        let powerless: &[&str] = if is_root { &["--bounding-set=-all", "--inh-caps=-all"] } else { &[] };
        program.args(powerless).arg(env!("CARGO_BIN_EXE_selfhood")).arg("--home").arg(&home).args(command);
        let ran = program.output().unwrap();
        let said = String::from_utf8(if place == "stderr" { ran.stderr } else { ran.stdout }).unwrap();
        assert!(!ran.status.success(), "{command:?}: {said}");
        let (shown, said) = (home.display(), said.replace('\n', " "));
        assert!(
            said.contains(&format!("{shown} can't be written: Permission denied")),
            "{command:?}: {said}"
        );
        assert!(said.contains(&format!("`chmod u+rwX {shown}`")), "{command:?}: {said}");
    }
    fs::set_permissions(&home, Permissions::from_mode(0o700)).unwrap();
    assert_eq!(stage.run(&["memory", "list"]).status, 0);
}

#[test]
fn codes_are_explained_where_they_are_met() {
    let stage = Stage::new();
    let page = stage.run(&["explain", "home_locked"]);
    assert!(page.status == 0 && page.stdout.starts_with("# "), "{}", page.stdout);
    assert_eq!(stage.run(&["explain", "HOME-LOCKED"]).stdout, page.stdout);
    let listed = stage.run(&["explain", "-o", "quiet"]).stdout;
    assert_eq!(listed.lines().count(), wire::Code::ALL.len());
    let unknown = stage.run(&["explain", "home_lock"]);
    assert!(
        unknown.status == 3 && unknown.stderr.contains("did you mean `home_locked`?"),
        "{}",
        unknown.stderr
    );
    assert!(!stage.path("home").exists());
}

#[test]
fn a_port_that_is_taken_is_said_before_anything_is_made() {
    let stage = Stage::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = stage.run(&["serve", "--port", &port]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stderr.starts_with("error: ") && ran.stderr.contains("is in use by another program"),
        "{}",
        ran.stderr
    );
    assert!(!stage.path("home").exists() && !stage.path("home.keys").exists());
}

#[test]
fn whether_it_would_serve_is_checked_without_changing_anything() {
    let stage = Stage::new();
    let fresh = stage.run(&["serve", "--check", "--port", "0", "-o", "json"]);
    assert_eq!(fresh.status, 0, "{}", fresh.stderr);
    assert!(fresh.rows().iter().all(|row| row["result"] == "ok"), "{}", fresh.stdout);
    assert!(!stage.path("home").exists() && !stage.path("home.keys").exists());

    let server = stage.serve(&[]);
    let running = stage.run(&["serve", "--check", "--port", "0", "-o", "json"]);
    let failed: Vec<String> = running
        .rows()
        .iter()
        .filter(|row| row["result"] == "failed")
        .map(|row| row["check"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!((running.status, failed), (5, vec!["home".to_owned()]), "{}", running.stdout);
    drop(server);

    let clear = stage.run(&["serve", "--check", "--port", "0", "--addr", "0.0.0.0", "-o", "json"]);
    assert!(clear.stdout.contains("in clear"), "{}", clear.stdout);
    let no_key = stage.run(&[
        "serve",
        "--check",
        "--port",
        "0",
        "--tls-cert",
        "a.pem",
        "--tls-key",
        "b.pem",
        "-o",
        "json",
    ]);
    assert!(no_key.status != 0 && no_key.stdout.contains("can't use"), "{}", no_key.stdout);
}
