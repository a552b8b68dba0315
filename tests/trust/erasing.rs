//! A home whose persona knows people by canaries, for the harnesses that have one of them forgotten.

use std::path::Path;

use domain::{Actor, ErasureId, Text, Timestamp, example};
use engine::{Call, Caller, Engine, PersonaKey};
use engine_testkit::parts::parts_signed_by;
use engine_testkit::planted;
use serde_json::json;
use store::{Batch, Change, DocumentName, Documents as _, Records as _, Scope, Session, Store, StoreError};
use wire::erasure::SignErasure;
use wire::read::read_value;

use crate::world::{TENANT, open, open_again, signer};

/// Who asks to be forgotten.
pub(crate) const FORGOTTEN: &str = "guest:vera-kanarie";
/// Who stays.
pub(crate) const STAYING: &str = "guest:otto";
pub(crate) const MAIL: &str = "vera.kanarie@example.org";
/// How many memories each of them has.
pub(crate) const MEMORIES: u64 = 5;

/// A word that is only in memory `n` of who is forgotten.
pub(crate) fn canary(n: u64) -> String {
    format!("kanarienvogel{n:04}")
}

/// The engine over the home in `directory`.
pub(crate) async fn engine(directory: &Path) -> Result<Engine, StoreError> {
    open(directory).await.map(of)
}

/// The engine over a home whose owner was killed.
pub(crate) async fn engine_again(directory: &Path) -> Result<Engine, StoreError> {
    open_again(directory).await.map(of)
}

fn of(store: Store) -> Engine {
    Engine::new(parts_signed_by(signer(), store))
}

pub(crate) fn call(day: i64) -> Call {
    let caller = Caller::local(TENANT.parse().unwrap(), Actor::operator("did:key:trust"));
    Call { caller, now: example::day(day), request: None }
}

/// Makes a persona who has talked with both, and remembers `memories` of each.
pub(crate) async fn plant(engine: &Engine, memories: u64) -> (PersonaKey, Scope) {
    let asked = json!({ "name": "inara" });
    let made = engine.set_up_persona(&call(0), read_value(asked).unwrap()).await.unwrap().persona;
    let key: PersonaKey = "inara".parse().unwrap();
    let scope = Scope::new(TENANT.parse().unwrap(), made.id);
    for n in 0..memories {
        remember(engine, &key, FORGOTTEN, &format!("She keeps a {} at home.", canary(n))).await;
        remember(engine, &key, STAYING, &format!("He asked for table {n}.")).await;
    }
    let mut batch = Batch::at(example::day(0));
    for (number, who, text) in [
        (1, FORGOTTEN, format!("My {} sings.", canary(0))),
        (2, STAYING, format!("Write to {MAIL}.")),
        (3, STAYING, "Table seven, please.".to_owned()),
    ] {
        let id = format!("sess:{who}");
        batch = batch
            .with(Change::PutSession(Box::new(session(&id, who))))
            .with(Change::AppendTurn(Box::new(planted::turn(number, &id, &text))));
    }
    engine.store().commit(&scope, batch).await.unwrap();
    let found = engine.store().read(&scope, DocumentName::Soul).await.unwrap().map(|found| found.hash);
    let soul = Text::new(format!("I sing.\nNever write to {MAIL}.\n"));
    engine.store().write(&scope, DocumentName::Soul, found, soul).await.unwrap();
    (key, scope)
}

async fn remember(engine: &Engine, key: &PersonaKey, who: &str, gist: &str) {
    let memory = json!({
        "kind": "episodic", "gist": gist, "salience": 0.9, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": who
    });
    engine.remember(&call(0), key, read_value(memory).unwrap()).await.unwrap();
}

fn session(id: &str, who: &str) -> Session {
    Session { title: None, ..planted::session(id, who, "") }
}

/// Asks for `FORGOTTEN` to be forgotten, and signs it.
pub(crate) async fn signed(engine: &Engine, now: Timestamp) -> ErasureId {
    let call = Call { now, ..call(1) };
    let asked = json!({ "subject": FORGOTTEN, "identifiers": [MAIL], "reason": "right-to-be-forgotten" });
    let id = engine.request_erasure(&call, read_value(asked).unwrap()).await.unwrap().erasure.id;
    engine.sign_erasure(&call, id, SignErasure::default()).await.unwrap();
    id
}
