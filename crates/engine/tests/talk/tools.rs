//! What can be done on behalf of whoever talks, and on nobody else's.

use domain::Text;
use engine::ExpectedVersion;
use engine::converse::Utterance;
use serde_json::{Value, json};
use store::{DocumentName, Documents, Records};
use wire::read::read_value;
use wire::{Code, Problem};

use super::fixture::Fixture;

async fn tool(fixture: &Fixture, who: &str, name: &str, arguments: Value) -> Result<String, Problem> {
    let asked = read_value(json!({ "subject": who, "arguments": arguments })).unwrap();
    let answer = fixture.engine.use_tool(&fixture.call(), &fixture.persona, name, asked).await?;
    Ok(answer.result.as_str().to_owned())
}

async fn file(fixture: &Fixture, name: DocumentName) -> String {
    let read = fixture.engine.store().read(&fixture.scope().await, name).await.unwrap();
    read.map(|document| document.content.as_str().to_owned()).unwrap_or_default()
}

#[tokio::test]
async fn the_owners_documents_are_files_and_everyone_elses_are_sealed_and_their_own() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    for who in ["owner", "ana", "bob"] {
        write_down(&fixture, who).await;
    }
    for name in [DocumentName::Reminders, DocumentName::Scratch, DocumentName::Tasks, DocumentName::Crons] {
        let text = file(&fixture, name).await;
        assert!(text.contains("owner") && !text.contains("ana") && !text.contains("bob"), "{name}: {text}");
        let ana = "ana".parse().unwrap();
        let sealed =
            fixture.engine.store().subject_document(&fixture.scope().await, &ana, name).await.unwrap();
        assert!(sealed.unwrap().content.as_str().contains("ana"));
    }
    for (who, others) in [("owner", ["ana", "bob"]), ("ana", ["owner", "bob"]), ("bob", ["owner", "ana"])] {
        for name in ["list_reminders", "read_scratch", "list_tasks", "list_crons"] {
            let reply_text = tool(&fixture, who, name, json!({})).await.unwrap();
            assert!(
                reply_text.contains(who) && others.iter().all(|other| !reply_text.contains(other)),
                "{name}: {reply_text}"
            );
        }
    }
}

/// Writes down one of each for `who`: a reminder, a note, a task and a daily job.
async fn write_down(fixture: &Fixture, who: &str) {
    tool(fixture, who, "add_reminder", json!({ "text": format!("call {who}'s mother") })).await.unwrap();
    tool(fixture, who, "append_scratch", json!({ "text": format!("{who} likes blue") })).await.unwrap();
    tool(fixture, who, "add_task", json!({ "title": format!("mend {who}'s roof") })).await.unwrap();
    let job = json!({ "schedule": "daily:08:00", "type": "brief", "text": format!("{who}'s day") });
    tool(fixture, who, "add_cron", job).await.unwrap();
}

async fn merge(fixture: &Fixture, from: &str, into: &str) {
    let asked = read_value(json!({ "from": from })).unwrap();
    fixture.engine.merge_subjects(&fixture.call(), &into.parse().unwrap(), asked).await.unwrap();
}

#[tokio::test]
async fn a_merged_person_keeps_the_tasks_jobs_and_notes_of_both_and_the_tools_can_read_them() {
    for (from, into) in [("ana", "bob"), ("ana", "owner")] {
        let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
        for who in [from, into] {
            fixture
                .begin(Utterance { subject: Some(who.parse().unwrap()), ..Utterance::new("hello".into()) })
                .await
                .unwrap();
            write_down(&fixture, who).await;
        }
        merge(&fixture, from, into).await;
        for name in ["list_reminders", "read_scratch", "list_tasks", "list_crons"] {
            let listed = tool(&fixture, into, name, json!({})).await.unwrap();
            assert!(listed.contains(from) && listed.contains(into), "{into}, {name}: {listed}");
        }
        let tasks = tool(&fixture, into, "list_tasks", json!({})).await.unwrap();
        assert!(tasks.contains("t1 ") && tasks.contains("t2 "), "each has an id of its own: {tasks}");
        let done = tool(&fixture, into, "complete_task", json!({ "which": "t2" })).await.unwrap();
        assert!(done.contains(from), "{done}");
    }
}

#[tokio::test]
async fn a_guest_who_turns_out_to_be_the_owner_loses_nothing_that_the_owner_has_no_file_for() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture
        .begin(Utterance { subject: Some("ana".parse().unwrap()), ..Utterance::new("hello".into()) })
        .await
        .unwrap();
    write_down(&fixture, "ana").await;
    merge(&fixture, "ana", "owner").await;
    for name in [DocumentName::Reminders, DocumentName::Scratch, DocumentName::Tasks, DocumentName::Crons] {
        let text = file(&fixture, name).await;
        assert_eq!(text.matches("ana").count(), 1, "{name}: {text}");
        let owner = "owner".parse().unwrap();
        let row =
            fixture.engine.store().subject_document(&fixture.scope().await, &owner, name).await.unwrap();
        assert!(row.is_none(), "{name} is a file and nothing else");
    }
}

#[tokio::test]
async fn a_broken_edit_by_hand_is_reported_and_stays_as_it_is() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let scope = fixture.scope().await;
    let store = fixture.engine.store();
    let before = store.read(&scope, DocumentName::Tasks).await.unwrap().unwrap();
    let broken = "[ { \"title\": \"half";
    store.write(&scope, DocumentName::Tasks, Some(before.hash), Text::new(broken)).await.unwrap();
    for (name, arguments) in [("add_task", json!({ "title": "x" })), ("list_tasks", json!({}))] {
        let refused = tool(&fixture, "owner", name, arguments).await.unwrap_err();
        assert_eq!(refused.code, Code::MalformedJson);
        assert!(
            refused.detail.contains("TASKS.json") && refused.detail.contains("line 1"),
            "{}",
            refused.detail
        );
    }
    assert_eq!(file(&fixture, DocumentName::Tasks).await, broken);
}

#[tokio::test]
async fn wrong_arguments_are_reported_with_their_place() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    for (name, arguments, reply_text) in [
        ("add_reminder", json!({}), "text"),
        ("add_reminder", json!({ "text": "x", "due": "2026-02-30" }), "not a valid date"),
        ("add_reminder", json!({ "text": "x", "colour": "red" }), "colour"),
        ("add_cron", json!({ "schedule": "yearly", "type": "note", "text": "x" }), "/schedule"),
        ("add_cron", json!({ "schedule": "daily", "type": "dance", "text": "x" }), "/type"),
        ("complete_task", json!({ "which": "nothing" }), "no task"),
        ("fly", json!({}), "add_reminder"),
    ] {
        let refused = tool(&fixture, "ana", name, arguments).await.unwrap_err();
        assert!(refused.detail.contains(reply_text), "{name}: {}", refused.detail);
    }
}

#[tokio::test]
async fn what_it_is_asked_to_remember_is_remembered_once_and_only_for_its_subject() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    for _ in 0..2 {
        let reply_text = tool(&fixture, "ana", "remember", json!({ "text": "my sister's name is Ilinca." }))
            .await
            .unwrap();
        assert_eq!(reply_text, "remembered");
    }
    assert_eq!(fixture.gists().await.len(), 1, "{:?}", fixture.gists().await);
    let mine = tool(&fixture, "ana", "recall", json!({ "cue": "the name of my sister" })).await.unwrap();
    assert!(mine.contains("Ilinca"), "{mine}");
    let theirs = tool(&fixture, "bob", "recall", json!({ "cue": "the name of my sister" })).await.unwrap();
    assert!(!theirs.contains("Ilinca"), "{theirs}");
}

#[tokio::test]
async fn a_file_is_written_only_over_what_was_seen_and_only_if_it_can_be_read_again() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let call = fixture.call();
    let content = |text: &str| read_value(json!({ "content": text })).unwrap();
    let write = async |name: &str, seen: ExpectedVersion, text: &str| {
        fixture.engine.write_file(&call, &fixture.persona, name, &seen, content(text)).await
    };
    let soul = fixture.engine.read_file(&call, &fixture.persona, "SOUL.md").await.unwrap().file;
    let tag = || ExpectedVersion::Tags(vec![soul.entry.etag.clone()]);
    assert_eq!(
        write("SOUL.md", ExpectedVersion::Unsaid, "x").await.unwrap_err().code,
        Code::PreconditionRequired
    );
    assert_eq!(
        write("SOUL.md", ExpectedVersion::Nothing, "x").await.unwrap_err().code,
        Code::PreconditionFailed
    );
    let written = write("SOUL.md", tag(), "I am patient.\n").await.unwrap().file;
    assert_eq!((written.content.as_str(), written.entry.tokens.0), ("I am patient.\n", 4));
    assert_eq!(write("SOUL.md", tag(), "y").await.unwrap_err().code, Code::PreconditionFailed);
    for name in ["../secret", "memory.db", "soul.md", ""] {
        assert_eq!(write(name, tag(), "x").await.unwrap_err().code, Code::NotFound, "{name}");
    }
    let day = write("sessions/2026-05-01.md", ExpectedVersion::Nothing, "x").await.unwrap_err();
    assert_eq!(day.code, Code::Forbidden);
    let document = fixture.engine.read_file(&call, &fixture.persona, "persona.json").await.unwrap().file;
    let seen = || ExpectedVersion::Tags(vec![document.entry.etag.clone()]);
    let other = document.content.as_str().replace("\"nora\"", "\"mallory\"");
    for (text, code) in
        [("{", Code::MalformedJson), ("{}", Code::ValidationFailed), (&other, Code::ValidationFailed)]
    {
        assert_eq!(write("persona.json", seen(), text).await.unwrap_err().code, code);
    }
    let tasks = fixture.engine.read_file(&call, &fixture.persona, "TASKS.json").await.unwrap().file;
    let refused =
        write("TASKS.json", ExpectedVersion::Tags(vec![tasks.entry.etag]), "[{}]").await.unwrap_err();
    assert_eq!(refused.code, Code::MalformedJson);
    let list = fixture.engine.list_files(&call, &fixture.persona).await.unwrap();
    let sum: u32 = list.files.iter().map(|file| file.tokens.0).sum();
    assert_eq!(list.tokens.0, sum);
    assert!(list.files.iter().any(|file| file.name == "SOUL.md" && file.tier == Some(2)));
}
