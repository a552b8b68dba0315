//! Talks that are long, slow or broken off, and talks that go on in two places.

use std::time::Duration;

use serde_json::{Value, json};

use crate::model_server::{ModelServer, Script};
use crate::stage::Stage;
use crate::tab::{CONTROL, ENTER, ESCAPE, SHIFT, TAB, Tab};

const NORA: &str = "/ui/p/nora-lindqvist";

/// Imports a conversation of so many turns and gives its id.
fn long_conversation(tab: &Tab, turns: usize, title: &str) -> String {
    let turn = |n: usize| {
        let speaker = if n.is_multiple_of(2) { "subject" } else { "persona" };
        let text =
            format!("Turn {n}: **bold**, a list\n\n- one\n- two\n\nand some more words about the {n}th day.");
        json!({ "id": n.to_string(), "speaker": speaker, "at": "2026-05-04T10:00:00Z", "text": text })
    };
    for from in (0..turns).step_by(200) {
        let part: Vec<Value> = (from..(from + 200).min(turns)).map(turn).collect();
        let line = json!({ "id": title, "source": "elsewhere", "title": title, "turns": part });
        let (status, answer) =
            tab.api("POST", "/v1/personas/nora-lindqvist/import", json!({ "lines": [line] }));
        assert_eq!(status, 200, "{answer}");
    }
    let sessions = tab.api("GET", "/v1/personas/nora-lindqvist/sessions", None).1;
    let found = sessions["data"].as_array().unwrap().iter().find(|it| it["title"] == title);
    found.unwrap()["id"].as_str().unwrap().to_owned()
}

/// How long frames take while the list is scrolled as fast as a thumb can, 120 pixels each: the middle, and the 95th of a hundred.
fn frames(tab: &Tab) -> (f64, f64) {
    let took = tab.wait_for(
        "const [done] = arguments; const list = document.querySelector('.turns'); const took = []; let last = 0, by = -120; \
         const step = (now) => { if (last) took.push(now - last); last = now; if (list.scrollTop + by < 0) by = 120; \
         list.scrollTop += by; if (took.length < 240) requestAnimationFrame(step); else done(took); }; \
         requestAnimationFrame(step);",
    );
    let mut took: Vec<f64> = took.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    took.sort_by(f64::total_cmp);
    let at = |share: usize| took[(took.len() - 1) * share / 100];
    (at(50), at(95))
}

/// The machine may be busy with other tests, so a long conversation is held to what a short one takes at the same time.
#[test]
fn five_hundred_turns_open_at_their_end_and_scroll_as_smoothly_as_thirty() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let open = |turns: usize, title: &str| {
        let session = long_conversation(&tab, turns, title);
        tab.visit(&format!("{NORA}/chat?session={session}"));
        tab.until(&format!("return document.querySelectorAll('.turn').length === {turns}"));
        tab.until(&format!("const list = document.querySelector('.turns'); return list.scrollHeight - list.scrollTop - list.clientHeight < 4 && list.lastElementChild.innerText.includes('Turn {}')", turns - 1));
        frames(&tab)
    };
    let (short_middle, short_worst) = open(30, "A short talk");
    let (middle, worst) = open(500, "A long talk");
    eprintln!(
        "frames while scrolling, middle and 95th of 100: 30 turns {short_middle:.0} and {short_worst:.0} ms, \
         500 turns {middle:.0} and {worst:.0} ms"
    );
    assert!(middle <= 2.0 * short_middle + 17.0, "{middle} ms a frame, {short_middle} ms in a short talk");
    tab.run("document.querySelector('.turns').scrollTop = 0");
    tab.until("return document.querySelector('.turns').innerText.includes('Turn 0')");
    tab.until("return !document.querySelector('.to-latest').hidden");
    tab.press(".to-latest");
    tab.until("const list = document.querySelector('.turns'); return list.scrollHeight - list.scrollTop - list.clientHeight < 4");
}

#[test]
fn words_are_found_in_a_long_talk_and_one_goes_from_place_to_place() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    let session = long_conversation(&tab, 120, "A long talk");
    tab.visit(&format!("{NORA}/chat?session={session}"));
    tab.until("return document.querySelectorAll('.turn').length === 120");
    tab.press("[aria-label=Options]");
    tab.press_text(".menu-body", "Find in this conversation");
    tab.until("return document.activeElement.id === 'find'");
    let place = |expected: &str| {
        tab.until(&format!(
            "return document.querySelector('.finding [role=status]')?.innerText === '{expected}'"
        ));
    };
    let is_seen = |words: &str| {
        tab.until(&format!("const found = [...document.querySelectorAll('.turn')].find((it) => it.innerText.includes('{words}')); const {{ top, bottom }} = found.getBoundingClientRect(); return top < innerHeight && bottom > 0"));
    };
    tab.keys("turn 1");
    // Turns 1, 10 to 19 and 100 to 119; the latest comes first.
    place("1 of 31");
    is_seen("Turn 119:");
    tab.keys(ENTER);
    place("2 of 31");
    is_seen("Turn 118:");
    tab.keys(&format!("{SHIFT}{ENTER}{ENTER}"));
    place("31 of 31");
    is_seen("Turn 1:");
    tab.fill("#find", "no such words");
    place("Nothing found.");
    tab.keys(ESCAPE);
    tab.until("return !document.querySelector('.finding') && document.activeElement.matches('.turns')");

    tab.visit(&format!("{NORA}/chat?session={session}&find=the%203th"));
    place("1 of 1");
    is_seen("Turn 3:");
}

/// A demo whose answers come from `server`, and a tab that talks with Nora.
fn connected(server: &ModelServer) -> (Stage, Tab) {
    let stage = Stage::demo_looking_at(server.port);
    let tab = stage.signed_in();
    let (status, answer) =
        tab.api("PUT", "/v1/chat-model", json!({ "baseUrl": server.address(), "model": "qwen3:4b" }));
    assert_eq!(status, 200, "{answer}");
    tab.visit(&format!("{NORA}/chat"));
    (stage, tab)
}

#[test]
fn a_slow_answer_is_read_while_it_comes_and_can_be_stopped() {
    let words = (0..200).map(|n| format!("word{n} ")).collect();
    let server =
        ModelServer::new(Script { words, pause: Duration::from_millis(150), ..Script::answering("") });
    let (_stage, tab) = connected(&server);
    tab.fill("#say", "Tell me everything.");
    tab.press(".composer button.main");
    tab.until("return document.querySelector('.turn.theirs.speaking .words')?.innerText.includes('word3')");
    assert!(tab.run("return document.querySelector('.turn.theirs').innerText.includes('word199')") == false);
    // Somebody who types on meanwhile keeps what is typed, and can't send it twice.
    tab.fill("#say", "And then?");
    tab.press_text(".composer", "Stop");
    tab.until("return !document.querySelector('.turn.speaking') && !!document.querySelector('.composer button.main')");
    tab.reads("stopped");
    assert_eq!(tab.run("return document.querySelector('#say').value"), "And then?");
    assert_eq!(tab.run("return document.querySelectorAll('.turn').length"), 2);
}

#[test]
fn markup_that_was_shown_is_not_taken_back_when_the_answer_ends() {
    let words = ["**Seven** ", "in the ", "morning, ", "*as a rule*."].map(str::to_owned).to_vec();
    let server =
        ModelServer::new(Script { words, pause: Duration::from_millis(400), ..Script::answering("") });
    let (_stage, tab) = connected(&server);
    tab.run(
        "window.taken = 0; let shown = false; new MutationObserver(() => { \
            const isBold = !!document.querySelector('.turn.theirs .words strong'); \
            if (shown && !isBold) window.taken += 1; \
            shown ||= isBold; }).observe(document.querySelector('.turns'), { childList: true, subtree: true })",
    );
    tab.fill("#say", "When does the sauna open?");
    tab.press(".composer button.main");
    tab.until(
        "return document.querySelector('.turn.theirs:not(.speaking) .words em')?.innerText === 'as a rule'",
    );
    assert_eq!(tab.run("return window.taken"), 0, "raw Markdown was shown again");
}

#[test]
fn a_server_that_restarts_in_the_middle_loses_no_word_of_the_person() {
    let words = (0..400).map(|n| format!("word{n} ")).collect();
    let server =
        ModelServer::new(Script { words, pause: Duration::from_millis(100), ..Script::answering("") });
    let (mut stage, tab) = connected(&server);
    tab.fill("#say", "My tortoise is called Admiral.");
    tab.press(".composer button.main");
    tab.until("return document.querySelector('.turn.theirs.speaking .words')?.innerText.includes('word3')");
    tab.fill("#say", "Half a sent");
    stage.restart();
    tab.until("return !document.querySelector('.turn.speaking')");
    tab.until("return !!document.querySelector('.turn.theirs .note.bad, .turn.theirs .quiet')");
    assert_eq!(tab.run("return document.querySelector('#say').value"), "Half a sent");
    // Visits end with the server: the next message leads to the door, and waits behind it.
    tab.fill("#say", "Are you still there?");
    tab.press(".composer button.main");
    tab.until("return location.pathname === '/ui/sign-in'");
    tab.reads("You were signed out");
    let link = stage.run(&["key", "sign-in", "-o", "quiet"]);
    let link = String::from_utf8(link.stdout).unwrap();
    tab.goto(link.trim());
    tab.until(
        "return location.pathname.endsWith('/chat') && document.querySelectorAll('.turn.mine').length >= 1",
    );
    tab.until("return document.querySelector('.turns').innerText.includes('My tortoise is called Admiral.')");
    tab.until("return document.querySelector('#say').value === 'Are you still there?'");
}

#[test]
fn two_tabs_of_one_browser_show_the_same_conversation() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit(&format!("{NORA}/chat"));
    tab.fill("#say", "When does the sauna open?");
    tab.press(".composer button.main");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 1");
    let first = tab.window();
    let second = tab.new_window();
    tab.visit(&format!("{NORA}/chat"));
    tab.until("return document.querySelectorAll('.turn').length === 2");
    tab.fill("#say", "And who are you?");
    tab.press(".composer button.main");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 2");
    tab.switch_to(&first);
    tab.until("return document.querySelectorAll('.turn').length === 4");
    tab.fill("#say", "What are you proud of?");
    tab.press(".composer button.main");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 3");
    tab.switch_to(&second);
    tab.until("return document.querySelectorAll('.turn').length === 6");
    let order =
        tab.run("return [...document.querySelectorAll('.turn.mine .words')].map((it) => it.innerText)");
    assert_eq!(order, json!(["When does the sauna open?", "And who are you?", "What are you proud of?"]));
}

#[test]
fn an_answer_that_comes_in_one_tab_is_awaited_in_the_other() {
    let words = (0..40).map(|n| format!("word{n} ")).collect();
    let server =
        ModelServer::new(Script { words, pause: Duration::from_millis(100), ..Script::answering("") });
    let (_stage, tab) = connected(&server);
    let first = tab.window();
    tab.fill("#say", "Hello.");
    tab.press(".composer button.main");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 1");
    let address = tab.run("return location.pathname + location.search");
    let second = tab.new_window();
    tab.visit(address.as_str().unwrap());
    tab.until("return document.querySelectorAll('.turn').length === 2");
    tab.switch_to(&first);
    tab.fill("#say", "And then?");
    tab.press(".composer button.main");
    tab.see(".turn.speaking");
    tab.switch_to(&second);
    tab.until("return document.querySelectorAll('.turn').length === 4");
    let shown = tab.run("return document.querySelector('.turns').innerText");
    assert!(!shown.as_str().unwrap().contains("There is no answer yet"), "it is on its way: {shown}");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 2");
    let said = tab.run("return [...document.querySelectorAll('.turn.theirs .words')].at(-1).innerText");
    assert!(said.as_str().unwrap().contains("word39"), "{said}");

    // A tab that is opened in the middle awaits it too, and offers no second try.
    tab.switch_to(&first);
    tab.fill("#say", "And after that?");
    tab.press(".composer button.main");
    tab.until("return document.querySelector('.turn.speaking .words')?.innerText.includes('word1')");
    tab.new_window();
    tab.visit(address.as_str().unwrap());
    tab.see(".turn.theirs.speaking");
    let shown = tab.run("return document.querySelector('.turns').innerText");
    assert!(!shown.as_str().unwrap().contains("Try again"), "it is on its way: {shown}");
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 3");
    let said = tab.run("return [...document.querySelectorAll('.turn.theirs .words')].at(-1).innerText");
    assert!(said.as_str().unwrap().contains("word39"), "{said}");
}

#[test]
fn one_talks_asks_why_and_goes_back_without_a_mouse() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.keys(&format!("{CONTROL}k"));
    tab.see("#palette");
    tab.keys("talk");
    tab.keys(ENTER);
    tab.until("return document.activeElement.id === 'say'");
    tab.keys("When does the sauna open?");
    tab.keys(ENTER);
    tab.until("return document.querySelectorAll('.turn.theirs:not(.speaking)').length === 1");
    tab.until("return document.activeElement.id === 'say'");
    let back = |what: &str| {
        for _ in 0..40 {
            tab.keys(&format!("{}{TAB}", crate::tab::SHIFT));
            if tab.run(&format!("return {what}")) == true {
                return;
            }
        }
        panic!("no way back by keyboard to {what}");
    };
    back("document.activeElement.innerText?.trim() === 'Why?'");
    tab.keys(ENTER);
    tab.until("return !!document.querySelector('.drawer .candidate')");
    tab.keys(crate::tab::ESCAPE);
    tab.until("return !document.querySelector('.drawer')");
    back("document.activeElement.getAttribute('aria-label') === 'Options'");
    tab.keys(ENTER);
    tab.until("return document.querySelector('.menu-body') && !document.querySelector('.menu-body').hidden");
    tab.keys(crate::tab::ESCAPE);
    tab.until("return document.querySelector('.menu-body').hidden && document.activeElement.getAttribute('aria-label') === 'Options'");
}
