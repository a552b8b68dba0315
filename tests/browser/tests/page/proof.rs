//! The browser proves the log by itself, and notices when a byte of it is another.

use crate::stage::Stage;

#[test]
fn the_log_is_proven_in_the_browser_and_a_changed_one_is_not() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/audit");
    tab.press_text("main", "Prove it here");
    tab.reads("events verified.");
    tab.reads("signed checkpoint");
    for (change, message) in [
        (
            "lines[3] = lines[3].replace('\"ts\":1', '\"ts\":2')",
            "has another root, so an event before it was changed",
        ),
        ("lines.splice(4, 1)", "is not where it belongs"),
        ("lines[4] = '{'", "there is something that isn't part of a log"),
        (
            "lines[1] = lines[1].replace(/ ([A-Za-z0-9+/=]{90,})/, (_, word) => ' ' + word.slice(0, 40) + (word[40] === 'A' ? 'B' : 'A') + word.slice(41))",
            "is not signed by the trusted key",
        ),
    ] {
        tab.visit("/ui/p/nora-lindqvist/audit");
        tab.see("sh-audit .proof");
        tab.run(&format!("const {{ lines }} = document.querySelector('sh-audit'); {change}"));
        tab.press_text("main", "Prove it here");
        tab.reads("The log can't be trusted:");
        tab.reads(message);
    }
}

#[test]
fn a_log_without_a_key_to_check_it_with_is_not_called_wrong() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/p/nora-lindqvist/audit");
    let file = stage.path("home/default/persona/nora-lindqvist/persona.json");
    let mut document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    document.as_object_mut().unwrap().remove("signature").expect("the demo is signed");
    std::fs::write(&file, document.to_string()).unwrap();
    tab.press_text("main", "Prove it here");
    tab.reads("The log could not be checked: this persona has no signature");
    tab.run("window.fetch = () => Promise.reject(new TypeError('no way'))");
    tab.press_text("main", "Prove it here");
    tab.reads("The log could not be checked: The server isn't answering.");
}
