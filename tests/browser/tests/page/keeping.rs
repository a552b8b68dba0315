//! The files a persona is made of, what was said, and what becomes of it.

use serde_json::json;

use crate::stage::Stage;
use crate::tab::CONTROL;

const NORA: &str = "/ui/p/nora-lindqvist";
const EDITOR: &str = "document.querySelector('#content')?.value";

#[test]
fn a_file_is_saved_only_over_what_was_seen_and_no_word_is_lost_on_the_way() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/files?name=SCRATCH.md"));
    tab.fill("#content", "Buy candles.");
    tab.press(".files a[data-name='SOUL.md']");
    tab.until(&format!("return !{EDITOR}.includes('candles')"));
    tab.press(".files a[data-name='SCRATCH.md']");
    tab.reads("You have unsaved changes.");
    tab.until(&format!("return {EDITOR} === 'Buy candles.'"));

    let script = "return fetch('/files/SCRATCH.md?persona=nora-lindqvist').then((a) => a.json()).then(({ file }) => fetch('/files/SCRATCH.md?persona=nora-lindqvist', { method: 'PUT', headers: { 'content-type': 'application/json', 'if-match': file.etag }, body: JSON.stringify({ content: 'Meanwhile, elsewhere.' }) })).then((a) => a.status)";
    assert_eq!(tab.run(script), 200);
    tab.press_text(".editor", "Save");
    tab.reads("This file changed after you opened it.");
    tab.until(&format!("return {EDITOR} === 'Buy candles.'"));
    tab.press_text(".editor", "Discard my text and load the new version");
    tab.until(&format!("return {EDITOR}.includes('Meanwhile, elsewhere.')"));
    tab.fill("#content", "# Candles\n\nSix of them.");
    tab.press_text(".editor", "Preview");
    tab.until("return document.querySelector('.preview h3')?.innerText === 'Candles'");
    tab.press_text(".editor", "Save");
    tab.reads("SCRATCH.md was saved.");
    // Once it is saved, the file is opened again, and its preview closed.
    tab.until("return document.querySelector('#content')?.checkVisibility() && !document.querySelector('.editor .note.warn')");
    tab.fill("#content", "Seven of them.");
    tab.keys(&format!("{CONTROL}s"));
    tab.until("return fetch('/files/SCRATCH.md?persona=nora-lindqvist').then((a) => a.json()).then(({ file }) => file.content === 'Seven of them.')");
    tab.fill("#content", "Buy lamps.");
    assert_eq!(tab.run(&script.replace("Meanwhile, elsewhere", "Elsewhere, once more")), 200);
    tab.visit(&format!("{NORA}/files?name=SCRATCH.md"));
    tab.until(&format!("return {EDITOR} === 'Buy lamps.'"));
    tab.press_text(".editor", "Save");
    tab.reads("Your text is still here and not saved.");
    tab.press_text(".editor", "Save my text over it");
    tab.reads("SCRATCH.md was saved.");
    tab.until("return fetch('/files/SCRATCH.md?persona=nora-lindqvist').then((a) => a.json()).then(({ file }) => file.content === 'Buy lamps.')");

    let said = json!({ "tenantId": "default", "personaId": "nora-lindqvist", "userPrompt": "My boat is called Admiral.", "sessionId": "sess:boat" });
    assert_eq!(tab.api("POST", "/personas/prompt", Some(said)).0, 200);
    tab.visit(&format!("{NORA}/files"));
    tab.fill("#q", "boats");
    tab.press_text(".seek", "Search");
    tab.until("return document.querySelector('.found-turn mark')?.innerText === 'boat'");
    tab.until("return new URLSearchParams(location.search).get('q') === 'boats'");
}

#[test]
fn a_digest_is_previewed_before_it_is_made_and_its_clock_can_be_stopped() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let said = json!({ "tenantId": "default", "personaId": "nora-lindqvist", "userPrompt": "My boat is called Admiral.", "sessionId": "sess:boat" });
    assert_eq!(tab.api("POST", "/personas/prompt", Some(said)).0, 200);
    tab.visit(&format!("{NORA}/distillation"));
    tab.reads("make the first one yourself");
    tab.press_text(".digests li:first-child", "Preview");
    tab.until("return document.querySelector('.diff .new') && document.querySelector('.distilled').innerText.includes('My boat is called Admiral.')");
    let status = tab.api("GET", "/distill/status", None).1;
    assert!(status["digests"][0].get("last").is_none(), "a preview writes nothing: {status}");
    tab.press_text(".digests li:first-child", "Make it now");
    tab.until("return document.querySelector('.distilled .tag.well')?.innerText === 'written'");
    tab.press_text(".digests li:first-child", "Read it");
    tab.until(&format!("return location.search.includes('MEMORY_SHORT.md') && !!{EDITOR}?.includes('My boat is called Admiral.')"));

    tab.visit(&format!("{NORA}/distillation"));
    tab.reads("every day at 03:00");
    tab.press_text("table tbody tr:nth-child(2)", "Pause");
    tab.reads("Weekly digest is paused.");
    tab.press_text("sh-toasts", "Undo");
    tab.reads("Weekly digest runs again.");
}
