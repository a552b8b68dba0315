//! 002: the persona home, its tiers, its record and its digests.

mod folders;

use std::fs;

use serde_json::{Value, json};

use crate::stage::{Stage, event};

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
    server.chat(&json!({ "message": "The boathouse in Übergrün needs a <b> tag.", "persona": "inara" }));
    for (query, marked) in [
        ("boa", "<mark>boa</mark>thouse"),
        ("%3Cb%3E", "<mark>&lt;b&gt;</mark>"),
        ("uber", "<mark>Über</mark>grün"),
    ] {
        let found = server.get(&format!("/sessions/search?q={query}&user=scott&persona=inara")).expect(200);
        let results = found["days"][0]["results"].as_array().unwrap_or_else(|| panic!("{found}"));
        let html: Vec<&str> = results.iter().filter_map(|result| result["html"].as_str()).collect();
        assert!(html.iter().any(|html| html.contains(marked)), "{query}: {html:?}");
    }
}

#[test]
fn a_line_that_people_corrected_in_memory_short_stays_and_reaches_memory_mid() {
    let stage = Stage::with_inara();
    stage.ok(&["chat", "inara", "In June we move the whole project to Lisbon."]);
    let (short, mid) = ("scott/persona/inara/MEMORY_SHORT.md", "scott/persona/inara/MEMORY_MID.md");
    stage.ok(&["distill", "short"]);
    let corrected = stage.read(short).replace("to Lisbon", "to Porto");
    assert!(corrected.contains("to Porto"), "{corrected}");
    stage.write(short, &corrected);
    for digest in ["mid", "short", "short"] {
        stage.ok(&["distill", digest]);
    }
    for paper in [stage.read(short), stage.read(mid)] {
        assert!(paper.contains("to Porto") && !paper.contains("to Lisbon"), "{paper}");
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
    let table = "| day | watch |\n|---|---|\n| Monday | Scott |\n| Friday | Anna |";
    stage.write(
        "scott/persona/inara/MEMORY_SHORT.md",
        &format!("Remember the dentist appointment in June.\n\n{table}\n"),
    );
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
    for digest in [&short, &mid, &long] {
        assert_eq!(digest.matches(table).count(), 1, "a table stays one: {digest}");
    }
    server.post("/distill/mid", &json!({})).expect(200);
    for written in [prose, table] {
        assert_eq!(read("MEMORY_MID.md").matches(written).count(), 1);
    }
}

#[test]
fn the_onboarding_flow_is_a_page_when_a_browser_asks_for_it() {
    let stage = Stage::new();
    let server = stage.serve();
    let page = server.get_page("/setup/persona");
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
fn a_misspelt_name_is_reported_with_the_nearest_one() {
    let stage = Stage::with_inara();
    let persona = stage.run(&["persona", "show", "inarra"]);
    assert!(persona.status == 3 && persona.stderr.contains("did you mean `inara`?"), "{}", persona.stderr);
    for words in [
        &["memory", "list"][..],
        &["timeline", "list"],
        &["session", "list"],
        &["distill", "short"],
        &["distill", "status"],
        &["jobs"],
        &["sweep", "--yes"],
        &["export"],
        &["persona", "sign"],
        &["persona", "validate"],
        &["persona", "show", "inara"],
        &["mcp", "install", "--client", "cursor", "--print"],
    ] {
        let ran = stage.run(&[words, &["--persona", "inarra"]].concat());
        assert!(ran.status == 3 && ran.stderr.contains("did you mean `inara`?"), "{words:?}: {}", ran.stderr);
    }
    for words in [&["persona", "list"][..], &["persona", "validate"], &["persona", "sign"], &["key", "new"]] {
        let ran = stage.run(&[words, &["--tenant", "scot"]].concat());
        assert!(ran.status == 3 && ran.stderr.contains("did you mean `scott`?"), "{words:?}: {}", ran.stderr);
    }
    assert!(!stage.home().join("scot").exists());
    for (words, is_said) in [
        (&["key", "new", "--tenant", "scot", "--new-tenant"][..], true),
        (&["key", "new", "--tenant", "scot"], false),
        (&["key", "new", "--tenant", "crew"], true),
    ] {
        let ran = stage.run(words);
        assert_eq!((ran.status, ran.stderr.contains("made the tenant")), (0, is_said), "{}", ran.stderr);
    }
}

#[test]
fn a_command_about_a_whole_tenant_refuses_a_persona() {
    let stage = Stage::with_inara();
    for words in [
        &["subject", "list"][..],
        &["memory", "residue", "--text", "Ana"],
        &["memory", "redact-user", "ana", "--reason", "request", "--yes"],
        &["persona", "list"],
        &["key", "list"],
    ] {
        for name in ["inara", "inarra"] {
            let ran = stage.run(&[words, &["--persona", name]].concat());
            let says = "applies to all personas of the tenant; leave --persona out";
            assert!(ran.status == 2 && ran.stderr.contains(says), "{words:?}: {}", ran.stderr);
        }
    }
    let erasures = stage.json(&["memory", "audit"]).to_string();
    assert!(!erasures.contains("erasure_received"), "nothing was begun: {erasures}");
}

#[test]
fn the_doctor_names_folders_that_nothing_uses_because_of_their_names() {
    let stage = Stage::with_inara();
    for folder in
        ["scott/persona/Bad Name", "Some One/persona/inara", "scott/persona/.hidden", "notes/Old Ones"]
    {
        fs::create_dir_all(stage.home().join(folder)).unwrap();
    }
    let said = stage.run(&["doctor", "-o", "json"]).stdout;
    assert!(said.contains("scott/persona/Bad Name") && said.contains("Some One"), "{said}");
    assert!(!said.contains(".hidden") && !said.contains("Old Ones"), "{said}");
}

#[test]
fn session_logs_say_who_speaks_in_headings_and_an_uncertain_day_is_refused_by_itself() {
    let stage = Stage::with_inara();
    let day = |date: &str, text: &str| stage.write(&format!("scott/persona/inara/sessions/{date}.md"), text);
    day("2026-04-20", "### [14:34] Scott\n\nIs the harbour open?\n\n### [14:35] Inara\n\nUntil nine.\n");
    day("2026-04-21", "### 14:34 Scott\n\nAnd today?\n\n### 14:35 Inara\n\nUntil ten.\n");
    day("2026-04-22", "## 14:34:02 — user\n\nStill?\n\n## 14:34:10 — assistant (claude)\n\nUntil noon.\n");
    day("2026-04-23", "We talked about the harbour for an hour.\n");
    day("2026-04-24", "## 14:34 Scott\n\nHi.\n\n## 14:35 Kaylee\n\nHi.\n");
    let folder = stage.persona("inara").display().to_string();
    let ran = stage.run(&["import", &folder, "--as", "sessions", "--persona", "inara", "-o", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.status, &report["conversations"], &report["turns"]),
        (8, &json!(3), &json!(6)),
        "{report}"
    );
    for (n, place) in [(0, "2026-04-23.md: line 1"), (1, "2026-04-24.md: line 5")] {
        let refused = &report["refused"][n];
        assert!(refused["place"].as_str().unwrap().ends_with(place), "{report}");
        assert!(refused["detail"].as_str().unwrap().contains("; write `user` and `assistant`"), "{report}");
    }
    for session in stage.json(&["session", "list", "--persona", "inara"]).as_array().unwrap() {
        let id = session["id"].as_str().unwrap();
        let shown = stage.json(&["session", "show", id, "--persona", "inara"]);
        let speakers: Vec<&Value> =
            shown["turns"].as_array().unwrap().iter().map(|turn| &turn["speaker"]).collect();
        assert_eq!(speakers, [&json!("subject"), &json!("persona")], "{shown}");
    }
}

/// The names of the parts of a prompt, in order.
fn parts(prompt: &str) -> Vec<&str> {
    prompt.lines().filter_map(|line| line.strip_prefix("--- ")?.strip_suffix(" ---")).collect()
}

#[test]
fn each_chat_request_specifies_a_tier_and_higher_tiers_load_more_context() {
    let stage = Stage::with_inara();
    for file in ["MEMORY_SHORT", "MEMORY_MID", "MEMORY_LONG", "REMINDERS", "SCRATCH"] {
        stage.write(&format!("scott/persona/inara/{file}.md"), &format!("What {file} says.\n"));
    }
    stage.write("scott/persona/inara/TASKS.json", r#"[{"id":"1","title":"Paint the boat"}]"#);
    let second = [
        "IDENTITY.md",
        "SOUL.md",
        "PROTOCOLS.md",
        "USER.md",
        "MEMORY_SHORT.md",
        "MEMORY_MID.md",
        "REMINDERS.md",
    ];
    let third = [&second[..], &["MEMORY_LONG.md", "CONTEXT_TIERS.md"]].concat();
    let fourth = [&third[..], &["SCRATCH.md", "TASKS.json"]].concat();
    for (tier, files) in [("1", &second[..1]), ("2", &second[..]), ("3", &third), ("4", &fourth)] {
        let prompt = stage.ok(&["context", "inara", "Hello", "--tier", tier]);
        assert_eq!(parts(&prompt), [&["System"], files, &["Rules"]].concat(), "tier {tier}");
    }
    let usual = stage.ok(&["context", "inara", "Hello"]);
    assert_eq!(parts(&usual).len(), second.len() + 2, "tier 2 is the default");
}

#[test]
fn the_system_block_has_the_date_always_and_the_mode_line_only_off_the_record() {
    let stage = Stage::with_inara();
    let usual = stage.ok(&["context", "inara", "Hello"]);
    assert!(usual.starts_with("--- System ---\nCurrent date and time: ") && !usual.contains("Current mode"));
    let mode = "\nCurrent mode: Off The Record — this conversation is private and will not be logged or included in \
                memory distillation\n";
    assert!(stage.ok(&["context", "inara", "Hello", "--off-record"]).contains(mode));
    let server = stage.serve();
    let asked = json!({ "message": "Hello", "offRecord": true });
    let preview = server.post("/v1/personas/inara/context", &asked).expect(200);
    assert!(preview["prompt"].as_str().unwrap().contains(mode), "{preview}");
}

#[test]
fn at_minimum_identity_soul_protocols_and_user_and_the_distiller_creates_the_memory_files_on_first_run() {
    let stage = Stage::new();
    for file in ["IDENTITY", "SOUL", "PROTOCOLS", "USER"] {
        stage.write(&format!("scott/persona/tina/{file}.md"), &format!("# {file} of Tina\n"));
    }
    let listed = stage.json(&["persona", "list"]);
    assert_eq!((&listed[0]["name"], &listed[0]["memory"]), (&json!("tina"), &json!("on")));
    stage.ok(&["chat", "tina", "My boat is called Serenity and I sail on Sundays."]);
    let days: Vec<_> =
        fs::read_dir(stage.persona("tina").join("sessions")).unwrap().map(Result::unwrap).collect();
    assert_eq!(days.len(), 1, "one file per day");
    let day = fs::read_to_string(days[0].path()).unwrap();
    assert!(day.contains("My boat is called Serenity"), "{day}");
    let name = days[0].file_name().into_string().unwrap();
    assert!(name.len() == 13 && name.strip_suffix(".md").is_some_and(|day| day.starts_with("20")), "{name}");
    for (digest, file) in [("short", "MEMORY_SHORT.md"), ("mid", "MEMORY_MID.md"), ("long", "MEMORY_LONG.md")]
    {
        stage.ok(&["distill", digest]);
        let text = stage.read(&format!("scott/persona/tina/{file}"));
        assert!(text.contains("My boat is called Serenity"), "{file}: {text}");
    }
    let server = stage.serve();
    let status = server.get("/distill/status").expect(200);
    let automatic: Vec<&Value> = status["digests"].as_array().unwrap().iter().map(|it| &it["auto"]).collect();
    assert_eq!(automatic, [&json!(true), &json!(true), &json!(false)], "long is off by default: {status}");
}

#[test]
fn pending_reminders_are_surfaced_and_done_ones_are_not() {
    let stage = Stage::with_inara();
    stage.write("scott/persona/inara/REMINDERS.md", "- [ ] water the plants\n- [x] pay the rent\n");
    let prompt = stage.ok(&["context", "inara", "Hello", "--tier", "2"]);
    assert!(prompt.contains("water the plants") && !prompt.contains("pay the rent"), "{prompt}");
}

#[test]
fn people_edit_these_files_and_the_next_request_sees_the_edit() {
    let stage = Stage::with_inara();
    let server = stage.serve();
    for words in ["I am a lighthouse keeper.", "I am a gardener."] {
        stage.write("scott/persona/inara/IDENTITY.md", &format!("# Inara\n\n{words}\n"));
        let asked = json!({ "message": "Who are you?" });
        let preview = server.post("/v1/personas/inara/context", &asked).expect(200);
        assert!(preview["prompt"].as_str().unwrap().contains(words), "{preview}");
    }
}

#[test]
fn session_logs_of_an_existing_home_are_read_into_the_record_once() {
    let stage = Stage::with_inara();
    let day = "# 2026-04-22\n\n**Scott** (09:30)\n\nThe harbour was foggy.\n\n**Inara** (09:31)\n\nIt will clear.\n";
    stage.write("scott/persona/inara/sessions/2026-04-22.md", day);
    let folder = stage.persona("inara").display().to_string();
    let first = stage.json(&["import", &folder, "--as", "sessions", "--persona", "inara"]);
    assert_eq!(
        (&first["conversations"], &first["turns"], &first["memories"]),
        (&json!(1), &json!(2), &json!(0))
    );
    let again = stage.json(&["import", &folder, "--as", "sessions", "--persona", "inara"]);
    assert_eq!((&again["turns"], &again["duplicates"]), (&json!(0), &json!(2)));
    stage.ok(&["distill", "short"]);
    assert!(stage.read("scott/persona/inara/MEMORY_SHORT.md").contains("The harbour was foggy."));
    assert!(stage.ok(&["session", "search", "harbour"]).contains("harbour"));
}

#[test]
fn no_globals_say_who_is_speaking_and_every_request_carries_its_own_persona() {
    let stage = Stage::with_inara();
    stage.ok(&["persona", "new", "developer"]);
    let server = stage.serve();
    let talk = |persona: &str, message: &str| {
        let events = server.chat(&json!({ "message": message, "user": "scott", "persona": persona }));
        event(&events, "done")["session_id"].as_str().unwrap().to_owned()
    };
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (talk, persona) = (&talk, ["inara", "developer"][number % 2]);
            scope.spawn(move || talk(persona, &format!("Word{number} belongs to {persona}.")));
        }
    });
    for number in 0..8 {
        for (place, persona) in ["inara", "developer"].into_iter().enumerate() {
            let path = format!("/sessions/search?q=Word{number}&user=scott&persona={persona}");
            // Search finds similar words too, so the word itself is looked for.
            let found = server.get(&path).expect(200).to_string();
            let is_there =
                found.contains(&format!("belongs to {persona}")) && found.contains(&format!("Word{number}"));
            assert_eq!(is_there, number % 2 == place, "Word{number} of {persona}: {found}");
        }
    }
}
