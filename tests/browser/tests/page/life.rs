//! A life is revised, and keeps what was told before.

use crate::stage::Stage;

#[test]
fn an_event_is_seen_anew_and_the_old_telling_is_folded_away() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/timeline");
    tab.until("return document.querySelectorAll('.life .entry').length > 10");
    let label = tab.text(".life .entry:nth-child(2) h2");
    tab.press_text(".life .entry:nth-child(2)", "See anew");
    tab.fill("#facts", "It was my own idea, and he only held the boat.");
    tab.fill("#reason", "I asked my aunt.");
    tab.press_text("dialog", "See it this way");
    tab.reads("It was my own idea");
    tab.reads("Seen anew: I asked my aunt.");
    tab.press_text(".life .entry:nth-child(2)", "See anew");
    tab.press_text("dialog", "Cancel");
    let earlier =
        tab.run("return document.querySelectorAll('.life .entry:nth-child(2) details.earlier').length");
    assert_eq!(earlier, 1);
    assert_eq!(tab.text(".life .entry:nth-child(2) h2"), label);

    tab.visit("/ui/p/nora-lindqvist/timeline?at=2000-01-01");
    tab.reads("until 1 January 2000");
    tab.until("return document.querySelectorAll('.life .entry').length < 6");
}
