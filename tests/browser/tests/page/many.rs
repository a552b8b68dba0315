//! Ten thousand memories, and how soon there is anything to see.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stage::Stage;
use crate::tab::Tab;

const MEMORIES: u32 = 10_000;
/// So many loads give a median.
const LOADS: usize = 9;

#[test]
fn ten_thousand_memories_scroll_and_filter() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    tab.api("POST", "/setup/persona", Some(json!({ "name": "inara" })));
    for batch in 0..MEMORIES / 1000 {
        let memories: Vec<Value> = (0..1000).map(|n| memory(batch * 1000 + n)).collect();
        let imported = tab.api("POST", "/v1/personas/inara/import", Some(json!({ "lines": memories })));
        assert_eq!(imported.0, 200, "{}", imported.1);
    }
    let opened = Instant::now();
    tab.visit("/ui/p/inara/memories");
    tab.see("sh-virtual-list .memory");
    eprintln!("10,000 memories: first rows after {} ms", opened.elapsed().as_millis());

    let scrolled = Instant::now();
    tab.until_within(Duration::from_mins(3), "window.scrollTo(0, document.body.scrollHeight); const list = document.querySelector('sh-virtual-list'); return list.done");
    eprintln!("10,000 memories: all of them fetched after {} ms", scrolled.elapsed().as_millis());
    let held = tab.run("const list = document.querySelector('sh-virtual-list'); return [list.items.length, list.children.length]");
    assert_eq!(held[0], MEMORIES);
    assert!(held[1].as_u64().unwrap() < 60, "{} rows exist at once", held[1]);

    // Places rows for a hundred windows, and tells how long that takes, in the middle and at worst.
    let placed = tab
        .run("const list = document.querySelector('sh-virtual-list'); const took = []; for (let n = 0; n < 100; n++) { window.scrollTo(0, n * 9000); const begun = performance.now(); list.place(); document.body.offsetHeight; took.push(performance.now() - begun); } took.sort((a, b) => a - b); return [took[50], took[99]]");
    eprintln!(
        "10,000 memories: a window of rows is placed in {} ms, the slowest of 100 in {} ms",
        placed[0], placed[1]
    );
    assert!(placed[0].as_f64().unwrap() < 100.0, "{placed}");

    let filtered = Instant::now();
    tab.visit("/ui/p/inara/memories?tag=rare");
    tab.until("const list = document.querySelector('sh-virtual-list'); return list.done && list.items.length === 10");
    eprintln!("10,000 memories: narrowed to ten after {} ms", filtered.elapsed().as_millis());

    tab.visit("/ui/p/inara/memories");
    tab.see("sh-virtual-list .memory");
    let sought = Instant::now();
    tab.run("const box = document.querySelector('#by-q'); box.value = 'guest number 4711'; box.dispatchEvent(new Event('input'))");
    tab.until("const list = document.querySelector('sh-virtual-list'); return list.items[0]?.gist.includes('number 4711')");
    eprintln!("10,000 memories: found by words after {} ms", sought.elapsed().as_millis());
    tab.until("const list = document.querySelector('sh-virtual-list'); list.fetchMore(); return list.items.length > 400");
    let once = tab.run("const ids = document.querySelector('sh-virtual-list').items.map((it) => it.id); return new Set(ids).size === ids.length");
    assert_eq!(once, true, "pages of what was found follow each other");
}

fn memory(n: u32) -> Value {
    let tags = if n.is_multiple_of(1000) { vec!["rare"] } else { vec!["usual"] };
    json!({ "kind": "semantic", "gist": format!("Guest number {n} asked for an extra pillow."), "tags": tags,
        "salience": 0.3 + 0.7 * f64::from(n * 7919 % 1000) / 1000.0, "privacyClass": "non-pii", "consentBasis": "not-applicable" })
}

/// Notes when the heading of the first screen is there.
const WATCH: &str = "new MutationObserver((_, watch) => { if (document.querySelector('main h1')) { window.firstScreen = performance.now(); watch.disconnect(); } }).observe(document, { childList: true, subtree: true })";

/// Milliseconds from asking for a page to the first words on it, and to its first screen.
fn first_sight(tab: &Tab) -> (f64, f64) {
    tab.until(
        "return performance.getEntriesByName('first-contentful-paint').length > 0 && !!window.firstScreen",
    );
    let seen = tab.run(
        "return [performance.getEntriesByName('first-contentful-paint')[0].startTime, window.firstScreen]",
    );
    (seen[0].as_f64().unwrap(), seen[1].as_f64().unwrap())
}

#[test]
fn there_is_something_to_see_at_once() {
    let stage = Stage::demo();
    let fresh = || {
        let tab = stage.browser();
        tab.before_each_page(WATCH);
        let link = stage.run(&["key", "sign-in", "-o", "quiet"]);
        tab.goto(String::from_utf8(link.stdout).unwrap().trim());
        first_sight(&tab)
    };
    say_when("a browser that was never used", (0..LOADS).map(|_| fresh()));
    let tab = stage.signed_in();
    tab.before_each_page(WATCH);
    let again = |prepare: fn(&Tab)| {
        prepare(&tab);
        tab.visit("/ui/p/nora-lindqvist/memories");
        first_sight(&tab)
    };
    say_when("with an empty cache", (0..LOADS).map(|_| again(Tab::empty_cache)));
    say_when("visited before", (0..LOADS).map(|_| again(|_| ())));
}

/// Tells the middle of what was measured, and that it is within bounds which a busy machine keeps too.
fn say_when(how: &str, loads: impl Iterator<Item = (f64, f64)>) {
    let (mut paints, mut screens): (Vec<f64>, Vec<f64>) = loads.unzip();
    paints.sort_by(f64::total_cmp);
    screens.sort_by(f64::total_cmp);
    let (paint, screen) = (paints[LOADS / 2], screens[LOADS / 2]);
    eprintln!(
        "first contentful paint, {how}: in the middle {paint:.0} ms of {paints:.0?}; first screen: {screen:.0} ms of {screens:.0?}"
    );
    assert!(paint < 1500.0, "{how}: {paints:?}");
}
