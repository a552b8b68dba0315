//! 002: the persona home, its tiers, its record and its digests.

use std::fs;

use serde_json::{Value, json};

use crate::stage::{Stage, copy_folder, event};

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
    stage.ok(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic"]);
    let made = stage.json(&["persona", "copy", "inara", "twin"]);
    assert_eq!((&made[0]["name"], &made[0]["memory"]), (&json!("twin"), &json!("on")));
    assert_eq!(stage.read("scott/persona/twin/SOUL.md"), "# What I care about\n\nThe sea.\n");
    assert_eq!(stage.json(&["memory", "list", "--persona", "twin"]), json!([]));
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
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(told.contains("broken"), "{words:?} does not name it: {told}");
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
    let server = stage.serve();
    let open = server.get("/v1/erasures").expect(200)["erasures"][0]["id"].as_str().unwrap().to_owned();
    let done = server.post_once(&format!("/v1/erasures/{open}/execute"), &json!({}), "again").expect(200);
    assert_eq!(done["erasure"]["status"], "done", "{done}");
}

#[test]
fn the_mode_line_is_only_added_when_the_session_is_off_the_record_and_the_session_goes_on() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let say = |message: &str, session: Option<&str>, off: bool| {
        let body =
            json!({ "message": message, "persona": "inara", "session_id": session, "off_record": off });
        let events = server.chat(&body);
        event(&events, "done")["session_id"].as_str().unwrap().to_owned()
    };
    let session = say("My boat is called Serenity.", None, false);
    assert_eq!(say("Between us, I am selling it.", Some(&session), true), session);
    assert_eq!(say("Good night.", Some(&session), false), session);
    let record = server.get("/sessions/search?q=selling&user=scott&persona=inara").expect(200);
    assert_eq!(record["total"], 0, "{record}");
    let found = server.get("/sessions/search?q=Serenity&user=scott&persona=inara").expect(200);
    assert!(found["total"].as_u64().unwrap() > 0, "{found}");
}

#[test]
fn past_sessions_are_searchable_by_parts_of_words_and_literal_text_with_highlighted_excerpts() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    server.chat(&json!({ "message": "The boathouse needs a <b> tag.", "persona": "inara" }));
    for (query, marked) in [("boa", "<mark>boa</mark>thouse"), ("%3Cb%3E", "<mark>&lt;b&gt;</mark>")] {
        let found = server.get(&format!("/sessions/search?q={query}&user=scott&persona=inara")).expect(200);
        let results = found["days"][0]["results"].as_array().unwrap_or_else(|| panic!("{found}"));
        let html: Vec<&str> = results.iter().filter_map(|result| result["html"].as_str()).collect();
        assert!(html.iter().any(|html| html.contains(marked)), "{query}: {html:?}");
    }
}

#[test]
fn what_people_wrote_into_a_digest_by_hand_is_never_dropped() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    let prose = "Scott is rebuilding the old sailing boat with his daughter.";
    stage.write(
        "scott/persona/inara/MEMORY_MID.md",
        &format!("{prose}\n\n## Garden\n\n- the roses by the wall\n"),
    );
    stage.write("scott/persona/inara/MEMORY_LONG.md", "Scott grew up in Halifax and hates flying.\n");
    stage.write("scott/persona/inara/MEMORY_SHORT.md", "Remember the dentist appointment in June.\n");
    server.chat(
        &json!({ "message": "I decided to move the project to Lisbon in October.", "persona": "inara" }),
    );
    for digest in ["short", "mid", "long"] {
        server.post(&format!("/distill/{digest}"), &json!({})).expect(200);
    }
    let read = |name: &str| stage.read(&format!("scott/persona/inara/{name}"));
    let (short, mid, long) = (read("MEMORY_SHORT.md"), read("MEMORY_MID.md"), read("MEMORY_LONG.md"));
    assert!(short.contains("dentist") && short.contains("Lisbon"), "{short}");
    assert!(mid.contains(prose) && mid.contains("## Garden\n\n- the roses by the wall"), "{mid}");
    assert!(mid.contains("dentist"), "a hand-written line of the short digest reaches the mid one: {mid}");
    assert!(long.contains("Halifax"), "{long}");
    server.post("/distill/mid", &json!({})).expect(200);
    assert_eq!(read("MEMORY_MID.md").matches(prose).count(), 1);
}

#[test]
fn the_onboarding_flow_is_a_page_when_a_browser_asks_for_it() {
    let stage = Stage::new();
    let server = stage.serve();
    let page = server.get("/setup/persona");
    assert_eq!(page.status, 302, "{}", page.text);
    assert!(page.head.contains("location: /ui/welcome"), "{}", page.head);
    let screen = server.get("/ui/welcome");
    assert!(screen.status == 200 && screen.head.contains("text/html"), "{}", screen.head);
}

#[test]
fn context_is_text_also_when_it_is_piped() {
    let stage = Stage::with_inara();
    assert!(stage.ok(&["context", "inara", "Hello"]).starts_with("--- System ---"));
    assert!(stage.json(&["context", "inara", "Hello"])["parts"].is_array());
}

#[test]
fn a_misspelt_name_is_told_with_the_nearest_one() {
    let stage = Stage::with_inara();
    let persona = stage.run(&["persona", "show", "inarra"]);
    assert!(persona.status == 3 && persona.stderr.contains("did you mean `inara`?"), "{}", persona.stderr);
    let tenant = stage.run(&["persona", "list", "--tenant", "scot"]);
    assert!(tenant.status == 3 && tenant.stderr.contains("did you mean `scott`?"), "{}", tenant.stderr);
}
