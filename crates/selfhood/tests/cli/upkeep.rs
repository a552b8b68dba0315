//! `selfhood backup …`, `selfhood vault …` and `selfhood doctor`: through the real program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Ran, Stage, file_names};

/// A home with a persona that remembers one thing.
fn furnished() -> Stage {
    let stage = Stage::with_inara();
    let added =
        stage.run(&["memory", "add", "The lobby serves strong coffee from seven.", "--salience", "0.8"]);
    assert_eq!(added.status, 0, "{}", added.stderr);
    stage
}

fn backed_up() -> Stage {
    let stage = furnished();
    let made = stage.run(&["backup", "create", "a.backup", "-o", "json"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    assert!(made.stderr.contains("the keys are NOT in this file"), "{}", made.stderr);
    assert_eq!(made.object()["tenants"][0]["personas"], 1);
    stage
}

/// What the persona of `home` remembers.
fn remembered(stage: &Stage, home: &str, keys: &str) -> Vec<Value> {
    let listed =
        stage.run(&["memory", "list", "--home", &stage.at(home), "--keys", &stage.at(keys), "-o", "json"]);
    let mut rows = listed.rows();
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        row.retain(|name, _| !name.starts_with("current"));
    }
    rows
}

/// The outcome of a check that a doctor printed as JSON.
fn outcome(ran: &Ran, check: &str) -> Vec<String> {
    let of = |row: &&Value| row["check"] == check;
    ran.rows().iter().filter(of).map(|row| row["outcome"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_home_comes_back_from_its_backup_and_its_keys() {
    let stage = backed_up();
    let before = remembered(&stage, "home", "home.keys");
    assert_eq!(before.len(), 1);
    let verified = stage.run(&["backup", "verify", "a.backup", "-o", "json"]);
    assert_eq!(verified.status, 0, "{} {}", verified.stdout, verified.stderr);
    assert_eq!(outcome(&verified, "contents"), ["ok"]);
    assert_eq!(outcome(&verified, "signature"), ["ok"]);
    fs::remove_dir_all(stage.path("home")).unwrap();
    fs::rename(stage.path("home.keys"), stage.path("new.keys")).unwrap();
    let restored = stage.run(&["backup", "restore", "a.backup", "--home", &stage.at("new"), "-o", "json"]);
    assert_eq!(restored.status, 0, "{} {}", restored.stdout, restored.stderr);
    assert_eq!(remembered(&stage, "new", "new.keys"), before);
    let again = stage.run(&["backup", "restore", "a.backup", "--home", &stage.at("new")]);
    assert_eq!(again.status, 5, "a home that is there is not overwritten: {}", again.stderr);
}

#[test]
fn a_backup_is_made_while_a_server_owns_the_home() {
    let stage = furnished();
    let server = stage.serve(&[]);
    let made = stage.run(&["backup", "create", "a.backup"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let looked = stage.run(&["doctor", "-o", "json"]);
    assert_eq!(looked.status, 0, "{}", looked.stdout);
    assert_eq!(server.end().0, 0);
    assert_eq!(stage.run(&["backup", "verify", "a.backup"]).status, 0);
    assert_eq!(stage.run(&["backup", "create", "a.backup"]).status, 1, "a file that is there stays");
}

#[test]
fn damaged_backups_and_missing_or_wrong_keys_end_with_their_own_status() {
    let stage = backed_up();
    let whole = fs::read(stage.path("a.backup")).unwrap();
    stage.write("cut.backup", &whole[..whole.len() - 7]);
    let mut garbled = whole.clone();
    garbled[whole.len() - 7] ^= 1;
    stage.write("garbled.backup", garbled);
    stage.write("other.backup", "hello\n");
    for file in ["cut.backup", "garbled.backup", "other.backup"] {
        assert_eq!(stage.run(&["backup", "verify", file]).status, 6, "{file}");
        let refused = stage.run(&[
            "backup",
            "restore",
            file,
            "--home",
            &stage.at("new"),
            "--keys",
            &stage.at("home.keys"),
        ]);
        assert_eq!(refused.status, 6, "{file}: {}", refused.stderr);
    }
    assert_eq!(stage.run(&["backup", "verify", "none.backup"]).status, 1);
    let without = stage.run(&["backup", "verify", "a.backup", "--keys", &stage.at("nowhere")]);
    assert!(without.status == 8 && without.stderr.contains("no record was opened"), "{}", without.stderr);
    let verified = stage.run(&["backup", "verify", "a.backup"]).stdout;
    let signer = verified.split_whitespace().find(|word| word.starts_with("did:key:")).unwrap();
    let stranger = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK";
    for (signer, status) in [(signer, 0), (stranger, 6), ("me", 2)] {
        let words = ["backup", "verify", "a.backup", "--keys", &stage.at("nowhere"), "--signer", signer];
        let ran = stage.run(&words);
        assert_eq!(ran.status, status, "{signer}: {}{}", ran.stdout, ran.stderr);
    }
    let refused = stage.run(&["backup", "restore", "a.backup", "--home", &stage.at("new")]);
    assert!(refused.status == 4 && refused.stderr.contains("--keys"), "{}", refused.stderr);
    let other = Stage::with_inara();
    for verb in ["verify", "restore"] {
        let wrong = stage.run(&[
            "backup",
            verb,
            "a.backup",
            "--home",
            &stage.at("new"),
            "--keys",
            &other.at("home.keys"),
        ]);
        assert_eq!(wrong.status, 6, "{}", wrong.stderr);
    }
    assert!(!file_names(&stage.path("")).iter().any(|name| name.contains("new") || name.contains("part")));
}

#[test]
fn keys_are_rotated_mirrored_and_verified() {
    let stage = backed_up();
    let status = stage.run(&["vault", "status", "-o", "json"]).object();
    assert_eq!((&status["epoch"], &status["wrapped"]), (&1.into(), &false.into()));
    let mirror = stage.at("stick");
    assert_eq!(stage.run(&["vault", "mirror", "add", &mirror]).status, 0);
    assert_eq!(stage.run(&["vault", "mirror", "add", &mirror]).status, 5);
    assert_eq!(stage.run(&["vault", "rotate", "--dry-run"]).status, 0);
    let rotated = stage.run(&["vault", "rotate", "--yes", "-o", "json"]);
    assert_eq!((rotated.status, &rotated.object()["epoch"]), (0, &2.into()), "{}", rotated.stderr);
    fs::rename(stage.path("stick"), stage.path("unplugged")).unwrap();
    let partial = stage.run(&["vault", "rotate", "--yes", "-o", "json"]);
    assert_eq!((partial.status, &partial.object()["epoch"]), (8, &3.into()), "{}", partial.stderr);
    assert!(stage.run(&["vault", "mirror", "list", "-o", "json"]).rows()[0]["behind"].is_string());
    assert_eq!(stage.run(&["vault", "mirror", "remove", &mirror]).status, 0);
    assert_eq!(stage.run(&["vault", "mirror", "remove", &mirror]).status, 3);
    let verified = stage.run(&["vault", "verify", "-o", "json"]);
    assert_eq!(verified.status, 0, "{}", verified.stdout);
    let old = stage.run(&["backup", "verify", "a.backup"]);
    assert!(old.status == 4 && old.stderr.contains("--keyrings"), "{}", old.stderr);
    let old = stage.run(&["backup", "verify", "a.backup", "--keyrings", &stage.at("home"), "-o", "json"]);
    assert_eq!(
        (old.status, outcome(&old, "documents")),
        (0, vec!["ok".to_owned(), "warn".to_owned()]),
        "{}",
        old.stdout
    );
}

#[test]
fn the_doctor_finds_what_is_wrong_and_mends_what_is_safe() {
    let stage = furnished();
    let well = stage.run(&["doctor", "-o", "json"]);
    assert_eq!(well.status, 0, "{}", well.stdout);
    assert_eq!(outcome(&well, "mirrors"), ["warn"], "a key directory without a copy is worth a word");

    let kek = stage.path("home.keys/default/kek-1.key");
    fs::set_permissions(&kek, fs::Permissions::from_mode(0o644)).unwrap();
    let loose = stage.run(&["doctor", "-o", "json"]);
    assert_eq!(
        (loose.status, outcome(&loose, "permissions")),
        (6, vec!["fail".to_owned()]),
        "{}",
        loose.stdout
    );
    let fixed = stage.run(&["doctor", "--fix", "-o", "json"]);
    assert_eq!((fixed.status, outcome(&fixed, "repaired")), (0, vec!["ok".to_owned()]), "{}", fixed.stdout);

    let document = stage.read("home/default/persona/inara/persona.json");
    stage.write("home/default/persona/inara/persona.json", document.replace("\"en\"", "\"de\""));
    let edited = stage.run(&["doctor", "-o", "json"]);
    assert_eq!(
        (edited.status, outcome(&edited, "document")),
        (6, vec!["fail".to_owned()]),
        "{}",
        edited.stdout
    );
    assert_eq!(stage.run(&["persona", "sign"]).status, 0);
    assert_eq!(stage.run(&["doctor"]).status, 0);

    fs::rename(&kek, stage.path("kek")).unwrap();
    let missing = stage.run(&["doctor", "-o", "json"]);
    assert_eq!(
        (missing.status, outcome(&missing, "keyring")),
        (6, vec!["fail".to_owned()]),
        "{}",
        missing.stdout
    );
    fs::rename(stage.path("home.keys"), stage.path("elsewhere")).unwrap();
    let lost = stage.run(&["doctor", "-o", "json"]);
    assert_eq!((lost.status, outcome(&lost, "opens")), (6, vec!["fail".to_owned()]), "{}", lost.stdout);
    assert_eq!(stage.run(&["doctor", "--home", &stage.at("nowhere")]).status, 3);
}

#[test]
fn a_server_makes_backups_by_itself_when_a_place_is_set() {
    let stage = furnished();
    let toml = format!("[backup]\nto = \"{}\"\nevery = \"12h\"\nkeep = 2\n", stage.at("backups"));
    stage.write("home/selfhood.toml", toml);
    let server = stage.serve(&[]);
    let started = Instant::now();
    let made = loop {
        let names =
            if stage.path("backups").is_dir() { file_names(&stage.path("backups")) } else { Vec::new() };
        match names.into_iter().find(|name| name.ends_with(".backup")) {
            Some(name) => break name,
            None if started.elapsed() > Duration::from_secs(20) => panic!("no backup was made"),
            None => sleep(Duration::from_millis(50)),
        }
    };
    assert_eq!(server.end().0, 0);
    assert_eq!(stage.run(&["backup", "verify", &stage.at(&format!("backups/{made}"))]).status, 0);
    let shown = stage.run(&["config", "show", "-o", "json"]);
    assert!(shown.stdout.contains("\"12h\""), "{}", shown.stdout);
    stage.write("home/selfhood.toml", "[backup]\nto = \"inside\"\n");
    assert_eq!(stage.run(&["config", "show"]).status, 2, "a backup inside the home would be lost with it");
}

#[test]
fn a_drill_tries_the_newest_backup_and_the_doctor_knows_its_age() {
    let stage = furnished();
    let nowhere = stage.run(&["backup", "drill"]);
    assert!(nowhere.status == 2 && nowhere.stderr.contains("`backup.to`"), "{}", nowhere.stderr);
    stage.write("home/selfhood.toml", format!("[backup]\nto = '{}'\n", stage.at("backups")));
    assert_eq!(stage.run(&["backup", "drill"]).status, 3, "none was made yet");
    assert_eq!(outcome(&stage.run(&["doctor", "-o", "json"]), "backups"), ["warn"]);

    fs::create_dir(stage.path("backups")).unwrap();
    let (old, new) =
        ("backups/selfhood-20260401T120000000Z.backup", "backups/selfhood-20260402T120000000Z.backup");
    for file in [old, new] {
        let made = stage.run(&["backup", "create", file]);
        assert_eq!(made.status, 0, "{}", made.stderr);
    }
    stage.write("backups/notes.txt", "mine");
    let listed = stage.run(&["backup", "list", "-o", "json"]).rows();
    let times: Vec<&str> = listed.iter().map(|row| row["createdAt"].as_str().unwrap()).collect();
    assert_eq!(times, ["2026-04-01T12:00:00.000Z", "2026-04-02T12:00:00.000Z"]);
    let drilled = stage.run(&["backup", "drill", "-o", "json"]);
    assert_eq!(drilled.status, 0, "{} {}", drilled.stdout, drilled.stderr);
    assert!(drilled.stderr.contains("20260402T120000000Z"), "{}", drilled.stderr);
    assert_eq!(outcome(&drilled, "signature"), ["ok"]);
    let looked = stage.run(&["doctor", "-o", "json"]);
    assert_eq!(outcome(&looked, "backups"), ["warn"], "these are old by their names");

    let mut bytes = fs::read(stage.path(new)).unwrap();
    let last = bytes.len() - 7;
    bytes[last] ^= 1;
    fs::write(stage.path(new), bytes).unwrap();
    assert_eq!(stage.run(&["backup", "drill"]).status, 6, "a damaged one does not pass");
}

#[test]
fn storage_and_key_services_say_what_they_miss_and_never_what_they_know() {
    let stage = furnished();
    let without = stage.run(&["backup", "create", "s3://backups/a.backup"]);
    assert!(without.stderr.contains("AWS_ACCESS_KEY_ID"), "{}", without.stderr);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let endpoint = format!("http://{free}");
    let credentials = [
        ("AWS_ACCESS_KEY_ID", "AKIA"),
        ("AWS_SECRET_ACCESS_KEY", "s3cret"),
        ("SELFHOOD_BACKUP_S3_ENDPOINT", endpoint.as_str()),
    ];
    let away = stage.run_in(&credentials, &["backup", "verify", "s3://backups/a.backup"]);
    assert_eq!(away.status, 7, "{}", away.stderr);
    assert!(
        away.stderr.contains("nobody answers there") && !away.stderr.contains("s3cret"),
        "{}",
        away.stderr
    );
    let shown = stage.run_in(&credentials, &["config", "show"]).stdout;
    assert!(shown.contains("***") && !shown.contains("s3cret"), "{shown}");
    let nameless = stage.run_in(&credentials, &["backup", "create", "s3://backups/"]);
    assert_eq!(nameless.status, 2, "{}", nameless.stderr);

    let wrapping = ("SELFHOOD_VAULT_WRAPPING", "vault-transit https://vault.example.org/transit/selfhood");
    let tokenless = stage.run_in(&[wrapping], &["memory", "list"]);
    assert!(tokenless.stderr.contains("SELFHOOD_VAULT_TOKEN"), "{}", tokenless.stderr);
    let unknown = stage.run_in(&[("SELFHOOD_VAULT_WRAPPING", "pgp 7")], &["memory", "list"]);
    assert!(unknown.status == 2 && unknown.stderr.contains("vault-transit"), "{}", unknown.stderr);
}

#[test]
fn what_is_about_the_whole_home_takes_no_tenant() {
    let stage = furnished();
    for command in [&["backup", "create", "b.backup"][..], &["doctor"]] {
        for flag in ["--tenant", "--persona"] {
            let ran = stage.run(&[command, &[flag, "scott"]].concat());
            assert!(ran.status == 2 && ran.stderr.contains(flag), "{command:?} {flag}: {}", ran.stderr);
        }
    }
}
