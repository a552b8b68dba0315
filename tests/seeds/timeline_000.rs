//! 000: the timeline of emotional memories.

use serde_json::{Value, json};

use crate::stage::{Server, Stage, lived, with};

const SEED: &str = r#"{"firstName":"Maya","lastName":"Chen","age":34,"location":"Lisbon","baseOccupation":"product designer"}"#;

/// A server and Maya, made from a few facts.
fn maya() -> (Stage, Server, String) {
    let stage = Stage::new();
    let server = stage.serve();
    let seed: Value = serde_json::from_str(SEED).unwrap();
    let made = server.post("/personas", &json!({ "tenantId": "scott", "seed": seed })).expect(201);
    let id = made["persona"]["id"].as_str().unwrap().to_owned();
    (stage, server, id)
}

fn timeline(id: &str) -> String {
    format!("/personas/{id}/timeline")
}

fn codes(server: &Server, id: &str) -> Vec<String> {
    let report = server.get(&format!("/personas/{id}/consistency?tenantId=scott")).expect(200);
    let issues = report["report"]["issues"].as_array().unwrap();
    issues.iter().map(|issue| issue["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_new_entry_gets_the_next_sequence_number_automatically() {
    let (_stage, server, id) = maya();
    for (number, at) in [(2, "2030-09-01T09:00:00.000Z"), (3, "2030-09-01T09:00:00.000Z")] {
        let made = server.post(&timeline(&id), &lived("A day", at)).expect(201);
        assert_eq!(made["timelineEntry"]["sequence"], number);
    }
}

#[test]
fn the_event_at_timestamp_must_be_equal_to_or_later_than_the_previous_entrys_timestamp() {
    let (_stage, server, id) = maya();
    server.post(&timeline(&id), &lived("Later", "2030-09-02T09:00:00.000Z")).expect(201);
    let refused = server.post(&timeline(&id), &lived("Earlier", "2030-09-01T09:00:00.000Z")).expect(400);
    assert_eq!(refused["code"], "event_out_of_order");
    for time in ["2030-09-01T09:00:00.000Z", "2030-09-02T09:00:00.000Z"] {
        assert!(refused["detail"].as_str().unwrap().contains(time), "{refused}");
    }
}

#[test]
fn metadata_is_an_optional_record_and_may_be_null() {
    let (_stage, server, id) = maya();
    let at = "2030-09-01T09:00:00.000Z";
    for metadata in [Value::Null, json!({}), json!({ "venue": "Lisbon" })] {
        server.post(&timeline(&id), &with(lived("A day", at), &json!({ "metadata": metadata }))).expect(201);
    }
}

#[test]
fn lengths_are_counted_in_characters_after_trimming() {
    let (_stage, server, id) = maya();
    let at = "2030-09-01T09:00:00.000Z";
    let label = format!("  {}  ", "é".repeat(500));
    let made =
        server.post(&timeline(&id), &with(lived("x", at), &json!({ "eventLabel": label }))).expect(201);
    assert_eq!(made["timelineEntry"]["eventLabel"].as_str().unwrap().chars().count(), 500);
    server.post(&timeline(&id), &with(lived("x", at), &json!({ "eventLabel": "é".repeat(501) }))).expect(400);
    server.post(&timeline(&id), &with(lived("x", at), &json!({ "eventLabel": "   " }))).expect(400);
}

#[test]
fn superseded_entries_are_excluded_by_default_and_include_superseded_includes_them() {
    let (_stage, server, id) = maya();
    let made = server.post(&timeline(&id), &lived("Wrong", "2030-09-01T09:00:00.000Z")).expect(201);
    let entry = made["timelineEntry"]["id"].as_str().unwrap();
    let path = format!("{}/{entry}/supersede", timeline(&id));
    for blank in ["", "  "] {
        let refused = server.post(&path, &json!({ "tenantId": "scott", "reason": blank })).expect(400);
        assert_eq!(refused["errors"][0]["pointer"], "/reason", "{refused}");
    }
    server.post(&path, &json!({ "tenantId": "scott", "reason": "Contained incorrect date." })).expect(200);
    for (query, total) in
        [("", 1), ("&includeSuperseded=true", 2), ("&includeSuperseded=1", 2), ("&includeSuperseded=0", 1)]
    {
        let listed = server.get(&format!("{}?tenantId=scott{query}", timeline(&id))).expect(200);
        assert_eq!(listed["total"], total, "{query}");
    }
}

#[test]
fn the_original_is_automatically_marked_as_superseded_and_the_revision_takes_its_place() {
    let (_stage, server, id) = maya();
    let at = "2030-09-01T09:00:00.000Z";
    let first = server.post(&timeline(&id), &lived("First day", at)).expect(201);
    server.post(&timeline(&id), &lived("A year later", "2031-09-01T09:00:00.000Z")).expect(201);
    let original = first["timelineEntry"]["id"].clone();
    let revision =
        json!({ "memoryType": "revised", "revisesTimelineId": original, "revisionReason": "Reflected." });
    server.post(&timeline(&id), &with(lived("First day (revised)", at), &revision)).expect(201);
    assert_eq!(codes(&server, &id), Vec::<String>::new());
}

#[test]
fn each_new_entry_gets_the_next_sequence_number_also_when_many_come_at_once() {
    let (_stage, server, id) = maya();
    let path = timeline(&id);
    let before =
        server.get(&format!("{path}?tenantId=scott")).expect(200)["timeline"].as_array().unwrap().len();
    std::thread::scope(|scope| {
        for n in 0..16 {
            let (server, path) = (&server, &path);
            scope.spawn(move || {
                server.post(path, &lived(&format!("Day {n}"), "2030-09-02T09:00:00.000Z")).expect(201);
            });
        }
    });
    let listed = server.get(&format!("{path}?tenantId=scott&limit=100")).expect(200);
    let numbers: Vec<u64> =
        listed["timeline"].as_array().unwrap().iter().map(|it| it["sequence"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=(before as u64 + 16)).collect::<Vec<_>>());
}

#[test]
fn non_monotonic_timestamps_are_found() {
    let (_stage, server, id) = maya();
    server.post(&timeline(&id), &lived("Later", "2030-09-02T09:00:00.000Z")).expect(201);
    let earlier = with(lived("Earlier", "2030-09-01T09:00:00.000Z"), &json!({ "allowOutOfOrder": true }));
    server.post(&timeline(&id), &earlier).expect(201);
    assert_eq!(codes(&server, &id), ["non_monotonic_event_time"]);
}

#[test]
fn sequence_gaps_are_found() {
    let (_stage, server, id) = maya();
    let numbered = |label, at, number| with(lived(label, at), &json!({ "sequence": number }));
    let lines = [
        numbered("Moved", "2030-09-02T09:00:00.000Z", 4),
        numbered("Before that", "2030-09-01T09:00:00.000Z", 5),
    ];
    let import = |keep: bool| json!({ "lines": lines, "allowOutOfOrder": keep });
    let taken = server.post(&format!("/v1/personas/{id}/import"), &import(true)).expect(200);
    assert_eq!(taken["events"], 2);
    assert_eq!(codes(&server, &id), ["sequence_gap", "non_monotonic_event_time"]);
}

#[test]
fn a_life_that_does_not_begin_at_the_first_number_has_a_gap_too() {
    let stage = Stage::with_inara();
    let line = with(lived("Moved", "2030-09-02T09:00:00.000Z"), &json!({ "sequence": 3 }));
    let server = stage.serve();
    let import = json!({ "lines": [line], "allowOutOfOrder": true });
    assert_eq!(server.post("/v1/personas/inara/import", &import).expect(200)["events"], 1);
    let report = server.get("/personas/inara/consistency?tenantId=scott").expect(200);
    let issue = &report["report"]["issues"][0];
    assert_eq!(issue["code"], "sequence_gap", "{report}");
    assert_eq!(issue["message"], "Sequence begins at 3 instead of 1", "{report}");
    assert!(issue["relatedTimelineId"].is_null(), "{report}");
}

#[test]
fn an_import_that_keeps_numbers_refuses_a_taken_one_and_hides_no_gap() {
    let (_stage, server, id) = maya();
    let numbered = |label: &str, number: Value| {
        with(lived(label, "2030-09-01T09:00:00.000Z"), &json!({ "sequence": number }))
    };
    let import = |lines: &[Value]| {
        let asked = json!({ "lines": lines, "allowOutOfOrder": true });
        server.post(&format!("/v1/personas/{id}/import"), &asked).expect(200)
    };
    let numbers = || -> Vec<u64> {
        let listed = server.get(&format!("{}?tenantId=scott", timeline(&id))).expect(200);
        let entries = listed["timeline"].as_array().unwrap();
        entries.iter().map(|entry| entry["sequence"].as_u64().unwrap()).collect()
    };
    let lines = [numbered("Clash", json!(1)), numbered("Second", json!(2)), numbered("Fourth", json!(4))];
    let taken = import(&lines);
    assert_eq!((&taken["events"], &taken["refused"][0]["line"]), (&json!(2), &json!(0)), "{taken}");
    let detail = taken["refused"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("/sequence 1 is the number of another entry; give"), "{detail}");
    assert_eq!((numbers(), codes(&server, &id)), (vec![1, 2, 4], vec!["sequence_gap".to_owned()]));
    let more =
        [json!(20), json!(20), json!(0), json!(-1), json!("7"), json!(2_000_000_000), json!(3), Value::Null];
    let lines: Vec<Value> =
        more.into_iter().enumerate().map(|(n, number)| numbered(&format!("More {n}"), number)).collect();
    let taken = import(&lines);
    let refused: Vec<u64> =
        taken["refused"].as_array().unwrap().iter().map(|it| it["line"].as_u64().unwrap()).collect();
    assert_eq!((&taken["events"], refused), (&json!(3), vec![1, 2, 3, 4, 5]), "{taken}");
    assert_eq!(numbers(), [1, 2, 3, 4, 20, 21]);
    assert_eq!(import(&lines)["duplicates"], 3, "the same again changes nothing");
}

#[test]
fn an_import_from_the_command_line_can_keep_order_and_numbers_too() {
    let stage = Stage::with_inara();
    let line = |at, number| with(lived("A day", at), &json!({ "sequence": number })).to_string();
    let lines = [line("2030-09-02T09:00:00.000Z", 4), line("2030-09-01T09:00:00.000Z", 6)].join("\n");
    stage.write("life.jsonl", &lines);
    let file = stage.home().join("life.jsonl").display().to_string();
    let taken = stage.json(&["import", &file, "--allow-out-of-order"]);
    assert_eq!(taken["events"], 2, "{taken}");
    let found = stage.run(&["timeline", "check", "-o", "json"]).stdout;
    assert!(found.contains("sequence_gap") && found.contains("non_monotonic_event_time"), "{found}");
    stage.write(
        "more.jsonl",
        &with(lived("Another", "2030-09-03T09:00:00.000Z"), &json!({ "sequence": 6 })).to_string(),
    );
    let file = stage.home().join("more.jsonl").display().to_string();
    let ran = stage.run(&["import", &file, "--allow-out-of-order", "-o", "json"]);
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.status, &shown["refused"][0]["place"]), (8, &json!("more.jsonl: line 1")), "{shown}");
}

#[test]
fn an_import_brings_a_life_into_order_by_event_at_first() {
    let (_stage, server, id) = maya();
    let lines = [lived("Second", "2030-09-02T09:00:00.000Z"), lived("First", "2030-09-01T09:00:00.000Z")];
    let taken = server.post(&format!("/v1/personas/{id}/import"), &json!({ "lines": lines })).expect(200);
    assert_eq!((&taken["events"], taken["refused"].as_array().unwrap().len()), (&json!(2), 0));
    assert_eq!(codes(&server, &id), Vec::<String>::new());
}

#[test]
fn vivid_pride_memories_become_defining_traits() {
    let (_stage, server, id) = maya();
    let proud = |label, strength| {
        let change = json!({ "memoryType": "pride", "memoryStrength": strength });
        with(lived(label, "2030-09-01T09:00:00.000Z"), &change)
    };
    server.post(&timeline(&id), &proud("Won the design award", 90)).expect(201);
    server.post(&timeline(&id), &proud("Fixed a chair", 60)).expect(201);
    let asked = json!({ "message": "What time is it?" });
    let preview = server.post(&format!("/v1/personas/{id}/context"), &asked).expect(200);
    let parts = preview["parts"].as_array().unwrap();
    let part = parts.iter().find(|part| part["name"] == "What defines you").unwrap();
    let text = part["text"].as_str().unwrap();
    assert!(text.contains("Won the design award") && !text.contains("Fixed a chair"), "{text}");
}

#[test]
fn a_changed_seed_rewrites_the_generated_lines_of_identity_and_leaves_edited_ones() {
    let (stage, server, id) = maya();
    let identity = "scott/persona/maya-chen/IDENTITY.md";
    let by_hand = "She never drinks coffee.";
    stage.write(identity, &format!("{}\n{by_hand}\n", stage.read(identity)));
    let change = json!({ "seed": { "age": 35, "location": "Porto" } });
    let changed = server.patch(&format!("/personas/{id}"), &change).expect(200);
    let summary = "Maya Chen, 35, based in Porto, works as product designer.";
    assert_eq!(changed["persona"]["summary"], summary);
    let text = stage.read(identity);
    assert!(text.contains(summary) && !text.contains("based in Lisbon") && text.contains(by_hand), "{text}");
}

#[test]
fn null_removes_the_facts_a_persona_was_made_from_and_no_single_one_of_them() {
    let (stage, server, id) = maya();
    let path = format!("/personas/{id}");
    let refused = server.patch(&path, &json!({ "seed": { "age": null } })).expect(400);
    assert_eq!(refused["errors"][0]["pointer"], "/seed/age", "{refused}");
    let changed = server.patch(&path, &json!({ "seed": null })).expect(200);
    assert_eq!(changed["persona"].get("firstName"), None, "{changed}");
    assert_eq!(changed["persona"]["displayName"], "Maya Chen");
    assert_eq!(server.get(&path).expect(200)["document"]["identity"].get("seed"), None);
    let identity = stage.read("scott/persona/maya-chen/IDENTITY.md");
    assert!(identity.contains("Maya Chen") && !identity.contains("based in Lisbon"), "{identity}");
    let again: Value = serde_json::from_str(SEED).unwrap();
    let made = server.patch(&path, &json!({ "seed": again })).expect(200);
    assert_eq!(made["persona"]["summary"], "Maya Chen, 34, based in Lisbon, works as product designer.");
}

#[test]
fn each_timeline_entry_is_a_structured_memory_with_these_fields() {
    let (_stage, server, id) = maya();
    let whole = lived("A day", "2030-09-01T09:00:00.000Z");
    for field in [
        "eventAt",
        "eventLabel",
        "facts",
        "feelings",
        "interpretation",
        "emotionTags",
        "memoryType",
        "memoryStrength",
    ] {
        let mut without = whole.clone();
        without.as_object_mut().unwrap().remove(field);
        let refused = server.post(&timeline(&id), &without).expect(400);
        assert_eq!(refused["errors"][0]["pointer"], format!("/{field}"), "{refused}");
    }
    let keys: serde_json::Map<String, Value> = (0..51).map(|n| (n.to_string(), json!(1))).collect();
    for (field, value) in [
        ("memoryStrength", json!(101)),
        ("memoryStrength", json!(-1)),
        ("memoryType", json!("happy")),
        ("emotionTags", json!(vec!["joy"; 51])),
        ("metadata", Value::Object(keys)),
        ("facts", json!("f".repeat(5001))),
        ("eventAt", json!("yesterday")),
    ] {
        let refused = server.post(&timeline(&id), &with(whole.clone(), &json!({ field: value }))).expect(400);
        assert_eq!(refused["errors"][0]["pointer"], format!("/{field}"), "{refused}");
    }
}

#[test]
fn list_timeline_entries_with_pagination_ordered_by_sequence_number() {
    let (_stage, server, id) = maya();
    for day in 1..=5 {
        server.post(&timeline(&id), &lived("A day", &format!("2030-09-0{day}T09:00:00.000Z"))).expect(201);
    }
    let page = server.get(&format!("{}?tenantId=scott&limit=2&offset=3", timeline(&id))).expect(200);
    let numbers: Vec<&Value> =
        page["timeline"].as_array().unwrap().iter().map(|it| &it["sequence"]).collect();
    assert_eq!(numbers, [&json!(4), &json!(5)]);
    assert_eq!((&page["total"], &page["limit"], &page["offset"]), (&json!(6), &json!(2), &json!(3)));
}

#[test]
fn you_can_also_manually_mark_a_timeline_entry_as_superseded_without_providing_a_replacement() {
    let (_stage, server, id) = maya();
    let made = server.post(&timeline(&id), &lived("Wrong", "2030-09-01T09:00:00.000Z")).expect(201);
    let entry = made["timelineEntry"]["id"].as_str().unwrap();
    let path = format!("{}/{entry}/supersede", timeline(&id));
    for reason in ["Contained incorrect date.", "Another reason."] {
        let marked = server.post(&path, &json!({ "tenantId": "scott", "reason": reason })).expect(200);
        assert_eq!(marked["timelineEntry"]["supersededReason"], "Contained incorrect date.");
    }
}

#[test]
fn revises_timeline_id_and_the_type_revised_go_together() {
    let (_stage, server, id) = maya();
    let at = "2030-09-01T09:00:00.000Z";
    let first =
        server.post(&timeline(&id), &lived("First day", at)).expect(201)["timelineEntry"]["id"].clone();
    for change in [json!({ "memoryType": "revised" }), json!({ "revisesTimelineId": first })] {
        server.post(&timeline(&id), &with(lived("Again", at), &change)).expect(400);
    }
    let both = json!({ "memoryType": "revised", "revisesTimelineId": first, "revisionReason": "Reflected." });
    let revised = server.post(&timeline(&id), &with(lived("Again", at), &both)).expect(201);
    assert_eq!(revised["timelineEntry"]["sequence"], 3);
    server.post(&timeline(&id), &with(lived("And again", at), &both)).expect(409);
}

#[test]
fn the_consistency_check_analyses_the_timeline_for_contradictions() {
    let (_stage, server, id) = maya();
    let at = "2030-09-01T09:00:00.000Z";
    for facts in ["Maya joined the company in January 2021.", "Maya joined the company in June 2021."] {
        server
            .post(&timeline(&id), &with(lived("Joined the company", at), &json!({ "facts": facts })))
            .expect(201);
    }
    let report =
        server.get(&format!("/personas/{id}/consistency?tenantId=scott")).expect(200)["report"].clone();
    assert_eq!((&report["personaId"], &report["issueCount"]), (&json!(id), &json!(1)), "{report}");
    let issue = &report["issues"][0];
    assert_eq!(issue["code"], "possible_contradiction");
    assert!(issue["message"].as_str().unwrap().starts_with("Potential contradiction: "), "{issue}");
    assert!(issue["timelineId"].is_string() && issue["relatedTimelineId"].is_string(), "{issue}");
}

/// The prompt in which a persona is asked about its life.
fn asked(server: &Server, id: &str, message: &str) -> String {
    let preview =
        server.post(&format!("/v1/personas/{id}/context"), &json!({ "message": message })).expect(200);
    preview["prompt"].as_str().unwrap().to_owned()
}

fn tell(server: &Server, id: &str, label: &str, facts: &str, change: &Value) {
    let event = with(lived(label, "2030-09-01T09:00:00.000Z"), &json!({ "facts": facts }));
    server.post(&timeline(id), &with(event, change)).expect(201);
}

#[test]
fn vivid_memories_are_quoted_with_rich_detail_moderate_ones_softened_and_faded_ones_vaguely() {
    let (_stage, server, id) = maya();
    tell(&server, &id, "Sailing to Corsica", "The mast broke near Calvi.", &json!({ "memoryStrength": 75 }));
    tell(&server, &id, "Baking bread in Porto", "The oven was too hot.", &json!({ "memoryStrength": 74 }));
    tell(&server, &id, "Losing an umbrella in Rome", "It was green.", &json!({ "memoryStrength": 39 }));
    let vivid = asked(&server, &id, "Did you ever go sailing to Corsica?");
    assert!(
        vivid.contains("### Vivid")
            && vivid.contains("The mast broke")
            && vivid.contains("Nervous but excited.")
    );
    let moderate = asked(&server, &id, "Did you bake bread in Porto?");
    let part = moderate.split("### Moderate").nth(1).unwrap_or_else(|| panic!("{moderate}"));
    assert!(part.contains("Baking bread in Porto"), "{moderate}");
    let faded = asked(&server, &id, "Did you lose an umbrella in Rome?");
    let part = faded.split("### Faded").nth(1).unwrap_or_else(|| panic!("{faded}"));
    assert!(part.contains("Losing an umbrella in Rome") && !part.contains("It was green"), "{faded}");
}

#[test]
fn shame_and_repressed_memories_trigger_reluctance_or_avoidance() {
    let (_stage, server, id) = maya();
    tell(
        &server,
        &id,
        "Failing the pilot exam",
        "Failed it twice.",
        &json!({ "memoryType": "shame", "memoryStrength": 80 }),
    );
    let hidden = json!({ "memoryType": "repressed", "memoryStrength": 80, "metadata": { "triggers": ["the red leash"] } });
    tell(&server, &id, "Losing the dog", "The dog ran away at the harbour.", &hidden);
    let shame = asked(&server, &id, "Did you fail the pilot exam?");
    assert!(
        shame.contains("be reluctant, minimise it or deflect") && shame.contains("avoid the whole subject"),
        "{shame}"
    );
    assert!(!asked(&server, &id, "Did you lose a dog?").contains("Losing the dog"));
    let triggered = asked(&server, &id, "Look, I found the red leash.");
    assert!(triggered.contains("Losing the dog") && triggered.contains("it resists"), "{triggered}");
    assert!(!triggered.contains("ran away at the harbour"), "only a fragment: {triggered}");
}

#[test]
fn exaggerated_memories_are_amplified_in_the_telling_and_pride_memories_are_surfaced_enthusiastically() {
    let (_stage, server, id) = maya();
    tell(&server, &id, "Catching a shark", "It was a metre long.", &json!({ "memoryType": "exaggerated" }));
    tell(
        &server,
        &id,
        "Winning the race",
        "First of forty boats.",
        &json!({ "memoryType": "pride", "memoryStrength": 90 }),
    );
    assert!(asked(&server, &id, "Did you catch a shark?").contains("Amplify this in the telling"));
    let unasked = asked(&server, &id, "What is the weather like?");
    assert!(unasked.contains("you may bring it up yourself, gladly"), "{unasked}");
}

#[test]
fn a_persona_with_200_memories_does_not_dump_all_of_them_into_every_response() {
    let (_stage, server, id) = maya();
    let lines: Vec<Value> = (0..200)
        .map(|number| lived(&format!("Day {number} at the lighthouse"), "2030-09-01T09:00:00.000Z"))
        .collect();
    let taken = server.post(&format!("/v1/personas/{id}/import"), &json!({ "lines": lines })).expect(200);
    assert_eq!(taken["events"], 200, "{taken}");
    let prompt = asked(&server, &id, "What did you do on day 117 at the lighthouse?");
    let shown = prompt.matches("\n[life:").count();
    assert!((1..=3).contains(&shown), "{shown} of 200: {prompt}");
}
