//! What was typed is not lost, and what was said off the record is not recorded.

use crate::stage::Stage;
use crate::tab::Tab;

const NORA: &str = "/ui/p/nora-lindqvist";

/// Lets one message fail: with `null` as the answer it does not reach the server.
fn fail_next_message(tab: &Tab, answer: &str) {
    tab.run(&format!(
        "const real = window.fetch; window.fetch = (address, how) => {{ \
            if (address !== '/chat') return real(address, how); \
            window.fetch = real; \
            const answer = {answer}; \
            return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('no way')); }};"
    ));
}

fn say(tab: &Tab, words: &str) {
    let before = tab.run("return document.querySelectorAll('.turn.theirs').length").as_u64().unwrap();
    tab.fill("#say", words);
    tab.press(".composer button.main");
    tab.until(&format!(
        "return document.querySelectorAll('.turn.theirs:not(.speaking)').length === {} && !!document.querySelector('.composer button.main')",
        before + 1
    ));
}

fn is_on_disk(folder: &std::path::Path, word: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return is_on_disk(&path, word);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

#[test]
fn what_is_typed_outlasts_the_end_of_a_visit_and_goes_with_a_sign_out() {
    let mut stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/files?name=SCRATCH.md"));
    tab.fill("#content", "Buy candles.");
    tab.press_text(".rail", "Settings");
    tab.fill("#set-greeting", "Ahoy, whoever you are.");
    stage.restart();
    tab.press_text("form.policy", "Save");
    tab.reads("what you typed is kept");
    let key = stage.run(&["key", "new", "--scope", "read,write,admin", "--speaks", "owner", "-o", "quiet"]);
    tab.fill("#key", String::from_utf8(key.stdout).unwrap().trim());
    tab.press("form button.main");
    tab.until("return document.querySelector('#set-greeting')?.value === 'Ahoy, whoever you are.'");
    tab.reads("You have unsaved changes.");
    tab.press_text(".rail", "Files");
    tab.press(".files a[data-name='SCRATCH.md']");
    tab.until("return document.querySelector('#content')?.value === 'Buy candles.'");

    tab.press_text(".rail", "Sign out");
    tab.until("return location.pathname === '/ui/sign-in' && !!document.querySelector('#key')");
    let kept = tab.run("return JSON.stringify(sessionStorage)");
    assert!(!kept.as_str().unwrap().contains("candles"), "{kept}");
}

#[test]
fn a_message_off_the_record_stays_off_it_when_it_is_tried_again() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    tab.press_text(".composer", "Off the record");
    tab.see(".mode");
    let offered = tab.run(
        "return [...document.querySelectorAll('.on-record')].filter((it) => it.checkVisibility()).length",
    );
    assert_eq!(offered, 0, "what is on record can't be replaced off it");
    fail_next_message(&tab, "null");
    say(&tab, "Between us: my locker code is zanzibarquux.");
    tab.reads("Try again");
    tab.press_text(".composer", "Off the record");
    tab.until("return !document.querySelector('.mode')");
    tab.fill("#say", "Anything else?");
    let kept = tab.run("return JSON.stringify(sessionStorage)");
    assert!(!kept.as_str().unwrap().contains("zanzibarquux"), "{kept}");
    tab.press_text(".turn.theirs", "Try again");
    tab.reads("Nothing of this was kept.");
    tab.until("return document.querySelectorAll('.turn.mine').length === 2");
    assert!(!is_on_disk(&stage.path("home"), "zanzibarquux"));
    let session = tab.run("return new URLSearchParams(location.search).get('session')");
    let record = format!("/v1/personas/nora-lindqvist/sessions/{}", session.as_str().unwrap());
    assert_eq!(tab.api("GET", &record, None).1["turns"].as_array().unwrap().len(), 2);
}

#[test]
fn an_edit_that_is_refused_puts_the_turns_back_and_can_be_tried_again() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    say(&tab, "When does the sauna open?");
    say(&tab, "And who are you?");
    fail_next_message(
        &tab,
        "new Response(JSON.stringify({ code: 'rate_limited' }), { status: 429, headers: { 'content-type': 'application/json' } })",
    );
    tab.press(".turn.mine [aria-label=Edit]");
    tab.fill("#edited", "What are you proud of?");
    tab.press_text(".editing", "Send");
    tab.reads("Try again");
    let shown = "return [...document.querySelectorAll('.turn.mine .words')].map((it) => it.innerText)";
    let both = ["When does the sauna open?", "And who are you?", "What are you proud of?"];
    assert_eq!(tab.run(shown), serde_json::json!(both), "nothing is gone from view");
    tab.press_text(".turns", "Try again");
    tab.until("return document.querySelectorAll('.turn.mine').length === 1 && document.querySelectorAll('.turn.theirs:not(.speaking)').length === 1");
    assert_eq!(tab.run(shown), serde_json::json!(["What are you proud of?"]));
    let session = tab.run("return new URLSearchParams(location.search).get('session')");
    let record = format!("/v1/personas/nora-lindqvist/sessions/{}", session.as_str().unwrap());
    let turns = tab.api("GET", &record, None).1["turns"].clone();
    assert_eq!(turns.as_array().unwrap().len(), 2, "{turns}");
    assert_eq!(turns[0]["text"], "What are you proud of?");
}

#[test]
fn a_page_that_can_not_reach_its_server_says_so_and_words_can_be_dropped_into_a_field() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    let dropped = tab.run(
        "const drop = (type, given) => { const carried = new DataTransfer(); given(carried); \
            const event = new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }); \
            document.querySelector('#say').dispatchEvent(event); return event.defaultPrevented; }; \
         const words = (carried) => carried.setData('text/plain', 'tea'); \
         const file = (carried) => carried.items.add(new File(['x'], 'x.txt')); \
         return [drop('dragover', words), drop('drop', words), drop('dragover', file)]",
    );
    assert_eq!(dropped, serde_json::json!([false, false, true]), "only a file is for the page");

    let lib = "document.querySelector('script[type=module]').src.replace('main.js', 'lib/')";
    tab.run(&format!(
        "const real = window.fetch; window.fetch = () => Promise.reject(new TypeError('no way')); window.again = () => (window.fetch = real); \
         return import({lib} + 'state.js').then(({{ state }}) => (state.me = null)).then(() => import({lib} + 'router.js')).then(({{ go }}) => go('{NORA}/memories'))"
    ));
    tab.reads("The server can't be reached");
    tab.run("window.again()");
    tab.press_text("main", "Try again");
    tab.see("sh-virtual-list .memory");
}
