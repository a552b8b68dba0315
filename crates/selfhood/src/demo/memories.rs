//! Nora's memories of the three weeks before her creation.

use domain::{Days, DecayProfile, Kind, MemoryId, PersonaDocument, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vault::hash::sha256;
use wire::fields::{fields, list};
use wire::persona::PersonaView;
use wire::recall::{Recall, RecallAnswer, Recalled, Used, UsedAnswer};
use wire::transfer::{Import, ImportAnswer};
use wire::verb;
use wire::{Code, Problem};

use super::read;
use crate::home_client::HomeClient;
use crate::request::Request;

const MEMORIES: &str = include_str!("../../demo/memories.json");
/// Cues and listeners of two recalls, so that there are rehearsals to look at.
const CONVERSATIONS: [(&str, &str); 2] =
    [("the seafood and the restaurant", "ana"), ("the stuffed seal Admiral", "lena")];

/// A memory, dated by how long ago it was formed and rehearsed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remembered {
    days_ago: f64,
    kind: Kind,
    gist: String,
    #[serde(rename = "told")]
    rehearsed: Option<Rehearsed>,
    half_life_days: Option<f64>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// How often it was rehearsed, and when last.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rehearsed {
    times: u32,
    days_ago: f64,
}

/// Adds the missing memories.
pub(super) fn load(
    client: &HomeClient,
    nora: &PersonaView,
    document: &PersonaDocument,
) -> Result<(), Problem> {
    let name = nora.name.to_string();
    let remembered: Vec<Remembered> = read(MEMORIES)?;
    let lines: Vec<Value> =
        remembered.into_iter().map(|memory| atom(memory, nora.created_at, document)).collect();
    let request = Request::<verb::Import>::to(&[&name])?.with_body(fields!(Import { lines: Some(lines) }));
    let answer: ImportAnswer = client.ask(request)?;
    // What was forgotten since the demo was first run stays forgotten.
    let forgotten = [Code::IdTombstoned, Code::SubjectErased].map(Code::as_str);
    let mut refused = answer.refused.iter().filter(|refused| !forgotten.contains(&refused.code.as_str()));
    if let Some(refused) = refused.next() {
        let detail = format!("memory {} of the demo was refused: {}", refused.line, refused.detail);
        return Err(Problem::new(Code::Internal, detail));
    }
    if answer.memories > 0 {
        converse(client, &name)?;
    }
    Ok(())
}

/// The whole atom. Its id is a hash of its text, so it is the same in every demo.
fn atom(memory: Remembered, made_at: Timestamp, document: &PersonaDocument) -> Value {
    let mut bytes = [0; 6];
    bytes.iter_mut().zip(sha256(&[memory.gist.as_bytes()])).for_each(|(own, byte)| *own = byte);
    let id = MemoryId::from_random(bytes);
    let formed = made_at.plus(Days(-memory.days_ago));
    let rehearsed =
        memory.rehearsed.as_ref().map_or(formed, |rehearsed| made_at.plus(Days(-rehearsed.days_ago)));
    let usual = document.memory_policy.decay_profile(memory.kind);
    let profile =
        DecayProfile { half_life_days: memory.half_life_days.unwrap_or(usual.half_life_days), ..usual };
    let mut atom = memory.rest;
    let whole = json!({
        "id": id,
        "kind": memory.kind,
        "gist": memory.gist,
        "createdAt": formed,
        "lastRehearsedAt": rehearsed,
        "rehearsalCount": memory.rehearsed.map_or(0, |rehearsed| rehearsed.times),
        "decayProfile": profile,
        "redactionStatus": "active",
        "provenance": { "sessionId": "sess:demo", "turnIndex": 0, "deploymentDid": document.identity.deployment_did },
    });
    atom.extend(whole.as_object().cloned().unwrap_or_default());
    Value::Object(atom)
}

/// Two short conversations, in each of which the first recalled memory is used.
fn converse(client: &HomeClient, name: &str) -> Result<(), Problem> {
    for (cue, subject) in CONVERSATIONS {
        let body = fields!(Recall { cue: Some(cue), subject: Some(subject) });
        let answer: RecallAnswer = client.ask(Request::<verb::Recall>::to(&[name])?.with_body(body))?;
        let rehearsed: Vec<String> = answer.memories.iter().take(1).filter_map(atom_id).collect();
        let body = fields!(Used { ids: list(&rehearsed) });
        let request = Request::<verb::ReportUsed>::to(&[&answer.recall_id.to_string()])?.with_body(body);
        let _: UsedAnswer = client.ask(request)?;
    }
    Ok(())
}

fn atom_id(recalled: &Recalled) -> Option<String> {
    match recalled {
        Recalled::Atom(atom) => Some(atom.id.to_string()),
        Recalled::Entry(_) => None,
    }
}
