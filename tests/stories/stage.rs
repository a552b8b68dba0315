//! Where a story is played: a real engine on a real store, a fixed clock, and repeatable chance.

use domain::{Actor, RecallId, Timestamp};
use engine::{Call, Caller, Engine, Parts, PersonaKey, RequestKey};
use engine_testkit::parts::parts_signed_by;
use serde_json::{Value, json};
use tempfile::TempDir;
use wire::Problem;
use wire::key::{KeyScope, Speaks};
use wire::read::read_value;

use crate::names::Names;
use crate::script::instant;
use crate::step::Step;
use crate::stores::{Empty, chance, operator};
use crate::telling;
use crate::verb::Verb;

pub(crate) const TENANT: &str = "marriott";
pub(crate) const PERSONA: &str = "maya";
pub(crate) const DEPLOYMENT: &str = "did:selfhood:cluj";

/// What a verb tells.
pub(crate) type StepResult = Result<String, Stop>;
/// A verb that tells nothing when it is done.
pub(crate) type Silent = Result<(), Stop>;

/// Why a verb was not done.
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
    pub(crate) persona: PersonaKey,
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
            deployment: DEPLOYMENT.parse().unwrap(),
            randomness: chance(),
            ..parts_signed_by(operator(), empty.store)
        });
        let persona = PERSONA.parse().unwrap();
        Self {
            engine,
            persona,
            names: Names::default(),
            last_recall: None,
            is_set: false,
            _folder: empty.folder,
        }
    }

    /// Plays one step at `now` and gives what it tells.
    pub(crate) async fn play(&mut self, now: Timestamp, step: &Step) -> Result<String, String> {
        let call = call(now, step);
        if !self.is_set {
            self.set(&call).await;
        }
        match self.act(&call, step).await {
            Ok(text) => Ok(self.names.in_text(&text).trim_end().to_owned()),
            Err(Stop::Refused(problem)) => Ok(self.names.in_text(&telling::refusal(&problem))),
            Err(Stop::Mistake(mistake)) => Err(mistake),
        }
    }

    /// Ends the story as a server would.
    pub(crate) async fn close(self, now: Timestamp) {
        self.engine.shutdown(now).await.unwrap();
    }

    async fn set(&mut self, call: &Call) {
        let asked = json!({ "name": PERSONA, "description": "Maya, concierge of a hotel in Cluj." });
        let caller = Caller::local(TENANT.parse().unwrap(), Actor::operator("did:key:story"));
        let call = &Call { caller, now: call.now, request: None };
        self.engine.set_up_persona(call, read_value(asked).unwrap()).await.unwrap();
        // Stories use the numbers of the published design: five places, 14 days for everything.
        let policy = domain::policy_patch::replacing(&domain::template::earlier_policy());
        let plain = json!({ "memoryPolicy": policy, "complianceProfiles": [] });
        self.engine.update_persona(call, &self.persona, read_value(plain).unwrap()).await.unwrap();
        self.is_set = true;
    }

    async fn act(&mut self, call: &Call, step: &Step) -> StepResult {
        match step.verb {
            Verb::Remember => self.remember(call, step).await?,
            Verb::Correct => self.correct(call, step).await?,
            Verb::Restore => self.restore(call, step).await?,
            Verb::Append => self.append(call, step).await?,
            Verb::Revise => self.revise(call, step).await?,
            Verb::Supersede => self.supersede(call, step).await?,
            Verb::Redact => return self.redact(call, step).await,
            Verb::Recall => return self.recall(call, step).await,
            Verb::Why => return self.why(call).await,
            Verb::Used => return self.used(call, step).await,
            Verb::Context => return self.context(call, step).await,
            Verb::Inspect => return self.inspect(call, step).await,
            Verb::List => return self.list(call, step).await,
            Verb::Timeline => return self.timeline(call, step).await,
            Verb::Persona => self.change(call, step).await?,
            Verb::Edit => self.edit(step).await?,
            Verb::Sign => self.sign(call).await?,
            Verb::Write => self.write(call.now, step).await?,
            Verb::Merge => self.merge(call, step).await?,
            Verb::Alias => self.alias(call, step).await?,
            Verb::Consent => self.consent(call, step).await?,
            Verb::Withdraw => return self.withdraw(call, step).await,
            Verb::Hold => self.hold(call, step).await?,
            Verb::People => return self.people(call).await,
            Verb::Sweep => return self.sweep(call, step).await,
        }
        Ok(String::new())
    }
}

/// A call of whoever sits at the machine.
pub(crate) fn by_operator(now: Timestamp) -> Call {
    let caller = Caller::local(TENANT.parse().unwrap(), Actor::operator("did:key:story"));
    Call { caller, now, request: None }
}

/// Who calls, and when. Unless the step says `as owner` or `as staff`, recall and context are asked for by an
/// application on behalf of whom it names, and everything else is done by the owner's ordinary key.
fn call(now: Timestamp, step: &Step) -> Call {
    let local = by_operator(now).caller;
    let forwarded = |scopes: &[KeyScope]| Caller {
        scopes: scopes.iter().copied().collect(),
        speaks: Speaks::Forwarded,
        ..local.clone()
    };
    let caller = match step.option("as") {
        Some("owner") => local.clone(),
        // Policies are changed at the machine.
        None if step.verb == Verb::Persona => local.clone(),
        Some("staff") => forwarded(&[KeyScope::Read, KeyScope::Write, KeyScope::Staff]),
        _ if matches!(step.verb, Verb::Recall | Verb::Context) => {
            forwarded(&[KeyScope::Read, KeyScope::Write])
        }
        _ => Caller { scopes: [KeyScope::Read, KeyScope::Write, KeyScope::Staff].into(), ..local.clone() },
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
