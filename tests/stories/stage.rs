//! Where a story is played: a real engine on a real store, a fixed clock, and repeatable chance.

use domain::{Actor, RecallId, Text, Timestamp};
use engine::{Call, Caller, Consent, Engine, Parts, PersonaKey, RequestKey};
use serde_json::{Value, json};
use store::{Batch, Change, Deployment, DocumentName, Documents, Records, Scope};
use tempfile::TempDir;
use vault::hash::KeyedHash;
use vault::key::Secret;
use wire::Problem;
use wire::key::{KeyScope, Speaks};
use wire::read::read_value;

use crate::names::Names;
use crate::script::instant;
use crate::step::Step;
use crate::stores::{Empty, chance, operator};
use crate::telling;
use crate::verb::Verb;

const TENANT: &str = "marriott";
const PERSONA: &str = "maya";

/// A story that can't go on, or a verb that was refused.
pub(crate) enum Stop {
    /// The story is written wrongly.
    Mistake(String),
    /// The product says no, which is something to tell.
    Refused(Box<Problem>),
}

impl From<String> for Stop {
    fn from(mistake: String) -> Self {
        Self::Mistake(mistake)
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

/// A story being played.
pub(crate) struct Stage {
    pub(crate) engine: Engine,
    pub(crate) names: Names,
    pub(crate) last_recall: Option<RecallId>,
    is_set: bool,
    /// Kept until the story ends.
    _folder: Option<TempDir>,
}

impl Stage {
    /// An empty stage on an empty store.
    pub(crate) fn on(empty: Empty) -> Self {
        let engine = Engine::new(Parts {
            store: empty.store,
            operator: operator(),
            signers: vec![operator().public_key()],
            deployment: "did:selfhood:cluj".parse().unwrap(),
            pepper: KeyedHash::new(Secret::from_bytes([9; 32])),
            randomness: chance(),
            consent: Consent { added: Vec::new() },
            open_bytes: 1 << 30,
        });
        Self { engine, names: Names::default(), last_recall: None, is_set: false, _folder: empty.folder }
    }

    /// Plays one step at `now` and gives what it tells.
    pub(crate) async fn play(&mut self, now: Timestamp, step: &Step) -> Result<String, String> {
        let call = call(now, step);
        if !self.is_set {
            self.set(&call).await;
        }
        let told = match step.verb {
            Verb::Remember | Verb::Correct | Verb::Redact | Verb::Restore => self.keep(&call, step).await,
            Verb::Append | Verb::Revise | Verb::Supersede => self.live(&call, step).await,
            Verb::Recall | Verb::Why | Verb::Used | Verb::Context => self.bring_back(&call, step).await,
            Verb::Inspect | Verb::List | Verb::Timeline => self.look(&call, step).await,
            Verb::Persona | Verb::Edit | Verb::Sign | Verb::Write => self.change(&call, step).await,
        };
        match told {
            Ok(text) => Ok(self.names.in_text(&text).trim_end().to_owned()),
            Err(Stop::Refused(problem)) => Ok(self.names.in_text(&telling::refusal(&problem))),
            Err(Stop::Mistake(mistake)) => Err(mistake),
        }
    }

    /// Ends the story as a server would.
    pub(crate) async fn close(self, now: Timestamp) {
        self.engine.shutdown(now).await.unwrap();
    }

    /// The persona every story is about.
    pub(crate) fn persona(&self) -> PersonaKey {
        PERSONA.parse().unwrap()
    }

    async fn set(&mut self, call: &Call) {
        let asked = json!({ "name": PERSONA, "description": "Maya, concierge of a hotel in Cluj." });
        self.engine.set_up_persona(call, read_value(asked).unwrap()).await.unwrap();
        self.is_set = true;
    }

    async fn scope(&self) -> Scope {
        let (tenant, name) = (TENANT.parse().unwrap(), PERSONA.parse().unwrap());
        let found = self.engine.store().persona_named(&tenant, &name).await;
        found.unwrap().unwrap().scope()
    }

    async fn change(&mut self, call: &Call, step: &Step) -> Result<String, Stop> {
        match step.verb {
            Verb::Sign => drop(self.engine.sign_persona(call, &self.persona()).await?),
            Verb::Edit => self.edit(step).await,
            Verb::Write => self.write(call.now, step).await?,
            _ => {
                let mut asked = step.body();
                let shown = self.engine.show_persona(call, &self.persona()).await?;
                if asked.get("memoryPolicy").is_some() {
                    let mut policy = json!(shown.document.memory_policy);
                    merge(&mut policy, asked["memoryPolicy"].take());
                    asked["memoryPolicy"] = policy;
                }
                self.engine.update_persona(call, &self.persona(), read_value(asked)?).await?;
            }
        }
        Ok(String::new())
    }

    /// As a person would do it: with an editor, past every door.
    async fn edit(&self, step: &Step) {
        let (scope, store) = (self.scope().await, self.engine.store());
        let read = store.read(&scope, DocumentName::Persona).await.unwrap().unwrap();
        let mut document: Value = serde_json::from_str(read.content.as_str()).unwrap();
        merge(&mut document, step.body());
        let text = Text::new(document.to_string());
        store.write(&scope, DocumentName::Persona, Some(read.hash), text).await.unwrap();
    }

    async fn write(&self, now: Timestamp, step: &Step) -> Result<(), Stop> {
        let (scope, store) = (self.scope().await, self.engine.store());
        let name: DocumentName = step.names[0].parse().map_err(|_| "no such document".to_owned())?;
        let text = Text::new(step.said.clone().unwrap_or_default());
        if let Some(guest) = step.option("for") {
            let guest = guest.parse().map_err(|_| format!("`{guest}` is nobody"))?;
            let batch = Batch::at(now).with(Change::PutDocument(guest, name, text));
            store.commit(&scope, batch).await.map_err(|error| error.to_string())?;
        } else {
            let found = store.read(&scope, name).await.unwrap().map(|document| document.hash);
            store.write(&scope, name, found, text).await.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// Who calls, and when: an application's ordinary key unless the step says `as owner` or `as staff`.
fn call(now: Timestamp, step: &Step) -> Call {
    let local = Caller::local(TENANT.parse().unwrap(), Actor::operator("did:key:story"));
    let forwarded = |scopes: &[KeyScope]| Caller {
        scopes: scopes.iter().copied().collect(),
        speaks: Speaks::Forwarded,
        ..local.clone()
    };
    let caller = match step.option("as") {
        Some("owner") => local.clone(),
        Some("staff") => forwarded(&[KeyScope::Read, KeyScope::Write, KeyScope::Staff]),
        _ => forwarded(&[KeyScope::Read, KeyScope::Write]),
    };
    let content = step.body().to_string().into_bytes();
    let request = step.option("once").map(|key| RequestKey { key: key.to_owned(), content });
    Call { caller, now, request }
}

/// The moment a step looks from, if it names one.
pub(crate) fn looking_from(step: &Step) -> Result<Option<Timestamp>, String> {
    step.option("at").map(instant).transpose()
}

/// Puts the properties of `change` into `value`, and into the objects within it.
pub(crate) fn merge(value: &mut Value, change: Value) {
    match (value, change) {
        (Value::Object(properties), Value::Object(changes)) => {
            for (name, change) in changes {
                merge(properties.entry(name).or_insert(Value::Null), change);
            }
        }
        (value, change) => *value = change,
    }
}
