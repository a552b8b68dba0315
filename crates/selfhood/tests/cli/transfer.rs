//! `selfhood import` and `export`: what goes out comes in again, once.

use serde_json::json;

use crate::Stage;

#[test]
fn what_one_persona_gives_out_another_takes_in_and_only_once() {
    let stage = Stage::with_inara();
    stage.run(&["memory", "add", "The sauna opens at seven."]);
    stage.run(&[
        "memory",
        "add",
        "Ana likes the window.",
        "--subject",
        "ana",
        "--consent-basis",
        "service-delivery",
    ]);
    stage.run(&["timeline", "add", "First day", "--facts", "f", "--feelings", "g", "--interpretation", "i"]);
    let plain = stage.run(&["export"]);
    assert!(plain.stdout.lines().count() == 2 && plain.stderr.contains("--include-pii"), "{}", plain.stderr);
    let whole = stage.run(&["export", "--include-pii"]).stdout;
    assert_eq!(whole.lines().count(), 3);
    stage.run(&["persona", "new", "tina"]);
    let import = |more: &[&str]| {
        stage.run_with_input(&whole, &[&["import", "-", "--persona", "tina", "-o", "json"], more].concat())
    };
    let counts = |ran: crate::Ran| {
        let it = ran.object();
        (ran.status, it["memories"].clone(), it["events"].clone(), it["duplicates"].clone())
    };
    assert_eq!(counts(import(&["--dry-run"])), (0, json!(2), json!(1), json!(0)));
    assert_eq!(stage.run(&["memory", "list", "--persona", "tina"]).stdout, "", "a dry run changes nothing");
    assert_eq!(counts(import(&[])), (0, json!(2), json!(1), json!(0)));
    assert_eq!(
        counts(import(&[])),
        (0, json!(0), json!(0), json!(3)),
        "an import that is run again adds nothing"
    );
    assert_eq!(stage.run(&["memory", "list", "--persona", "tina"]).stdout.lines().count(), 2);
}

#[test]
fn a_bad_line_is_named_by_its_number_and_stops_nothing() {
    let stage = Stage::with_inara();
    let good = json!({"kind": "semantic", "gist": "The lobby opens at six.", "salience": 0.5, "privacyClass": "non-pii", "consentBasis": "not-applicable"});
    let file = stage.write("some.jsonl", format!("{{\n\n{good}\n{{\"gist\": 7}}\n"));
    let ran = stage.run(&["import", &file]);
    assert_eq!(ran.status, 8, "{}", ran.stderr);
    let refused: Vec<&str> = ran.stdout.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(refused, ["some.jsonl: line 1", "some.jsonl: line 4"], "{}", ran.stdout);
    assert!(ran.stderr.contains("imported 1 memories"), "{}", ran.stderr);
    assert_eq!(stage.run(&["import", "nowhere.jsonl"]).status, 3);
    assert_eq!(stage.run_with_input("", &["import", "-"]).status, 0, "nothing is nothing");
    assert_eq!(stage.run(&["import"]).status, 2);
}
