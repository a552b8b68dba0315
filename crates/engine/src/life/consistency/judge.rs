//! Asks a model which statements of a timeline can't both be true.
//!
//! The findings of the built-in detector are shown to the model, which decides. A model that fails is an
//! error that names it; the detector's findings are never returned in its place.

use std::collections::BTreeSet;

use llm::{Complete, Message, Model, Request};
use serde::Deserialize;
use serde_json::json;
use wire::timeline::{ConsistencyCode, ConsistencyIssue};
use wire::{Code, Problem};

use super::IDENTITY;
use crate::talk::converse::Role;
use consistency::{Against, Contradiction, Entry};

const INSTRUCTION: &str = include_str!("JUDGE.md");
/// The longest answer, in tokens.
const LONGEST_ANSWER: u32 = 2_000;
/// The most characters of a timeline in one request. Suspected entries come first.
const MOST_SHOWN: usize = 60_000;
/// The longest reason that is returned, in characters.
const LONGEST_REASON: usize = 200;

/// The input for a model.
pub(super) struct Life<'a> {
    pub(super) entries: &'a [Entry<'a>],
    pub(super) identity: Option<&'a str>,
    pub(super) suspected: &'a [Contradiction],
}

#[derive(Deserialize)]
struct Answer {
    contradictions: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    first: usize,
    second: usize,
    #[serde(default)]
    why: String,
}

impl Life<'_> {
    /// The model's findings.
    pub(super) async fn judged(&self, role: &Role, model: &Model) -> Result<Vec<ConsistencyIssue>, Problem> {
        let request = Request {
            system: INSTRUCTION.into(),
            messages: vec![Message::User(self.shown().to_string().as_str().into())],
            temperature: Some(role.temperature.unwrap_or(0.0)),
            max_tokens: Some(role.max_tokens.unwrap_or(LONGEST_ANSWER)),
            ..Request::default()
        };
        let answer = model
            .complete(&request)
            .await
            .map_err(|error| Problem::new(Code::ModelFailed, error.to_string()))?;
        let answer: Answer = serde_json::from_str(unfenced(answer.text.as_str())).map_err(|_| {
            let model = &role.model_name;
            let detail = format!(
                "`{model}` did not answer with a list of contradictions; ask again, or give the role `consistency` another model or `offline`"
            );
            Problem::new(Code::ModelFailed, detail)
        })?;
        let mut seen = BTreeSet::new();
        let pairs = answer.contradictions.iter();
        let new =
            pairs.filter(|pair| seen.insert((pair.first.min(pair.second), pair.first.max(pair.second))));
        Ok(new.filter_map(|pair| self.issue(pair)).collect())
    }

    /// The timeline as shown to the model; entries are numbered from 1.
    fn shown(&self) -> serde_json::Value {
        let number = |id| self.entries.iter().position(|entry| entry.id == id).map_or(0, |at| at + 1);
        let suspected: Vec<[usize; 2]> = self
            .suspected
            .iter()
            .map(|found| match found.against {
                Against::Entry(other) => [number(other), number(found.timeline_id)],
                Against::Identity => [0, number(found.timeline_id)],
            })
            .collect();
        let named: BTreeSet<usize> = suspected.iter().flatten().copied().collect();
        let (first, rest): (Vec<usize>, Vec<usize>) =
            (1..=self.entries.len()).partition(|number| named.contains(number));
        let mut room = MOST_SHOWN;
        let mut entries: Vec<(usize, &Entry<'_>)> = Vec::new();
        for number in first.into_iter().chain(rest) {
            let Some(entry) = self.entries.get(number - 1) else { continue };
            let Some(left) = room.checked_sub(entry.label.len() + entry.facts.len()) else { break };
            room = left;
            entries.push((number, entry));
        }
        entries.sort_unstable_by_key(|(number, _)| *number);
        let entries: Vec<_> = entries
            .into_iter()
            .map(|(number, entry)| {
                json!({
                    "number": number, "at": entry.event_at, "label": entry.label, "facts": entry.facts,
                })
            })
            .collect();
        json!({ "identity": self.identity, "entries": entries, "suspected": suspected })
    }

    /// The issue of a pair; `None` if there are no such entries, or one was written to correct the other.
    fn issue(&self, pair: &Pair) -> Option<ConsistencyIssue> {
        let (first, second) = (pair.first.min(pair.second), pair.first.max(pair.second));
        let later = self.entries.get(second.checked_sub(1)?).filter(|_| first != second)?;
        let earlier = match first.checked_sub(1) {
            Some(at) => Some(self.entries.get(at)?),
            None => None,
        };
        let corrects = |a: &Entry<'_>, b: &Entry<'_>| a.revises == Some(b.id);
        if earlier.is_some_and(|earlier| corrects(earlier, later) || corrects(later, earlier)) {
            return None;
        }
        let why: String = pair.why.chars().take(LONGEST_REASON).collect();
        let names = earlier.map_or(IDENTITY, |earlier| earlier.label);
        Some(ConsistencyIssue {
            code: ConsistencyCode::PossibleContradiction,
            message: format!("Potential contradiction: {names} <-> {}: {why}", later.label),
            timeline_id: later.id,
            related_timeline_id: earlier.map(|earlier| earlier.id),
            document: earlier.is_none().then(|| IDENTITY.to_owned()),
        })
    }
}

/// An answer without the code fence that models often put around JSON.
fn unfenced(answer: &str) -> &str {
    let answer = answer.trim();
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(answer, |inside| inside.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim())
}
