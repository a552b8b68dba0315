//! The people, the personas, the settings, the doctor and the help.

use std::time::{Duration, Instant};

use crate::stage::Stage;

#[test]
fn what_is_kept_of_a_person_is_told_exported_joined_and_held() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/people");
    tab.press_text("main", "ana");
    tab.reads("What Nora Lindqvist knows");
    tab.reads("guest data, kept by consent");
    tab.press_text("main", "Export everything");
    let (file, begun) = (stage.path("downloads/ana.json"), Instant::now());
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing was downloaded");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(std::fs::read_to_string(file).unwrap().contains("the seafood was excellent"));

    tab.press_text("main", "Also known as …");
    tab.fill("#alias", "ana@example.org");
    tab.press_text("dialog", "Save");
    tab.reads("also ana@example.org");
    tab.press_text("main", "Put under a legal hold");
    tab.reads("A legal hold keeps these records");
    tab.press_text("sh-toasts", "Undo");
    tab.reads("The hold is lifted.");
    tab.press_text("main", "Consent withdrawn");
    tab.reads("2 memories rest on it.");
    tab.press_text("dialog", "They withdrew it");
    tab.reads("about to be deleted");
}

#[test]
fn a_persona_is_made_with_a_preset_switched_off_and_deleted_by_its_name() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/personas");
    tab.press_text("main", "New persona");
    tab.fill("#displayName", "Inara Serra");
    tab.press("input[value='careful']");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/inara-serra/chat'");
    let made = tab.api("GET", "/personas/inara-serra", None).1;
    assert_eq!(made["document"]["safetyTier"], 3);

    tab.visit("/ui/settings");
    tab.reads("What Inara Serra may remember");
    tab.press("#remembers");
    tab.reads("Changed and signed.");
    tab.visit("/ui/personas");
    tab.reads("does not remember");
    tab.press_text(".people li:first-child", "Delete");
    tab.reads("What goes: 0 memories, 0 events of its life");
    tab.fill("#typed", "inara-serra");
    tab.press_text("dialog", "Delete for good");
    tab.reads("Inara Serra is gone.");
    assert_eq!(tab.api("GET", "/personas/inara-serra", None).0, 404);
}

#[test]
fn colours_are_kept_a_key_is_shown_once_and_the_doctor_says_how_it_is() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    tab.press("input[value='dark']");
    tab.visit("/ui/settings");
    assert_eq!(tab.run("return getComputedStyle(document.documentElement).colorScheme"), "dark");
    tab.press_text("main", "New key");
    tab.press_text("dialog", "Make it");
    tab.until("return /^sh_/.test(document.querySelector('dialog code')?.innerText)");
    tab.press_text("dialog", "I have kept it");
    tab.until("return document.querySelectorAll('main tbody tr').length === 2");
    assert!(tab.run("return document.body.innerText.includes('sh_')") == false, "it is shown only once");
    tab.press_text("main tbody tr:last-child", "Revoke");
    tab.press_text("dialog", "Revoke");
    tab.reads("revoked");

    tab.visit("/ui/health");
    tab.reads("Everything is well.");
    tab.press_text("main", "Open every record");
    tab.reads("sealed records open");
    tab.visit("/ui/help");
    tab.reads("What Nora Lindqvist says of itself");
}
