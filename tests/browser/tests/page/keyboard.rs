//! Everything is reached without a mouse.

use crate::stage::Stage;
use crate::tab::{CONTROL, ENTER, TAB};

#[test]
fn a_memory_is_found_opened_and_corrected_by_keyboard_alone() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    tab.keys(TAB);
    let first = tab.run("return document.activeElement.className");
    assert_eq!(first, "skip", "the first stop leads past the rail");
    tab.keys(&format!("{CONTROL}k"));
    tab.see("#palette");
    tab.keys("memor");
    tab.keys(ENTER);
    tab.until("return location.pathname.endsWith('/memories')");
    tab.see("sh-virtual-list .memory");
    let heading = tab.run("return document.activeElement.localName");
    assert_eq!(heading, "h1", "whoever arrives starts at the heading");

    let reach = |what: &str| {
        for _ in 0..60 {
            tab.keys(TAB);
            if tab.run(&format!("return {what}")) == true {
                let ring = tab.run("return getComputedStyle(document.activeElement).outlineStyle");
                assert_ne!(ring, "none", "where one is must be seen");
                return;
            }
        }
        panic!("no way by keyboard to {what}");
    };
    reach("!!document.activeElement.closest('sh-virtual-list .memory')");
    tab.keys(ENTER);
    tab.see("sh-memory #hand");
    reach("document.activeElement.innerText?.trim() === 'Correct'");
    tab.keys(ENTER);
    tab.see("dialog #gist");
    reach("document.activeElement.innerText?.trim() === 'Save correction'");
    tab.keys(ENTER);
    tab.reads("Corrected.");

    tab.visit("/ui/settings");
    tab.run("document.querySelector('main').focus()");
    tab.keys("gt");
    tab.until("return location.pathname.endsWith('/timeline')");
    tab.run("localStorage.setItem('selfhood.shortcuts', 'false'); document.querySelector('main').focus()");
    tab.keys("gm");
    tab.reads("The life of");
    assert!(tab.run("return location.pathname").as_str().unwrap().ends_with("/timeline"));
}

#[test]
fn the_palette_finds_memories_people_and_what_can_be_done() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    let find = |typed: &str, found: &str| {
        tab.keys(&format!("{CONTROL}k"));
        tab.see("#palette");
        tab.keys(typed);
        tab.until(&format!("return document.querySelector('#palette-list')?.innerText.includes('{found}')"));
        tab.run(&format!("[...document.querySelectorAll('#palette-list li')].find((it) => it.innerText.includes('{found}')).click()"));
    };
    find("sauna", "The sauna opens");
    tab.until("return location.pathname.includes('/memories/mem')");
    find("okaf", "okafor");
    tab.until("return location.pathname === '/ui/people/okafor'");
    find("add an ev", "Add an event");
    tab.see("dialog #eventLabel");
}
