//! A life is revised, and keeps what was written before.

use crate::stage::Stage;

#[test]
fn an_event_is_seen_anew_and_the_old_telling_is_folded_away() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/timeline");
    tab.until("return document.querySelectorAll('.life .entry').length > 10");
    let label = tab.text(".life .entry:nth-child(2) h2");
    tab.press_text(".life .entry:nth-child(2)", "Revise");
    tab.fill("#facts", "It was my own idea, and he only held the boat.");
    tab.fill("#reason", "I asked my aunt.");
    tab.press_text("dialog", "Save revision");
    tab.reads("It was my own idea");
    tab.reads("Revised: I asked my aunt.");
    tab.press_text(".life .entry:nth-child(2)", "Revise");
    tab.press_text("dialog", "Cancel");
    let earlier =
        tab.run("return document.querySelectorAll('.life .entry:nth-child(2) details.earlier').length");
    assert_eq!(earlier, 1);
    assert_eq!(tab.text(".life .entry:nth-child(2) h2"), label);

    let label = tab.text(".life .entry:nth-child(3) h2");
    tab.press_text(".life .entry:nth-child(3)", "Remove");
    tab.fill("#reason", "It was my sister.");
    tab.press_text("dialog", "Remove");
    tab.press_text(".removed", "One event was removed from this life");
    tab.reads("It was my sister.");
    assert!(tab.text(".removed").contains(&label));
    assert_ne!(tab.text(".life .entry:nth-child(3) h2"), label);

    tab.visit("/ui/p/nora-lindqvist/timeline?at=2000-01-01");
    tab.reads("until 1 January 2000");
    tab.until("return document.querySelectorAll('.life .entry').length < 6");
}

#[test]
fn an_event_is_added_and_an_error_keeps_what_was_filled_in() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/timeline?add=1");
    tab.fill("#eventLabel", "The lamp was replaced");
    tab.fill("#facts", "We climbed up together.");
    tab.fill("#feelings", "Tired and glad.");
    tab.fill("#interpretation", "Some things only two can do.");
    tab.run("document.querySelector('#eventAt').value = '9999-01-01'; document.querySelector('#memoryStrength').removeAttribute('max'); document.querySelector('#memoryStrength').value = 400");
    tab.press_text("dialog", "Add event");
    tab.see("dialog .note.bad");
    let note_text = tab.text("dialog .note.bad");
    assert!(
        note_text.contains("strength")
            && !note_text.contains("memoryStrength")
            && !note_text.contains("eventAt"),
        "{note_text}"
    );
    assert_eq!(tab.run("return document.querySelector('#facts').value"), "We climbed up together.");
    tab.fill("#memoryStrength", "40");
    tab.run("document.querySelector('#eventAt').value = new Date().toISOString().slice(0, 10)");
    tab.press_text("dialog", "Add event");
    tab.reads("Event added.");
    tab.reads("The lamp was replaced");
}
