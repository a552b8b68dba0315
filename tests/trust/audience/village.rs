//! A server with several tenants, in process, and what happens when somebody asks it something.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use domain::{Actor, Timestamp};
use engine::{Consent, Engine, Parts};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use server::client::{Ask, Client};
use server::{Clock, Config, Limits, Server};
use store::{Memory, Store};
use tower::ServiceExt;
use vault::hash::KeyedHash;
use vault::key::Secret;
use vault::randomness::{OsRandomness, SeededRandomness};
use wire::route::{KeyRequirement, ROUTES, Route, Speech};

use super::canary::{Viewer, foreign, found};
use super::followers::Followers;
use super::log::log;
use super::model::{self, Formation, Watched};
use super::people::{ADMIN, Keys, KnownRecords, OWNER, Speaker, Town, is_staff, town_name};
use super::routes::{Making, PERSONA, Plan};
use crate::world::signer;
use testkit::dice::Dice;

pub(super) const ADDRESS: &str = "127.0.0.1:7411";
/// One world in so many has its memories formed by the model.
const FORMED_BY_MODEL_EVERY: u64 = 4;
/// The MCP door.
const AGENTS: Goal =
    Goal { verb: "mcp", method: "POST", once: KeyRequirement::IfAsked, speech: Speech::Whole };
/// The verbs that carry words about, which are asked more often than the others.
const OFTEN: [&str; 15] = [
    "chat",
    "complete_chat",
    "create_response",
    "prompt_persona",
    "stream_prompt",
    "remember",
    "list_memories",
    "inspect_memory",
    "correct_memory",
    "recall",
    "explain_recall",
    "preview_context",
    "use_tool",
    "show_session",
    "search_sessions",
];

/// A deployment with its tenants.
pub(super) struct Village {
    engine: Arc<Engine>,
    server: Server,
    public: Router,
    towns: Vec<Town>,
    time: Arc<AtomicI64>,
    requests: AtomicU64,
    followers: Mutex<Followers>,
    pub(super) model: Watched,
}

/// What a request goes to: a route, or a tool of the MCP door.
struct Goal {
    verb: &'static str,
    method: &'static str,
    once: KeyRequirement,
    speech: Speech,
}

/// What came back.
struct Answer {
    status: u16,
    headers: HeaderMap,
    text: String,
}

/// What the recall of a world compares texts with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Words and the built-in table, as where the sentence encoders can't be used.
    Words,
    /// The sentence encoders too, which take most of the time of an operation.
    Sentences,
}

impl Village {
    pub(super) async fn new(seed: u64, tenants: usize, meaning: Meaning) -> Self {
        log();
        // Formation by a model is announced to whoever follows the events.
        let formation =
            if seed.is_multiple_of(FORMED_BY_MODEL_EVERY) { Formation::ByModel } else { Formation::BuiltIn };
        let (roles, model) = model::roles(formation).await;
        let store = Store::Memory(Memory::new(signer(), Arc::new(SeededRandomness::new(seed))));
        let engine = Arc::new(Engine::new(Parts {
            store,
            signers: vec![signer().public_key()],
            operator: signer(),
            deployment: "did:selfhood:village".parse().unwrap(),
            pepper: KeyedHash::new(Secret::from_bytes([9; 32])),
            randomness: Arc::new(OsRandomness),
            consent: Consent { added: Vec::new(), formation: domain::ConsentBasis::service_delivery() },
            open_bytes: 1 << 28,
            roles,
            distillation: engine::Distillation::default(),
            encoders: match meaning {
                Meaning::Words => Err("this world compares words".to_owned()),
                Meaning::Sentences => engine::built_in_encoders(),
            },
            encoding: engine::Encoding::InBackground,
        }));
        let start: Timestamp = "2026-05-01T09:00:00Z".parse().unwrap();
        let time = Arc::new(AtomicI64::new(start.as_millis()));
        let now = Arc::clone(&time);
        let clock: Clock = Arc::new(move || Timestamp::from_millis(now.load(Ordering::Relaxed)));
        let limits = Limits {
            requests_per_second: 1_000_000,
            burst: 1_000_000,
            requests_at_once: 1_000,
            ..Limits::default()
        };
        let server = Server::new(Arc::clone(&engine), clock, Config { limits, ..Config::default() });
        let public = server.public_router(ADDRESS.parse().unwrap());
        let (requests, followers) = (AtomicU64::new(0), Mutex::default());
        let mut village =
            Self { engine, server, public, towns: Vec::new(), time, requests, followers, model };
        for number in 0..tenants {
            let town = village.create_town(number).await;
            village.followers.lock().unwrap().follow(&village.public, &town);
            village.towns.push(town);
        }
        village
    }

    /// Makes a tenant with its persona and keys.
    async fn create_town(&self, number: usize) -> Town {
        let local = Client::in_process(
            self.server.private_router(Actor::operator("did:key:village")),
            town_name(number).parse().unwrap(),
        );
        let persona = json!({ "name": PERSONA, "description": "I look after the guests of a small hotel." });
        local
            .send(Ask::new(Method::POST, "/setup/persona").with_body(&persona))
            .await
            .unwrap()
            .check()
            .unwrap();
        let key = async |speaks: &str, scopes: &[&str]| {
            let ask =
                Ask::new(Method::POST, "/v1/keys").with_body(&json!({ "scopes": scopes, "speaks": speaks }));
            let answer: Value = local.send(ask).await.unwrap().read().unwrap();
            answer["secret"].as_str().unwrap().to_owned()
        };
        let keys = Keys {
            owner: key("owner", &["read", "write", "erase", "audit", "admin", "staff"]).await,
            admin: key("forwarded", &["read", "write", "erase", "audit", "admin"]).await,
            staff: key("forwarded", &["read", "write", "erase", "staff"]).await,
            guests: key("forwarded", &["read", "write"]).await,
        };
        Town::new(number, keys)
    }

    /// One operation of somebody: what it was, which foreign words it showed, and whether it was answered.
    pub(super) async fn operate(&self, dice: &mut Dice) -> (String, Vec<String>, bool) {
        self.time.fetch_add(1_000, Ordering::Relaxed);
        let town = &self.towns[dice.position(self.towns.len())];
        let ids = if dice.happens(10) { &self.towns[dice.position(self.towns.len())] } else { town };
        let speaker = town.anybody(dice);
        let (goal, plan) = some_request(&mut Making { town, ids, speaker: &speaker, dice });
        let answer = self.send(&goal, town, &speaker, &plan).await;
        let sees_everybody = plan.for_everybody && matches!(speaker.person, OWNER | ADMIN);
        // What was said to staff is their record: whoever may export it, reads it.
        let is_record = matches!(goal.verb, "export_subject" | "export_conversations" | "show_prompt_job")
            || goal.verb.starts_with("distill");
        let staff = is_staff(plan.person) || (sees_everybody && is_record);
        let viewer = Viewer { tenant: town.number, person: plan.person, staff, sees_everybody };
        let headers: String = answer.headers.values().filter_map(|value| value.to_str().ok()).collect();
        let mut wrong = foreign(&answer.text, &viewer);
        wrong.extend(foreign(&headers, &viewer));
        // A caller who sends a name may read it in the answer: problems repeat the path.
        wrong.retain(|canary| !plan.path.contains(canary.as_str()));
        if let Some(canary) = wrong.first() {
            let around = excerpt(&answer.text, canary);
            wrong.push(format!(
                "…{around}… in the answer to {} {:?} {:?}",
                plan.path, plan.body, plan.headers
            ));
        }
        if answer.status >= 500 && answer.status != 503 {
            wrong.push(format!("{}: {}", answer.status, answer.text));
        }
        note(town, goal.verb, &plan, &answer);
        let name = format!("{} of person {} ({})", goal.verb, plan.person, answer.status);
        (name, wrong, (200..300).contains(&answer.status))
    }

    async fn send(&self, goal: &Goal, town: &Town, speaker: &Speaker, plan: &Plan) -> Answer {
        let mut request = Request::builder()
            .method(goal.method)
            .uri(&plan.path)
            .header("host", ADDRESS)
            .header("x-api-key", town.key(speaker.person))
            .header("content-type", "application/json");
        let has_key = plan.headers.iter().any(|(name, _)| *name == "idempotency-key");
        if goal.once == KeyRequirement::Always && !has_key {
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            request = request.header("idempotency-key", format!("request-{number}"));
        }
        for (name, value) in &plan.headers {
            request = request.header(*name, value);
        }
        let body = plan.body.as_ref().map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let response = self.public.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (head, mut body) = response.into_parts();
        let bytes = if goal.verb == "follow_events" && goal.speech == Speech::InPieces {
            // It never ends: the first piece says how everything stands, and `followers` reads the others.
            let first = body.frame().await.and_then(Result::ok).and_then(|frame| frame.into_data().ok());
            first.unwrap_or_default()
        } else {
            body.collect().await.unwrap().to_bytes()
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Answer { status: head.status.as_u16(), headers: head.headers, text }
    }

    /// What is wrong with the metrics.
    pub(super) fn metrics(&self) -> Vec<String> {
        found(&self.server.metrics().text()).iter().map(|it| format!("the metrics have {it}")).collect()
    }

    /// What a tool of each set of the MCP door is called, as the server lists them.
    pub(super) async fn tools(&self, profile: &str) -> Vec<String> {
        let town = &self.towns[0];
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
        let path = format!("/mcp/{PERSONA}{profile}");
        let plan = Plan { path, body: Some(body), headers: Vec::new(), person: OWNER, for_everybody: true };
        let owner = Speaker { person: OWNER, session: None };
        let listed: Value =
            serde_json::from_str(&self.send(&AGENTS, town, &owner, &plan).await.text).unwrap();
        let tools = listed["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Ends the event streams: how many frames said what was formed, and what was wrong with any.
    pub(super) fn followed(&self) -> (u64, Vec<String>) {
        self.followers.lock().unwrap().close()
    }

    pub(super) async fn close(&self) {
        let now = Timestamp::from_millis(self.time.load(Ordering::Relaxed));
        self.engine.shutdown(now).await.unwrap();
    }
}

/// The text around a word, so that a finding says where the word came from.
fn excerpt(text: &str, word: &str) -> String {
    let at = text.find(word).map_or(0, |at| text[..at].chars().count());
    text.chars().skip(at.saturating_sub(400)).take(800).collect()
}

/// A request to a route or, seldom, to a tool of the MCP door.
fn some_request(making: &mut Making<'_>) -> (Goal, Plan) {
    if making.dice.happens(12) {
        let (verb, plan) = making.agents_call();
        return (Goal { verb, ..AGENTS }, plan);
    }
    let route = some_route(making.dice);
    let plan = making.plan(route.verb).unwrap();
    let Route { verb, method, once, speech, .. } = *route;
    (Goal { verb, method, once, speech }, plan)
}

/// A route, more often one that carries words about.
fn some_route(dice: &mut Dice) -> &'static Route {
    if dice.happens(80) {
        let verb = OFTEN[dice.position(OFTEN.len())];
        return ROUTES.iter().find(|route| route.verb == verb).unwrap();
    }
    &ROUTES[dice.position(ROUTES.len())]
}

/// Notes the ids that an answer has, for everybody to try.
fn note(town: &Town, verb: &str, plan: &Plan, answer: &Answer) {
    let header =
        |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let session = header("x-session-id");
    if let Some(session) = &session {
        town.met(plan.person, session);
    }
    let value: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let mut known = town.known.lock().unwrap();
    if verb == "delete_session" && answer.status == 204 {
        // The id of a deleted conversation is free: strangers who both have it could meet under it.
        known.sessions.retain(|(_, session)| !plan.path.ends_with(session.as_str()));
    }
    known.sessions.extend(session.map(|session| (plan.person, session)));
    known.recalls.extend(header("x-recall-id").into_iter().chain(text("/recallId")));
    known.exchanges.extend(header("x-exchange-id"));
    known.jobs.extend(text("/job/id").map(|job| (plan.person, job)));
    let response = text("/id").filter(|id| id.starts_with("resp_"));
    known.responses.extend(response.map(|id| (plan.person, id)));
    known.entries.extend(text("/timelineEntry/id"));
    known.memories.extend(text("/memory/id").or_else(|| text("/result/structuredContent/memory/id")));
    let listed = value.pointer("/data").and_then(Value::as_array).into_iter().flatten();
    let memories = listed.filter_map(|it| it["id"].as_str()).filter(|id| id.starts_with("mem:"));
    known.memories.extend(memories.map(str::to_owned));
    if let (Some(session), Some(turns)) = (text("/session/id"), value["turns"].as_array()) {
        let turns = turns.iter().filter_map(|turn| turn["id"].as_str());
        known.turns.extend(turns.map(|turn| (plan.person, session.clone(), turn.to_owned())));
    }
    let KnownRecords { memories, recalls, exchanges, entries, .. } = &mut *known;
    for list in [memories, recalls, exchanges, entries] {
        let excess = list.len().saturating_sub(400);
        list.drain(..excess);
    }
}
