//! Moving in and out: bundles, exports of other programs, character cards.

use std::fs;
use std::io::Cursor;

use formats::archive::{Archive, ArchiveWriter, Limits};
use serde_json::{Value, json};

use crate::{Ran, Stage};

fn add(stage: &Stage, words: &str, subject: Option<&str>) -> String {
    let mut arguments = vec!["memory", "add", words, "-o", "quiet"];
    if let Some(subject) = subject {
        arguments.extend(["--subject", subject, "--consent-basis", "service-delivery"]);
    }
    let ran = stage.run(&arguments);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout.trim().to_owned()
}

fn inhabited() -> Stage {
    let stage = Stage::with_inara();
    add(&stage, "The sauna opens at seven.", None);
    let gone = add(&stage, "The bar is closed.", None);
    add(&stage, "Ana likes the window seat.", Some("ana"));
    add(&stage, "Bogdan plays chess on Fridays.", Some("bogdan"));
    stage.run(&["memory", "redact", &gone, "--reason", "outdated", "--yes"]);
    stage.run(&["timeline", "add", "First day", "--facts", "f", "--feelings", "g", "--interpretation", "i"]);
    let second =
        ["timeline", "add", "Second day", "--facts", "f", "--feelings", "g", "--interpretation", "i"];
    let second = stage.run(&[&second[..], &["-o", "quiet"]].concat()).stdout;
    stage.run(&["timeline", "supersede", second.trim(), "--reason", "It never was."]);
    stage.run(&["chat", "inara", "Good evening, I am looking for the sauna."]);
    stage
}

/// Everything a persona remembers, without what is another in every deployment.
fn dump(stage: &Stage, persona: &str) -> Vec<Value> {
    let ran = stage.run(&["export", "--persona", persona, "--include-pii", "--include-redacted"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for own in ["x-import", "x-originDeployment", "personaId", "tenantId"] {
            line.as_object_mut().unwrap().shift_remove(own);
        }
        if let Some(from) = line.get_mut("provenance").and_then(Value::as_object_mut) {
            from.shift_remove("deploymentDid");
        }
        if let Some(metadata) = line.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.shift_remove("x-import");
        }
        if line["metadata"] == json!({}) {
            line.as_object_mut().unwrap().shift_remove("metadata");
        }
        line
    };
    ran.stdout.lines().map(line).collect()
}

fn imported(ran: &Ran) -> (i32, Value, Value, Value, Value) {
    let it = ran.object();
    (
        ran.status,
        it["memories"].clone(),
        it["conversations"].clone(),
        it["turns"].clone(),
        it["duplicates"].clone(),
    )
}

#[test]
fn what_one_deployment_exports_another_imports_and_says_where_it_came_from() {
    let (here, there) = (inhabited(), Stage::with_inara());
    let lines = here.run(&["export", "--include-pii"]).stdout;
    let memories = lines.lines().filter(|line| line.contains("\"gist\"")).count();
    let file = there.write("inara.jsonl", &lines);
    let ran = there.run(&["import", &file, "-o", "json"]);
    let it = ran.object();
    assert_eq!((ran.status, &it["memories"], &it["rewritten"]), (0, &json!(memories), &json!(memories)));
    assert!(ran.stderr.contains("came from another deployment"), "{}", ran.stderr);
    let again = there.run(&["import", &file, "-o", "json"]).object();
    assert_eq!(again["duplicates"], json!(memories + 1));
}

#[test]
fn an_export_of_nothing_says_why() {
    let stage = Stage::with_inara();
    let ran = stage.run(&["export"]);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("no memories and no events"), "{}", ran.stderr);
    add(&stage, "Ana likes the window seat.", Some("ana"));
    let ran = stage.run(&["export"]);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("1 memories that identify people"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_persona_moves_whole_to_another_deployment() {
    let (here, there) = (inhabited(), Stage::new());
    let file = here.at("inara.persona");
    let ran = here.run(&["persona", "export", "inara", &file, "--with-pii", "--with-sessions", "--plain"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = there.run(&["persona", "import", &file]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("came from another deployment"), "{}", ran.stderr);
    assert_eq!(dump(&there, "inara"), dump(&here, "inara"));
    let files = |stage: &Stage| stage.read("home/default/persona/inara/IDENTITY.md");
    assert_eq!(files(&there), files(&here));
    let found = there.run(&["session", "search", "sauna"]);
    assert!(found.stdout.contains("sauna"), "{}{}", found.stdout, found.stderr);
    let again = there.run(&["persona", "import", &file]);
    assert!(again.status == 0 && again.stderr.contains("imported 0 memories"), "{}", again.stderr);
    assert_eq!(dump(&there, "inara"), dump(&here, "inara"), "the same bundle again changes nothing");
    let taken = Stage::with_inara().run(&["persona", "import", &file]);
    assert!(taken.status == 5 && taken.stderr.contains("--name"), "{}", taken.stderr);
    assert_eq!(there.run(&["persona", "import", &file, "--name", "tina"]).status, 0);
}

#[test]
fn a_bundle_is_the_same_each_time_and_leaves_people_out_unless_asked() {
    let stage = inhabited();
    let (one, two) = (stage.at("one.persona"), stage.at("two.persona"));
    let said = stage.run(&["persona", "export", "inara", &one]).stderr;
    assert!(said.contains("personalMemories") && said.contains("left out"), "{said}");
    assert_eq!(stage.run(&["persona", "export", "inara", &two]).status, 0);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let mut bundle = Archive::open(Cursor::new(fs::read(&one).unwrap()), Limits::LARGE).unwrap();
    for name in bundle.names() {
        let text = String::from_utf8(bundle.bytes(&name).unwrap()).unwrap();
        assert!(!text.contains("Bogdan") && !text.contains("looking for the sauna"), "{name}");
    }
    assert_eq!(
        stage.run(&["persona", "export", "inara", &one]).status,
        5,
        "a file that is there is not overwritten"
    );
}

#[test]
fn a_bundle_with_people_in_it_is_sealed_and_a_changed_one_is_refused() {
    let (here, there) = (inhabited(), Stage::new());
    let file = here.at("inara.persona");
    assert_eq!(here.run(&["persona", "export", "inara", &file, "--with-pii"]).status, 2);
    let secret = here.write("secret.txt", "correct horse\n");
    let sealed = ["persona", "export", "inara", &file, "--with-pii", "--passphrase-file", &secret];
    assert_eq!(here.run(&sealed).status, 0);
    assert!(!fs::read(&file).unwrap().windows(6).any(|bytes| bytes == b"Bogdan"));
    let wrong = here.write("wrong.txt", "horse\n");
    assert_eq!(there.run(&["persona", "import", &file]).status, 4);
    assert_eq!(there.run(&["persona", "import", &file, "--passphrase-file", &wrong]).status, 4);
    assert_eq!(there.run(&["persona", "import", &file, "--passphrase-file", &secret, "--dry-run"]).status, 0);
    assert_eq!(there.run(&["persona", "import", &file, "--passphrase-file", &secret]).status, 0);
    assert_eq!(dump(&there, "inara").len(), dump(&here, "inara").len());

    let plain = here.at("plain.persona");
    here.run(&["persona", "export", "inara", &plain]);
    let mut bundle = Archive::open(Cursor::new(fs::read(&plain).unwrap()), Limits::LARGE).unwrap();
    let mut changed = ArchiveWriter::new(Cursor::new(Vec::new()));
    for name in bundle.names() {
        let bytes = bundle.bytes(&name).unwrap();
        let text = String::from_utf8(bytes).unwrap().replace("sauna", "pool");
        changed.add(&name, &mut text.as_bytes()).unwrap();
    }
    let changed = there.write("changed.persona", changed.finish().unwrap().into_inner());
    let ran = there.run(&["persona", "import", &changed, "--name", "other"]);
    assert!(ran.status == 6 && ran.stderr.contains("memories.jsonl"), "{}", ran.stderr);
    assert!(!there.run(&["persona", "list"]).stdout.contains("other"));
}

#[test]
fn a_forgotten_person_does_not_come_back_with_a_bundle() {
    let stage = inhabited();
    let file = stage.at("inara.persona");
    stage.run(&["persona", "export", "inara", &file, "--with-pii", "--with-sessions", "--plain"]);
    let ran = stage.run(&["memory", "redact-user", "bogdan", "--reason", "right-to-be-forgotten", "--yes"]);
    assert!(ran.status == 0 || ran.status == 8, "{}", ran.stderr);
    let ran = stage.run(&["persona", "import", &file, "--name", "tina"]);
    assert!(ran.status == 8 && ran.stderr.contains("subject_erased"), "{}", ran.stderr);
    let kept = stage.run(&["export", "--persona", "tina", "--include-pii"]).stdout;
    assert!(!kept.contains("Bogdan") && kept.contains("Ana"), "{kept}");
}

fn chatgpt() -> Vec<u8> {
    let message = |id: &str, role: &str, text: &str, at: f64| {
        json!({ "id": id, "author": { "role": role }, "create_time": at, "recipient": if id == "b" { "bio" } else { "all" },
            "content": { "content_type": "text", "parts": [text] } })
    };
    let talk = |id: &str, question: &str, flag: bool| {
        json!({ "conversation_id": id, "title": id, "is_do_not_remember": flag, "current_node": "a", "mapping": {
            "r": { "parent": null, "children": ["q"], "message": null },
            "q": { "parent": "r", "children": ["b"], "message": message("q", "user", question, 1_700_000_000.5) },
            "b": { "parent": "q", "children": ["a"], "message": message("b", "assistant", "Keeps bees in Sibiu.", 1_700_000_001.0) },
            "a": { "parent": "b", "children": [], "message": message("a", "assistant", "What a lovely hobby.", 1_700_000_000.0) } } })
    };
    let shard = |talks: &[Value]| json!(talks).to_string();
    let mut zip = ArchiveWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("chat.html", "<html>".to_owned()),
        ("conversations-000.json", shard(&[talk("one", "How do I look after my bees?", false)])),
        (
            "conversations-001.json",
            shard(&[talk("two", "Something I want forgotten.", true), json!({ "id": "three" })]),
        ),
        ("user.json", "{}".to_owned()),
    ] {
        zip.add(name, &mut content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn an_export_of_another_program_is_recognised_imported_once_found_and_undone() {
    let stage = Stage::with_inara();
    let file = stage.write("chatgpt.zip", chatgpt());
    let preview = stage.run(&["import", &file, "--dry-run", "-o", "json"]);
    assert_eq!(imported(&preview), (8, json!(1), json!(1), json!(2), json!(0)), "{}", preview.stderr);
    assert!(
        preview.stderr.contains("not to be remembered") && preview.stderr.contains("nothing was changed")
    );
    assert_eq!(stage.run(&["session", "list"]).stdout, "");
    let ran = stage.run(&["import", &file, "-o", "json"]);
    assert_eq!(imported(&ran), (8, json!(1), json!(1), json!(2), json!(0)), "{}", ran.stderr);
    assert_eq!(ran.object()["refused"][0]["place"], "conversations-001.json: conversation 2");
    assert!(stage.run(&["session", "search", "bees"]).stdout.contains("bees"));
    let memory = stage.run(&["memory", "list", "-o", "json"]).stdout;
    let memory: Value = serde_json::from_str(&memory).unwrap();
    assert_eq!((&memory[0]["trust"], &memory[0]["privacyClass"]), (&json!("import"), &json!("guest-pii")));
    assert_eq!(memory[0]["createdAt"], "2023-11-14T22:13:21.000Z");
    assert_eq!(
        imported(&stage.run(&["import", &file, "-o", "json"])),
        (8, json!(0), json!(0), json!(0), json!(3))
    );
    let listed = stage.run(&["import", "--list", "-o", "json"]).stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(
        (&listed[0]["memories"], &listed[0]["turns"], listed.as_array().unwrap().len()),
        (&json!(1), &json!(2), 1)
    );
    let id = listed[0]["importId"].as_str().unwrap();
    assert_eq!(stage.run(&["import", "--undo", id, "--yes"]).status, 0);
    assert_eq!(stage.run(&["session", "list"]).stdout, "");
    assert_eq!(stage.run(&["memory", "list"]).stdout, "");
    assert_eq!(stage.run(&["import", "--undo", id, "--yes"]).status, 3);
    assert_eq!(
        imported(&stage.run(&["import", &file, "-o", "json"])),
        (8, json!(1), json!(1), json!(2), json!(0))
    );
}

#[test]
fn what_chatgpt_repeats_in_every_conversation_is_one_memory() {
    let stage = Stage::with_inara();
    let custom = |at: f64| {
        json!({ "id": "c", "author": { "role": "user" }, "create_time": at, "metadata": { "is_visually_hidden_from_conversation": true },
            "content": { "content_type": "user_editable_context", "user_profile": "I keep bees in Sibiu." } })
    };
    let question = json!({ "id": "q", "author": { "role": "user" }, "content": { "content_type": "text", "parts": ["Hello"] } });
    let talk = |number: u32| {
        json!({ "conversation_id": number.to_string(), "current_node": "q", "update_time": 1_770_000_000 + number, "mapping": {
            "r": { "parent": null, "children": ["q"], "message": custom(f64::from(1_770_000_000 + number)) },
            "q": { "parent": "r", "children": [], "message": question } } })
    };
    let file = stage.write("conversations.json", json!([talk(1), talk(2), talk(3)]).to_string());
    assert_eq!(
        imported(&stage.run(&["import", &file, "-o", "json"])),
        (0, json!(1), json!(3), json!(3), json!(2))
    );
}

#[test]
fn a_broken_file_of_every_format_is_refused_with_file_place_and_way_out() {
    let stage = Stage::with_inara();
    for (format, name, text, place) in [
        ("chatgpt", "conversations.json", r#"[{"id":"a"}]"#, "conversations.json: conversation 1"),
        ("claude", "conversations.json", r#"[{"uuid":"a"},"#, "conversations.json: line 1, column 14"),
        ("claude-memories", "memories.json", "{}", "memories.json"),
        ("open-webui", "chats.json", "{}", "chats.json"),
        ("sillytavern", "chat.jsonl", "7\n", "chat.jsonl: line 1"),
        ("tavern-json", "chat.json", "{}", "chat.json"),
        ("world-info", "world.json", r#"{"entries":{"0":{}}}"#, "world.json: entry 1"),
        ("letta", "agent.af", "{}", "agent.af"),
        ("mem0", "memories.json", "7", "memories.json: line 1, column 1"),
        ("reference", "memory.jsonl", "{}\n", "memory.jsonl: line 1"),
        ("sessions", "monday.md", "Hello", "monday.md"),
        ("csv", "notes.csv", "a,b\n1,2\n", "notes.csv: line 1"),
        ("jsonl", "lines.jsonl", "nope\n", "lines.jsonl: line 1"),
        ("persona-document", "persona.json", "{}", "persona.json"),
    ] {
        let ran = stage.run(&["import", &stage.write(name, text), "--as", format, "-o", "json"]);
        let it = ran.object();
        // What is cut off in the middle is refused too; the last refusal says where the file ends.
        let refused = it["refused"].as_array().and_then(|all| all.last()).unwrap();
        assert_eq!((ran.status, &refused["place"]), (8, &json!(place)), "{format}: {it}");
        let detail = refused["detail"].as_str().unwrap();
        let (what, way_out) = detail.split_once("; ").unwrap_or_else(|| panic!("{format}: {detail}"));
        assert!(!what.is_empty() && way_out.len() > 10, "{format}: {detail}");
    }
    let ran = stage.run(&["persona", "import", &stage.write("card.png", b"\x89PNG\r\n\x1a\n")]);
    assert!(
        ran.status == 1 && ran.stderr.contains("card.png: ") && ran.stderr.contains("chunk 1"),
        "{}",
        ran.stderr
    );
}

#[test]
fn notes_without_dates_are_marked_and_special_categories_need_consent() {
    let stage = Stage::with_inara();
    let notes = stage.write(
        "notes/ana.md",
        "- Ana collects stamps.\n- Ana is allergic to peanuts.\n- [2024-05-06] - Ana moved to Cluj.\n",
    );
    let ran = stage.run(&["import", &stage.at("notes"), "--subject", "ana", "-o", "json"]);
    assert_eq!((ran.status, &ran.object()["undated"]), (8, &json!(1)), "{}", ran.stderr);
    assert_eq!(ran.object()["refused"][0]["code"], "sensitive_forbidden", "{}", ran.stdout);
    let kept = stage.run(&["export", "--include-pii"]).stdout;
    let stamps: Value =
        serde_json::from_str(kept.lines().find(|line| line.contains("stamps")).unwrap()).unwrap();
    assert_eq!((&stamps["x-dateUnknown"], &stamps["subject"]), (&json!(true), &json!("ana")));
    drop(notes);
}

#[test]
fn a_sessions_folder_is_read_into_the_record_once() {
    let stage = Stage::with_inara();
    stage.write("old/IDENTITY.md", "# Inara\n");
    stage.write("old/sessions/2026-04-22.md", "# 2026-04-22\n\n**Scott** (09:30)\n\nThe harbour was foggy.\n\n**Inara** (09:31)\n\nIt will clear.\n");
    let run = || stage.run(&["import", &stage.at("old"), "--as", "sessions", "-o", "json"]);
    assert_eq!(imported(&run()), (0, json!(0), json!(1), json!(2), json!(0)));
    assert_eq!(imported(&run()), (0, json!(0), json!(0), json!(0), json!(2)));
    assert!(stage.run(&["session", "search", "harbour"]).stdout.contains("harbour"));
}

#[test]
fn what_is_not_recognised_is_refused_with_the_way_out() {
    let stage = Stage::with_inara();
    let ran = stage.run(&["import", &stage.write("a.bin", b"\x00\x01")]);
    assert!(
        ran.status == 1 && ran.stderr.contains("--as") && ran.stderr.contains("chatgpt"),
        "{}",
        ran.stderr
    );
    let ran = stage.run(&["import", &stage.write("card.json", card().to_string())]);
    assert!(ran.status == 2 && ran.stderr.contains("persona import"), "{}", ran.stderr);
    let mut zip = ArchiveWriter::new(Cursor::new(Vec::new()));
    zip.add("../../evil.md", &mut &b"- x"[..]).unwrap();
    let ran = stage.run(&["import", &stage.write("evil.zip", zip.finish().unwrap().into_inner())]);
    assert!(ran.status == 1 && ran.stderr.contains("leaves its folder"), "{}", ran.stderr);
}

fn card() -> Value {
    json!({ "spec": "chara_card_v2", "spec_version": "2.0", "data": {
        "name": "Séraphine", "description": "{{char}} guards the forest.", "personality": "kind", "first_mes": "Welcome, traveller.",
        "x-unknown": { "kept": true }, "extensions": {},
        "character_book": { "entries": [
            { "keys": ["glade"], "content": "The glade of Eldoria heals the wounded.", "enabled": true, "insertion_order": 1, "extensions": {} },
            { "keys": ["off"], "content": "Never told.", "enabled": false, "insertion_order": 2, "extensions": {} }] } } })
}

#[test]
fn a_card_becomes_a_persona_that_greets_and_goes_out_again_with_everything() {
    let stage = Stage::new();
    stage.run(&["init"]);
    let ran = stage.run(&["persona", "import", &stage.write("card.json", card().to_string())]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let name = "seraphine";
    assert!(
        stage.read("home/default/persona/seraphine/IDENTITY.md").contains("Séraphine guards the forest.")
    );
    let lore = stage.run(&["memory", "list", "--persona", name, "-o", "json"]).stdout;
    let lore: Value = serde_json::from_str(&lore).unwrap();
    assert_eq!(lore.as_array().unwrap().len(), 1, "what is switched off is no memory");
    assert_eq!((&lore[0]["trust"], &lore[0]["cues"]), (&json!("operator"), &json!(["glade"])));
    stage.run(&["chat", name, "Hello!"]);
    let session = stage.run(&["session", "list", "--persona", name, "-o", "quiet"]).stdout;
    let session = stage.run(&["session", "show", session.trim(), "--persona", name]).stdout;
    assert!(session.find("Welcome, traveller.") < session.find("Hello!"), "{session}");
    for ending in ["png", "json", "charx"] {
        let file = stage.at(&format!("out.{ending}"));
        let ran = stage.run(&["persona", "export", name, &file]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let again = formats::card::Card::read(&fs::read(&file).unwrap(), Limits::SMALL).unwrap();
        assert_eq!(again.data()["x-unknown"], json!({ "kept": true }), "{ending}");
        assert_eq!(again.data()["character_book"], card()["data"]["character_book"], "{ending}");
        assert_eq!(again.text("description"), Some("{{char}} guards the forest."), "{ending}");
        let ran = stage.run(&["persona", "import", &file]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    assert!(stage.run(&["persona", "list"]).stdout.contains("seraphine-4"));
}

#[test]
fn memories_go_out_as_notes_tables_and_a_graph_and_notes_come_back() {
    let stage = inhabited();
    let folder = stage.at("vault");
    let memories = stage.run(&["export", "--include-pii"]).stdout.lines().count() - 1;
    let ran = stage.run(&["export", "--as", "markdown", &folder, "--include-pii"]);
    assert!(ran.status == 0 && ran.stderr.contains(&format!("{} notes", memories + 1)), "{}", ran.stderr);
    stage.run(&["persona", "new", "tina"]);
    let ran = stage.run(&["import", &folder, "--persona", "tina", "-o", "json"]);
    let it = ran.object();
    assert_eq!(
        (ran.status, &it["memories"], &it["events"]),
        (0, &json!(memories), &json!(1)),
        "{}",
        ran.stdout
    );
    let table = stage.run(&["export", "--as", "csv", "--persona", "inara", "--include-pii"]).stdout;
    assert!(
        table.starts_with("id,kind,createdAt") && table.contains("Ana likes the window seat."),
        "{table}"
    );
    let graph = stage.run(&["export", "--as", "reference", "--persona", "inara", "--include-pii"]).stdout;
    let ana = graph.lines().find(|line| line.contains("\"ana\"")).unwrap();
    let ana: Value = serde_json::from_str(ana).unwrap();
    assert_eq!(ana["observations"], json!(["Ana likes the window seat."]));
}
