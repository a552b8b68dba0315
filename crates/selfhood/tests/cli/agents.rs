//! `selfhood mcp` and `selfhood hook`: an agent on stdin and stdout, its client's settings, and recall without a call.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::{Ran, Stage};

fn message(id: u32, method: &str, params: &Value) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn calling(id: u32, tool: &str, arguments: &Value) -> String {
    message(id, "tools/call", &json!({ "name": tool, "arguments": arguments }))
}

/// The answers by their ids; every line of stdout must be one.
fn answers(ran: &Ran) -> Vec<Value> {
    let mut lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert!(lines.iter().all(|line| line["jsonrpc"] == "2.0"), "{}", ran.stdout);
    lines.sort_by_key(|line| line["id"].as_u64());
    lines
}

#[test]
fn an_agent_is_answered_on_stdout_line_by_line_with_and_without_a_server() {
    let stage = Stage::with_inara();
    for is_served in [false, true] {
        let serving = is_served.then(|| stage.serve(&[]));
        let handshake = json!({ "protocolVersion": "2025-06-18", "capabilities": {} });
        let input = message(1, "initialize", &handshake)
            + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\n"
            + &message(2, "tools/list", &json!({}))
            + &calling(3, "get_memory", &json!({ "id": "mem:000000000000" }))
            + "nonsense\n";
        let ran = stage.run_with_input(&input, &["mcp", "--persona", "inara"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let answers = answers(&ran);
        assert_eq!(answers.len(), 4, "{}", ran.stdout);
        assert_eq!(answers[0]["error"]["code"], -32700, "served: {is_served}");
        assert_eq!(answers[1]["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(answers[2]["result"]["tools"].as_array().unwrap().len(), 8);
        assert_eq!(answers[3]["result"]["isError"], true);
        drop(serving);
    }
}

#[test]
fn an_agent_that_speaks_for_a_guest_sees_that_guests_memories_only() {
    let stage = Stage::with_inara();
    let add = |who: &str, gist: &str| {
        let ran = stage.run_with_input(
            &calling(1, "add_memory", &json!({ "gist": gist })),
            &["mcp", "--persona", "inara", "--subject", who],
        );
        assert!(answers(&ran)[0]["result"]["isError"].is_null(), "{}{}", ran.stdout, ran.stderr);
    };
    add("ana", "Ana sails.");
    add("ben", "Ben rows.");
    let list = calling(1, "list_memories", &json!({}));
    let anas = stage.run_with_input(&list, &["mcp", "--persona", "inara", "--subject", "ana"]).stdout;
    assert!(anas.contains("Ana sails.") && !anas.contains("Ben rows."), "{anas}");
}

#[test]
fn a_client_with_a_handshake_asks_its_person_before_a_memory_is_forgotten() {
    let stage = Stage::with_inara();
    let mut command = stage.command(&[], &["mcp", "--persona", "inara", "--subject", "ana"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut exchange = |line: &str| -> Value {
        stdin.write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    exchange(&message(
        1,
        "initialize",
        &json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} } }),
    ));
    let added = exchange(&calling(2, "add_memory", &json!({ "gist": "Ana sails." })));
    let id = &added["result"]["structuredContent"]["memory"]["id"];
    for (forget, id_of_call) in [(false, 3), (true, 4)] {
        let question = exchange(&calling(id_of_call, "forget_memory", &json!({ "id": id })));
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let said = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": { "yes": forget } } });
        let done = exchange(&format!("{said}\n"));
        assert_eq!(
            (&done["id"], &done["result"]["structuredContent"]["forgotten"]),
            (&json!(id_of_call), &json!(forget)),
            "{done}"
        );
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A graph as the reference memory server keeps it.
const GRAPH: &str = r#"{"type":"entity","name":"Mira","entityType":"boat","observations":["is red","was built in Rijeka, a long way from here"]}
{"type":"entity","name":"Rijeka","entityType":"city","observations":[]}
{"type":"relation","from":"Mira","to":"Rijeka","relationType":"lies_in"}
"#;

#[test]
fn a_graph_of_the_reference_server_comes_in_is_used_and_goes_out_as_it_was() {
    let stage = Stage::with_inara();
    let file = stage.write("memory.jsonl", GRAPH);
    let imported = stage.run(&["import", &file, "--persona", "inara", "--subject", "ana"]);
    assert_eq!(imported.status, 0, "{}{}", imported.stdout, imported.stderr);
    let input = calling(1, "open_nodes", &json!({ "names": ["Mira"] }))
        + &calling(
            2,
            "add_observations",
            &json!({ "observations": [{ "entityName": "Rijeka", "contents": ["has a harbour"] }] }),
        )
        + &calling(
            3,
            "delete_observations",
            &json!({ "deletions": [{ "entityName": "Mira", "observations": ["is red"] }] }),
        );
    let mcp = ["mcp", "--persona", "inara", "--subject", "ana", "--profile", "reference"];
    let mut found = Vec::new();
    for line in input.lines() {
        found.extend(answers(&stage.run_with_input(&format!("{line}\n"), &mcp)));
    }
    let expected = json!({
        "entities": [{ "name": "Mira", "entityType": "boat", "observations": ["is red", "was built in Rijeka, a long way from here"] }],
        "relations": [{ "from": "Mira", "to": "Rijeka", "relationType": "lies_in" }],
    });
    assert_eq!(found[0]["result"]["structuredContent"], expected);
    assert!(found[1..].iter().all(|answer| answer["result"]["isError"].is_null()), "{found:?}");
    let exported = stage.run(&["export", "--persona", "inara", "--as", "reference", "--with-pii"]);
    let lines: Vec<Value> = exported.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines,
        [
            json!({ "type": "entity", "name": "Mira", "entityType": "boat", "observations": ["was built in Rijeka, a long way from here"] }),
            json!({ "type": "entity", "name": "Rijeka", "entityType": "city", "observations": ["has a harbour"] }),
            json!({ "type": "relation", "from": "Mira", "to": "Rijeka", "relationType": "lies_in" }),
        ],
        "{}",
        exported.stderr
    );
}

#[test]
fn an_operators_tools_are_offered_at_the_machine_and_not_to_a_guests_agent() {
    let stage = Stage::with_inara();
    let health = calling(1, "check_health", &json!({}));
    let owner = stage.run_with_input(&health, &["mcp", "--persona", "inara", "--profile", "admin"]);
    assert!(answers(&owner)[0]["result"]["structuredContent"]["checks"].is_array(), "{}", owner.stdout);
    let guest = stage
        .run_with_input(&health, &["mcp", "--persona", "inara", "--profile", "admin", "--subject", "ana"]);
    assert_eq!(answers(&guest)[0]["error"]["data"]["code"], "forbidden", "{}", guest.stdout);
}

#[test]
fn asked_to_end_an_agents_program_answers_what_it_has_begun_and_ends() {
    let stage = Stage::with_inara();
    let mut command = stage.command(&[], &["mcp", "--persona", "inara", "--subject", "ana"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    stdin.write_all(message(1, "ping", &json!({})).as_bytes()).unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    stdin.write_all(calling(2, "add_memory", &json!({ "gist": "Ana sails." })).as_bytes()).unwrap();
    // The message is read before the signal can be.
    std::thread::sleep(std::time::Duration::from_millis(100));
    let kill = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    line.clear();
    stdout.read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(2), &Value::Null), "{answer}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(stage.run(&["memory", "list", "-o", "json"]).stdout.contains("Ana sails."));
}

#[cfg(target_os = "linux")]
#[test]
fn the_doctor_tells_which_clients_have_a_persona_and_how_the_others_get_one() {
    let stage = Stage::with_inara();
    stage.write("user/.cursor/mcp.json", "{}");
    stage.write("user/.codex/config.toml", "");
    let found = || {
        let rows = as_user(&stage, &["doctor", "-o", "json"]).rows();
        let agents = rows.into_iter().filter(|row| row["check"] == "agents");
        agents.collect::<Vec<Value>>()
    };
    let before = found();
    let about = |rows: &[Value], name: &str| {
        rows.iter().find(|row| row["about"] == name).cloned().unwrap_or_default()
    };
    let offer = "selfhood mcp install --client cursor --persona inara";
    assert!(about(&before, "Cursor")["wayOut"].as_str().unwrap_or_default().contains(offer), "{before:?}");
    assert!(
        about(&before, "Codex")["wayOut"].is_string() && about(&before, "VS Code").is_null(),
        "{before:?}"
    );
    as_user(&stage, &["mcp", "install", "--client", "cursor", "--persona", "inara"]);
    let _serving = stage.serve(&[]);
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "cursor-vscode", "version": "3" } });
    stage.run_with_input(&message(1, "initialize", &hello), &["mcp", "--persona", "inara"]);
    let after = found();
    assert!(
        about(&after, "Cursor")["detail"].as_str().unwrap_or_default().contains("for inara"),
        "{after:?}"
    );
    assert!(
        about(&after, "cursor-vscode")["detail"].as_str().unwrap_or_default().contains("inara"),
        "{after:?}"
    );
}

#[test]
fn what_an_agent_asks_of_a_persona_that_is_not_there_is_answered_on_stdout_too() {
    let stage = Stage::with_inara();
    let ran = stage.run_with_input(&message(1, "initialize", &json!({})), &["mcp", "--persona", "nobody"]);
    assert_eq!(answers(&ran)[0]["error"]["data"]["code"], "persona_not_found", "{}", ran.stdout);
}

/// Runs the command as a user whose folder is `user` below the stage.
fn as_user(stage: &Stage, arguments: &[&str]) -> Ran {
    let home = stage.at("user");
    fs::create_dir_all(&home).unwrap();
    stage.run_in(&[("HOME", home.as_str())], arguments)
}

const CLIENTS: [(&str, &str, &str, &str); 5] = [
    ("claude-code", ".claude.json", "{\n  \"numStartups\": 4\n}\n", "mcpServers"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json", "{}", "mcpServers"),
    (
        "cursor",
        ".cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"other\": { \"url\": \"x\" }\n  }\n}\n",
        "mcpServers",
    ),
    ("vscode", ".config/Code/User/mcp.json", "{\n\t// ours\n\t\"servers\": {},\n}\n", "servers"),
    (
        "codex",
        ".codex/config.toml",
        "# mine\nmodel = \"gpt\" # fast\n\n[mcp_servers.other]\nurl = \"x\"\n",
        "",
    ),
];

#[cfg(target_os = "linux")]
#[test]
fn a_persona_is_added_to_a_client_once_shown_kept_and_taken_out_again() {
    let stage = Stage::with_inara();
    for (client, file, before, servers) in CLIENTS {
        let path = format!("user/{file}");
        stage.write(&path, before);
        let install = ["mcp", "install", "--client", client, "--persona", "inara"];
        let printed = as_user(&stage, &[install.as_slice(), &["--print"]].concat());
        assert!(printed.stdout.contains("+++"), "{client}: {} {}", printed.stdout, printed.stderr);
        assert_eq!(stage.read(&path), before, "{client}: only shown");

        let done = as_user(&stage, &install);
        assert_eq!(done.status, 0, "{client}: {}", done.stderr);
        let after = stage.read(&path);
        assert!(after.contains("--persona") && after.contains(&stage.at("home")), "{client}: {after}");
        let kept: Vec<&str> =
            before.lines().filter(|line| line.contains("mine") || line.contains("ours")).collect();
        assert!(kept.iter().all(|line| after.contains(line)), "{client}: {after}");
        if !servers.is_empty() && client != "vscode" {
            let entry = &stage.json(&path)[servers]["selfhood"];
            assert_eq!(entry["args"], json!(["mcp", "--persona", "inara"]), "{client}");
        }
        assert_eq!(stage.read(&format!("{path}.before-selfhood")), before, "{client}: as it was");
        let again = as_user(&stage, &install);
        assert_eq!((again.status, again.stdout.as_str()), (0, ""), "{client}: once is enough");

        let removed = as_user(&stage, &["mcp", "install", "--client", client, "--remove"]);
        assert_eq!(removed.status, 0, "{client}: {}", removed.stderr);
        assert!(!stage.read(&path).contains("selfhood"), "{client}: {}", stage.read(&path));
    }
}

const TEAM: &str = r#"{
	"inputs": [
		// the key of the tracker
		{ "type": "promptString", "id": "tracker" } // asked once
	],
	"servers": {
		/* a server */ "github": { "type": "http", "url": "https://example.org/mcp" },
	},
}
"#;

#[cfg(target_os = "linux")]
#[test]
fn what_a_client_has_beside_our_entry_keeps_its_comments_and_its_form() {
    let stage = Stage::with_inara();
    let file = "user/.config/Code/User/mcp.json";
    stage.write(file, TEAM);
    let to_server =
        ["mcp", "install", "--client", "vscode", "--url", "http://127.0.0.1:7337/mcp/inara"].as_slice();
    assert_eq!(as_user(&stage, to_server).status, 0);
    let after = stage.read(file);
    assert!(after.contains("// the key of the tracker") && after.contains("/* a server */"), "{after}");
    assert!(after.contains("\"id\": \"tracker\" }, // asked once"), "{after}");
    assert_eq!(after.matches("selfhood-key").count(), 2, "{after}");
    assert_eq!(as_user(&stage, to_server).stdout, "", "once is enough");
    // The server is asked no more, and neither is the user.
    as_user(&stage, &["mcp", "install", "--client", "vscode", "--remove"]);
    assert_eq!(stage.read(file), TEAM);

    let hooks = "{\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"say done\" } ] } ]\n  }\n}\n";
    stage.write("user/.claude/settings.json", hooks);
    let auto = ["mcp", "install", "--client", "claude-code", "--persona", "inara", "--auto"];
    assert_eq!(as_user(&stage, &auto).status, 0);
    let line = "[ { \"hooks\": [ { \"type\": \"command\", \"command\": \"say done\" } ] }";
    assert!(stage.read("user/.claude/settings.json").contains(line));
    assert_eq!(as_user(&stage, &auto).stdout, "", "once is enough");
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_user_added_to_our_entry_stays_when_the_rest_of_it_changes() {
    let stage = Stage::with_inara();
    let file = "user/.codex/config.toml";
    stage.write(
        file,
        "[mcp_servers.selfhood] # mine\ncommand = \"old\"\nstartup_timeout_sec = 30 # slow disk\n",
    );
    let install = ["mcp", "install", "--client", "codex", "--persona", "inara"];
    assert_eq!(as_user(&stage, &install).status, 0);
    let after = stage.read(file);
    assert!(after.contains("# mine\n") && after.contains("startup_timeout_sec = 30 # slow disk"), "{after}");
    assert!(!after.contains("\"old\"") && after.contains("\"--persona\""), "{after}");
    assert_eq!(as_user(&stage, &install).stdout, "", "once is enough");
    let to_server = ["mcp", "install", "--client", "codex", "--url", "http://127.0.0.1:7337/mcp/inara"];
    assert_eq!(as_user(&stage, &to_server).status, 0);
    let after = stage.read(file);
    assert!(!after.contains("command") && after.contains("bearer_token_env_var"), "{after}");

    stage.write(
        "user/.cursor/mcp.json",
        "{ \"mcpServers\": { \"selfhood\": { \"command\": \"old\", \"disabled\": true } } }",
    );
    assert_eq!(as_user(&stage, &["mcp", "install", "--client", "cursor", "--persona", "inara"]).status, 0);
    let entry = &stage.json("user/.cursor/mcp.json")["mcpServers"]["selfhood"];
    assert_eq!((&entry["disabled"], &entry["args"][0]), (&json!(true), &json!("mcp")), "{entry}");

    stage.write(file, "mcp_servers = 3\n");
    let refused = as_user(&stage, &[install.as_slice(), &["-o", "json"]].concat());
    assert_eq!((refused.status, &refused.problem()["code"]), (5, &json!("conflict")));
    assert_eq!(stage.read(file), "mcp_servers = 3\n");
}

#[test]
fn a_clients_broken_file_is_left_as_it_is() {
    let stage = Stage::with_inara();
    let file = stage.write("mcp.json", "{\n  \"mcpServers\": \n}\n");
    let refused = as_user(
        &stage,
        &["mcp", "install", "--client", "cursor", "--persona", "inara", "--file", &file, "-o", "json"],
    );
    assert_eq!((refused.status, &refused.problem()["code"]), (5, &json!("conflict")));
    assert_eq!(stage.read("mcp.json"), "{\n  \"mcpServers\": \n}\n");
}

#[cfg(target_os = "linux")]
#[test]
fn with_hooks_a_prompt_brings_memories_back_and_an_answer_is_learnt_from() {
    let stage = Stage::with_inara();
    stage.write("user/.claude/settings.json", "{\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }]\n  }\n}\n");
    let done = as_user(
        &stage,
        &["mcp", "install", "--client", "claude-code", "--persona", "inara", "--subject", "ana", "--auto"],
    );
    assert_eq!(done.status, 0, "{}", done.stderr);
    let settings = stage.json("user/.claude/settings.json");
    assert_eq!(settings["hooks"]["Stop"].as_array().unwrap().len(), 2, "{settings}");
    assert!(
        settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
            .as_str()
            .unwrap()
            .ends_with(" hook prompt")
    );

    let _serving = stage.serve(&[]);
    let user = stage.at("user");
    let work = stage.at("work");
    fs::create_dir_all(&work).unwrap();
    let hook = |verb: &str, hook_input: Value| {
        let mut command =
            stage.command(&[("HOME", user.as_str()), ("SELFHOOD_HOOK_SECONDS", "120")], &["hook", verb]);
        command.env_remove("SELFHOOD_HOME");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        child.stdin.take().unwrap().write_all(hook_input.to_string().as_bytes()).unwrap();
        crate::ended(child.wait_with_output().unwrap())
    };
    let transcript = stage.write(
        "transcript.jsonl",
        json!({ "type": "user", "message": { "role": "user", "content": "My name is Ana and I love sailing." } }).to_string()
            + "\n"
            + &json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "tool_result", "content": "harpsichord" }] } }).to_string()
            + "\n",
    );
    let hook_input = json!({ "cwd": work, "session_id": "0b1f", "transcript_path": transcript, "last_assistant_message": "Noted." });
    let stopped = hook("stop", hook_input.clone());
    assert_eq!((stopped.status, stopped.stdout.as_str()), (0, ""));
    let kept = stage.run(&["memory", "list", "-o", "json"]).stdout;
    assert!(kept.contains("sailing") && !kept.contains("harpsichord"), "{kept}");
    let said = json!({ "type": "user", "message": { "role": "user", "content": "My password: hunter2" } });
    stage.write("transcript.jsonl", said.to_string());
    hook("stop", hook_input);
    let found = stage.run(&["session", "search", "password", "--subject", "ana", "-o", "json"]).stdout;
    assert!(found.contains("[secret]") && !found.contains("hunter2"), "{found}");

    let prompted = hook("prompt", json!({ "cwd": work, "prompt": "What do I love to do?" }));
    let output: Value =
        serde_json::from_str(&prompted.stdout).unwrap_or_else(|error| panic!("{error}: {}", prompted.stdout));
    let context = output["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("sailing") && context.chars().count() <= 10_000, "{context}");

    let document = "home/default/persona/inara/persona.json";
    stage.write(document, stage.read(document).replace("\"safetyTier\": 2", "\"safetyTier\": 1"));
    let paused = hook("prompt", json!({ "cwd": work, "prompt": "What do I love to do?" })).stdout;
    assert!(paused.contains("selfhood persona sign") && !paused.contains("sailing"), "{paused}");

    fs::write(stage.path("work/.selfhood-off"), "").unwrap();
    for hook_input in [json!({ "cwd": work, "prompt": "Hello" }), json!({ "cwd": 7 }), json!("nonsense")] {
        let silent = hook("prompt", hook_input.clone());
        assert_eq!((silent.status, silent.stdout.as_str()), (0, ""), "{hook_input}");
    }
}
