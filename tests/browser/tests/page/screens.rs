//! Every screen, by day and by night, wide and narrow: no barrier, nothing cut off, nothing that went wrong.

use serde_json::Value;

use crate::stage::Stage;
use crate::tab::{Device, Tab};

/// Every screen, and what tells that it is there.
const SCREENS: &[(&str, &str, &str)] = &[
    ("talk", "/ui/p/nora-lindqvist/chat", ".composer"),
    ("memories", "/ui/p/nora-lindqvist/memories", "sh-virtual-list .memory"),
    ("memory", "MEMORY?at=2026-12-20", "svg.curve .hand"),
    ("timeline", "/ui/p/nora-lindqvist/timeline", ".life .entry"),
    ("import", "/ui/p/nora-lindqvist/import", ".drop"),
    ("files", "/ui/p/nora-lindqvist/files", "#content"),
    ("distillation", "/ui/p/nora-lindqvist/distillation", ".people li"),
    ("audit", "/ui/p/nora-lindqvist/audit", ".proof"),
    ("people", "/ui/people", ".people li"),
    ("person", "/ui/people/ana", "table"),
    ("lost", "/ui/nowhere", ".empty"),
    ("forget", "/ui/forget", "#subject"),
    ("personas", "/ui/personas", ".people li"),
    ("welcome", "/ui/welcome", "#displayName"),
    ("help", "/ui/help", ".own .words"),
    ("settings", "/ui/settings", "table"),
    ("health", "/ui/health", ".checks li"),
];

fn memory(tab: &Tab) -> String {
    let (_, page) = tab.api("GET", "/v1/personas/nora-lindqvist/memories?subject=ana&limit=1", None);
    format!("/ui/p/nora-lindqvist/memories/{}", page["data"][0]["id"].as_str().unwrap())
}

fn look_at_all(tab: &Tab, look: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let memory = memory(tab);
    for (name, place, sign) in SCREENS {
        tab.visit(&place.replace("MEMORY", &memory));
        tab.see(sign);
        tab.picture(&format!("{name}-{look}"));
        wrong.extend(tab.violations().into_iter().map(|found| format!("{name}, {look}: {found}")));
        wrong.extend(too_small(tab).into_iter().map(|found| format!("{name}, {look}: {found}")));
        let wide = tab.run("return document.documentElement.scrollWidth > innerWidth + 1");
        if wide != Value::Bool(false) {
            wrong.push(format!("{name}, {look}: one has to scroll sideways"));
        }
    }
    wrong
}

/// What can be pressed and is too small for a thumb, where one presses with a thumb.
fn too_small(tab: &Tab) -> Vec<String> {
    let found = tab.run(
        "if (!matchMedia('(pointer: coarse)').matches) return []; \
         return [...document.querySelectorAll('button, a.button, select, summary, textarea, label.button, .check, .choice, nav a, a.back, input:not([type=checkbox], [type=radio], [type=file], [type=hidden])')] \
         .filter((it) => it.checkVisibility() && Math.round(it.getBoundingClientRect().height) < 44) \
         .map((it) => `${it.innerText || it.ariaLabel || it.id} is too small for a thumb`)",
    );
    found.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[test]
fn no_screen_has_a_barrier_in_light_or_dark_on_a_wide_screen() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    for theme in ["light", "dark"] {
        tab.theme(theme);
        assert_eq!(look_at_all(&tab, theme), Vec::<String>::new());
    }
    tab.run("document.querySelector('main').append(Object.assign(document.createElement('img'), { src: '/favicon.ico' }))");
    assert!(!tab.violations().is_empty(), "axe would notice a barrier");
}

#[test]
fn no_screen_has_a_barrier_or_is_cut_off_on_a_phone() {
    let stage = Stage::demo();
    let tab = stage.signed_in_on(Device::Phone);
    for theme in ["light", "dark"] {
        tab.theme(theme);
        assert_eq!(look_at_all(&tab, &format!("{theme}-narrow")), Vec::<String>::new());
    }
    tab.visit("/ui/p/nora-lindqvist/memories");
    tab.until("return [...document.querySelectorAll('.memory')].filter((it) => it.getBoundingClientRect().bottom <= document.querySelector('.thumb').getBoundingClientRect().top).length >= 5");
    tab.press_text(".thumb", "More");
    tab.see(".rail.open");
    assert_eq!(too_small(&tab), Vec::<String>::new());
    tab.press_text(".rail.open", "People");
    tab.reads("okafor");
}

#[test]
fn no_screen_has_a_barrier_or_is_cut_off_on_a_tablet() {
    let stage = Stage::demo();
    let tab = stage.signed_in_on(Device::Tablet);
    for theme in ["light", "dark"] {
        tab.theme(theme);
        assert_eq!(look_at_all(&tab, &format!("{theme}-tablet")), Vec::<String>::new());
    }
}

#[test]
fn the_way_in_and_what_is_opened_on_a_phone_have_no_barrier_by_day_or_night() {
    let stage = Stage::demo();
    let way_in = stage.browser();
    way_in.visit("/ui/sign-in");
    has_no_barrier(&way_in, "sign-in");
    let tab = stage.signed_in_on(Device::Phone);
    for theme in ["light", "dark"] {
        tab.theme(theme);
        tab.visit("/ui/p/nora-lindqvist/chat?new=1");
        tab.fill("#say", "When does the sauna open?");
        tab.press(".composer button.main");
        tab.until("return !!document.querySelector('.turn.theirs:not(.speaking)')");
        tab.picture(&format!("turns-{theme}-narrow"));
        has_no_barrier(&tab, "talk with turns");
        tab.press_text(".turn.theirs", "Why?");
        tab.see(".drawer .candidate");
        tab.picture(&format!("why-{theme}-narrow"));
        has_no_barrier(&tab, "why");
        tab.press_text(".drawer", "Close");
        tab.until("return !document.querySelector('.drawer')");
        tab.press("button[aria-label=Conversations]");
        tab.see("dialog.sheet li a");
        tab.picture(&format!("conversations-{theme}-narrow"));
        has_no_barrier(&tab, "conversations");
        tab.press_text("dialog.sheet", "Close");
        tab.press("[aria-label=Options]");
        tab.see(".menu-body:not([hidden])");
        tab.picture(&format!("menu-{theme}-narrow"));
        has_no_barrier(&tab, "menu");
        tab.press_text(".thumb", "More");
        tab.press(".rail.open footer button");
        tab.see("#palette-list li");
        tab.picture(&format!("palette-{theme}-narrow"));
        has_no_barrier(&tab, "palette");
    }
}

fn has_no_barrier(tab: &Tab, what: &str) {
    // What still slides in is neither where it will be nor as clear.
    tab.until("return document.getAnimations().every((one) => one.playState === 'finished' || one.effect.getComputedTiming().iterations === Infinity)");
    let mut found = tab.violations();
    found.extend(too_small(tab));
    assert!(found.is_empty(), "{what}: {found:#?}");
}

#[test]
fn what_opens_over_a_screen_has_no_barrier_either() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/chat");
    tab.fill("#say", "When does the sauna open?");
    tab.press(".composer button.main");
    tab.press_text(".turn.theirs:not(.speaking)", "Why?");
    tab.see(".drawer .candidate");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    tab.visit(&memory(&tab));
    tab.press_text("main", "Correct");
    tab.see("dialog #gist");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
}
