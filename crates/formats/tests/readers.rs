//! Every reader, on files of the shapes that other programs write.
#![expect(clippy::panic, reason = "a test that can't set its stage fails loudly")]

use formats::{Format, Record, Source, Speaker, recognise};
use serde_json::json;

/// What a file says, a line for each record.
fn read(name: &str, content: &str) -> Vec<String> {
    let format = recognise(name, content.as_bytes()).unwrap_or_else(|| panic!("{name} is not recognised"));
    read_as(format, name, content)
}

fn read_as(format: Format, name: &str, content: &str) -> Vec<String> {
    let persona = ["inara".to_owned(), "Inara".to_owned()];
    let people = ["kaylee".to_owned()];
    let source = Source { name, persona: &persona, people: &people, timezone: Some("Europe/Bucharest") };
    let mut expected_lines = vec![format.as_str().to_owned()];
    let read = format.reader()(&mut content.as_bytes(), &source, &mut |record| {
        expected_lines.extend(lines(&record));
        Ok(())
    });
    if let Err(broken) = read {
        expected_lines.push(format!("broken: {broken}"));
    }
    expected_lines
}

fn lines(record: &Record) -> Vec<String> {
    match record {
        Record::Conversation(talk) => talk
            .turns
            .iter()
            .map(|turn| {
                let who = if turn.speaker == Speaker::Subject { "person" } else { "persona" };
                let at = turn.at.map_or("?".to_owned(), |at| at.to_string());
                format!("{} {at} {who}: {}", talk.id, turn.text)
            })
            .collect(),
        Record::Note(note) => {
            let at = note.at.map_or("?".to_owned(), |at| at.to_string());
            vec![format!("note {at} {:?} {:?}: {}", note.tags, note.cues, note.text)]
        }
        Record::Line(number, value) => vec![format!("line {number}: {value}")],
        Record::Skipped(skipped) => vec![format!("skipped {}: {}", skipped.place, skipped.why.as_str())],
        Record::Refused(refused) => vec![format!("refused {}: {}", refused.place, refused.what)],
    }
}

fn chatgpt_message(id: &str, role: &str, time: f64, text: &str) -> serde_json::Value {
    json!({ "id": id, "author": { "role": role }, "create_time": time, "recipient": "all",
        "content": { "content_type": "text", "parts": [text] } })
}

#[test]
fn chatgpt_is_read_from_the_current_node_and_its_hidden_notes_are_found() {
    let node = |parent: Option<&str>, children: &[&str], message: serde_json::Value| json!({ "parent": parent, "children": children, "message": message });
    let bio = json!({ "id": "b", "author": { "role": "assistant" }, "create_time": 1_700_000_002.0, "recipient": "bio",
        "content": { "content_type": "text", "parts": ["Has a dog called Rex."] } });
    let listed = json!({ "id": "s", "author": { "role": "system" }, "weight": 0.0,
        "content": { "content_type": "model_editable_context", "model_set_context": "1. [2026-01-15]. Likes tea.\n2. [unknown]. Plays chess." } });
    let custom = json!({ "id": "c", "author": { "role": "user" }, "metadata": { "is_visually_hidden_from_conversation": true,
        "user_context_message_data": { "about_user_message": "A nurse.", "about_model_message": "Be brief." } },
        "content": { "content_type": "user_editable_context", "user_profile": "x" } });
    let talk = json!([{
        "title": "Rex", "conversation_id": "conv-1", "update_time": 1_700_000_100.0, "current_node": "a2", "mapping": {
            "client-created-root": node(None, &["s"], json!(null)),
            "s": node(Some("client-created-root"), &["c"], listed),
            "c": node(Some("s"), &["q"], custom),
            "q": node(Some("c"), &["a1", "a2"], chatgpt_message("q", "user", 1_700_000_000.08, "My dog is Rex.")),
            "b": node(Some("q"), &[], bio),
            "a1": node(Some("q"), &[], chatgpt_message("a1", "assistant", 1_700_000_000.0, "An abandoned answer.")),
            "a2": node(Some("b"), &[], chatgpt_message("a2", "assistant", 1_700_000_000.0, "Nice to meet Rex."))
        }
    }, {
        "id": "conv-2", "is_do_not_remember": true, "current_node": "q", "mapping": {
            "q": node(None, &[], chatgpt_message("q", "user", 1_700_000_000.0, "A secret.")) }
    }, { "id": "conv-3", "mapping": {
            "x": { "parent": "y", "children": ["y"], "message": chatgpt_message("x", "user", 0.0, "round") },
            "y": { "parent": "x", "children": ["x"], "message": null } }, "current_node": "x" },
       7]);
    assert_eq!(
        read("conversations-000.json", &talk.to_string()),
        [
            "chatgpt",
            "note 2026-01-15T00:00:00Z [] []: Likes tea.",
            "note ? [] []: Plays chess.",
            "note 2023-11-14T22:15:00Z [\"custom-instructions\"] []: A nurse.",
            "note 2023-11-14T22:15:00Z [\"custom-instructions\"] []: Be brief.",
            "note 2023-11-14T22:13:22Z [] []: Has a dog called Rex.",
            "conv-1 2023-11-14T22:13:20.08Z person: My dog is Rex.",
            "conv-1 2023-11-14T22:13:20Z persona: Nice to meet Rex.",
            "skipped conversation 2: marked as not to be remembered",
            "conv-3 ? person: round",
            "refused conversation 4: a conversation has an `id` and a `mapping`; this has not",
        ]
    );
}

#[test]
fn claude_is_read_from_its_text_blocks_and_its_memories_have_no_dates() {
    let talk = json!([{ "uuid": "u1", "name": "", "created_at": "2026-05-01T10:00:00Z", "updated_at": "2026-05-01T11:00:00Z", "chat_messages": [
        { "uuid": "m1", "sender": "human", "text": "Hello", "content": [], "created_at": "2026-05-01T10:00:01Z" },
        { "uuid": "m2", "sender": "assistant", "text": "noise Hi", "content": [{ "type": "thinking", "text": "hm" }, null, { "type": "text", "text": "Hi there" }] }] }]);
    assert_eq!(
        read("conversations.json", &talk.to_string()),
        ["claude", "u1 2026-05-01T10:00:01Z person: Hello", "u1 2026-05-01T11:00:00Z persona: Hi there"]
    );
    let memories = json!([{ "conversations_memory": "**Work**\n\nA carpenter.\n\n- Lives in Brno", "project_memories": { "p": "Builds a boat." }, "account_uuid": "a" }]);
    assert_eq!(
        read("memories.json", &memories.to_string()),
        [
            "claude-memories",
            "note ? [] []: A carpenter.",
            "note ? [] []: Lives in Brno",
            "note ? [\"project\"] []: Builds a boat."
        ]
    );
}

#[test]
fn open_webui_is_read_from_the_current_message() {
    let rows = json!([{ "id": "c1", "title": "T", "updated_at": 1_700_000_000, "chat": { "history": { "currentId": "3", "messages": {
        "1": { "id": "1", "parentId": null, "role": "user", "content": "Hi", "timestamp": 1_700_000_000 },
        "2": { "id": "2", "parentId": "1", "role": "assistant", "content": "first" },
        "3": { "id": "3", "parentId": "1", "role": "assistant", "content": [{ "type": "text", "text": "second" }] } } } } }]);
    assert_eq!(
        read("chats.json", &rows.to_string()),
        ["open-webui", "c1 2023-11-14T22:13:20Z person: Hi", "c1 2023-11-14T22:13:20Z persona: second"]
    );
}

#[test]
fn tavern_chats_and_their_variants_are_read() {
    let chat = concat!(
        "{\"user_name\":\"You\",\"character_name\":\"Aqua\",\"create_date\":\"2024-09-28@12h34m56s789ms\"}\n",
        "{\"name\":\"Aqua\",\"is_user\":false,\"send_date\":\"June 25, 2024 4:51pm\",\"mes\":\"Hello!\"}\n",
        "{\"name\":\"You\",\"is_user\":true,\"send_date\":1719334260000,\"mes\":{\"message\":\"Hi\"}}\n",
        "{\"is_system\":true,\"mes\":\"hidden\"}\n",
        "{broken\n",
    );
    assert_eq!(
        read("Aqua.jsonl", chat),
        [
            "sillytavern",
            "refused line 5: this line is not JSON",
            "Aqua 2024-09-28@12h34m56s789ms 2024-06-25T16:51:00Z persona: Hello!",
            "Aqua 2024-09-28@12h34m56s789ms 2024-06-25T16:51:00Z person: Hi",
        ]
    );
    for content in [
        json!({ "histories": { "histories": [{ "msgs": [{ "src": { "is_human": true }, "text": "Hi" }, { "src": { "is_human": false }, "text": "Yo" }] }] } }),
        json!({ "messages": [{ "msg": "Hi", "userId": "u" }, { "msg": "Yo" }] }),
        json!({ "data_visible": [["Hi", "Yo"]] }),
    ] {
        assert_eq!(
            read("cai.json", &content.to_string()),
            ["tavern-json", "cai 0 ? person: Hi", "cai 0 ? persona: Yo"]
        );
    }
}

#[test]
fn lore_is_read_with_its_triggers_and_what_is_switched_off_stays_out() {
    let info = json!({ "entries": {
        "0": { "key": ["Eldoria", "forest"], "keysecondary": ["woods"], "comment": "place", "content": "@@depth 4\nA forest.", "disable": false },
        "1": { "key": ["x"], "content": "Off.", "disable": true }, "2": { "key": ["x"] } } });
    let expected_lines = [
        "world-info",
        "note ? [\"place\"] [\"Eldoria\", \"forest\", \"woods\"]: A forest.",
        "skipped entry 2: switched off",
        "refused entry 3: an entry has `content`; this has none",
    ];
    assert_eq!(read("Eldoria.json", &info.to_string()), expected_lines);
    let book = json!({ "spec": "lorebook_v3", "data": { "entries": [
        { "keys": ["Eldoria", "forest"], "secondary_keys": ["woods"], "name": "place", "content": "A forest.", "enabled": true },
        { "keys": ["x"], "content": "Off.", "enabled": false }, {}] } });
    assert_eq!(read("book.json", &book.to_string()), expected_lines);
}

#[test]
fn agents_of_letta_say_what_their_tool_calls_say() {
    let file = json!({ "agents": [{ "name": "sam", "messages": [
            { "id": "m0", "role": "system", "content": [{ "type": "text", "text": "rules" }] },
            { "id": "m1", "role": "user", "content": [{ "type": "text", "text": "{\"type\":\"user_message\",\"message\":\"Hi\"}" }], "created_at": "2025-01-01T00:00:00Z" },
            { "id": "m2", "role": "user", "content": "{\"type\":\"heartbeat\"}" },
            { "id": "m3", "role": "assistant", "content": [{ "type": "text", "text": "a thought" }], "tool_calls": [{ "function": { "name": "send_message", "arguments": "{\"message\":\"Hello\"}" } }] }] }],
        "blocks": [{ "label": "human", "value": "- Called Ana\n- Likes rain" }, { "label": "persona", "value": "I am Sam." }],
        "tools": [{ "source_code": "import os" }] });
    assert_eq!(
        read("sam.af", &file.to_string()),
        [
            "letta",
            "note ? [\"human\"] []: Called Ana",
            "note ? [\"human\"] []: Likes rain",
            "note ? [\"persona\"] []: I am Sam.",
            "sam sam 2025-01-01T00:00:00Z person: Hi",
            "sam sam ? persona: Hello",
        ]
    );
}

#[test]
fn lists_of_memories_are_read_whatever_they_are_called() {
    let memory = json!({ "id": "1", "memory": "Likes rain", "created_at": "2025-02-03T04:05:06-08:00", "categories": ["weather"] });
    let expected_lines = ["mem0", "note 2025-02-03T12:05:06Z [\"weather\"] []: Likes rain"];
    for content in [json!({ "results": [memory] }), json!({ "memories": [memory] }), json!([memory])] {
        assert_eq!(read("mem0.json", &content.to_string()), expected_lines);
    }
    let graph = "{\"type\":\"entity\",\"name\":\"Ana_Pop\",\"entityType\":\"person\",\"observations\":[\"Likes rain\",\"Ana Pop sings\"]}\n{\"type\":\"relation\",\"from\":\"Ana_Pop\",\"to\":\"Brno\",\"relationType\":\"lives_in\"}\n";
    assert_eq!(
        read("memory.jsonl", graph),
        [
            "reference",
            "note ? [\"knowledge-graph\", \"Ana_Pop\", \"person\"] []: Ana Pop (person)",
            "note ? [\"knowledge-graph\", \"Ana_Pop\", \"person\"] []: Ana Pop: Likes rain",
            "note ? [\"knowledge-graph\", \"Ana_Pop\", \"person\"] []: Ana Pop sings",
            "note ? [\"knowledge-graph\", \"Ana_Pop\", \"Brno\"] []: Ana Pop lives in Brno.",
        ]
    );
    let older = "{\"type\":\"entity\",\"entityName\":\"Ana\",\"entityType\":\"person\",\"observations\":[]}\n{\"from_id\":\"Ana\",\"to_id\":\"Brno\",\"relation_type\":\"likes\"}\n";
    assert_eq!(
        read_as(Format::Reference, "memory.json", older),
        [
            "reference",
            "note ? [\"knowledge-graph\", \"Ana\", \"person\"] []: Ana (person)",
            "note ? [\"knowledge-graph\", \"Ana\", \"Brno\"] []: Ana likes Brno.",
        ]
    );
}

#[test]
fn days_of_sessions_are_read_and_our_own_turns_are_not() {
    let day = "# 2026-04-22\n\n## 09:30\n**Scott:** Morning!\nTwo lines.\n\n**Inara** (09:31)\n\nGood morning.\n\n<!-- turn:0198 -->\n**Owner** (10:00)\n\nOurs.\n\n**Scott** (11:00)\n\nAgain.\n";
    assert_eq!(
        read("sessions/2026-04-22.md", day),
        [
            "sessions",
            "skipped sessions/2026-04-22.md (1 turns): in the record already",
            "2026-04-22 2026-04-22T06:30:00Z person: Morning!\nTwo lines.",
            "2026-04-22 2026-04-22T06:31:00Z persona: Good morning.",
            "2026-04-22 2026-04-22T08:00:00Z person: Again.",
        ]
    );
    assert_eq!(
        read_as(Format::DayLogs, "notes.md", "x"),
        ["sessions", "refused the file: the name of a day's file is its date, such as 2026-04-22.md"]
    );
}

#[test]
fn headings_with_a_time_and_a_name_say_who_speaks_in_any_order() {
    for (person, persona) in [
        ("### [14:34] Scott", "### [14:35] Inara"),
        ("### 14:34 Scott", "### 14:35 inara"),
        ("## 14:34:00 — user", "## 14:35:00 — assistant (claude)"),
        ("## Scott — 14:34", "## Inara — 14:35"),
        ("## Me (14:34)", "## Bot (14:35)"),
        ("#### 2:34 PM - Kaylee", "#### 2:35 PM - Model"),
        ("## 2026-04-22 14:34 human", "## 2026-04-22 14:35 AI"),
        ("## **Scott** at 14:34:", "## **Inara** at 14:35:"),
        ("**[14:34] Scott:**", "**[14:35] Inara:**"),
        ("[14:34] Scott:", "[14:35] Inara:"),
        ("14:34 - Scott:", "14:35 - Inara:"),
        ("[14:34] Scott", "[14:35] Inara"),
    ] {
        let day = format!(
            "# 2026-04-22\n\n{person}\n\nIs it open?\n\n{persona}\n\nYes.\n\n**Note:** until nine.\n\n{person}\nThanks.\n"
        );
        assert_eq!(
            read_as(Format::DayLogs, "2026-04-22.md", &day),
            [
                "sessions",
                "2026-04-22 2026-04-22T11:34:00Z person: Is it open?",
                "2026-04-22 2026-04-22T11:35:00Z persona: Yes.\n\n**Note:** until nine.",
                "2026-04-22 2026-04-22T11:34:00Z person: Thanks.",
            ],
            "{person}"
        );
    }
}

#[test]
fn a_day_is_refused_at_the_line_where_it_is_not_certain_who_speaks() {
    let unknown = "it isn't certain who speaks here: the name is neither the persona's nor the person's";
    let silent = "these words have no speaker";
    let mixed = "it isn't certain whether a turn begins here: other turns of the file begin in another form";
    for (day, line, what) in [
        ("Inara and I talked about the harbour.\n", 1, silent),
        ("# A day\n\nProse first.\n\n**Scott** (09:30)\nHi.\n\n**Inara** (09:31)\nHi.\n", 3, silent),
        ("## 14:34 Scott\nHi.\n## 14:35 Claude\nHi.\n", 1, unknown),
        ("## 14:34 user\nHi.\n## 14:35 Claude\nHi.\n", 3, unknown),
        ("## 14:34 Scott\nHi.\n## 14:35 Inara\nHi.\n## 14:36 Ana\nHi.\n", 5, unknown),
        ("## 14:34 Scott\nHi.\n## 14:35 Inara\nHi.\n## 14:36\nHi.\n", 6, silent),
        ("## 14:34 Scott\nHi.\n## 14:35 Inara\nHi.\n## 14:36 Scott to the whole crew\nHi.\n", 6, silent),
        ("**Kaylee:** Hi.\n**Kaylee:** Hello?\nInara: Hi.\n", 3, mixed),
    ] {
        assert_eq!(
            read_as(Format::DayLogs, "2026-04-22.md", day),
            ["sessions".to_owned(), format!("refused line {line}: {what}")],
            "{day}"
        );
    }
}

#[test]
fn notes_and_tables_are_read_item_by_item() {
    let note = "---\ntitle: Ana\ntags: [guest, vip]\ncreated: 2025-03-04\n---\n# Heading\n\nLikes rain\nand snow.\n\n- [2024-01-02] - Moved to Brno.\n- [taste] Drinks tea #tea\n\n```\ncode\n```\n";
    assert_eq!(
        read("ana.md", note),
        [
            "markdown",
            "note 2025-03-04T00:00:00Z [\"guest\", \"vip\", \"Ana\"] []: Likes rain and snow.",
            "note 2024-01-02T00:00:00Z [\"guest\", \"vip\", \"Ana\"] []: Moved to Brno.",
            "note 2025-03-04T00:00:00Z [\"taste\", \"guest\", \"vip\", \"Ana\"] []: Drinks tea #tea",
        ]
    );
    let table =
        "Date,Text,Tags\r\n2024-01-02,\"Likes \"\"rain\"\",\nand snow\",a;b\r\n,No date,\r\n2024-01-02,,\r\n";
    assert_eq!(
        read("notes.csv", table),
        [
            "csv",
            "note 2024-01-02T00:00:00Z [\"a\", \"b\"] []: Likes \"rain\",\nand snow",
            "note ? [] []: No date",
            "skipped line 5: without words",
        ]
    );
    assert_eq!(
        read("semicolons.csv", "text;date\nHello;2024-01-02\n"),
        ["csv", "note 2024-01-02T00:00:00Z [] []: Hello"]
    );
    assert_eq!(
        read("own.jsonl", "{\"gist\":\"a\"}\n\n[1]\n{\n"),
        [
            "jsonl",
            "line 1: {\"gist\":\"a\"}",
            "refused line 3: a line is one JSON object; this is something else",
            "refused line 4: this line is not JSON (column 1)",
        ]
    );
}

#[test]
fn cards_and_other_files_are_not_taken_for_chats() {
    let card = json!({ "name": "Aqua", "first_mes": "Hello!", "chat": "Aqua - 2023-1-8", "personality": "" });
    let newer = json!({ "spec": "chara_card_v2", "data": { "name": "Aqua", "first_mes": "", "character_book": { "entries": [] } } });
    for content in [card.to_string(), newer.to_string(), "{}".to_owned(), "<html>".to_owned(), String::new()]
    {
        assert_eq!(recognise("file.json", content.as_bytes()), None, "{content}");
    }
}
