//! A memory fades before one's eyes, is set aside and comes back.

use serde_json::json;

use crate::stage::Stage;
use crate::tab::{ARROW_LEFT, ARROW_RIGHT, Tab};

/// A memory of the demo that is vivid today and has details that fade.
const SHOWPIECE: &str = "/ui/p/nora-lindqvist/memories/";

fn showpiece(tab: &Tab) -> String {
    let (_, page) = tab.api("GET", "/v1/personas/nora-lindqvist/memories?subject=ana&limit=1", None);
    format!("{SHOWPIECE}{}", page["data"][0]["id"].as_str().unwrap())
}

#[test]
fn a_curve_crosses_its_thresholds_as_the_hand_moves_through_time() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&showpiece(&tab));
    tab.see("svg.curve .past");
    for part in [
        ".future",
        ".band.vivid",
        ".band.moderate",
        ".band.faded",
        ".floor",
        ".telling",
        ".today",
        ".hand",
        ".detail",
    ] {
        tab.see(&format!("svg.curve {part}"));
    }
    assert!(tab.text(".sentence").contains("it is vivid"));
    tab.press("#hand");
    let mut seen = Vec::new();
    for _ in 0..140 {
        tab.keys(&ARROW_RIGHT.repeat(8));
        let word = tab.run("return document.querySelector('.gist-head').dataset.vividness");
        let word = word.as_str().unwrap().to_owned();
        if seen.last() != Some(&word) {
            seen.push(word);
        }
        if seen.last().is_some_and(|last| last == "faded") {
            break;
        }
    }
    assert_eq!(seen.iter().rev().take(2).rev().collect::<Vec<_>>(), ["moderate", "faded"], "{seen:?}");
    assert!(tab.text(".sentence").contains("it will be faded"));
    assert!(tab.run("return location.search").as_str().unwrap().contains("at="));
    tab.keys(&ARROW_LEFT.repeat(8));
    tab.press("#what-if");
    tab.see("svg.curve .what-if path");
    tab.press_text(".curve-card", "today");
    tab.until("return !location.search && !document.querySelector('#what-if').checked");
    tab.press_text(".as-table", "Show as a table");
    tab.until("return document.querySelectorAll('.as-table tbody tr').length > 8");
}

#[test]
fn what_is_set_aside_comes_back_and_what_is_destroyed_does_not() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let place = showpiece(&tab);
    tab.visit(&place);
    tab.press_text("main", "Forget");
    tab.reads("stored, but never used");
    tab.press_text("sh-toasts", "Undo");
    tab.reads("It is back.");
    tab.press_text("main", "Destroy");
    let id = place.rsplit('/').next().unwrap();
    tab.fill("#typed", "000000");
    tab.press_text("dialog", "Destroy for good");
    tab.see("dialog #typed:invalid");
    tab.fill("#typed", &id[id.len() - 6..]);
    tab.press_text("dialog", "Destroy for good");
    tab.until("return location.pathname.endsWith('/memories')");
    tab.visit(&place);
    tab.reads("This memory doesn't exist");
}

#[test]
fn before_it_is_destroyed_the_page_says_in_its_own_words_what_goes_with_it() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let said = json!({ "tenantId": "default", "personaId": "nora-lindqvist",
        "userPrompt": "My tortoise is called Admiral Byrd.", "sessionId": "sess:byrd" });
    assert_eq!(tab.api("POST", "/personas/prompt", Some(said)).0, 200);
    let found = tab.api("GET", "/v1/personas/nora-lindqvist/memories?q=tortoise", None).1;
    tab.visit(&format!("/ui/p/nora-lindqvist/memories/{}", found["data"][0]["id"].as_str().unwrap()));
    tab.press_text("main", "Destroy");
    tab.reads("2 messages that mention it will be destroyed too.");
    tab.run("localStorage.setItem('selfhood.language', '\"de\"'); location.reload()");
    tab.press_text("main", "Vernichten");
    tab.reads("2 Nachrichten, in denen davon die Rede ist, werden mit vernichtet.");
}

#[test]
fn a_pinned_memory_keeps_its_weight_and_the_list_shows_it() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let place = showpiece(&tab);
    tab.visit(&place);
    tab.press_text("main", "Pin");
    tab.see(".pinned-note");
    tab.reads("It keeps its weight until you unpin it");
    tab.press("#hand");
    tab.keys(&ARROW_RIGHT.repeat(200));
    tab.until("return document.querySelector('.gist-head').dataset.vividness === 'vivid'");
    tab.visit("/ui/p/nora-lindqvist/memories?pinned=1");
    tab.see("article.memory .tag.pinned");
    tab.until("return document.querySelectorAll('article.memory').length === 1");
    tab.visit(&place);
    tab.press_text("main", "Unpin");
    tab.until("return !document.querySelector('.pinned-note')");
    let id = place.rsplit('/').next().unwrap();
    let (_, seen) = tab.api("GET", &format!("/v1/personas/nora-lindqvist/memories/{id}"), None);
    assert!(seen["memory"]["pinned"].is_null(), "{}", seen["memory"]);
}

#[test]
fn cues_are_added_changed_and_removed() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let place = showpiece(&tab);
    tab.visit(&place);
    tab.reads("Comes to mind when");
    let count =
        |tab: &Tab| tab.run("return document.querySelectorAll('.cue-list li').length").as_u64().unwrap();
    tab.see(".cue-list li");
    let before = count(&tab);
    tab.press_text(".cues", "Add a cue");
    tab.fill("dialog #cue", "somewhere by the water");
    tab.press_text("dialog", "Save");
    tab.until(&format!("return document.querySelectorAll('.cue-list li').length === {}", before + 1));
    tab.reads("somewhere by the water");
    tab.press("[aria-label='Edit “somewhere by the water”']");
    tab.fill("dialog #cue", "a table by the sea");
    tab.press_text("dialog", "Save");
    tab.see("[aria-label='Remove “a table by the sea”']");
    let id = place.rsplit('/').next().unwrap();
    let (_, seen) = tab.api("GET", &format!("/v1/personas/nora-lindqvist/memories/{id}"), None);
    let cues = seen["memory"]["cues"].as_array().unwrap();
    assert_eq!(cues.last().unwrap(), "a table by the sea", "{cues:?}");
    tab.press("[aria-label='Remove “a table by the sea”']");
    tab.until(&format!("return document.querySelectorAll('.cue-list li').length === {before}"));
}
