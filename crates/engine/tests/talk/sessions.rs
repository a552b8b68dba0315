//! What a speaker may do with their own conversations: list, read, name, take back.

use domain::{SessionId, Text};
use engine::TurnAddress;
use engine::converse::Utterance;
use serde_json::{Value, json};
use store::Documents;
use wire::read::read_value;
use wire::session::{EditTurn, HistoryFilter, RenameSession, SessionFilter, SessionHistory};
use wire::{Code, Problem};

use super::fixture::{Fixture, guest, in_session};

async fn history(fixture: &Fixture, session: &str, who: &str) -> Result<SessionHistory, Problem> {
    let asked: HistoryFilter = read_value(json!({ "subject": who })).unwrap();
    fixture.engine.show_session(&fixture.call(), &fixture.persona, &session.parse().unwrap(), asked).await
}

fn words(history: &SessionHistory) -> Vec<&str> {
    history.turns.iter().map(|turn| turn.text.as_str()).collect()
}

async fn titles(fixture: &Fixture, asked: Value) -> (Vec<String>, Option<String>) {
    let asked: SessionFilter = read_value(asked).unwrap();
    let page = fixture.engine.list_sessions(&fixture.call(), &fixture.persona, asked).await.unwrap();
    let titles = page.data.iter().map(|session| session.title.as_ref().unwrap().as_str().to_owned());
    (titles.collect(), page.next_cursor)
}

#[tokio::test]
async fn a_speaker_lists_their_own_latest_first_and_page_by_page() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    for (session, who, said) in [
        ("s1", "ana", "Good morning"),
        ("s2", "bob", "A secret"),
        ("s3", "ana", "Where is\nthe sauna?"),
        ("s4", "ana", "Good night"),
    ] {
        fixture.say(in_session(session, guest(who, said))).await;
        fixture.later(1);
    }
    let (first, cursor) = titles(&fixture, json!({ "subject": "ana", "limit": 2 })).await;
    assert_eq!(first, ["Good night", "Where is the sauna?"]);
    let (rest, end) = titles(&fixture, json!({ "subject": "ana", "limit": 2, "cursor": cursor })).await;
    assert_eq!((rest, end), (vec!["Good morning".to_owned()], None));
    let rename: RenameSession =
        read_value(json!({ "subject": "ana", "title": " My\u{202e} first\n" })).unwrap();
    let id = "s1".parse().unwrap();
    let named =
        fixture.engine.rename_session(&fixture.call(), &fixture.persona, &id, rename.clone()).await.unwrap();
    assert_eq!((named.session.title.unwrap().as_str(), named.session.turns), ("My first", 2));
    let other = RenameSession { subject: Some("bob".parse().unwrap()), ..rename };
    let refused =
        fixture.engine.rename_session(&fixture.call(), &fixture.persona, &id, other).await.unwrap_err();
    assert_eq!(refused.code, Code::SessionNotFound);
    assert_eq!(history(&fixture, "s2", "ana").await.unwrap_err().code, Code::SessionNotFound);
    assert_eq!(words(&history(&fixture, "s2", "bob").await.unwrap())[0], "A secret");
}

#[tokio::test]
async fn a_deleted_message_is_gone_from_history_memory_and_day_log() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let say = |text: &str| in_session("s1", Utterance::new(Text::new(text)));
    fixture.say(say("Remember that the wine cellar key is under the blue amphora.")).await;
    fixture.later(1);
    fixture.say(say("Remember that the lift is serviced on Mondays.")).await;
    assert_eq!(fixture.gists().await.len(), 2);
    let before = history(&fixture, "s1", "owner").await.unwrap();
    let first = before.turns[0].id;
    let session: SessionId = "s1".parse().unwrap();
    let strangers = Some("ana".parse().unwrap());
    let call = fixture.call();
    let refused = fixture
        .engine
        .delete_turn(
            &call,
            &fixture.persona,
            &TurnAddress { session: session.clone(), turn: first },
            strangers,
        )
        .await;
    assert_eq!(refused.unwrap_err().code, Code::SessionNotFound);
    fixture
        .engine
        .delete_turn(&call, &fixture.persona, &TurnAddress { session: session.clone(), turn: first }, None)
        .await
        .unwrap();
    let after = history(&fixture, "s1", "owner").await.unwrap();
    assert_eq!(after.turns.len(), 3);
    assert!(words(&after).iter().all(|text| !text.contains("under the blue")), "{:?}", words(&after));
    let gists = fixture.gists().await;
    assert!(gists.len() == 1 && gists[0].contains("lift"), "{gists:?}");
    let log = "sessions/2026-05-01.md".parse().unwrap();
    let log = fixture.engine.store().read(&fixture.scope().await, log).await.unwrap().unwrap();
    assert!(!log.content.as_str().contains(&first.to_string()), "{}", log.content.as_str());
    assert!(log.content.as_str().contains("serviced on Mondays"));
    fixture.later(1);
    fixture.say(say("And the boiler?")).await;
    let last = history(&fixture, "s1", "owner").await.unwrap();
    let numbers: Vec<u32> = last.turns.iter().map(|turn| turn.index).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5], "a deleted turn's number is not given again");
    let again = fixture
        .engine
        .delete_turn(
            &fixture.call(),
            &fixture.persona,
            &TurnAddress { session: session.clone(), turn: first },
            None,
        )
        .await;
    assert_eq!(again.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn an_edited_message_says_the_new_words_everywhere_and_is_learnt_anew() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(in_session("s1", Utterance::new(Text::new("Remember that my dog is called Bruno.")))).await;
    let before = history(&fixture, "s1", "owner").await.unwrap();
    let session: SessionId = "s1".parse().unwrap();
    let edit = |text: &str| -> EditTurn { read_value(json!({ "text": text })).unwrap() };
    let old = before.turns[0].id;
    let edited = fixture
        .engine
        .edit_turn(
            &fixture.call(),
            &fixture.persona,
            &TurnAddress { session: session.clone(), turn: old },
            edit("Remember that my cat is called Minka."),
        )
        .await
        .unwrap();
    assert_ne!(edited.turn.id, old);
    let after = history(&fixture, "s1", "owner").await.unwrap();
    assert_eq!(words(&after)[0], "Remember that my cat is called Minka.");
    assert_eq!(after.turns.len(), 2, "the answer stays where it was");
    let gists = fixture.gists().await;
    assert!(gists.len() == 1 && gists[0].contains("Minka"), "{gists:?}");
    let log = "sessions/2026-05-01.md".parse().unwrap();
    let log = fixture.engine.store().read(&fixture.scope().await, log).await.unwrap().unwrap();
    let log = log.content.as_str();
    assert!(log.contains("Minka") && !log.contains("Remember that my dog"), "{log}");
    assert!(log.find("Minka") < log.find("**Nora**"), "in its old place: {log}");
    let blank = read_value::<EditTurn>(json!({ "text": "  " }));
    assert_eq!(blank.unwrap_err().code, Code::ValidationFailed);
}

#[tokio::test]
async fn a_deleted_conversation_takes_along_what_was_learnt_in_it() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(in_session("s1", guest("ana", "Remember that my locker word is heron."))).await;
    fixture.say(in_session("s2", guest("ana", "Remember that I am allergic to walnuts."))).await;
    let count = fixture.gists().await.len();
    let session: SessionId = "s1".parse().unwrap();
    let ana = || Some("ana".parse().unwrap());
    fixture.engine.delete_session(&fixture.call(), &fixture.persona, &session, ana()).await.unwrap();
    assert_eq!(history(&fixture, "s1", "ana").await.unwrap_err().code, Code::SessionNotFound);
    assert_eq!(fixture.sessions().await.len(), 1);
    let gists = fixture.gists().await;
    assert!(gists.len() == count - 1 && gists.iter().all(|gist| !gist.contains("heron")), "{gists:?}");
    let again = fixture.engine.delete_session(&fixture.call(), &fixture.persona, &session, ana()).await;
    assert_eq!(again.unwrap_err().code, Code::SessionNotFound);
}

#[tokio::test]
async fn the_older_half_of_a_long_conversation_is_summarised() {
    let mut fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    let said = |n: usize| match n {
        1 => "My flight to Cluj leaves on 12 May at 07:40.".to_owned(),
        _ => format!("And then there was thing number {n}."),
    };
    for n in 0..13 {
        fixture.say(in_session("s1", guest("ana", &said(n)))).await;
        fixture.compacted("s1").await;
        fixture.later(1);
    }
    let history = history(&fixture, "s1", "ana").await.unwrap();
    assert_eq!(history.turns.len(), 26, "the record stays whole");
    let checkpoint = history.checkpoint.unwrap();
    let text = checkpoint.text.as_str();
    assert!(text.contains("No language model was asked") && text.contains("12 May at 07:40"), "{text}");
    assert_eq!(checkpoint.through, 11, "half of the 22 turns at which it grew too long, whole exchanges");
    let preview = json!({ "message": "hello", "subject": "ana", "sessionId": "s1" });
    let (call, asked) = (fixture.call(), read_value(preview).unwrap());
    let preview = fixture.engine.preview_context(&call, &fixture.persona, asked).await.unwrap();
    assert!(preview.prompt.as_str().contains("12 May at 07:40"), "the prompt knows it");
    assert_eq!(preview.history_turns, 26 - 12 + 1);

    let first = history.turns[2].id;
    let session: SessionId = "s1".parse().unwrap();
    let ana = Some("ana".parse().unwrap());
    fixture
        .engine
        .delete_turn(
            &fixture.call(),
            &fixture.persona,
            &TurnAddress { session: session.clone(), turn: first },
            ana,
        )
        .await
        .unwrap();
    let after = self::history(&fixture, "s1", "ana").await.unwrap();
    assert_eq!(after.checkpoint, None, "what tells of a deleted turn goes with it");
}

#[tokio::test]
async fn a_message_is_replaced_by_its_exchange_and_says_what_was_remembered_of_it() {
    let fixture = Fixture::new("2026-05-01T09:00:00Z").await;
    fixture.say(in_session("s1", guest("ana", "Remember that my dog is called Bruno."))).await;
    let asked: HistoryFilter = read_value(json!({ "subject": "ana", "includeFormation": true })).unwrap();
    let id = "s1".parse().unwrap();
    let seen =
        fixture.engine.show_session(&fixture.call(), &fixture.persona, &id, asked.clone()).await.unwrap();
    let formed = seen.turns[0].formed.as_ref().unwrap();
    assert!(formed.remembered[0].gist.as_str().contains("Bruno"), "{formed:?}");
    assert!(seen.turns[1].formed.is_none(), "a reply is part of what was asked");
    assert!(
        history(&fixture, "s1", "ana").await.unwrap().turns[0].formed.is_none(),
        "only where it is asked for"
    );

    let exchange = seen.turns[0].exchange_id.clone().unwrap();
    let instead = |exchange: String, message: &str| Utterance {
        history: engine::converse::History::InsteadOf(engine::converse::ExchangeId(exchange)),
        ..in_session("s1", guest("ana", message))
    };
    fixture.say(instead(exchange.clone(), "Remember that my cat is called Bruno.")).await;
    let now = fixture.engine.show_session(&fixture.call(), &fixture.persona, &id, asked).await.unwrap();
    assert_eq!(now.turns.len(), 2);
    assert_eq!(now.turns[0].text.as_str(), "Remember that my cat is called Bruno.");
    let gists = fixture.gists().await;
    assert!(gists.iter().all(|gist| !gist.contains("dog")), "what it replaced is set aside: {gists:?}");
    let refused = fixture
        .engine
        .converse(&fixture.call(), &fixture.persona, instead(exchange, "hello"))
        .await
        .unwrap_err();
    assert_eq!(refused.code, Code::NotFound, "it was replaced already");
}
