//! Tests of drafts that say something has changed, which only the rules produce.

use std::sync::Arc;

use domain::{Actor, Brightness, Kind, PrivacyClass, Salience, Text, Valence};
use formation::{Author, Draft, Formed, Replaces, Verdict};
use serde_json::{Value, json};
use store::{Batch, Change, Memory, Store};
use vault::hash::KeyedHash;
use vault::key::Secret;
use vault::randomness::SeededRandomness;
use vault::signature::SigningKey;
use wire::read::read_value;

use super::atom::detached_turn;
use super::{FormedBy, Forming};
use crate::{Call, Caller, Consent, Distillation, Encoding, Engine, Parts, PersonaKey};

fn draft(gist: &str, replaces: Replaces) -> Draft {
    Draft {
        kind: Kind::Semantic,
        gist: Text::from(gist),
        details: Vec::new(),
        salience: Salience::clamped(0.6),
        valence: Valence::clamped(0.0),
        privacy_class: PrivacyClass::GuestPii,
        tags: Vec::new(),
        is_asked_for: false,
        author: Author::Speaker,
        said_by: Some(Text::from("Tomas")),
        event_date: "2026-10".parse().ok(),
        cues: Vec::new(),
        replaces,
    }
}

async fn engine() -> (Engine, Call, PersonaKey) {
    engine_speaking("en").await
}

/// An engine with a persona of this language.
async fn engine_speaking(language: &str) -> (Engine, Call, PersonaKey) {
    let operator = || SigningKey::from_seed(&Secret::from_bytes([5; 32]));
    let randomness = Arc::new(SeededRandomness::new(7));
    let engine = Engine::new(Parts {
        store: Store::Memory(Memory::new(operator(), randomness.clone())),
        signers: vec![operator().public_key()],
        operator: operator(),
        deployment: "did:selfhood:test".parse().unwrap(),
        pepper: KeyedHash::new(Secret::from_bytes([9; 32])),
        randomness,
        consent: Consent { added: Vec::new(), formation: domain::ConsentBasis::service_delivery() },
        open_bytes: 1 << 30,
        roles: crate::talk::converse::Roles::default(),
        distillation: Distillation::default(),
        encoders: crate::built_in_encoders(),
        encoding: Encoding::WhenAsked,
    });
    let caller = Caller::local("inn".parse().unwrap(), Actor::operator("did:key:test"));
    let call = Call { caller, now: "2026-05-01T09:00:00Z".parse().unwrap(), request: None };
    let asked = json!({ "name": "nora", "description": "I look after guests." });
    engine.set_up_persona(&call, read_value(asked).unwrap()).await.unwrap();
    let key: PersonaKey = "nora".parse().unwrap();
    engine.update_persona(&call, &key, read_value(json!({ "language": language })).unwrap()).await.unwrap();
    (engine, call, key)
}

/// The memories after Tomas said each turn, of which each is several drafts, to a persona of `language` in English.
async fn memories_after(language: &str, turns: Vec<Vec<Draft>>) -> Vec<Value> {
    let (engine, mut call, key) = engine_speaking(language).await;
    let persona = engine.find(&call, &key).await.unwrap();
    for (number, drafts) in (0..).zip(turns) {
        call.now = domain::Timestamp::from_millis(call.now.as_millis() + DAYS_APART);
        let (subject, session) = ("tomas".parse().unwrap(), "s1".parse().unwrap());
        let (session, turn) = detached_turn(&subject, session, number, &drafts[0].gist, call.now);
        let (open, _) = engine.view(&persona).await.unwrap();
        let forming = Forming {
            persona: &persona,
            open: &open,
            session: &session,
            turn: &turn,
            reply_index: None,
            foreign_language: (language != "en").then(|| "en".to_owned()),
            by: FormedBy::Rules,
            now: call.now,
        };
        let verdicts = drafts.into_iter().map(|draft| Verdict::Formed(Formed::Remember(draft))).collect();
        let learning = engine.learn_all(&forming, Batch::at(call.now), verdicts).await.unwrap();
        engine.commit(&persona.entry.scope(), learning.batch).await.unwrap();
        engine.vectors_settled(&call, &key).await.unwrap();
    }
    let page = engine.list_memories(&call, &key, read_value(json!({})).unwrap()).await.unwrap();
    serde_json::to_value(page).unwrap()["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn what_is_said_in_another_language_is_compared_in_that_language() {
    let said = ["I like fish.", "I don't like fish."].map(|gist| vec![draft(gist, Replaces::Nothing)]);
    for language in ["en", "de", "fr"] {
        let memories = memories_after(language, said.to_vec()).await;
        let mut gists: Vec<&str> = memories.iter().map(|memory| memory["gist"].as_str().unwrap()).collect();
        gists.sort_unstable();
        assert_eq!(gists, ["I don't like fish.", "I like fish."], "a persona that speaks {language}");
    }
}

#[tokio::test]
async fn what_a_turn_says_twice_is_one_memory_with_the_details_and_the_pin_of_both() {
    let first = draft("My dog Bruno sleeps under the old table.", Replaces::Nothing);
    let again = Draft {
        details: vec![(Text::from("He is nine years old"), Brightness::MOST)],
        is_asked_for: true,
        ..first.clone()
    };
    let memories = memories_after("en", vec![vec![first, again]]).await;
    let [memory] = memories.as_slice() else { panic!("{memories:?}") };
    assert_eq!(memory["details"][0]["content"], "He is nine years old", "{memory}");
    assert_eq!(memory["pinned"], true, "{memory}");
}

/// How surely the drafts change something that do.
const SURE: f32 = 1.0;

/// What is said days apart is no slip of the tongue a moment ago.
const DAYS_APART: i64 = 3 * 86_400_000;

/// The gists after Tomas said each of these, one turn each, days apart.
async fn gists_after(said: &[(&str, Replaces)]) -> Vec<String> {
    let (engine, mut call, key) = engine().await;
    let persona = engine.find(&call, &key).await.unwrap();
    for (number, (gist, replaces)) in (0..).zip(said) {
        call.now = domain::Timestamp::from_millis(call.now.as_millis() + DAYS_APART);
        let (subject, session) = ("tomas".parse().unwrap(), "s1".parse().unwrap());
        let (session, turn) = detached_turn(&subject, session, number, &Text::from(*gist), call.now);
        let (open, _) = engine.view(&persona).await.unwrap();
        let forming = Forming {
            persona: &persona,
            open: &open,
            session: &session,
            turn: &turn,
            reply_index: None,
            foreign_language: None,
            by: FormedBy::Rules,
            now: call.now,
        };
        let verdicts = vec![Verdict::Formed(Formed::Remember(draft(gist, *replaces)))];
        let learning = engine.learn_all(&forming, Batch::at(call.now), verdicts).await.unwrap();
        let is_new = |change: &Change| {
            let Change::PutAtom(new) = change else { return false };
            new.atom.said_by == Some(Text::from("Tomas")) && new.atom.event_date == "2026-10".parse().ok()
        };
        assert!(learning.batch.changes.iter().any(is_new), "{gist}");
        engine.commit(&persona.entry.scope(), learning.batch).await.unwrap();
        engine.vectors_settled(&call, &key).await.unwrap();
    }
    let page = engine.list_memories(&call, &key, read_value(json!({})).unwrap()).await.unwrap();
    let page = serde_json::to_value(page).unwrap();
    let mut gists: Vec<String> =
        page["data"].as_array().unwrap().iter().map(|it| it["gist"].as_str().unwrap().to_owned()).collect();
    gists.sort();
    gists
}

#[tokio::test]
async fn what_changed_supersedes_the_memory_it_is_about_and_no_other() {
    use Replaces::{Nothing, Perhaps};
    for (new, gone) in [
        ("Tomas moved to York.", "Tomas lives in Leeds."),
        ("Tomas now works as a baker.", "Tomas works at a bank."),
        ("The dinner with Ana is on Thursday, not on Friday.", "Tomas has dinner with Ana on Friday."),
    ] {
        let known = [
            "Tomas lives in Leeds.",
            "Tomas works at a bank.",
            "Tomas has dinner with Ana on Friday.",
            "Tomas plays the cello.",
            "Tomas can't stand coriander.",
        ];
        let said: Vec<(&str, Replaces)> =
            known.map(|gist| (gist, Nothing)).into_iter().chain([(new, Perhaps(SURE))]).collect();
        let mut expected: Vec<&str> = known.into_iter().filter(|gist| *gist != gone).chain([new]).collect();
        expected.sort_unstable();
        assert_eq!(gists_after(&said).await, expected, "{new}");
    }
}

#[tokio::test]
async fn what_replaces_something_that_is_not_known_stands_beside_the_rest() {
    let said =
        [("Tomas plays the cello.", Replaces::Nothing), ("Tomas moved to York.", Replaces::Perhaps(SURE))];
    assert_eq!(gists_after(&said).await, ["Tomas moved to York.", "Tomas plays the cello."]);
}
