//! Memories are found by what they say and by what they mean, together with every other filter.

use serde_json::json;

use crate::stage::Stage;

#[test]
fn a_memory_is_found_by_words_and_meaning_and_the_search_stands_in_the_address() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/memories");
    tab.see("sh-virtual-list .memory");
    let all = tab.run("return document.querySelector('sh-virtual-list').items.length").as_u64().unwrap();
    tab.press("#by-q");
    tab.keys("sauna");
    tab.until("return new URLSearchParams(location.search).get('q') === 'sauna'");
    tab.reads("best match first");
    tab.until(&format!("const list = document.querySelector('sh-virtual-list'); return list.done && list.items.length > 0 && list.items.length < {all} && list.items[0].gist.toLowerCase().includes('sauna')"));
    assert_eq!(tab.run("return document.activeElement.id"), "by-q", "whoever types goes on typing");

    tab.visit("/ui/p/nora-lindqvist/memories?q=ana&class=guest-pii");
    tab.until("const list = document.querySelector('sh-virtual-list'); return list.items?.length > 0 && list.items.every((it) => it.subject === 'ana')");
    assert_eq!(tab.run("return document.querySelector('#by-q').value"), "ana");
    tab.press("sh-virtual-list .gist");
    tab.see("svg.curve");
    tab.back();
    tab.until("return document.querySelector('#by-q')?.value === 'ana'");

    tab.visit("/ui/p/nora-lindqvist/memories?q=quantum%20chromodynamics");
    tab.reads("Nothing found for “quantum chromodynamics”");
    tab.press_text("main", "Include forgotten ones");
    tab.until("return new URLSearchParams(location.search).get('all') === '1'");
    tab.press_text("main", "Clear filters");
    tab.until(&format!("return document.querySelector('sh-virtual-list').items?.length === {all}"));
    let refused = tab.api("GET", "/v1/personas/nora-lindqvist/memories?q=%20", json!(null));
    assert_eq!(refused.0, 422, "{}", refused.1);
}
