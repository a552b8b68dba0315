//! Ctrl-C at a server on a terminal: what is waited for is said, and a second one stops at once.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::Stage;
use crate::terminal::{Terminal, slow_model};

/// A server on a terminal, and its address.
fn serving(stage: &Stage) -> (Terminal, String) {
    let mut terminal = Terminal::open(stage, &["serve", "--port", "0"]);
    terminal.wait_for("listening on http://");
    let address = terminal.wait_for("\n").trim().to_owned();
    (terminal, address)
}

#[test]
fn an_idle_server_says_that_it_stops_and_waits_for_nobody() {
    let (mut terminal, _) = serving(&Stage::with_inara());
    terminal.interrupt("\u{3}");
    terminal.wait_for("stopping");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn an_open_answer_is_waited_for_until_ctrl_c_is_pressed_again() {
    let stage = Stage::with_inara();
    let _left = slow_model(&stage);
    let key = stage.run(&["key", "new", "--speaks", "owner", "-o", "quiet"]).stdout.trim().to_owned();
    let (mut terminal, address) = serving(&stage);
    let mut stream = TcpStream::connect(&address).unwrap();
    let body =
        r#"{"model":"inara","stream":true,"messages":[{"role":"user","content":"Tell me everything."}]}"#;
    let head = format!("POST /v1/chat/completions HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\n");
    let kind = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{kind}{body}").as_bytes()).unwrap();
    let (mut answer, mut bytes) = (String::new(), [0; 4096]);
    while !answer.contains("word3") {
        let read = stream.read(&mut bytes).unwrap();
        assert!(read > 0, "{answer}");
        answer.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }
    terminal.interrupt("\u{3}");
    terminal.wait_for("stopping: waiting for ");
    let said = terminal.wait_for("\n");
    assert!(said.contains("1 answer, at most 20 s; Ctrl-C again stops at once"), "{said}");
    terminal.interrupt("\u{3}");
    terminal.wait_for("stopped at once; open answers are stored as interrupted");
    assert_eq!(terminal.ended(), 130);
}
