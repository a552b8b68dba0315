//! The commands of the timeline's published design, run as they are printed there. Only host, key and
//! ids differ; the revision's placeholder id is replaced as its reader would replace it.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::listeners::Running;

const APPEND: &str = include_str!("seed_examples/append.sh");
const REVISE: &str = include_str!("seed_examples/revise.sh");
const SUPERSEDE: &str = include_str!("seed_examples/supersede.sh");
const LIST: &str = include_str!("seed_examples/list.sh");
const CHECK: &str = include_str!("seed_examples/check.sh");

/// Runs `command` in a shell against `running`, as whoever copied it would.
async fn run(command: &str, running: &Running, persona: &str, entry: &str) -> Value {
    let command = command.replace("https://api.person.run", &running.url);
    let command = command.replace("original-timeline-entry-id", entry);
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).stderr(Stdio::null());
    shell.env("PERSONA_ID", persona).env("TIMELINE_ID", entry);
    shell.env("PERSON_API_KEY", &running.key).env("PERSON_TENANT_ID", "scott").env("no_proxy", "*");
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{command}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_published_commands_work_as_they_are_printed() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no curl on this machine, so the published commands were not run");
        return;
    }
    let fixture = Fixture::new().await;
    let persona = fixture.maya().await;
    let running = Running::start(fixture).await;

    let appended = run(APPEND, &running, &persona, "").await;
    let entry = &appended["timelineEntry"];
    assert_eq!((&entry["sequence"], &entry["eventLabel"]), (&json!(2), &json!("First day at new startup")));
    let id = entry["id"].as_str().unwrap();

    let revised = run(REVISE, &running, &persona, id).await;
    let revision = &revised["timelineEntry"];
    assert_eq!((&revision["revisesTimelineId"], &revision["sequence"]), (&json!(id), &json!(3)), "{revised}");

    let listed = run(LIST, &running, &persona, "").await;
    assert_eq!((&listed["total"], &listed["timeline"][1]["id"]), (&json!(2), &revision["id"]), "{listed}");

    let superseded = run(SUPERSEDE, &running, &persona, revision["id"].as_str().unwrap()).await;
    let reason = &superseded["timelineEntry"]["supersededReason"];
    assert_eq!(reason, "Contained incorrect date; corrected in a newer entry.");

    let report = run(CHECK, &running, &persona, "").await;
    assert_eq!(
        (&report["report"]["personaId"], &report["report"]["issueCount"]),
        (&json!(persona), &json!(0))
    );
    running.stop().await;
}
