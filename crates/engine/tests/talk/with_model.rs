//! What a model does with the persona's tools, and with long conversations.

use std::sync::Mutex;

use engine::converse::{History, Utterance};
use serde_json::{Value, json};
use store::{DocumentName, Records};

use super::fixture::{Fixture, guest, in_session, privately};
use engine_testkit::scripted_model::{calling, talking, words};

const NOW: &str = "2026-05-01T09:00:00Z";

/// A model that calls `tool` once, and then repeats its result.
fn repeats_the_result_of_the_tool(
    tool: &'static str,
    arguments: &'static str,
) -> impl Fn(&Value) -> Option<Value> + Send + Sync {
    move |question| {
        let last = question["messages"].as_array().unwrap().last().unwrap();
        Some(match last["role"].as_str().unwrap() {
            "tool" => words(last["content"].as_str().unwrap()),
            _ => calling(tool, arguments),
        })
    }
}

async fn anas_reminders(fixture: &Fixture) -> Option<String> {
    let (scope, ana) = (fixture.scope().await, "ana".parse().unwrap());
    let paper = fixture.engine.store().subject_document(&scope, &ana, DocumentName::Reminders).await.unwrap();
    paper.map(|paper| paper.content.as_str().to_owned())
}

#[tokio::test]
async fn a_model_keeps_a_reminder_for_whoever_is_talking() {
    let (roles, asked) =
        talking(repeats_the_result_of_the_tool("add_reminder", r#"{"text":"water the plants"}"#)).await;
    let fixture = Fixture::with(NOW, roles).await;
    let answer = fixture.say(guest("ana", "Remind me to water the plants.")).await;
    assert_eq!(answer, "noted: water the plants");
    assert_eq!(anas_reminders(&fixture).await.as_deref(), Some("- [ ] water the plants\n"));
    let offered = asked.lock().unwrap()[0]["tools"].as_array().unwrap().len();
    assert_eq!(offered, 16);
}

#[tokio::test]
async fn a_wrong_call_of_a_tool_is_explained_to_the_model() {
    for (tool, arguments, shown) in [
        ("add_reminder", "{", "error: the arguments are not valid JSON"),
        ("add_reminder", r#"{"txt":"x"}"#, "error: "),
        ("add_cron", r#"{"schedule":"yearly","type":"note","text":"x"}"#, "error: /schedule"),
        ("fly", "{}", "error: there is no tool `fly`"),
    ] {
        let (roles, _) = talking(repeats_the_result_of_the_tool(tool, arguments)).await;
        let fixture = Fixture::with(NOW, roles).await;
        let answer = fixture.say(guest("ana", "Please do that.")).await;
        assert!(answer.starts_with(shown), "{tool} {arguments}: {answer}");
        assert_eq!(anas_reminders(&fixture).await, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_can_do_nothing_for_a_talk_that_was_forgotten_while_it_spoke() {
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let (wait, tells) =
        (Mutex::new(wait), repeats_the_result_of_the_tool("remember", r#"{"text":"I like herons"}"#));
    let (roles, asked) = talking(move |question| {
        let _ = tokio::task::block_in_place(|| wait.lock().unwrap().recv());
        tells(question)
    })
    .await;
    let fixture = Fixture::with(NOW, roles).await;
    let conversation = fixture.begin(guest("ana", "Good morning.")).await.unwrap();
    fixture.until(|| !asked.lock().unwrap().is_empty()).await;
    let (session, ana) = (conversation.session.clone(), Some("ana".parse().unwrap()));
    fixture.engine.delete_session(&fixture.call(), &fixture.persona, &session, ana).await.unwrap();
    go_on.send(()).unwrap();
    let problem = conversation.whole().await.unwrap_err();
    assert_eq!(problem.code, wire::Code::SessionNotFound, "{problem:?}");
    assert_eq!(fixture.gists().await, [""; 0]);
}

#[tokio::test]
async fn off_the_record_nothing_that_writes_is_offered_or_done() {
    for (tool, arguments) in [
        ("add_reminder", r#"{"text":"heronblue"}"#),
        ("append_scratch", r#"{"text":"heronblue"}"#),
        ("add_task", r#"{"title":"heronblue"}"#),
        ("add_cron", r#"{"schedule":"hourly","type":"note","text":"heronblue"}"#),
        ("remember", r#"{"text":"my pin is heronblue"}"#),
    ] {
        let (roles, asked) = talking(repeats_the_result_of_the_tool(tool, arguments)).await;
        let fixture = Fixture::with(NOW, roles).await;
        let before = fixture.engine.store().revision(&fixture.scope().await).await.unwrap();
        let conversation = fixture.begin(privately(guest("ana", "Write that down."))).await.unwrap();
        let answer = conversation.whole().await.unwrap().text;
        assert!(answer.as_str().contains("off the record"), "{}", answer.as_str());
        let after = fixture.engine.store().revision(&fixture.scope().await).await.unwrap();
        assert_eq!(before, after, "{tool} wrote");
        let asked = asked.lock().unwrap();
        let offered: Vec<&str> = asked[0]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|offer| offer["function"]["name"].as_str().unwrap())
            .collect();
        let reading =
            ["list_reminders", "read_scratch", "list_tasks", "list_crons", "search_sessions", "recall"];
        assert_eq!(offered, reading);
    }
}

#[tokio::test]
async fn an_answer_given_anew_knows_what_the_first_one_knew() {
    let (roles, asked) = talking(|_| Some(words("I see."))).await;
    let fixture = Fixture::with(NOW, roles).await;
    let sauna = json!({
        "kind": "semantic", "gist": "The sauna opens at seven.", "salience": 0.9, "emotionalValence": 0.0,
        "privacyClass": "non-pii", "consentBasis": "not-applicable"
    });
    fixture.remember(sauna).await;
    let ask = || Utterance {
        history: History::Sent(Vec::new()),
        ..in_session("s1", guest("ana", "When does the sauna open?"))
    };
    for _ in 0..3 {
        fixture.say(ask()).await;
    }
    // A clear question would bring it back all the same.
    fixture.say(in_session("s1", guest("ana", "Thank you, that is kind."))).await;
    let asked = asked.lock().unwrap();
    let prompts = asked.iter().filter(|question| question["stream"] == json!(true));
    let knows = |question: &Value| {
        question["messages"][0]["content"].as_str().unwrap().contains("The sauna opens at seven.")
    };
    let shown: Vec<bool> = prompts.map(knows).collect();
    assert_eq!(shown, [true, true, true, false], "what was told rests only from the next turn on");
}

/// Whether the model is asked to condense a conversation.
fn is_summary(question: &Value) -> bool {
    question["messages"][0]["content"].as_str().unwrap().starts_with("You condense")
}

/// Says eleven things, so that the conversation grows too long, and waits a little for what follows.
async fn long_talk(fixture: &mut Fixture) {
    for n in 0..11 {
        fixture.say(in_session("s1", guest("ana", &format!("Then came thing number {n} of many.")))).await;
        fixture.later(1);
    }
}

#[tokio::test]
async fn a_long_conversation_is_summarised_by_the_model_and_the_next_prompt_reads_that() {
    let (roles, asked) = talking(|question| {
        let summary =
            "Ana told of a row of things, numbered from 0, and the persona listened to each of them.";
        Some(words(if is_summary(question) { summary } else { "I see." }))
    })
    .await;
    let mut fixture = Fixture::with(NOW, roles).await;
    long_talk(&mut fixture).await;
    fixture.compacted("s1").await;
    fixture.say(in_session("s1", guest("ana", "What now?"))).await;
    let last = asked
        .lock()
        .unwrap()
        .iter()
        .rev()
        .find(|question| question["stream"] == json!(true))
        .cloned()
        .unwrap();
    let messages = last["messages"].as_array().unwrap();
    let system = messages[0]["content"].as_str().unwrap();
    assert!(
        system.contains("A summary of turns 0 to 11 by tiny") && system.contains("a row of things"),
        "{system}"
    );
    assert_eq!(messages.len(), 1 + 22 - 12 + 1, "the turns it covers are not read again");
}

#[tokio::test]
async fn a_summary_that_fails_or_says_nothing_leaves_everything_as_it_was() {
    for summary in [None, Some("Nothing.")] {
        let (roles, asked) =
            talking(
                move |question| {
                    if is_summary(question) { summary.map(words) } else { Some(words("I see.")) }
                },
            )
            .await;
        let mut fixture = Fixture::with(NOW, roles).await;
        long_talk(&mut fixture).await;
        for _ in 0..400 {
            if asked.lock().unwrap().iter().any(is_summary) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let session = fixture.sessions().await.remove(0);
        assert_eq!(session.checkpoint, None);
        assert_eq!(fixture.turns("s1").await.len(), 22);
    }
}
