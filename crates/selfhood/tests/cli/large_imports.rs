//! Imports that are larger than what is held of them, and imports that don't get to their end.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Stage;

/// How much may be resident while a file of any size is imported.
const MOST_RESIDENT: u64 = 150 << 20;
/// How large the file is that is tried on every run, and how long one of its turns is.
const FILE_BYTES: usize = 24 << 20;
const TURN_WORDS: usize = 120;
const TURNS: usize = 60;

/// A conversation of a ChatGPT export.
fn conversation(number: usize) -> Value {
    let mut mapping =
        json!({ "root": { "id": "root", "parent": null, "children": ["n0"], "message": null } });
    for turn in 0..TURNS {
        let role = if turn % 2 == 0 { "user" } else { "assistant" };
        let words = format!("Harbour {number} lamp {turn} ").repeat(TURN_WORDS / 4);
        let parent = if turn == 0 { "root".to_owned() } else { format!("n{}", turn - 1) };
        let children = if turn + 1 < TURNS { vec![format!("n{}", turn + 1)] } else { Vec::new() };
        mapping[format!("n{turn}")] = json!({
            "id": format!("n{turn}"), "parent": parent, "children": children,
            "message": {
                "id": format!("m{number}-{turn}"), "author": { "role": role }, "recipient": "all",
                "create_time": 1_700_000_000 + number * 1000 + turn, "metadata": {},
                "content": { "content_type": "text", "parts": [words] },
            },
        });
    }
    let last = format!("n{}", TURNS - 1);
    json!({ "conversation_id": format!("c{number}"), "title": "Lamps", "mapping": mapping, "current_node": last })
}

/// An export of about so many bytes, and how many turns it has.
fn export(bytes: usize) -> (String, usize) {
    let mut text = "[".to_owned();
    let mut number = 0;
    while text.len() < bytes {
        write!(text, "{}{}", if number == 0 { "" } else { "," }, conversation(number)).unwrap();
        number += 1;
    }
    text.push(']');
    (text, number * TURNS)
}

/// The most that was resident of a running program so far.
#[cfg(target_os = "linux")]
fn most_resident(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_export_is_read_piece_by_piece() {
    let stage = Stage::with_inara();
    let (text, turns) = export(FILE_BYTES);
    let file = stage.write("conversations.json", text);
    let mut child = stage
        .command(&[], &["import", &file, "-o", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most_resident(&child).unwrap_or(0).max(most);
        sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let taken: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &taken["turns"]), (Some(0), &json!(turns)), "{taken}");
    assert!(most > 0 && most <= MOST_RESIDENT, "{} MB were resident", most >> 20);
}

/// Starts a command, and kills it once the persona's database has grown past `bytes`.
fn killed_at(stage: &Stage, words: &[&str], persona: &str, bytes: u64) {
    let mut child = stage.command(&[], words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let folder = stage.at(&format!("home/default/persona/{persona}"));
    let size = |name: &str| fs::metadata(Path::new(&folder).join(name)).map_or(0, |about| about.len());
    while size("memory.db") + size("memory.db-wal") < bytes {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn lines(count: usize) -> String {
    let line = |number: usize| {
        json!({
            "kind": "semantic", "gist": format!("Locker {number} holds the oars of boat {number}."), "details": [],
            "salience": 0.6, "emotionalValence": 0.0, "privacyClass": "non-pii", "consentBasis": "not-applicable",
            "createdAt": "2026-01-02T03:04:05.000Z",
        })
    };
    (0..count).flat_map(|number| [line(number).to_string(), "\n".to_owned()]).collect()
}

fn gists(stage: &Stage) -> Vec<String> {
    let exported = stage.run(&["export", "--persona", "inara"]).stdout;
    let gist = |line: &str| serde_json::from_str::<Value>(line).ok()?["gist"].as_str().map(str::to_owned);
    let mut gists: Vec<String> = exported.lines().filter_map(gist).collect();
    gists.sort();
    gists
}

#[test]
fn an_import_of_a_bundle_that_was_interrupted_is_run_again_and_ends_whole() {
    let (here, there) = (Stage::with_inara(), Stage::new());
    let file = here.write("lines.jsonl", lines(3000));
    assert_eq!(here.run(&["import", &file, "--no-wait"]).status, 0);
    let bundle = here.at("inara.persona");
    assert_eq!(here.run(&["persona", "export", "inara", &bundle]).status, 0);
    killed_at(&there, &["persona", "import", &bundle], "inara", 1 << 20);
    let partial = gists(&there).len();
    assert!(partial < 3000, "{partial}");
    let ran = there.run(&["persona", "import", &bundle]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("was made of this before"), "{}", ran.stderr);
    assert_eq!(gists(&there), gists(&here));
    let again = there.run(&["persona", "import", &bundle]);
    assert!(again.status == 0 && again.stderr.contains("imported 0 memories"), "{}", again.stderr);
}

#[test]
fn an_import_of_conversations_that_was_interrupted_is_run_again_and_ends_whole() {
    let stage = Stage::with_inara();
    let (text, turns) = export(12 << 20);
    let file = stage.write("conversations.json", text);
    killed_at(&stage, &["import", &file], "inara", 4 << 20);
    let again = stage.run(&["import", &file, "-o", "json"]).object();
    let added = again["turns"].as_u64().unwrap();
    let there = again["duplicates"].as_u64().unwrap();
    assert!(added > 0 && added + there == turns as u64, "{again}");
    let third = stage.run(&["import", &file, "-o", "json"]).object();
    assert_eq!((&third["turns"], &third["duplicates"]), (&json!(0), &json!(turns)), "{third}");
}
