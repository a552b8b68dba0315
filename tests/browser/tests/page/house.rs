//! The people, the personas, the settings, the doctor and the help.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::stage::Stage;

#[test]
fn what_is_kept_of_a_person_is_shown_exported_joined_and_held() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/people");
    let card = tab.text(".people li");
    assert!(
        card.contains("Nora Lindqvist") && !card.contains("nora-lindqvist"),
        "names, not folders: {card}"
    );
    tab.press_text("main", "ana");
    tab.reads("What Nora Lindqvist knows");
    let facts = tab.text("main .facts");
    assert!(!facts.contains('0'), "what there is none of is left out: {facts}");
    tab.reads("about a person, kept with consent");
    tab.press_text("main", "Export everything");
    let (file, begun) = (stage.path("downloads/ana.json"), Instant::now());
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing was downloaded");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(std::fs::read_to_string(file).unwrap().contains("the seafood was excellent"));

    tab.press_text("main", "Add another name …");
    tab.fill("#alias", "ana@example.org");
    tab.press_text("dialog", "Save");
    tab.reads("also ana@example.org");
    tab.press_text("main", "Set a legal hold");
    tab.reads("These records have been under a legal hold");
    tab.press_text("sh-toasts", "Undo");
    tab.reads("Legal hold lifted.");
    tab.press_text("main", "Withdraw all consent");
    tab.reads("2 memories rely on it:");
    tab.press_text("dialog", "Withdraw it");
    tab.reads("about to be deleted");
    tab.visit("/ui/people/bergs");
    tab.reads("No consent on record.");
    let offered = tab.run("return document.querySelector('main').innerText.includes('Withdraw all consent')");
    assert_eq!(offered, false, "there is none to withdraw");
}

#[test]
fn a_persona_is_made_with_a_preset_switched_off_and_deleted_by_its_name() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/personas");
    tab.press_text("main", "New persona");
    tab.fill("#displayName", "Inara Serra");
    tab.run("document.querySelector('form details').open = true");
    tab.press("input[value='careful']");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/inara-serra/chat'");
    let made = tab.api("GET", "/personas/inara-serra", None).1;
    assert_eq!(made["document"]["safetyTier"], 3);

    tab.visit("/ui/settings");
    tab.run("const field = document.querySelector('#persona'); field.value = 'nora-lindqvist'; field.dispatchEvent(new Event('change'))");
    tab.reads("What Nora Lindqvist may remember");
    assert_eq!(tab.run("return location.pathname"), "/ui/settings");
    tab.run("const field = document.querySelector('#persona'); field.value = 'inara-serra'; field.dispatchEvent(new Event('change'))");
    tab.reads("What Inara Serra may remember");
    tab.press("#remembers");
    tab.fill("#set-emoji", "🛰️");
    tab.fill("#keep-guest-pii", "30");
    tab.press_text("form.policy", "Save");
    tab.reads("Saved and signed.");
    let changed = tab.api("GET", "/personas/inara-serra", None).1;
    assert_eq!(changed["persona"]["emoji"], "🛰️");
    let policy = &changed["document"]["memoryPolicy"];
    assert_eq!(policy["retentionPolicy"]["perPrivacyClass"]["guest-pii"], 30, "{policy}");
    assert_eq!(policy["maxMemoriesPerTurn"], 12, "what the form doesn't change stays: {policy}");
    tab.visit("/ui/personas");
    tab.reads("memory is off");
    tab.press_text(".people li:first-child", "Delete");
    tab.reads("This deletes 0 memories, 0 events of its life");
    tab.fill("#typed", "inara-serra");
    tab.press_text("dialog", "Delete for good");
    tab.reads("Inara Serra was deleted.");
    assert_eq!(tab.api("GET", "/personas/inara-serra", None).0, 404);
}

#[test]
fn colours_are_kept_a_key_is_shown_once_and_the_doctor_says_how_it_is() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    tab.press("input[value='dark']");
    // What is noted as soon as there is a body, before anything of it is painted.
    tab.before_each_page("new MutationObserver((_, watch) => { if (document.body) { window.firstTheme = document.documentElement.dataset.theme; watch.disconnect(); } }).observe(document, { childList: true, subtree: true })");
    tab.visit("/ui/settings");
    assert_eq!(tab.run("return window.firstTheme"), "dark", "no night begins white");
    assert_eq!(tab.run("return getComputedStyle(document.documentElement).colorScheme"), "dark");
    tab.press_text("main", "New key");
    tab.press_text("dialog", "Create key");
    tab.until("return /^sh_/.test(document.querySelector('dialog code')?.innerText)");
    tab.press_text("dialog", "I have saved it");
    tab.until("return document.querySelectorAll('main tbody tr').length === 1");
    assert!(tab.run("return document.body.innerText.includes('sh_')") == false, "it is shown only once");
    tab.press_text("main tbody tr:last-child", "Revoke");
    tab.press_text("dialog", "Revoke");
    tab.reads("revoked");

    tab.visit("/ui/health");
    tab.reads("Everything is fine.");
    tab.press_text("main", "Check every record");
    tab.reads("checks passed");
    tab.press("main summary");
    tab.reads("All encrypted records can be read.");
    tab.visit("/ui/help");
    tab.reads("About Nora Lindqvist");
    tab.reads("Nora Lindqvist remembers what matters in your conversations");
}

#[test]
fn an_address_that_leads_nowhere_says_so() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/nowhere/at/all");
    tab.reads("There is nothing at this address");
    tab.visit("/ui/p/nobody/chat");
    tab.reads("There is no persona called “nobody”");
    tab.press_text("main", "Go to Talk");
    tab.until("return location.pathname === '/ui/p/nora-lindqvist/chat'");
}

#[test]
fn the_page_speaks_german_once_it_is_chosen() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    tab.run("const field = document.querySelector('#language'); field.value = 'de'; field.dispatchEvent(new Event('change'))");
    tab.until("return document.documentElement.lang === 'de' && document.querySelector('main h1')?.innerText === 'Einstellungen'");
    tab.visit("/ui/p/nora-lindqvist/timeline?at=2000-01-01");
    tab.reads("1. Januar 2000");
    let (_, page) = tab.api("GET", "/v1/personas/nora-lindqvist/memories?subject=ana&limit=1", None);
    tab.visit(&format!("/ui/p/nora-lindqvist/memories/{}", page["data"][0]["id"].as_str().unwrap()));
    tab.see("svg.curve .band.vivid .value");
    let band = tab.run("return document.querySelector('svg.curve .band.vivid .value').textContent");
    assert_eq!(band, "0,75", "numbers are German too");
    tab.visit("/ui/health");
    tab.press("main summary");
    tab.reads("Alle verschlüsselten Einträge lassen sich lesen.");
    let english = tab.run("return [...document.querySelectorAll('main [lang=en]')].filter((one) => one.checkVisibility()).map((one) => one.innerText)");
    assert_eq!(english, json!([]), "no words of the server");
    tab.visit("/ui/people/nobody-at-all");
    tab.reads("Über diese Person ist nichts bekannt.");
}
