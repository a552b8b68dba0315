//! A persona to talk with, on the reference store and with a clock that stands where the test puts it.

use std::sync::Arc;

use domain::{Actor, Text, Timestamp};
use engine::converse::{Conversation, Roles, Utterance};
use engine::{Call, Caller, Distillation, Engine, Parts, PersonaKey, Record};
use engine_testkit::parts::{operator, parts};
use serde_json::{Value, json};
use store::{Memory, Records, Session, Store, Turn};
use vault::randomness::SeededRandomness;
use wire::Problem;
use wire::read::read_value;

pub(crate) struct Fixture {
    pub(crate) engine: Arc<Engine>,
    pub(crate) persona: PersonaKey,
    pub(crate) now: Timestamp,
}

pub(crate) fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

impl Fixture {
    pub(crate) async fn new(now: &str) -> Self {
        Self::with(now, Roles::default()).await
    }

    pub(crate) async fn with(now: &str, roles: Roles) -> Self {
        let randomness = Arc::new(SeededRandomness::new(7));
        let store = Store::Memory(Memory::new(operator(), randomness));
        Self::over(store, now, roles).await
    }

    /// The same, where the record is condensed and cues are written like this.
    pub(crate) async fn with_distillation(now: &str, roles: Roles, distillation: Distillation) -> Self {
        let randomness = Arc::new(SeededRandomness::new(7));
        let store = Store::Memory(Memory::new(operator(), randomness));
        Self::made(store, now, roles, distillation).await
    }

    async fn over(store: Store, now: &str, roles: Roles) -> Self {
        Self::made(store, now, roles, Distillation::default()).await
    }

    async fn made(store: Store, now: &str, roles: Roles, distillation: Distillation) -> Self {
        let engine = Engine::new(Parts {
            randomness: Arc::new(SeededRandomness::new(8)),
            roles,
            distillation,
            ..parts(store)
        });
        let asked = json!({ "name": "nora", "description": "I look after the guests of a small hotel." });
        Self::set_up(engine, now, asked).await
    }

    /// The same, where the persona is called `display_name` and its IDENTITY.md says `identity`.
    pub(crate) async fn of_persona(now: &str, display_name: &str, identity: &str) -> Self {
        let fixture = Self::new(now).await;
        let renamed = read_value(json!({ "displayName": display_name })).unwrap();
        fixture.engine.update_persona(&fixture.call(), &fixture.persona, renamed).await.unwrap();
        let written = read_value(json!({ "content": identity })).unwrap();
        let seen = engine::ExpectedVersion::Tags(vec!["*".to_owned()]);
        fixture
            .engine
            .write_file(&fixture.call(), &fixture.persona, "IDENTITY.md", &seen, written)
            .await
            .unwrap();
        fixture
    }

    async fn set_up(engine: Engine, now: &str, asked: Value) -> Self {
        let fixture = Self { engine: Arc::new(engine), persona: "nora".parse().unwrap(), now: at(now) };
        fixture.engine.set_up_persona(&fixture.call(), read_value(asked).unwrap()).await.unwrap();
        fixture
    }

    /// A call of the owner's.
    pub(crate) fn call(&self) -> Call {
        let caller = Caller::local("inn".parse().unwrap(), Actor::operator("did:key:test"));
        Call { caller, now: self.now, request: None }
    }

    pub(crate) fn later(&mut self, minutes: i64) {
        self.now = Timestamp::from_millis(self.now.as_millis() + minutes * 60_000);
    }

    pub(crate) async fn begin(&self, said: Utterance) -> Result<Conversation, Problem> {
        self.engine.converse(&self.call(), &self.persona, said).await
    }

    /// Says something and waits until everything that follows from it is done.
    pub(crate) async fn say(&self, said: Utterance) -> String {
        let reply = self.begin(said).await.unwrap().whole().await.unwrap();
        self.settled().await;
        reply.text.as_str().to_owned()
    }

    pub(crate) async fn settled(&self) {
        for _ in 0..400 {
            let scope = self.scope().await;
            if self.engine.store().unformed_turns(&scope).await.unwrap().is_empty() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("the turns were not formed");
    }

    /// Waits until a conversation that has grown too long is condensed.
    pub(crate) async fn compacted(&self, session: &str) {
        for _ in 0..400 {
            let scope = self.scope().await;
            let known =
                self.engine.store().session(&scope, &session.parse().unwrap()).await.unwrap().unwrap();
            let through = known.checkpoint.map_or(0, |made| made.through + 1);
            let turns = self.turns(session).await;
            if turns.iter().filter(|turn| turn.index >= through).count() <= 20 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("the conversation was not condensed");
    }

    pub(crate) async fn scope(&self) -> store::Scope {
        use store::Deployment;
        let name = "nora".parse().unwrap();
        let entry = self.engine.store().persona_named(&"inn".parse().unwrap(), &name).await.unwrap().unwrap();
        entry.scope()
    }

    pub(crate) async fn sessions(&self) -> Vec<Session> {
        self.engine.store().sessions(&self.scope().await, None).await.unwrap()
    }

    pub(crate) async fn turns(&self, session: &str) -> Vec<Turn> {
        self.engine.store().turns(&self.scope().await, &session.parse().unwrap()).await.unwrap()
    }

    /// How many turns wait for formation.
    pub(crate) async fn waiting(&self) -> usize {
        self.engine.store().unformed_turns(&self.scope().await).await.unwrap().len()
    }

    /// Waits until something is so.
    pub(crate) async fn until(&self, is_so: impl Fn() -> bool) {
        for _ in 0..2000 {
            if is_so() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("it never came to be so");
    }

    /// Looks for what waits, as the server does from time to time, until nothing does.
    pub(crate) async fn until_formed(&self) {
        for _ in 0..400 {
            self.engine.form_delayed(self.now).await.unwrap();
            if self.waiting().await == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("the turns were not formed");
    }

    /// The memories that can be shown, in the order they were formed.
    pub(crate) async fn memories(&self) -> Vec<Value> {
        let (call, filter) = (self.call(), read_value(json!({ "limit": 200 })).unwrap());
        let page = self.engine.list_memories(&call, &self.persona, filter).await.unwrap();
        serde_json::to_value(page).unwrap()["data"].as_array().unwrap().clone()
    }

    /// Their gists.
    pub(crate) async fn gists(&self) -> Vec<String> {
        let memories = self.memories().await;
        memories.iter().map(|memory| memory["gist"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn remember(&self, memory: Value) {
        self.engine.remember(&self.call(), &self.persona, read_value(memory).unwrap()).await.unwrap();
    }
}

pub(crate) fn guest(name: &str, message: &str) -> Utterance {
    Utterance { subject: Some(name.parse().unwrap()), ..Utterance::new(Text::new(message)) }
}

pub(crate) fn in_session(session: &str, said: Utterance) -> Utterance {
    Utterance { session: Some(session.parse().unwrap()), ..said }
}

pub(crate) fn privately(said: Utterance) -> Utterance {
    Utterance { record: Record::Off, ..said }
}
