//! `selfhood timeline …`: a life is written in order, seen anew, and checked.

use serde_json::{Value, json};

use crate::{Ran, Stage};

fn add(stage: &Stage, label: &str, at: &str, more: &[&str]) -> Ran {
    let event = ["--facts", "It happened.", "--feelings", "Fine.", "--interpretation", "It mattered."];
    stage.run(&[&["timeline", "add", label, "--event-at", at, "-o", "json"], &event[..], more].concat())
}

fn added(stage: &Stage, label: &str, at: &str) -> Value {
    let ran = add(stage, label, at, &["--emotion", "joy", "--strength", "80"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.rows().remove(0)
}

#[test]
fn events_are_appended_listed_and_kept_in_order() {
    let stage = Stage::with_inara();
    let first = added(&stage, "First day", "2019-05-02");
    assert_eq!((&first["sequence"], &first["memoryType"]), (&json!(1), &json!("normal")));
    assert_eq!(first["eventAt"], "2019-05-02T00:00:00.000Z");
    added(&stage, "Second day", "2019-05-03T10:00:00Z");
    let listed = stage.run(&["timeline", "list", "-o", "json"]).rows();
    assert_eq!(listed.iter().map(|entry| &entry["sequence"]).collect::<Vec<_>>(), [1, 2]);
    let limited = stage.run(&["timeline", "list", "--limit", "1", "--offset", "1", "-o", "json"]).rows();
    assert_eq!(limited[0]["eventLabel"], "Second day");

    let backwards = add(&stage, "Too early", "2018-01-01", &[]);
    assert_eq!((backwards.status, &backwards.problem()["code"]), (1, &json!("event_out_of_order")));
}

#[test]
fn an_event_can_come_from_a_file_or_from_stdin() {
    let stage = Stage::with_inara();
    let event = json!({
        "eventAt": "2020-01-01T00:00:00Z", "eventLabel": "From a file", "facts": "f", "feelings": "g",
        "interpretation": "i", "emotionTags": ["calm"], "memoryType": "pride", "memoryStrength": 90
    });
    let file = stage.write("event.json", event.to_string());
    let ran = stage.run(&["timeline", "add", "--json", &file, "--strength", "10", "-o", "json"]);
    assert_eq!(ran.rows()[0]["memoryStrength"], 10.0, "{}", ran.stderr);
    let ran = stage
        .run_with_input(&event.to_string(), &["timeline", "add", "Named here", "--json", "-", "-o", "json"]);
    assert_eq!(ran.rows()[0]["eventLabel"], "Named here");
    for (input, status) in [("", 1), ("[]", 1), ("{", 1)] {
        assert_eq!(
            stage.run_with_input(input, &["timeline", "add", "--json", "-"]).status,
            status,
            "{input}"
        );
    }
}

#[test]
fn what_is_missing_or_out_of_range_is_named_with_its_place() {
    let stage = Stage::with_inara();
    let missing = stage.run(&["timeline", "add", "Only a label", "-o", "json"]).problem();
    assert_eq!(missing["code"], "validation_failed");
    assert!(missing["errors"].as_array().unwrap().len() >= 3, "{missing}");
    let strong = add(&stage, "Strong", "2020-01-01", &["--strength", "101"]).problem();
    assert_eq!(strong["errors"][0]["pointer"], "/memoryStrength");
    assert_eq!(add(&stage, "When", "soon", &[]).status, 2);
    assert_eq!(add(&stage, "Kind", "2020-01-01", &["--type", "happy"]).status, 2);
    assert_eq!(stage.run(&["timeline", "add"]).status, 2);
}

#[test]
fn an_event_seen_anew_keeps_what_was_not_changed_and_takes_its_place() {
    let stage = Stage::with_inara();
    let original = added(&stage, "First day", "2019-05-02");
    added(&stage, "Second day", "2019-06-02");
    let id = original["id"].as_str().unwrap();
    let revise =
        ["timeline", "revise", id, "--feelings", "Afraid.", "--reason", "I see it clearer.", "-o", "json"];
    let revised = stage.run(&revise).rows().remove(0);
    assert_eq!((&revised["memoryType"], &revised["feelings"]), (&json!("revised"), &json!("Afraid.")));
    assert_eq!((&revised["facts"], &revised["eventAt"]), (&original["facts"], &original["eventAt"]));
    assert_eq!(stage.run(&["timeline", "list"]).stdout.lines().count(), 2);
    assert_eq!(stage.run(&["timeline", "list", "--include-superseded"]).stdout.lines().count(), 3);
    assert_eq!(stage.run(&revise).status, 5, "a superseded entry is not revised");
}

#[test]
fn an_entry_is_superseded_by_the_beginning_of_its_id_and_once() {
    let stage = Stage::with_inara();
    let id = added(&stage, "First day", "2019-05-02")["id"].as_str().unwrap().to_owned();
    let dry = stage.run(&["timeline", "supersede", &id, "--reason", "wrong date", "--dry-run"]);
    assert!(dry.status == 0 && dry.stderr.contains("nothing was changed"), "{}", dry.stderr);
    assert_eq!(stage.run(&["timeline", "list"]).stdout.lines().count(), 1);
    for reason in ["wrong date", "another reason"] {
        let ran = stage.run(&["timeline", "supersede", &id[..13], "--reason", reason, "-o", "json"]);
        assert_eq!(ran.rows()[0]["supersededReason"], "wrong date", "{}", ran.stderr);
    }
    assert_eq!(stage.run(&["timeline", "supersede", "ffff", "--reason", "x"]).status, 3);
    assert_eq!(stage.run(&["timeline", "supersede", &id]).status, 2, "a reason is needed");
}

#[test]
fn a_life_that_contradicts_itself_does_not_pass() {
    let stage = Stage::with_inara();
    let event = ["--feelings", "Fine.", "--interpretation", "It mattered."];
    let add = |label: &str, at: &str, facts: &str| {
        stage.run(&[&["timeline", "add", label, "--event-at", at, "--facts", facts], &event[..]].concat())
    };
    add("Driving test", "2001-05-20", "I passed my driving test on the first attempt.");
    let sound = stage.run(&["timeline", "check"]);
    assert!(sound.status == 0 && sound.stderr.contains("no inconsistencies"), "{}", sound.stderr);
    add("The driving test", "2001-05-20", "I failed the driving test and had to walk home.");
    let unsound = stage.run(&["timeline", "check", "-o", "json"]);
    assert_eq!(unsound.status, 6, "{}{}", unsound.stdout, unsound.stderr);
    assert_eq!(unsound.rows()[0]["code"], "possible_contradiction");
}
