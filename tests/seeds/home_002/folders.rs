//! What 002 says of folders: personas are made, copied, renamed and removed with ordinary tools.

use std::fs;

use serde_json::{Value, json};

use crate::stage::{Stage, copy_folder};

#[test]
fn copy_and_edit_the_files_from_an_existing_persona() {
    let stage = Stage::with_inara();
    stage.ok(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic"]);
    copy_folder(&stage.persona("inara"), &stage.persona("twin"));
    let listed = stage.json(&["persona", "list"]);
    let ids: Vec<&Value> = listed.as_array().unwrap().iter().map(|persona| &persona["id"]).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{listed}");
    let twin = &listed[1];
    assert_eq!((&twin["name"], &twin["memory"], &twin["copiedFrom"]), (&json!("twin"), &json!("on"), ids[0]));
    assert_eq!(twin["notices"][0]["code"], "copied", "{listed}");
    assert_eq!(stage.json(&["memory", "list", "--persona", "twin"]), json!([]));
    assert_eq!(stage.json(&["memory", "list", "--persona", "inara"]).as_array().unwrap().len(), 1);
    assert!(stage.persona("twin").join("memory.db.copied").exists());
    // Every verb of the tenant goes on, and the twin remembers for itself.
    stage.ok(&["memory", "add", "The twin likes rain.", "--kind", "semantic", "--persona", "twin"]);
    for words in [
        &["memory", "list"][..],
        &["distill", "short"],
        &["sweep"],
        &["memory", "audit"],
        &["subject", "list"],
        &["jobs"],
        &["memory", "audit", "--verify"],
    ] {
        stage.ok(words);
    }
    let doctor = stage.run(&["doctor"]);
    assert!(doctor.stdout.contains("copied") && !doctor.stdout.contains("\tfail\t"), "{}", doctor.stdout);
    stage.run(&["doctor", "--fix", "--yes"]);
    assert!(!stage.persona("twin").join("memory.db.copied").exists());
    assert_eq!(stage.json(&["memory", "list", "--persona", "twin"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_copy_of_the_documents_alone_has_an_id_of_its_own() {
    let stage = Stage::with_inara();
    copy_folder(&stage.persona("inara"), &stage.persona("twin"));
    for file in fs::read_dir(stage.persona("twin")).unwrap().map(Result::unwrap) {
        if file.file_name().to_string_lossy().starts_with("memory.db") {
            fs::remove_file(file.path()).unwrap();
        }
    }
    let listed = stage.json(&["persona", "list"]);
    assert_ne!(listed[0]["id"], listed[1]["id"]);
    let document: Value = serde_json::from_str(&stage.read("scott/persona/twin/persona.json")).unwrap();
    assert_eq!(document["identity"]["id"], listed[1]["id"]);
    assert_eq!(document["identity"]["name"], "twin");
}

#[test]
fn an_edited_copy_stays_unsigned() {
    let stage = Stage::with_inara();
    copy_folder(&stage.persona("inara"), &stage.persona("twin"));
    stage.edit_document("twin", |document| document["safetyTier"] = 1.into());
    let listed = stage.json(&["persona", "list"]);
    assert_eq!(listed[1]["memory"], "paused", "{listed}");
}

#[test]
fn a_renamed_folder_stays_itself() {
    let stage = Stage::with_inara();
    stage.ok(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic"]);
    let before = stage.json(&["persona", "list"]);
    fs::rename(stage.persona("inara"), stage.persona("serenity")).unwrap();
    let after = stage.json(&["persona", "list"]);
    assert_eq!((&after[0]["id"], &after[0]["name"]), (&before[0]["id"], &json!("serenity")));
    assert_eq!(after[0]["memory"], "on");
    assert_eq!(after.as_array().unwrap().len(), 1);
    assert_eq!(stage.json(&["memory", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_copy_under_another_tenant_is_refused_until_the_owners_files_are_taken_out() {
    let stage = Stage::with_inara();
    stage.ok(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic"]);
    let twin = stage.home().join("holly/persona/twin");
    copy_folder(&stage.persona("inara"), &twin);
    let refused = stage.run(&["persona", "show", "twin", "--tenant", "holly"]);
    assert_eq!(refused.status, 5, "{}", refused.stderr);
    assert!(refused.stderr.contains("USER.md"), "{}", refused.stderr);
    for file in fs::read_dir(&twin).unwrap().map(Result::unwrap) {
        let name = file.file_name().to_string_lossy().into_owned();
        if !["IDENTITY.md", "SOUL.md", "PROTOCOLS.md", "HELP.md", "CONTEXT_TIERS.md", "persona.json"]
            .contains(&&*name)
        {
            if file.path().is_dir() { fs::remove_dir_all(file.path()) } else { fs::remove_file(file.path()) }
                .unwrap();
        }
    }
    let shown = stage.json(&["persona", "show", "twin", "--tenant", "holly"]);
    assert_eq!(shown["persona"]["tenantId"], "holly");
}

#[test]
fn persona_copy_does_the_same() {
    let stage = Stage::with_inara();
    stage.write("scott/persona/inara/SOUL.md", "# What I care about\n\nThe sea.\n");
    stage.write("scott/persona/inara/sessions/2026-04-22.md", "**Scott:** Hi.\n");
    stage.ok(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic"]);
    let made = stage.json(&["persona", "copy", "inara", "twin"]);
    assert_eq!((&made[0]["name"], &made[0]["memory"]), (&json!("twin"), &json!("on")));
    assert_eq!(stage.read("scott/persona/twin/SOUL.md"), "# What I care about\n\nThe sea.\n");
    assert_eq!(stage.json(&["memory", "list", "--persona", "twin"]), json!([]));
    assert_eq!(stage.read("scott/persona/twin/sessions/2026-04-22.md"), "**Scott:** Hi.\n");
    assert_eq!(stage.run(&["persona", "copy", "inara", "twin"]).status, 5);
}

#[test]
fn one_broken_persona_never_stops_a_verb_of_its_tenant() {
    let stage = Stage::with_inara();
    stage.ok(&["persona", "new", "broken"]);
    stage.ok(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic", "--persona", "inara"]);
    stage.ok(&[
        "memory",
        "add",
        "Ana prefers tea.",
        "--subject",
        "ana",
        "--consent-basis",
        "service-delivery",
        "--persona",
        "inara",
    ]);
    fs::write(
        stage.persona("broken").join("memory.db"),
        "this is no database, and it is long enough to look at",
    )
    .unwrap();
    for words in [
        &["memory", "list"][..],
        &["distill", "short"],
        &["sweep"],
        &["memory", "audit"],
        &["subject", "list"],
        &["jobs"],
        &["persona", "list"],
    ] {
        let ran = stage.run(words);
        assert!([0, 8].contains(&ran.status), "{words:?}: {}{}", ran.stdout, ran.stderr);
        let output = format!("{}{}", ran.stdout, ran.stderr);
        assert!(output.contains("broken"), "{words:?} does not name it: {output}");
    }
    let forgotten =
        stage.run(&["memory", "redact-user", "ana", "--reason", "right-to-be-forgotten", "--yes"]);
    assert_eq!(forgotten.status, 8, "{}", forgotten.stderr);
    assert!(forgotten.stderr.contains("`broken` was left out"), "{}", forgotten.stderr);
    assert_eq!(stage.json(&["memory", "list", "--persona", "inara"]).as_array().unwrap().len(), 1);
    // Once the persona is whole again, the same request is finished.
    for file in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let _ = fs::remove_file(stage.persona("broken").join(file));
    }
    let again = stage.run(&["memory", "redact-user", "ana", "--reason", "right-to-be-forgotten", "--yes"]);
    assert_eq!(again.status, 0, "{}", again.stderr);
    let server = stage.serve();
    let erasures = server.get("/v1/erasures").expect(200)["erasures"].as_array().unwrap().clone();
    assert_eq!(erasures.len(), 1, "{erasures:?}");
    assert_eq!(erasures[0]["status"], "done", "{erasures:?}");
}

#[test]
fn a_persona_that_is_broken_or_was_removed_by_hand_can_be_given_up() {
    let stage = Stage::with_inara();
    for name in ["torn", "gone"] {
        stage.ok(&["persona", "new", name]);
    }
    fs::write(stage.persona("torn").join("persona.json"), "{not json").unwrap();
    fs::remove_dir_all(stage.persona("gone")).unwrap();
    for name in ["torn", "gone"] {
        let advice = stage.run(&["doctor"]);
        let advice = format!("{}{}", advice.stdout, advice.stderr);
        assert!(advice.contains(&format!("selfhood persona delete {name}")), "{advice}");
        let deleted = stage.run(&["persona", "delete", name, "--yes"]);
        assert_eq!(deleted.status, 0, "{name}: {}{}", deleted.stdout, deleted.stderr);
    }
    assert_eq!(stage.run(&["persona", "list"]).status, 0);
    stage.ok(&["persona", "new", "gone"]);
}

#[test]
fn an_empty_folder_is_no_persona() {
    let stage = Stage::with_inara();
    fs::create_dir_all(stage.persona("later")).unwrap();
    let listed = stage.json(&["persona", "list"]);
    let names: Vec<&Value> = listed.as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["inara"], "{listed}");
    assert!(!stage.persona("later").join("persona.json").exists());
    stage.write("scott/persona/later/IDENTITY.md", "You are Later.\n");
    stage.ok(&["persona", "show", "later"]);
}
