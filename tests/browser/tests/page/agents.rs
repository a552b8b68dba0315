//! Settings show which agents came, and the command by which each client gets a persona's memory.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::json;

use crate::stage::Stage;

/// An agent that says hello over `selfhood mcp`.
fn hello(stage: &Stage, name: &str) {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": name, "version": "2.1" },
    });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let mut command = stage.command(&["mcp", "--persona", "nora-lindqvist"]);
    let mut agent = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    writeln!(agent.stdin.take().unwrap(), "{message}").unwrap();
    let said = String::from_utf8(agent.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("protocolVersion"), "{said}");
}

#[test]
fn settings_show_the_agents_that_came_and_how_to_connect_a_client() {
    let stage = Stage::demo();
    let tab = stage.signed_in();
    tab.visit("/ui/settings");
    tab.reads("No agent has connected in the last day.");
    for client in ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] {
        tab.reads(&format!("selfhood mcp install --client {client} --persona nora-lindqvist"));
    }
    hello(&stage, "<b>claude-code</b>");
    tab.visit("/ui/health");
    tab.visit("/ui/settings");
    tab.reads("<b>claude-code</b>");
    tab.reads("this machine");
    tab.press_text("sh-agents", "Copy");
    tab.until("return /Copied|Selected/.test(document.querySelector('sh-toasts').innerText)");
    let found = tab.violations();
    assert!(found.is_empty(), "{found:#?}");
}
