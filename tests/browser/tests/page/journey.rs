//! One whole way, on a fresh home: a persona of one's own, talk, why, a correction, and being forgotten with proof. The same
//! on a phone in German, and without a mouse.

use std::time::{Duration, Instant};

use crate::stage::Stage;
use crate::tab::{CONTROL, Device, ENTER, TAB, Tab};

fn say(tab: &Tab, words: &str) -> String {
    let before = tab.run("return document.querySelectorAll('.turn.theirs').length").as_u64().unwrap();
    tab.fill("#say", words);
    tab.press(".composer button.main");
    tab.until(&format!(
        "return document.querySelectorAll('.turn.theirs:not(.speaking)').length === {} && !!document.querySelector('.composer button.main')",
        before + 1
    ));
    let said = tab.run("return [...document.querySelectorAll('.turn.theirs .words')].at(-1).innerText");
    said.as_str().unwrap().to_owned()
}

#[test]
fn a_newcomer_makes_a_persona_talks_asks_why_corrects_and_is_forgotten_with_proof() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    tab.reads("Create your first persona");
    tab.fill("#displayName", "Inara");
    tab.fill("#description", "A companion who keeps a lighthouse.");
    tab.press(".templates input[value=companion]");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/inara/chat'");

    say(&tab, "My tortoise is called Admiral Byrd. Please remember that.");
    tab.until("return document.querySelector('.chip.kept')?.innerText.includes('Admiral Byrd')");
    tab.press_text(".talks", "New conversation");
    tab.see(".beginning");
    let answer = say(&tab, "What is my tortoise called?");
    assert!(answer.contains("Admiral Byrd"), "{answer}");
    tab.press_text(".turn.theirs", "Why?");
    tab.until("return document.querySelector('.drawer .lead')?.innerText.includes('Admiral Byrd')");

    tab.press_text(".drawer .candidate", "Correct");
    tab.fill("#gist", "The owner's tortoise is called Commodore Perry.");
    tab.press_text("dialog:not(.drawer)", "Save correction");
    tab.reads("Corrected.");
    tab.press_text(".drawer", "Close");
    tab.press_text(".talks", "New conversation");
    tab.see(".beginning");
    let again = say(&tab, "What is my tortoise called?");
    assert!(again.contains("Commodore Perry") && !again.contains("Admiral"), "{again}");

    tab.press_text(".rail", "Forget someone");
    tab.press_text("main", "Forget me");
    tab.reads("This is you.");
    tab.fill("#identifiers", "Admiral Byrd\nCommodore Perry");
    tab.press_text("main", "See what goes");
    tab.reads("Messages in them");
    tab.press_text("main", "Make the request");
    tab.see("#typed");
    tab.fill("#typed", &code(&tab));
    tab.press_text("main", "Sign and destroy");
    tab.reads("Everything is gone");
    tab.reads("Verified in this browser");
    let id = tab.run("return new URLSearchParams(location.search).get('erasure')");
    let file = stage.path(&format!("downloads/certificate-{}.json", id.as_str().unwrap()));
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing was downloaded");
        std::thread::sleep(Duration::from_millis(100));
    }
    let verified = stage.run(&["verify", file.to_str().unwrap()]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));

    tab.visit("/ui/p/inara/chat?new=1");
    let forgotten = say(&tab, "What is my tortoise called?");
    assert!(!forgotten.contains("Commodore") && !forgotten.contains("Admiral"), "{forgotten}");
}

#[test]
fn the_same_way_on_a_phone_in_german() {
    let stage = Stage::empty();
    let tab = stage.signed_in_on(Device::Phone);
    tab.run("localStorage.setItem('selfhood.language', JSON.stringify('de'))");
    tab.visit("/ui/welcome");
    tab.reads("Deine erste Persona");
    tab.fill("#displayName", "Juna");
    tab.fill("#description", "Hütet einen Leuchtturm.");
    let preview = tab.run("const card = document.querySelector('.preview-card'); const { top, bottom } = card.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight && card.innerText.includes('Hallo, ich bin Juna.')");
    assert_eq!(preview, true, "what one makes is seen while one types");
    tab.press("form button.main");
    tab.until("return location.pathname === '/ui/p/juna/chat'");

    say(&tab, "Meine Schildkröte heißt Admiral Byrd. Bitte merk dir das.");
    tab.until("return document.querySelector('.chip.kept')?.innerText.includes('Admiral Byrd')");
    tab.press("a[aria-label='Neues Gespräch']");
    tab.see(".beginning");
    let answer = say(&tab, "Wie heißt meine Schildkröte?");
    assert!(answer.contains("Admiral Byrd"), "{answer}");
    tab.press_text(".turn.theirs", "Warum?");
    tab.until("return document.querySelector('.drawer .lead')?.innerText.includes('Admiral Byrd')");
    tab.press_text(".drawer", "Schließen");
    tab.until("return !location.search.includes('why=')");

    tab.press_text(".thumb", "Mehr");
    tab.press_text(".rail.open", "Jemanden vergessen");
    tab.press_text("main", "Mich vergessen");
    tab.fill("#identifiers", "Admiral Byrd");
    tab.press_text("main", "Zeigen, was verschwindet");
    tab.press_text("main", "Antrag stellen");
    tab.see("#typed");
    tab.fill("#typed", &code(&tab));
    tab.press_text("main", "Unterschreiben und vernichten");
    tab.reads("Alles ist weg");
    tab.reads("In diesem Browser geprüft");
}

/// The letters by which a request to be forgotten is signed.
fn code(tab: &Tab) -> String {
    let code = tab.run("return new URLSearchParams(location.search).get('erasure').slice(-6)");
    code.as_str().unwrap().to_owned()
}

#[test]
fn the_same_way_without_a_mouse() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    let reach = |what: &str| {
        for _ in 0..60 {
            tab.keys(TAB);
            if tab.run(&format!("return {what}")) == true {
                return;
            }
        }
        panic!("no way by keyboard to {what}");
    };
    let press = |label: &str| {
        reach(&format!("document.activeElement.innerText?.trim() === '{label}'"));
        tab.keys(ENTER);
    };
    tab.until("return document.activeElement.id === 'displayName'");
    tab.keys("Inara");
    tab.keys(ENTER);
    tab.until("return location.pathname === '/ui/p/inara/chat' && document.activeElement.id === 'say'");
    tab.keys("My tortoise is called Admiral Byrd. Please remember that.");
    tab.keys(ENTER);
    tab.until("return document.querySelector('.chip.kept')?.innerText.includes('Admiral Byrd')");

    tab.keys(&format!("{CONTROL}k"));
    tab.see("#palette");
    tab.keys("forget someone");
    tab.keys(ENTER);
    tab.see("#subject");
    press("Forget me");
    tab.reads("This is you.");
    reach("document.activeElement.id === 'identifiers'");
    tab.keys("Admiral Byrd");
    press("See what goes");
    tab.reads("Messages in them");
    press("Make the request");
    tab.see("#typed");
    reach("document.activeElement.id === 'typed'");
    tab.keys(&code(&tab));
    tab.keys(ENTER);
    tab.reads("Everything is gone");
    tab.reads("Verified in this browser");
}
