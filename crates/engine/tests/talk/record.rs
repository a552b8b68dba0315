//! What stays of a conversation, and what does not.

use engine::converse::History;
use llm::Message;
use store::{Documents, Records, Speaker, TurnState};

use super::fixture::{Fixture, guest, in_session, privately};
use domain::Text;
use engine::converse::Utterance;

fn history_of(said: &[(&str, &str)]) -> History {
    let pairs = said.iter().flat_map(|(user, reply)| {
        [Message::User((*user).into()), Message::Assistant { text: (*reply).into(), calls: Vec::new() }]
    });
    History::Sent(pairs.collect())
}

#[tokio::test]
async fn both_sides_of_an_exchange_are_recorded_in_one_conversation() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let first = fixture.say(guest("ana", "Good morning, I am Ana.")).await;
    assert!(first.contains("Nora"), "{first}");
    assert!(first.contains("No language model is connected"), "{first}");
    fixture.later(1);
    let session = fixture.sessions().await.remove(0);
    let second = fixture.say(in_session(session.id.as_str(), guest("ana", "What is my name?"))).await;
    assert!(!second.contains("No language model"), "it is said once: {second}");
    let turns = fixture.turns(session.id.as_str()).await;
    let spoken: Vec<(Speaker, u32)> = turns.iter().map(|turn| (turn.speaker, turn.index)).collect();
    let expected =
        [(Speaker::Subject, 0), (Speaker::Persona, 1), (Speaker::Subject, 2), (Speaker::Persona, 3)];
    assert_eq!(spoken, expected);
    assert_eq!(turns[2].parent.as_ref(), Some(&turns[0].exchange));
}

#[tokio::test]
async fn the_same_again_is_a_regeneration_and_an_edit_leaves_what_followed_behind() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let ana = |message: &str, history| Utterance { history, ..in_session("s1", guest("ana", message)) };
    let hi = fixture.say(ana("hello", history_of(&[]))).await;
    fixture.say(ana("Remember that my dog is called Bruno.", history_of(&[("hello", hi.as_str())]))).await;
    fixture.say(ana("Remember that my dog is called Bruno.", history_of(&[("hello", hi.as_str())]))).await;
    let states: Vec<TurnState> = fixture.turns("s1").await.iter().map(|turn| turn.state).collect();
    assert_eq!(
        states,
        [TurnState::Whole, TurnState::Whole, TurnState::Whole, TurnState::Superseded, TurnState::Whole],
        "one question, two answers, one stands"
    );
    assert_eq!(fixture.gists().await.len(), 1, "and it is learnt once");

    fixture.say(ana("Remember that my cat is called Bruno.", history_of(&[("hello", hi.as_str())]))).await;
    let standing: Vec<String> = fixture
        .turns("s1")
        .await
        .iter()
        .filter(|turn| turn.state == TurnState::Whole && turn.speaker == Speaker::Subject)
        .map(|turn| turn.text.as_str().to_owned())
        .collect();
    assert_eq!(standing, ["hello", "Remember that my cat is called Bruno."]);
    let gists = fixture.gists().await;
    assert!(gists.iter().all(|gist| !gist.contains("dog")), "what the edit replaced is set aside: {gists:?}");
}

#[tokio::test]
async fn a_conversation_without_a_name_is_known_by_how_it_began_until_it_is_over() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(guest("ana", "hello")).await;
    fixture.say(Utterance { history: history_of(&[("hello", "hi")]), ..guest("ana", "how are you?") }).await;
    assert_eq!(fixture.sessions().await.len(), 1);
    fixture.say(guest("bob", "hello")).await;
    assert_eq!(fixture.sessions().await.len(), 2, "another person's is another");
    fixture.later(60 * 24);
    fixture.say(guest("ana", "hello")).await;
    assert_eq!(fixture.sessions().await.len(), 3, "tomorrow's is another");
    fixture.say(Utterance { history: history_of(&[("hello", "hi")]), ..guest("ana", "good day") }).await;
    assert_eq!(fixture.sessions().await.len(), 3, "and it goes on");
}

#[tokio::test]
async fn a_named_speakers_conversation_is_resumed_while_it_is_fresh_and_its_history_agrees() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let sending = |sent: &[(&str, &str)], message: &str| Utterance {
        history: history_of(sent),
        ..guest("ana", message)
    };
    fixture.say(sending(&[], "hello")).await;
    fixture.later(11 * 60);
    fixture.say(sending(&[("hello", "hi")], "I am Ana")).await;
    assert_eq!(fixture.sessions().await.len(), 1, "eleven hours later it is the same");
    fixture.say(sending(&[("hello", "hi"), ("I moved to York", "oh")], "and you?")).await;
    assert_eq!(fixture.sessions().await.len(), 2, "another history is another conversation");
    fixture.say(sending(&[("hello", "hi"), ("I am Ana", "hi")], "and I sing")).await;
    assert_eq!(fixture.sessions().await.len(), 2, "the one that agrees goes on");
    fixture.say(sending(&[], "hello")).await;
    assert_eq!(fixture.sessions().await.len(), 3, "the first words of one that has moved on begin another");
    fixture.say(guest("ana", "hello")).await;
    fixture.say(guest("ana", "hello")).await;
    assert_eq!(fixture.sessions().await.len(), 5, "without a history, only what got no answer is resumed");
    fixture.later(13 * 60);
    fixture.say(sending(&[("hello", "hi"), ("I am Ana", "hi"), ("and I sing", "oh")], "bye")).await;
    assert_eq!(fixture.sessions().await.len(), 6, "after thirteen hours it is over");
}

#[tokio::test]
async fn a_named_session_without_a_history_continues_the_record() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let ana = |message: &str, history| Utterance { history, ..in_session("s1", guest("ana", message)) };
    fixture.say(ana("Remember that my dog is called Bruno.", history_of(&[]))).await;
    fixture.say(ana("hello", history_of(&[]))).await;
    fixture.say(ana("a new question", history_of(&[("a summary of the talk", "indeed")]))).await;
    let turns = fixture.turns("s1").await;
    assert!(turns.iter().all(|turn| turn.state == TurnState::Whole) && turns.len() == 6, "{turns:?}");
    assert_eq!(fixture.gists().await.len(), 1, "nothing is superseded");
}

#[tokio::test]
async fn a_conversation_goes_off_the_record_with_its_history_and_back() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(in_session("s1", guest("ana", "hello"))).await;
    let off =
        fixture.say(privately(in_session("s1", guest("ana", "Remember that my pin is heronblue.")))).await;
    assert!(!off.contains("No language model"), "it knows that this goes on: {off}");
    let back = fixture.say(in_session("s1", guest("ana", "What is my pin?"))).await;
    assert!(!back.contains("heronblue"), "{back}");
    assert_eq!(fixture.turns("s1").await.len(), 4);
    let refused = fixture.begin(privately(in_session("s1", guest("bob", "and mine?")))).await.unwrap_err();
    assert_eq!(refused.code, wire::Code::SessionNotFound);
}

#[tokio::test]
async fn somebody_elses_conversation_is_not_there() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(in_session("s1", guest("ana", "hello"))).await;
    let refused = fixture.begin(in_session("s1", guest("bob", "hello"))).await.unwrap_err();
    assert_eq!(refused.code, wire::Code::SessionNotFound);
}

#[tokio::test]
async fn only_the_owners_talk_is_written_into_the_day_log() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(guest("ana", "my secret is a blue door")).await;
    fixture.say(Utterance::new(Text::new("Good morning Nora, the boiler is fixed."))).await;
    fixture.later(1);
    fixture.say(Utterance::new(Text::new("And the lift too."))).await;
    let store = fixture.engine.store();
    let scope = fixture.scope().await;
    let log = store.read(&scope, "sessions/2026-05-01.md".parse().unwrap()).await.unwrap().unwrap();
    let text = log.content.as_str();
    assert!(text.starts_with("# 2026-05-01\n"), "{text}");
    assert_eq!(text.matches("# 2026-05-01").count(), 1);
    assert!(text.contains("the boiler is fixed") && text.contains("And the lift too."), "{text}");
    assert_eq!(text.matches("<!-- turn:").count(), 4);
    assert!(!text.contains("blue door"));
}

#[tokio::test]
async fn off_the_record_leaves_nothing_and_still_goes_on() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let before = fixture.engine.store().revision(&fixture.scope().await).await.unwrap();
    let conversation =
        fixture.begin(privately(guest("ana", "Remember that my pin is heronblue."))).await.unwrap();
    assert_eq!(conversation.recall, None);
    let session = conversation.session.clone();
    conversation.whole().await.unwrap();
    let again = fixture.say(privately(in_session(session.as_str(), guest("ana", "and again")))).await;
    assert!(!again.contains("No language model"), "it knows that this goes on: {again}");
    assert!(fixture.sessions().await.is_empty() && fixture.gists().await.is_empty());
    tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    let after = fixture.engine.store().revision(&fixture.scope().await).await.unwrap();
    assert_eq!(before, after, "not one write");
    let elsewhere =
        fixture.begin(privately(in_session("sess:unknown", guest("ana", "hi")))).await.unwrap_err();
    assert_eq!(elsewhere.code, wire::Code::SessionElsewhere);
}

#[tokio::test]
async fn what_the_tenant_forbids_is_neither_recorded_nor_answered() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let policy = serde_json::json!({ "blockedTerms": ["night heron"], "escalationKeywords": ["a human"] });
    let policy = wire::read::read_value(policy).unwrap();
    fixture.engine.put_safety_policy(&fixture.call(), policy).await.unwrap();
    let refused = fixture.begin(guest("ana", "Tell me about the Night-Heron.")).await.unwrap_err();
    assert_eq!(refused.code, wire::Code::GuardrailBlocked);
    assert!(fixture.sessions().await.is_empty());
    let passed = fixture.begin(guest("ana", "I want a human!")).await.unwrap();
    assert_eq!(passed.escalation.as_deref(), Some("a human"));
}

#[tokio::test]
async fn a_listener_who_leaves_leaves_an_interrupted_answer() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let conversation = fixture.begin(in_session("s1", guest("ana", "hello there"))).await.unwrap();
    drop(conversation);
    for _ in 0..200 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        if fixture.turns("s1").await.len() == 2 {
            break;
        }
    }
    let turns = fixture.turns("s1").await;
    assert_eq!(turns[0].text.as_str(), "hello there");
    assert!(turns.len() == 1 || turns[1].state != TurnState::Superseded);
}
