//! What another program knew is dropped on the page, looked at, imported in part, and taken back as one.

use serde_json::{Value, json};

use crate::stage::Stage;
use crate::tab::Tab;

const NORA: &str = "/ui/p/nora-lindqvist";

/// An export of ChatGPT with these conversations, each of one question and one answer.
fn export(titles: &[&str]) -> String {
    let conversation = |title: &&str| {
        let turn = |id: &str, parent: &str, role: &str, text: String| {
            let message = json!({ "id": format!("{title}-{id}"), "author": { "role": role }, "create_time": 1_760_000_000.0,
                "content": { "content_type": "text", "parts": [text] } });
            json!({ "id": id, "parent": parent, "children": [], "message": message })
        };
        json!({ "title": title, "conversation_id": title, "current_node": "b", "update_time": 1_760_000_100.0, "mapping": {
            "a": turn("a", "", "user", format!("What about {title}?")),
            "b": turn("b", "a", "assistant", format!("A lot can be said about {title}.")),
        } })
    };
    Value::Array(titles.iter().map(conversation).collect()).to_string()
}

/// Drops a file on an element, as a hand with a mouse would.
fn drop_on(tab: &Tab, selector: &str, name: &str, text: &str) {
    tab.run(&format!(
        "const data = new DataTransfer(); data.items.add(new File([{}], {})); \
         document.querySelector({}).dispatchEvent(new DragEvent('drop', {{ bubbles: true, cancelable: true, dataTransfer: data }}))",
        json!(text), json!(name), json!(selector)
    ));
}

#[test]
fn a_dropped_export_is_previewed_imported_in_part_and_taken_back_as_one() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    // Anywhere on the page.
    drop_on(&tab, ".turns", "conversations.json", &export(&["Trams", "Tulips", "Taxes"]));
    tab.until("return location.pathname.endsWith('/import')");
    tab.reads("In this file: ChatGPT");
    tab.reads("3 conversations, 6 messages");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    let sessions =
        |tab: &Tab| tab.api("GET", "/v1/personas/nora-lindqvist/sessions", None).1["data"].to_string();
    assert!(!sessions(&tab).contains("Trams"), "a preview keeps nothing");
    tab.run("[...document.querySelectorAll('.picks label')].find((it) => it.innerText.includes('Taxes')).querySelector('input').click()");
    tab.press_text("form", "Import");
    tab.until("return [...document.querySelectorAll('h2')].some((it) => it.innerText === 'Imported')");
    tab.reads("2 conversations, 4 messages");
    let kept = sessions(&tab);
    assert!(kept.contains("Trams") && kept.contains("Tulips") && !kept.contains("Taxes"), "{kept}");

    tab.reads("Earlier imports");
    let year = tab.run("return String(new Date().getFullYear())");
    let newest = tab.text(".screen section:last-of-type li");
    assert!(newest.contains(year.as_str().unwrap()), "it says when it was: {newest}");
    tab.press_text(".screen section", "Undo this import");
    tab.press_text("dialog", "Undo this import");
    tab.reads("The import was undone.");
    tab.until("return !document.body.innerText.includes('4 messages')");
    assert!(!sessions(&tab).contains("Trams"));
}

#[test]
fn a_file_of_notes_is_chosen_and_what_is_no_known_file_says_so() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/memories"));
    tab.press_text("header", "Import");
    tab.until("return location.pathname.endsWith('/import')");
    let path = stage.path("notes.csv");
    std::fs::write(
        &path,
        "text,date\nThe owner collects lighthouse stamps.,2026-03-01\nThe owner has diabetes.,2026-03-02\n",
    )
    .unwrap();
    tab.choose_file("#import-file", &path);
    tab.reads("1 memory");
    tab.reads("won't be kept");
    tab.press_text("form", "Import");
    tab.until("return [...document.querySelectorAll('h2')].some((it) => it.innerText === 'Imported')");
    let found = tab.api("GET", "/v1/personas/nora-lindqvist/memories?q=lighthouse%20stamps", None).1;
    assert!(found["data"].to_string().contains("lighthouse stamps"), "{found}");
    let odd = stage.path("odd.bin");
    std::fs::write(&odd, [0, 1, 2, 3]).unwrap();
    tab.choose_file("#import-file", &odd);
    tab.reads("Selfhood can't read this kind of file.");
}
