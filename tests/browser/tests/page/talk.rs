//! Talking, seeing what is behind an answer, correcting it, and leaving nothing behind.

use serde_json::{Value, json};

use crate::stage::Stage;
use crate::tab::{Device, ENTER, Tab};

const NORA: &str = "/ui/p/nora-lindqvist";

fn say(tab: &Tab, words: &str) -> String {
    let before = tab.run("return document.querySelectorAll('.turn.theirs').length").as_u64().unwrap();
    tab.fill("#say", words);
    tab.press(".composer button.main");
    tab.until(&format!(
        "return document.querySelectorAll('.turn.theirs:not(.speaking)').length === {} && !!document.querySelector('.composer button.main')",
        before + 1
    ));
    let said = tab.run("return [...document.querySelectorAll('.turn.theirs .words')].at(-1).innerText");
    said.as_str().unwrap().to_owned()
}

#[test]
fn an_answer_can_be_asked_why_and_corrected() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    assert!(say(&tab, "When does the sauna open?").contains("seven"));
    tab.until(
        "return document.querySelector('sh-memory-panel').innerText.includes('The sauna opens at seven')",
    );
    tab.until("return document.querySelector('sh-memory-panel').innerText.includes('mentioned')");
    let first = tab.text("sh-memory-panel > .brought > li:first-child");
    assert!(first.contains("The sauna opens at seven"), "what the answer rests on comes first: {first}");
    let besides = tab.text("sh-memory-panel details summary");
    assert!(besides.contains("because there was room"), "the rest is folded away: {besides}");
    assert_eq!(tab.run("return document.querySelector('sh-memory-panel details').open"), false);

    let offered = tab.run("return document.querySelector('.turn.theirs .behind').checkVisibility()");
    assert_eq!(offered, false, "what stands beside the answer is not offered again");
    tab.press_text(".turn.theirs", "Why?");
    tab.until("return document.querySelectorAll('.drawer .candidate').length > 0");
    tab.until("return location.search.includes('why=')");
    let lead = tab.text(".drawer .lead");
    assert!(
        lead.contains("Nora Lindqvist remembered: “The sauna opens at seven"),
        "a sentence comes first: {lead}"
    );
    tab.reads("Nora Lindqvist had");
    tab.reads("You clearly asked about this.");
    let clear = "It has little to do with what you said.";
    let shown = tab.run("return document.querySelector('.drawer').innerText");
    assert!(!shown.as_str().unwrap().contains(clear), "folded away too");
    tab.run("document.querySelector('.drawer .step > details').open = true");
    tab.reads(clear);
    tab.reads("What was left out, and why");
    assert_eq!(tab.run("return document.querySelector('.drawer .numbers').open"), false, "numbers on demand");
    tab.press_text(".drawer .step > .candidates > .candidate:first-child", "Correct");
    tab.fill("#gist", "The sauna opens at six in the morning and closes at ten in the evening.");
    tab.press_text("dialog:not(.drawer)", "Save correction");
    tab.reads("Corrected.");
    tab.until("return document.querySelector('.drawer .candidate.changed .now')?.innerText.includes('opens at six')");
    assert_eq!(
        tab.run("return document.querySelector('.drawer .step > details').open"),
        true,
        "a fold stays open"
    );
    tab.press_text(".drawer .candidate:not(.changed)", "Forget");
    tab.until("return [...document.querySelectorAll('.drawer .candidate.changed')].some((card) => card.innerText.includes('Bring back'))");
    tab.press_text(".drawer", "Close");
    tab.until("return !document.querySelector('.drawer')");
    tab.keys("Thanks");
    let typed = tab.run("return document.querySelector('#say').value");
    assert_eq!(typed, "Thanks", "after a dialog, typing goes on where it was");
    tab.press_text(".talks", "New conversation");
    tab.until("return !document.querySelector('.turn')");
    let again = say(&tab, "At what time does the sauna open?");
    assert!(again.contains("six") && !again.contains("seven"), "{again}");

    tab.back();
    tab.until("return !location.search.includes('why=')");

    tab.press_text(".talks", "New conversation");
    tab.see(".beginning");
    say(&tab, "What are you proud of?");
    tab.until("return document.querySelector('sh-memory-panel li')?.matches('.lived')");
    tab.press_text(".turn.theirs", "Why?");
    tab.reads("From its own life");
    tab.until("return document.querySelectorAll('.drawer .lived').length > 0");
}

#[test]
fn what_is_remembered_shows_under_the_answer_and_can_be_undone() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    assert_eq!(tab.run("return document.activeElement.id"), "say", "whoever comes here may type at once");
    say(&tab, "I keep a tortoise named Admiral. Please remember that.");
    tab.until("return document.querySelector('.chip.kept')?.innerText.includes('Admiral')");
    let kept = "/v1/personas/nora-lindqvist/memories?q=tortoise%20Admiral";
    let tells = |tab: &Tab| {
        let found = tab.api("GET", kept, None).1;
        found["data"].as_array().unwrap().iter().any(|it| it["gist"].as_str().unwrap().contains("Admiral"))
    };
    assert!(tells(&tab));
    tab.press_text(".chip.kept", "Undo");
    tab.see(".chip.undone");
    assert!(!tells(&tab), "it is forgotten");
    tab.press_text(".chip.undone", "Bring it back");
    tab.see(".chip.kept:not(.undone)");
    assert!(tells(&tab));

    say(&tab, "I was diagnosed with epilepsy last year.");
    tab.until("return [...document.querySelectorAll('.chip.refused')].some((chip) => chip.innerText.includes('health is private'))");

    tab.visit(&format!("{NORA}/chat"));
    tab.until("return document.querySelectorAll('.turn.mine').length === 2");
    tab.until("return document.querySelector('.chip.kept')?.innerText.includes('Admiral') && !!document.querySelector('.chip.refused')");
}

#[test]
fn a_message_is_edited_answered_again_and_the_conversation_renamed_and_deleted() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    say(&tab, "And who are you?");
    tab.until("return !!document.querySelector('.turn.mine [aria-label=Edit]')");
    tab.run("document.querySelector('.turn.mine [aria-label=Edit]').click()");
    tab.fill("#edited", "What are you proud of?");
    tab.press_text(".editing", "Send");
    tab.until("return document.querySelectorAll('.turn.mine').length === 1 && document.querySelectorAll('.turn.theirs:not(.speaking)').length === 1");
    let session = tab.run("return new URLSearchParams(location.search).get('session')");
    let record = format!("/v1/personas/nora-lindqvist/sessions/{}", session.as_str().unwrap());
    let turns = tab.api("GET", &record, None).1["turns"].clone();
    assert_eq!(turns.as_array().unwrap().len(), 2, "{turns}");
    assert_eq!(turns[0]["text"], "What are you proud of?");

    tab.run("document.querySelector('.turn.theirs [aria-label=\"Answer again\"]').click()");
    tab.until(&format!("return fetch('{record}?includeSuperseded=true').then((a) => a.json()).then(({{ turns }}) => turns.filter((turn) => turn.text === 'What are you proud of?').length === 1 && turns.filter((turn) => turn.speaker === 'persona').length >= 4)"));
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 1");

    tab.press("[aria-label=Options]");
    tab.press_text(".menu-body", "Rename this conversation");
    tab.fill("#title", "Pride and saunas");
    tab.press_text("dialog", "Save");
    tab.until(
        "return document.querySelector('.talks [aria-current]')?.innerText.includes('Pride and saunas')",
    );
    tab.press("[aria-label=Options]");
    tab.press_text(".menu-body", "Delete conversation");
    tab.press_text("dialog", "Delete conversation");
    tab.see(".beginning");
    assert_eq!(tab.api("GET", &record, None).0, 404);
}

#[test]
fn talk_goes_on_where_it_was_and_keeps_what_is_not_sent() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    tab.fill("#say", "And the kitch");
    tab.visit("/ui/settings");
    tab.visit(&format!("{NORA}/chat"));
    tab.until("return document.querySelectorAll('.turn').length === 2");
    tab.until("return document.querySelector('#say').value === 'And the kitch'");
    let other = stage.run(&["key", "sign-in", "-o", "quiet"]);
    let second = stage.browser();
    second.goto(String::from_utf8(other.stdout).unwrap().trim());
    second.until("return document.querySelectorAll('.turn').length === 2");
    say(&second, "Who are you?");
    tab.until("return document.querySelectorAll('.turn').length === 4");
    assert_eq!(tab.run("return document.querySelector('#say').value"), "And the kitch");
}

/// Lets the turns of recorded conversations arrive late; `waiting` counts those on their way.
const LATE_TURNS: &str = "const real = window.fetch; window.waiting = 0; \
    const later = () => new Promise((on) => setTimeout(on, 1500)); \
    window.fetch = async (address, how) => { \
        if (!/\\/sessions\\/./.test(address)) return real(address, how); \
        window.waiting += 1; \
        try { await later(); return await real(address, how); } finally { window.waiting -= 1; } };";

fn session(tab: &Tab) -> String {
    let named = tab.run("return new URLSearchParams(location.search).get('session')");
    named.as_str().unwrap().to_owned()
}

fn recorded(tab: &Tab, session: &str) -> Vec<String> {
    let record = tab.api("GET", &format!("/v1/personas/nora-lindqvist/sessions/{session}"), None).1;
    let turns = record["turns"].as_array().unwrap().iter();
    turns
        .filter(|turn| turn["speaker"] == "subject")
        .map(|turn| turn["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_typed_or_sent_while_a_conversation_opens_is_not_lost() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    let first = session(&tab);
    tab.until("return document.querySelectorAll('.talks li a').length === 1");
    tab.press_text(".talks", "New conversation");
    tab.see(".beginning");

    tab.run(LATE_TURNS);
    tab.press(".talks li a");
    tab.press_text(".talks", "New conversation");
    say(&tab, "What are you proud of?");
    tab.until("return window.waiting === 0");
    say(&tab, "And who are you?");
    let second = session(&tab);
    assert_eq!(recorded(&tab, &second), ["What are you proud of?", "And who are you?"]);
    assert_eq!(recorded(&tab, &first), ["When does the sauna open?"]);

    tab.visit(&format!("{NORA}/chat?session={second}"));
    tab.until("return document.querySelectorAll('.turn.theirs').length === 2");
    tab.run(LATE_TURNS);
    tab.press(".talks li:last-child a");
    tab.fill("#say", "What happened during the storm?");
    tab.keys(ENTER);
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 2 && document.querySelector('.turn.mine').innerText.includes('sauna')");
    tab.press(".talks li:not(:has([aria-current])) a");
    tab.fill("#say", "Half a sent");
    tab.until("return window.waiting === 0 && document.querySelectorAll('.turn.theirs').length === 2 && document.body.innerText.includes('And who are you?')");
    assert_eq!(tab.run("return document.querySelector('#say').value"), "Half a sent");
    tab.visit(&format!("{NORA}/chat?session={first}"));
    assert_eq!(recorded(&tab, &first), ["When does the sauna open?", "What happened during the storm?"]);
}

#[test]
fn on_a_phone_conversations_and_memories_are_sheets_and_everything_can_be_pressed() {
    let stage = Stage::demo();
    let tab = stage.signed_in_on(Device::Phone);
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    tab.press_text(".turn.theirs", "Memories");
    tab.until(
        "return document.querySelector('dialog.sheet')?.innerText.includes('The sauna opens at seven')",
    );
    tab.press("dialog.sheet .gist");
    tab.until("return location.pathname.includes('/memories/') && !document.querySelector('dialog[open]')");
    tab.back();
    tab.until("return document.querySelectorAll('.turn').length === 2");
    tab.press("button[aria-label=Conversations]");
    tab.until(
        "return document.querySelector('dialog.sheet')?.innerText.includes('When does the sauna open?')",
    );
    tab.press_text("dialog.sheet", "New conversation");
    tab.see(".beginning");
    let small = tab.run("return [...document.querySelectorAll('button, a.button, select, textarea, .thumb a')].filter((it) => it.checkVisibility()).map((it) => [it.innerText || it.ariaLabel, it.getBoundingClientRect().height]).filter(([, tall]) => tall < 44)");
    assert_eq!(small, json!([]), "too small for a thumb");
    let composer = tab.run("const { bottom } = document.querySelector('.composer').getBoundingClientRect(); return bottom <= document.querySelector('.thumb').getBoundingClientRect().top + 1");
    assert_eq!(composer, true, "the composer is above the bar");
}

#[test]
fn a_running_conversation_goes_off_the_record_and_back() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    tab.press_text(".composer", "Off the record");
    tab.see(".mode");
    assert_eq!(
        tab.run("return document.querySelectorAll('.turn').length"),
        2,
        "what was said stays in sight"
    );
    say(&tab, "Between us: my locker code is zanzibarquux.");
    tab.reads("Nothing of this was kept.");
    tab.press_text(".composer", "Off the record");
    tab.until("return !document.querySelector('.mode')");
    say(&tab, "Who are you?");
    let session = tab.run("return new URLSearchParams(location.search).get('session')");
    let record =
        tab.api("GET", &format!("/v1/personas/nora-lindqvist/sessions/{}", session.as_str().unwrap()), None);
    let turns = record.1["turns"].as_array().unwrap().clone();
    assert_eq!(turns.len(), 4, "{turns:?}");
    assert!(!holds(&stage.path("home"), "zanzibarquux"));
}

#[test]
fn off_the_record_leaves_nothing() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    let kept = || {
        let sessions = tab.api("GET", "/v1/personas/nora-lindqvist/sessions", None).1;
        let details = tab.api("GET", "/personas/nora-lindqvist", None).1;
        (sessions["data"].as_array().unwrap().len(), details["allMemories"].clone())
    };
    let before = kept();
    tab.press_text(".composer", "Off the record");
    tab.see(".mode");
    say(&tab, "My locker code is zanzibarquux and I adore pickled walnuts.");
    tab.reads("Nothing of this was kept.");
    assert!(!tab.run("return location.href").as_str().unwrap().contains("session="));
    assert_eq!(kept(), before);
    let found = tab.api("GET", "/sessions/search?q=zanzibarquux&persona=nora-lindqvist", None).1;
    assert_eq!(found["total"], 0);
    for word in ["zanzibarquux", "pickled walnuts"] {
        assert!(!holds(&stage.path("home"), word), "{word} is on disk");
    }
    tab.visit(&format!("{NORA}/memories"));
    tab.see("sh-virtual-list .memory");
    assert!(!tab.run("return document.body.innerText").as_str().unwrap().contains("zanzibar"));
}

#[test]
fn paused_memory_is_said_above_the_conversation_with_the_way_to_resume_it() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let file = stage.path("home/default/persona/nora-lindqvist/persona.json");
    tab.visit(&format!("{NORA}/chat"));
    assert_eq!(tab.text(".memory-state"), "");
    let signed = std::fs::read_to_string(&file).unwrap();
    let edited = signed.replace("\"safetyTier\": 2", "\"safetyTier\": 3");
    assert_ne!(signed, edited);
    std::fs::write(&file, edited).unwrap();
    say(&tab, "Remember that my uncle lives in Bari.");
    tab.reads("Memory is paused because the persona was edited by hand. Sign it again under Personas.");
    tab.reads("Not kept: memory is paused until the persona is signed again.");
    assert_eq!(tab.violations(), Vec::<String>::new());
    tab.press_text(".memory-state", "Personas");
    tab.until("return location.pathname === '/ui/personas'");
    tab.press_text(".people", "Sign");
    tab.reads("remembers");

    let off = json!({ "memoryPolicy": { "enabled": false } });
    assert_eq!(tab.api("PATCH", "/personas/nora-lindqvist", off).0, 200);
    tab.visit("/ui/personas");
    tab.reads("Memory is switched off for this persona. You can switch it on in Settings.");
    tab.visit(&format!("{NORA}/chat"));
    tab.press_text(".memory-state", "Settings");
    tab.until("return location.pathname === '/ui/settings'");
    tab.see("#language");
    tab.run("const field = document.querySelector('#language'); field.value = 'de'; field.dispatchEvent(new Event('change'))");
    tab.reads("Einstellungen");
    tab.visit(&format!("{NORA}/chat"));
    tab.reads(
        "Das Gedächtnis dieser Persona ist ausgeschaltet. In den Einstellungen kannst du es einschalten.",
    );
}

fn holds(folder: &std::path::Path, word: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, word);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

#[test]
fn a_page_that_is_open_hears_of_changes_elsewhere() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/memories"));
    tab.see("sh-virtual-list .memory");
    let memory = json!({ "kind": "semantic", "gist": "The lighthouse was painted green.", "salience": 1.0,
        "privacyClass": "non-pii", "consentBasis": "not-applicable" });
    let made: (u64, Value) = tab.api("POST", "/v1/personas/nora-lindqvist/memories", Some(memory));
    assert_eq!(made.0, 201);
    tab.reads("The lighthouse was painted green.");
}
