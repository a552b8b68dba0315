//! A persona with a record, on the reference store and with a clock that stands where the test puts it.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::{Actor, Digest, SubjectRef, Timestamp, TurnId};
use engine::converse::Roles;
use engine::{Call, Caller, Distillation, Engine, Parts};
use engine_testkit::parts::{operator, parts};
use serde_json::json;
use store::{
    Batch, Change, Deployment, DocumentName, Documents, FormationResult, Memory, Records, Scope, Store,
};
use vault::randomness::SeededRandomness;
use wire::distill::{Distill, Distilled};
use wire::read::read_value;

use crate::said;

pub(crate) struct Fixture {
    pub(crate) engine: Arc<Engine>,
    pub(crate) scope: Scope,
    pub(crate) now: Timestamp,
    said: u128,
}

pub(crate) fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

pub(crate) fn someone(name: &str) -> SubjectRef {
    name.parse().unwrap()
}

impl Fixture {
    /// A fixture where all three digests are made by themselves.
    pub(crate) async fn new(now: &str, zone: &str) -> Self {
        Self::with(now, zone, Roles::default()).await
    }

    /// The same, where these roles answer.
    pub(crate) async fn with(now: &str, zone: &str, roles: Roles) -> Self {
        let randomness = Arc::new(SeededRandomness::new(7));
        let engine = Engine::new(Parts {
            randomness: Arc::new(SeededRandomness::new(8)),
            roles,
            distillation: Distillation { auto: BTreeSet::from(Digest::ALL), ..Distillation::default() },
            ..parts(Store::Memory(Memory::new(operator(), randomness)))
        });
        let (tenant, now) = ("inn".parse().unwrap(), at(now));
        let caller = Caller::local("inn".parse().unwrap(), Actor::operator("did:key:test"));
        let call = Call { caller, now, request: None };
        let asked = json!({ "name": "nora", "description": "I bake." });
        engine.set_up_persona(&call, read_value(asked).unwrap()).await.unwrap();
        let policy = domain::policy_patch::replacing(&domain::template::earlier_policy());
        let moved = read_value(json!({ "timezone": zone, "memoryPolicy": policy })).unwrap();
        engine.update_persona(&call, &"nora".parse().unwrap(), moved).await.unwrap();
        let entry = engine.store().persona_named(&tenant, &"nora".parse().unwrap()).await.unwrap().unwrap();
        Self { engine: Arc::new(engine), scope: entry.scope(), now, said: 0 }
    }

    pub(crate) fn call(&self) -> Call {
        let caller = Caller::local("inn".parse().unwrap(), Actor::operator("did:key:test"));
        Call { caller, now: self.now, request: None }
    }

    pub(crate) fn later(&mut self, minutes: i64) {
        self.now = Timestamp::from_millis(self.now.as_millis() + minutes * 60_000);
    }

    /// Puts something said on the record, in a conversation of its own.
    pub(crate) async fn hear(&mut self, subject: &str, text: &str) -> TurnId {
        self.said += 1;
        let session = said::session(self.said, subject, self.now);
        let mut turn = said::turn(self.said, text, self.now);
        // Formation has judged it; of a turn it has not judged, digests leave out more.
        turn.formed = Some(FormationResult::default());
        let id = turn.id;
        let batch = Batch::at(self.now)
            .with(Change::PutSession(Box::new(session)))
            .with(Change::AppendTurn(Box::new(turn)));
        self.engine.store().commit(&self.scope, batch).await.unwrap();
        id
    }

    pub(crate) async fn distill(&self, digest: Digest) -> Vec<Distilled> {
        self.engine.distill(&self.call(), digest, Distill::default()).await.unwrap().distilled
    }

    /// A file of the owner's.
    pub(crate) async fn file(&self, name: DocumentName) -> String {
        let read = self.engine.store().read(&self.scope, name).await.unwrap();
        read.map(|document| document.content.as_str().to_owned()).unwrap_or_default()
    }

    /// A sealed document of somebody else's.
    pub(crate) async fn sealed(&self, subject: &str, name: DocumentName) -> String {
        let store = self.engine.store();
        let read = store.subject_document(&self.scope, &someone(subject), name).await.unwrap();
        read.map(|document| document.content.as_str().to_owned()).unwrap_or_default()
    }
}
