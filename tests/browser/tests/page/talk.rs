//! Talking, seeing what is behind an answer, correcting it, and leaving nothing behind.

use serde_json::{Value, json};

use crate::stage::Stage;
use crate::tab::Tab;

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
    tab.until("return document.querySelector('sh-memory-panel').innerText.includes('told')");

    tab.press_text(".turn.theirs", "Why?");
    tab.until("return document.querySelectorAll('.drawer .candidate').length > 0");
    tab.until("return location.search.includes('why=')");
    for part in ["relevance", "What was left out, and why", "[mem:"] {
        tab.reads(part);
    }
    tab.press_text(".drawer .step:first-of-type .candidate:first-child", "Correct");
    tab.fill("#gist", "The sauna opens at six in the morning and closes at ten in the evening.");
    tab.press_text("dialog:not(.drawer)", "Correct it");
    tab.reads("Corrected.");
    tab.press_text(".drawer", "Close");
    tab.until("return !document.querySelector('.drawer')");
    tab.press_text(".speech header", "New");
    let again = say(&tab, "At what time does the sauna open?");
    assert!(again.contains("six") && !again.contains("seven"), "{again}");

    tab.back();
    tab.until("return !location.search.includes('why=')");
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
