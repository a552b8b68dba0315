//! Which layer decides a setting, and how the program tells.

use crate::Stage;

/// The value and origin of `key`, as `config show --origin` prints them.
fn shown(stage: &Stage, environment: &[(&str, &str)], flags: &[&str], key: &str) -> (String, String) {
    let ran = stage.run_in(environment, &[flags, &["config", "show", "--origin", "-o", "json"]].concat());
    let row = ran.rows().into_iter().find(|row| row["setting"] == key).unwrap();
    let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
    (text("value"), text("origin"))
}

#[test]
fn flags_win_over_environment_over_dotenv_over_file_over_defaults() {
    let stage = Stage::new();
    let keys = |environment: &[(&str, &str)], flags: &[&str]| shown(&stage, environment, flags, "vault.keys");
    let line = |file: &str, line: usize| format!("{}:{line}", stage.at(file));

    assert_eq!(keys(&[], &[]), (stage.at("home.keys"), "default".to_owned()));
    stage.write("home/selfhood.toml", "[vault]\nkeys = '/file'\n");
    assert_eq!(keys(&[], &[]), ("/file".to_owned(), line("home/selfhood.toml", 2)));
    stage.write("home/.env", "# mine\nSELFHOOD_KEYS=/dotenv # there\n");
    assert_eq!(keys(&[], &[]), ("/dotenv".to_owned(), line("home/.env", 2)));
    let environment = [("SELFHOOD_KEYS", "/environment")];
    assert_eq!(keys(&environment, &[]), ("/environment".to_owned(), "environment SELFHOOD_KEYS".to_owned()));
    assert_eq!(keys(&environment, &["--keys", "/flag"]), ("/flag".to_owned(), "flag --keys".to_owned()));
}

#[test]
fn a_relative_path_in_a_file_is_meant_from_the_home() {
    let stage = Stage::new();
    stage.write("home/selfhood.toml", "[vault]\nkeys = '../safe'\n");
    assert_eq!(shown(&stage, &[], &[], "vault.keys").0, stage.at("home/../safe"));
}

#[test]
fn the_home_is_in_the_platforms_data_folder_unless_named() {
    let stage = Stage::new();
    let home = |environment: &[(&str, &str)]| shown(&stage, environment, &[], "home").0;
    if cfg!(all(unix, not(target_os = "macos"))) {
        assert_eq!(home(&[("SELFHOOD_HOME", ""), ("HOME", "/u")]), "/u/.local/share/selfhood");
        assert_eq!(
            home(&[("SELFHOOD_HOME", ""), ("HOME", "/u"), ("XDG_DATA_HOME", "/data")]),
            "/data/selfhood"
        );
    }
    assert_eq!(home(&[("SELFHOOD_HOME", "/named")]), "/named");
}

#[test]
fn lists_and_numbers_are_read_from_file_and_environment_alike() {
    let stage = Stage::new();
    stage.write(
        "home/selfhood.toml",
        "[consent]\nbases = ['works-council', 'contract']\n[limits]\ndocument_bytes = 1_000\n",
    );
    assert_eq!(shown(&stage, &[], &[], "consent.bases").0, "works-council,contract");
    assert_eq!(shown(&stage, &[], &[], "limits.document_bytes").0, "1000");
    let environment = [("SELFHOOD_CONSENT_BASES", "a, b"), ("SELFHOOD_LIMITS_DOCUMENT_BYTES", "2000")];
    assert_eq!(shown(&stage, &environment, &[], "consent.bases").0, "a,b");
    assert_eq!(shown(&stage, &environment, &[], "limits.document_bytes").0, "2000");
}

#[test]
fn the_limits_of_the_server_are_settings_with_a_rule_each() {
    let stage = Stage::new();
    let usual = |key: &str| shown(&stage, &[], &[], key);
    assert_eq!(usual("limits.body_bytes"), ("1048576".to_owned(), "default".to_owned()));
    assert_eq!(usual("limits.requests_per_second").0, "1000");
    assert_eq!(usual("limits.answer_seconds").0, "60");
    stage.write("home/selfhood.toml", "[limits]\nrequests_at_once = 8\n");
    let line = format!("{}:2", stage.at("home/selfhood.toml"));
    assert_eq!(usual("limits.requests_at_once"), ("8".to_owned(), line));
    for (written, rule) in [
        ("burst = 0", "`limits.burst`: must be a whole number from 1 to 1000000"),
        ("body_seconds = 'soon'", "`limits.body_seconds`: must be a whole number of seconds from 1 to 3600"),
        ("body_bytes = -1", "`limits.body_bytes`: must be a whole number of bytes above 0"),
        ("request_per_second = 5", "did you mean `limits.requests_per_second`?"),
    ] {
        stage.write("home/selfhood.toml", format!("[limits]\n{written}\n"));
        let ran = stage.run(&["config", "show"]);
        assert!(ran.status != 0 && ran.stderr.contains(rule), "{written}: {}", ran.stderr);
    }
}

#[test]
fn secrets_are_not_shown() {
    let stage = Stage::new();
    let ran = stage.run(&["--store", "postgres://ana:hunter2@db/self", "config", "show"]);
    assert!(
        ran.stdout.contains("postgres://ana:***@db/self") && !ran.stdout.contains("hunter2"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_wrong_in_a_layer_is_named_with_its_place_and_the_way_out() {
    for (file, text, place) in [
        (
            "home/selfhood.toml",
            "[vault]\nkey = 'x'\n",
            "line 2: unknown setting `vault.key`; did you mean `vault.keys`?",
        ),
        (
            "home/selfhood.toml",
            "[limits]\ndocument_bytes = 'many'\n",
            ":2: `limits.document_bytes`: must be a whole number",
        ),
        ("home/selfhood.toml", "[vault\n", "line 1: "),
        (
            "home/.env",
            "A=1\nSELFHOOD_KEY=x\n",
            "line 2: unknown setting `SELFHOOD_KEY`; did you mean `SELFHOOD_KEYS`?",
        ),
        ("home/.env", "A=1\nnonsense\n", "line 2: not a `NAME=value` line"),
    ] {
        let stage = Stage::new();
        stage.write(file, text);
        let ran = stage.run(&["config", "show", "-o", "json"]);
        let problem = ran.problem();
        assert_eq!((ran.status, &problem["code"]), (2, &"config_invalid".into()), "{text}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(place) && detail.contains(file), "{detail}");
    }
}

#[test]
fn keys_inside_the_home_are_refused() {
    let stage = Stage::new();
    for inside in ["home", "home/keys", "other/../home/keys"] {
        let ran = stage.run(&["--keys", &stage.at(inside), "config", "show"]);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains("keep them apart"), "{}", ran.stderr);
    }
}
