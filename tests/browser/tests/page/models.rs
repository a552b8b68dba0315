//! Onboarding tells which model server runs on this machine, and what to write to use it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::stage::Stage;

/// A server that lists its models as Ollama does; it says on which port it listens.
fn ollama() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let body = "{\"object\":\"list\",\"data\":[{\"id\":\"llama3.2:3b\",\"object\":\"model\",\"created\":1760000000,\"owned_by\":\"library\"}]}";
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
            let _ =
                stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        }
    });
    port
}

#[test]
fn a_first_run_offers_the_model_server_that_it_finds_and_does_not_use_it() {
    let port = ollama();
    let stage = Stage::looking_at(port);
    let tab = stage.signed_in();
    tab.reads("Create your first persona");
    tab.reads(&format!("http://127.0.0.1:{port}/v1"));
    tab.reads("It has llama3.2:3b.");
    let lines = tab.text(".to-copy pre");
    assert!(lines.contains("model = \"llama3.2:3b\"") && lines.contains("[roles.chat]"), "{lines}");
    tab.press_text("main", "Copy");
    tab.until("return /Copied|Selected/.test(document.querySelector('sh-toasts').innerText)");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
    tab.visit("/ui/settings");
    tab.reads("No language model is connected.");
    tab.reads("It has llama3.2:3b.");
}

#[test]
fn without_a_model_server_the_page_says_so_and_that_all_works() {
    let stage = Stage::empty();
    let tab = stage.signed_in();
    tab.reads("Everything works without one");
    tab.reads("No model server was found on this computer.");
    tab.press_text("main", "Look again");
    tab.reads("No model server was found on this computer.");
    stage.run(&["key", "new", "--tenant", "another"]);
    tab.press_text("main", "Look again");
    tab.reads("only listed for people working on it");
}
