//! `selfhood memory …` and `context`: added, listed, looked at, recalled, corrected, set aside.

use serde_json::{Value, json};

use crate::{Ran, Stage};

const GUEST: [&str; 6] =
    ["--subject", "ana", "--privacy-class", "guest-pii", "--consent-basis", "service-delivery"];

fn add(stage: &Stage, gist: &str, more: &[&str]) -> Value {
    let ran = stage.run(&[&["memory", "add", gist, "-o", "json"], more].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.rows().remove(0)
}

fn with_ana() -> (Stage, Value) {
    let stage = Stage::with_inara();
    let details =
        ["--detail", "wore a red scarf@0.4", "--detail", "it was raining@0.2", "--detail", "laughed@0.85"];
    let more =
        [&GUEST[..], &details, &["--salience", "0.74", "--valence", "0.62", "--tag", "seafood"]].concat();
    let memory = add(&stage, "Ana thanked me for the seafood restaurant.", &more);
    (stage, memory)
}

fn problem(ran: &Ran) -> (i32, String) {
    (ran.status, ran.problem()["code"].as_str().unwrap().to_owned())
}

#[test]
fn a_memory_is_added_with_what_the_flags_say_and_sensible_defaults() {
    let (stage, ana) = with_ana();
    assert_eq!(
        (&ana["privacyClass"], &ana["subject"], &ana["trust"]),
        (&json!("guest-pii"), &json!("ana"), &json!("operator"))
    );
    assert_eq!(
        (&ana["details"][0]["content"], &ana["details"][0]["brightness"]),
        (&json!("wore a red scarf"), &json!(0.4))
    );
    assert_eq!(ana["tags"], json!(["seafood"]));
    let plain = add(&stage, "The sauna opens at seven.", &["--kind", "semantic", "--created-at", "-3d"]);
    assert_eq!((&plain["privacyClass"], &plain["salience"]), (&json!("non-pii"), &json!(0.5)));
    assert!(plain["createdAt"].as_str() < ana["createdAt"].as_str());
    let file = stage
        .write("memory.json", json!({"gist": "From a file.", "x-mine": 1, "kind": "procedural"}).to_string());
    let filed = add(&stage, "Named here.", &["--json", &file]);
    assert_eq!(
        (&filed["gist"], &filed["kind"], &filed["x-mine"]),
        (&json!("Named here."), &json!("procedural"), &json!(1))
    );
}

#[test]
fn a_refusal_reads_as_it_does_at_every_door() {
    let stage = Stage::with_inara();
    for (arguments, status, code) in [
        (&["memory", "add", "x", "--subject", "ana", "-o", "json"][..], 1, "consent_basis_required"),
        (&["memory", "add", "x", "--salience", "0.1", "-o", "json"], 1, "salience_too_low"),
        (&["memory", "add", "x", "--salience", "7", "-o", "json"], 1, "validation_failed"),
        (&["memory", "add", " ", "-o", "json"], 1, "validation_failed"),
        (&["memory", "add", "x", "--created-at", "+1d", "-o", "json"], 1, "validation_failed"),
        (&["memory", "inspect", "mem:000000000000", "-o", "json"], 3, "memory_not_found"),
        (&["memory", "inspect", "zz", "-o", "json"], 3, "memory_not_found"),
        (&["memory", "restore", "mem:000000000000", "-o", "json"], 3, "memory_not_found"),
        (&["memory", "why", "nonsense", "-o", "json"], 3, "not_found"),
        (&["memory", "list", "--persona", "nobody", "-o", "json"], 3, "persona_not_found"),
    ] {
        assert_eq!(problem(&stage.run(arguments)), (status, code.to_owned()), "{arguments:?}");
    }
    for usage in [
        &["memory", "add"][..],
        &["memory", "add", "x", "--kind", "dream"],
        &["memory", "list", "--at", "soon"],
        &["memory", "redact", "mem:000000000000"],
        &["memory", "redact", "mem:000000000000", "--reason", "x", "--mode", "delete"],
        &["memory", "search"],
    ] {
        assert_eq!(stage.run(usage).status, 2, "{usage:?}");
    }
    assert_eq!(stage.run(&["memory", "list"]).stdout, "");
}

#[test]
fn a_list_is_narrowed_and_looks_into_past_and_future() {
    let (stage, _) = with_ana();
    add(&stage, "The sauna opens at seven.", &["--kind", "semantic", "--tag", "hours", "--salience", "0.3"]);
    let count =
        |arguments: &[&str]| stage.run(&[&["memory", "list"], arguments].concat()).stdout.lines().count();
    for (arguments, expected) in [
        (&[][..], 2),
        (&["--privacy-class", "guest-pii"], 1),
        (&["--min-salience", "0.5"], 1),
        (&["--kind", "semantic"], 1),
        (&["--tag", "hours"], 1),
        (&["--subject", "ana"], 1),
        (&["--subject", "bea"], 0),
        (&["--limit", "1"], 1),
        (&["--at", "-1d"], 0),
        (&["--at", "+60d", "--min-salience", "0.4"], 1),
    ] {
        assert_eq!(count(arguments), expected, "{arguments:?}");
    }
    let now = |at: &str| {
        stage.run(&["memory", "list", "--subject", "ana", "--at", at, "-o", "json"]).rows()[0]["currentSalience"].as_f64().unwrap()
    };
    assert!(now("+14d") < now("now") && now("+28d") < now("+14d"));
}

#[test]
fn an_inspection_draws_bars_and_the_curve_and_says_when_details_fade() {
    let (stage, ana) = with_ana();
    let id = ana["id"].as_str().unwrap();
    let drawn = stage.run(&["memory", "inspect", &id[4..8], "-o", "table"]).stdout;
    for part in [
        "Ana thanked me for the seafood restaurant.",
        "########",
        "wore a red scarf",
        "\"wore a red scarf\" fades on ",
        "it becomes faint on ",
        "never below 0.19",
        "vivid |",
    ] {
        assert!(drawn.contains(part), "{part} is missing from\n{drawn}");
    }
    assert!(drawn.is_ascii(), "without a locale only ASCII is drawn");
    let fine = stage.run_in(&[("LANG", "en_GB.UTF-8")], &["memory", "inspect", id, "-o", "table"]).stdout;
    assert!(fine.contains("████") && fine.contains('⠉'), "{fine}");
    let whole = stage.run(&["memory", "inspect", id, "-o", "json"]).object();
    assert!(whole["decay"]["crossings"].as_array().unwrap().len() >= 4 && whole["rehearsals"] == json!([]));
    assert_eq!(stage.run(&["memory", "inspect", &id[4..9], "-o", "quiet"]).stdout, format!("{id}\n"));
    let later = stage.run(&["memory", "inspect", id, "--at", "+100d", "-o", "table"]).stdout;
    assert!(later.contains("wore a red scarf  (faded)") && later.contains("\"laughed\" fades on"), "{later}");
    assert!(
        stage.run(&["memory", "inspect", id]).stdout.contains(&format!("id\t{id}\n")),
        "a script gets columns"
    );
}

#[test]
fn a_search_tells_each_listener_what_is_theirs_and_why() {
    let (stage, ana) = with_ana();
    let search = |arguments: &[&str]| {
        stage.run(&[&["memory", "search", "the seafood restaurant"], arguments].concat())
    };
    let hers = search(&["--subject", "ana", "-o", "json"]).object();
    assert_eq!(hers["memories"][0]["id"], ana["id"]);
    assert_eq!(search(&["--subject", "bea"]).stdout, "", "nobody hears another's memory");
    let shown = search(&["--subject", "ana", "-o", "table"]).stdout;
    assert!(shown.contains("## What you remember") && shown.contains("relevance"), "{shown}");
    let why = stage.run(&["memory", "why", hers["recallId"].as_str().unwrap(), "-o", "json"]);
    assert_eq!(why.object()["trace"]["candidates"][0]["outcome"], "told", "{}", why.stderr);
    let off = search(&["--subject", "ana", "--off-record", "-o", "json"]).object();
    assert_eq!(stage.run(&["memory", "why", off["recallId"].as_str().unwrap()]).status, 3);
    assert!(!search(&["--subject", "ana", "--at", "+400d"]).stdout.contains("scarf"));
}

#[test]
fn a_correction_takes_the_place_of_what_was_wrong() {
    let (stage, ana) = with_ana();
    let id = ana["id"].as_str().unwrap();
    let corrected = stage
        .run(&["memory", "correct", id, "--gist", "Ana thanked me for the oyster bar.", "-o", "json"])
        .rows()
        .remove(0);
    assert_eq!(
        (&corrected["revises"], &corrected["details"][0]["content"]),
        (&ana["id"], &json!("wore a red scarf"))
    );
    assert_eq!(
        stage.run(&["memory", "list", "-o", "quiet"]).stdout.trim(),
        corrected["id"].as_str().unwrap()
    );
    assert_eq!(stage.run(&["memory", "list", "--include-redacted"]).stdout.lines().count(), 2);
    assert_eq!(stage.run(&["memory", "correct", id, "--gist", "Again."]).status, 5);
}

#[test]
fn what_is_set_aside_is_not_recalled_and_can_be_restored() {
    let (stage, ana) = with_ana();
    let id = ana["id"].as_str().unwrap();
    let listed = || stage.run(&["memory", "list"]).stdout.lines().count();
    let dry = stage.run(&["memory", "redact", id, "--reason", "request", "--dry-run"]);
    assert!(dry.status == 0 && listed() == 1, "{}", dry.stderr);
    let redacted = stage.run(&["memory", "redact", id, "--reason", "consent-withdrawn"]);
    assert!(
        redacted.status == 0 && redacted.stdout.contains("redacted") && listed() == 0,
        "{}",
        redacted.stderr
    );
    assert_eq!(stage.run(&["memory", "redact", id, "--reason", "request"]).status, 5);
    assert_eq!(stage.run(&["memory", "restore", id]).status, 0);
    assert_eq!((listed(), stage.run(&["memory", "restore", id]).status), (1, 5));
    let archived =
        stage.run(&["memory", "redact", id, "--reason", "it is old", "--mode", "archive", "--yes"]);
    assert!(
        archived.stdout.contains("archived") && archived.stderr.contains("stored as `request`"),
        "{}",
        archived.stderr
    );
}

#[test]
fn what_is_destroyed_leaves_a_tombstone_and_takes_what_repeats_it_along() {
    let (stage, ana) = with_ana();
    let id = ana["id"].as_str().unwrap();
    let file = stage.write("derived.json", json!({ "derivedFrom": [id] }).to_string());
    let derived = add(&stage, "Ana likes seafood.", &[&GUEST[..], &["--json", &file]].concat());
    let hard = |more: &[&str]| {
        stage.run(&[&["memory", "redact", id, "--reason", "request", "--mode", "hard"], more].concat())
    };
    let dry = hard(&["--dry-run"]);
    let goes = format!("{} was derived from it and is destroyed with it", derived["id"].as_str().unwrap());
    assert!(dry.status == 0 && dry.stderr.contains(&goes), "{}", dry.stderr);
    assert_eq!(hard(&[]).status, 2, "without a terminal it has to be decided by --yes");
    assert_eq!(stage.run(&["memory", "list"]).stdout.lines().count(), 2, "nothing was changed so far");
    let done = hard(&["--yes", "-o", "json"]);
    assert_eq!(done.rows()[0]["tombstone"]["reasonCode"], "request", "{}", done.stderr);
    assert!(done.stderr.contains("selfhood backup create"), "{}", done.stderr);
    assert_eq!(stage.run(&["memory", "list", "--include-redacted"]).stdout, "");
    let gone = stage.run(&["memory", "inspect", id]);
    assert!(
        gone.status == 0 && !gone.stdout.contains("seafood"),
        "only the tombstone is left: {}",
        gone.stdout
    );
    assert_eq!(hard(&["--yes"]).status, 0, "asked again, it is simply gone");
}

#[test]
fn words_that_name_somebody_are_no_reason() {
    let (stage, ana) = with_ana();
    let id = ana["id"].as_str().unwrap();
    let redact = |reason: &str| stage.run(&["memory", "redact", id, "--reason", reason, "-o", "json"]);
    let refused = redact("ANA asked for it");
    assert_eq!(
        (refused.status, refused.stderr.contains("validation_failed")),
        (1, true),
        "{}",
        refused.stderr
    );
    let taken = redact("it was asked for at the desk");
    assert!(taken.status == 0 && taken.stderr.contains("sealed beside it"), "{}", taken.stderr);
}

#[test]
fn the_whole_prompt_can_be_seen_before_any_model_does() {
    let (stage, _) = with_ana();
    let context = |arguments: &[&str]| stage.run(&[&["context"], arguments].concat());
    let owner = context(&["-o", "table"]);
    assert!(
        owner.stdout.contains("--- IDENTITY.md ---") && owner.stderr.contains("tokens"),
        "{}",
        owner.stdout
    );
    let hers =
        context(&["inara", "How was the seafood restaurant?", "--subject", "ana", "-o", "table"]).stdout;
    assert!(hers.contains("Ana thanked me for the seafood restaurant."), "{hers}");
    let alone =
        context(&["--persona", "inara", "How was the seafood?", "--subject", "ana", "-o", "table"]).stdout;
    assert!(alone.contains("Ana thanked me"), "{alone}");
    assert!(context(&["-o", "json"]).object()["prompt"].is_string());
    assert_eq!(context(&["nobody"]).status, 3);
    assert_eq!(problem(&context(&["--tier", "9", "-o", "json"])), (1, "validation_failed".to_owned()));
}
