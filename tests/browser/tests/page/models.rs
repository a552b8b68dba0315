//! A model is connected from the page with one click and answers at once, without a restart.

use std::time::Duration;

use crate::model_server::{ModelServer, Script};
use crate::stage::Stage;

#[test]
fn a_first_run_connects_the_model_server_it_finds_and_the_first_answer_comes_from_it() {
    let server = ModelServer::new(Script::answering("Hello, I speak **freely** now."));
    let stage = Stage::looking_at(server.port);
    let tab = stage.signed_in();
    tab.reads("Create your first persona");
    // A machine that is busy with other tests may answer too late.
    tab.until("const found = document.querySelector('.found-server'); if (!found) [...document.querySelectorAll('sh-models button')].find((it) => it.innerText.trim() === 'Look again')?.click(); return !!found");
    tab.reads("Found a model server");
    tab.reads("Nothing you say leaves it.");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(server.questions(), 0, "it is not used unasked");
    tab.press_text(".found-server", "Connect");
    tab.reads("llama3.2:3b answers from now on.");
    tab.fill("#displayName", "Inara");
    tab.press("form button.main[type=submit]:not(.found-server button)");
    tab.until("return location.pathname === '/ui/p/inara/chat'");
    tab.fill("#say", "Good morning!");
    tab.press(".composer button.main");
    tab.until("return document.querySelector('.turn.theirs:not(.speaking) strong')?.innerText === 'freely'");
    assert!(server.questions() > 0);
    tab.until("return document.querySelector('.turn.theirs:last-child .voice')?.innerText === 'llama3.2:3b'");

    tab.press("[aria-label=Options]");
    tab.press_text(".menu-body", "Choose a language model");
    tab.until("return document.querySelector('dialog.sheet sh-models')?.innerText.includes('llama3.2:3b')");
    tab.press("dialog.sheet sh-models summary");
    tab.run("const all = document.querySelector('dialog.sheet .found-server select'); all.value = 'qwen3:4b'; all.dispatchEvent(new Event('change', { bubbles: true }))");
    tab.press_text("dialog.sheet .found-server", "Connect");
    tab.reads("qwen3:4b answers from now on.");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    tab.press_text("dialog.sheet", "Disconnect");
    tab.until("return document.querySelector('dialog.sheet sh-models').innerText.includes('No language model is connected.')");
    let (status, shown) = tab.api("GET", "/v1/chat-model", None);
    assert!(status == 200 && shown.get("model").is_none(), "{shown}");

    // Each answer says who gave it, also when the conversation is opened again.
    tab.press_text("dialog.sheet", "Close");
    tab.fill("#say", "And now?");
    tab.press(".composer button.main");
    let voices =
        "return [...document.querySelectorAll('.turn.theirs .voice')].map((one) => one.textContent).join()";
    tab.until(&format!("{voices} === 'llama3.2:3b,built-in voice'"));
    tab.run("location.reload()");
    tab.until(&format!("{voices} === 'llama3.2:3b,built-in voice'"));
}

#[test]
fn a_provider_is_connected_with_a_key_that_is_checked_and_never_comes_back() {
    const KEY: &str = "sk-only-once-42";
    let server = ModelServer::new(Script { key: Some(KEY), ..Script::answering("Paid words.") });
    let stage = Stage::offering(&server.address());
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    tab.press_text("sh-models", "Use a provider with an API key");
    tab.fill("#api-key", "sk-wrong");
    tab.press_text("sh-models", "Show its models");
    tab.reads("The provider refused the API key");
    tab.fill("#api-key", KEY);
    tab.press_text("sh-models", "Show its models");
    tab.see("#listed");
    tab.press_text("sh-models .listed", "Connect");
    tab.reads("llama3.2:3b answers from now on.");
    tab.reads("What is said is sent to");
    tab.visit("/ui/settings");
    tab.reads("Answers come from");
    let page = tab.run(
        "return document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })",
    );
    assert!(!page.as_str().unwrap().contains(KEY));
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    tab.visit("/ui/health");
    tab.press("main summary");
    tab.reads("Language model");
    tab.reads("answers");
    tab.until_within(
        Duration::from_secs(20),
        "return !document.body.innerText.includes('can\\'t be reached')",
    );
}

#[test]
fn without_a_model_server_the_page_says_so_and_that_all_works() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    tab.reads("Everything works without one");
    tab.reads("No model was found on this computer.");
    tab.press_text("main", "Look again");
    tab.reads("No model was found on this computer.");
    stage.run(&["key", "new", "--tenant", "another"]);
    tab.press_text("main", "Look again");
    tab.reads("can only be connected by people working on it");
}
