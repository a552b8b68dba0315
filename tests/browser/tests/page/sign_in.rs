//! From the first start to the first answer, and out again.

use crate::stage::Stage;
use crate::tab::{CONTROL, ESCAPE};

#[test]
fn a_first_run_leads_to_a_first_answer() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    tab.reads("Create your first persona");
    tab.fill("#displayName", "Inara");
    tab.fill("#description", "A concierge who loves the sea.");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/inara/chat'");
    tab.fill("#say", "Hello, who are you?");
    tab.press(".composer button.main");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking) .words').length === 1 && document.querySelector('.turn.theirs .words').innerText.length > 5");
    tab.until("return new URLSearchParams(location.search).has('session')");
}

#[test]
fn a_link_opens_one_browser_a_key_another_and_leaving_closes_it() {
    let stage = Stage::demo();
    let first = stage.signed_in();
    let second = stage.browser();
    second.goto(stage.link());
    second.reads("no longer valid");
    let key = stage.run(&["key", "new", "--scope", "read", "-o", "quiet"]);
    second.fill("#key", String::from_utf8(key.stdout).unwrap().trim());
    second.press("form button.main");
    second.until("return location.pathname === '/ui/p/nora-lindqvist/chat'");
    let links = second
        .run("return [...document.querySelectorAll('.rail nav a')].map((link) => link.innerText.trim())");
    let shown: Vec<&str> = links.as_array().unwrap().iter().map(|link| link.as_str().unwrap()).collect();
    assert!(shown.contains(&"Memories") && !shown.contains(&"Forget someone"), "{shown:?}");
    second.keys(&format!("{CONTROL}k"));
    second.see("#palette-list li");
    let offered = second.text("#palette-list");
    assert!(!offered.contains("Health") && !offered.contains("Audit"), "{offered}");
    second.keys(ESCAPE);
    second.press_text(".rail", "Sign out");
    // The form of the first visit may still be there while Talk is loaded.
    second.until("return location.pathname === '/ui/sign-in' && !!document.querySelector('#key')");
    assert_eq!(second.api("GET", "/personas", None).0, 401);
    assert_eq!(first.api("GET", "/personas", None).0, 200);
}

#[test]
fn a_template_is_chosen_and_written_out() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    tab.reads("What is it for?");
    tab.reads("Guests are forgotten 90 days after their last conversation");
    tab.until("return document.querySelectorAll('.templates input').length === 4");
    tab.fill("#displayName", "Inara");
    tab.press(".templates input[value=hospitality]");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/inara/chat'");
    let (_, shown) = tab.api("GET", "/personas/inara", None);
    let policy = &shown["document"]["memoryPolicy"];
    assert_eq!(policy["retentionPolicy"]["countFrom"], "lastContact", "{policy}");
    assert_eq!(policy["decayDefaults"]["semantic"]["halfLifeDays"], 180.0, "{policy}");
    assert_eq!(policy["maxMemoriesPerTurn"], 12, "{policy}");
}
