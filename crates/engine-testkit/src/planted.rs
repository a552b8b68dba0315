//! A persona who knows Ana in every way a persona can, and Bogdan, who must not notice that she goes.

use domain::{MemoryId, RecallId, SessionId, SubjectRef, Text, example};
use engine::{Call, Engine, PersonaKey};
use serde_json::{Value, json};
use store::{
    Batch, Change, Day, DocumentName, Documents, ExchangeId, Formation, Records, Scope, Session, Speaker,
    Trace, Turn, TurnId, TurnState, WrittenJson,
};
use uuid::Uuid;
use wire::erasure::{ErasureAnswer, RequestErasure, SignErasure};
use wire::read::read_value;

use crate::test_home::{call, maya, only_persona, remember};

/// The person who is forgotten.
pub const ANA: &str = "guest:ana";
/// Another person, of whom nothing may be lost.
pub const BOGDAN: &str = "guest:bogdan";
/// An address of Ana's.
pub const MAIL: &str = "ana.popescu@example.org";

/// What is there before anybody asks.
pub struct Planted {
    /// The persona.
    pub persona: PersonaKey,
    /// Its records.
    pub scope: Scope,
    /// Ana's own memory, one that mentions her, and Bogdan's that names her address.
    pub forgotten: [MemoryId; 3],
    /// Bogdan's, about something else.
    pub kept: MemoryId,
}

fn subject(name: &str) -> SubjectRef {
    name.parse().unwrap()
}

/// A conversation of `who`.
pub fn session(id: &str, who: &str, title: &str) -> Session {
    Session {
        id: id.parse().unwrap(),
        subject: subject(who),
        started_at: example::day(0),
        last_at: example::day(0),
        title: Some(Text::new(title)),
        checkpoint: None,
        state: Value::Null.into(),
    }
}

/// A turn in which a person says `text`.
pub fn turn(number: u128, session: &str, text: &str) -> Turn {
    let session: SessionId = session.parse().unwrap();
    Turn {
        id: TurnId(Uuid::from_u128(number)),
        exchange: ExchangeId(format!("{number}")),
        parent: None,
        index: u32::try_from(number).unwrap(),
        session,
        speaker: Speaker::Subject,
        at: example::day(0),
        text: Text::new(text),
        state: TurnState::Whole,
        formation: Formation::NotDue,
        recall: None,
        model: None,
        formed: None,
    }
}

/// Plants everything.
pub async fn plant(engine: &Engine) -> Planted {
    let persona = maya(engine).await;
    let scope = only_persona(engine).await.scope();
    let own = remember(engine, &persona, "She hides her letters under the blue scarf.", ANA).await;
    let kept = remember(engine, &persona, "Bogdan prefers the window table.", BOGDAN).await;
    let naming = remember(engine, &persona, &format!("Bogdan wrote to {MAIL} about it."), BOGDAN).await;
    let memory = json!({
        "kind": "episodic", "gist": "Two guests shared a taxi.", "salience": 0.8, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": BOGDAN, "mentions": [ANA]
    });
    let mention = engine.remember(&call(0), &persona, read_value(memory).unwrap()).await.unwrap();
    let mention = mention.memory.as_value()["id"].as_str().unwrap().parse().unwrap();
    let trace = Trace {
        recall: RecallId(Uuid::from_u128(77)),
        at: example::day(0),
        subject: Some(subject(BOGDAN)),
        shown: vec![kept],
        body: WrittenJson::of(&json!({ "cue": format!("who is {MAIL}?") })).unwrap(),
    };
    let batch = Batch::at(example::day(0))
        .with(Change::PutSession(Box::new(session("s-ana", ANA, "letters"))))
        .with(Change::AppendTurn(Box::new(turn(1, "s-ana", "I hide my letters."))))
        .with(Change::PutSession(Box::new(session("s-bogdan", BOGDAN, "about Ana Popescu"))))
        .with(Change::AppendTurn(Box::new(turn(2, "s-bogdan", "Ana Popescu told me so."))))
        .with(Change::AppendTurn(Box::new(turn(3, "s-bogdan", "The window table, please."))))
        .with(Change::PutTrace(Box::new(trace)))
        .with(Change::PutDocument(subject(ANA), DocumentName::MemoryShort, Text::new("letters")))
        .with(Change::PutDocument(
            subject(BOGDAN),
            DocumentName::MemoryShort,
            Text::new("Talked of Ana Popescu."),
        ));
    engine.store().commit(&scope, batch).await.unwrap();
    write_files(engine, &scope).await;
    Planted { persona, scope, forgotten: [own, mention, naming], kept }
}

async fn write_files(engine: &Engine, scope: &Scope) {
    let log = DocumentName::DayLog(Day::new(2026, 4, 22).unwrap());
    for (name, text) in [
        (DocumentName::Protocols, format!("Greet everyone.\nNever write to {MAIL}.\n")),
        (DocumentName::MemoryLong, "Ana Popescu comes in spring.\nThe sauna opens at seven.\n".to_owned()),
        (DocumentName::MemoryLongBackup1, "Ana Popescu came once.\n".to_owned()),
        (
            DocumentName::Tasks,
            json!({ "tasks": [{ "text": "Call Ána Popescu" }, { "text": "Buy tea" }] }).to_string(),
        ),
        (log, format!("# 2026-04-22\n\nOwner spoke of {MAIL}.\n")),
    ] {
        let found = engine.store().read(scope, name).await.unwrap().map(|document| document.hash);
        engine.store().write(scope, name, found, Text::new(text)).await.unwrap();
    }
}

/// The request to forget Ana, with her name and her address.
pub fn request() -> RequestErasure {
    let asked =
        json!({ "subject": ANA, "identifiers": ["Ana Popescu", MAIL], "reason": "right-to-be-forgotten" });
    read_value(asked).unwrap()
}

/// Asks for Ana to be forgotten, and signs what can hardly mean anyone else.
pub async fn signed(engine: &Engine, call: &Call) -> ErasureAnswer {
    let asked = engine.request_erasure(call, request()).await.unwrap();
    engine.sign_erasure(call, asked.erasure.id, SignErasure::default()).await.unwrap();
    asked
}
