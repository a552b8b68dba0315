//! Recall with a reading model: it selects from the shortlist of a recall, if one is configured.
//!
//! The model only reorders what may be rendered anyway: audience, cooldown and budget are decided by the
//! ranking. The ranking also decides alone when the model fails, is slow or names nothing from the list.
//! The model is asked while no lock is held, and its selection is looked up again afterwards, so nothing
//! destroyed meanwhile is rendered.

mod answer;
mod counts;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::{Listener, MemoryId, Timestamp};
use llm::{Backend, Complete, Message, Model, Request};
use recall::Shortlisted;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wire::Problem;

use crate::memory::recall::{CueWords, RecallContext, RecallTurn};
use crate::persona::registry::PersonaContext;
use crate::talk::converse::Role;
use crate::{Engine, boxed};

pub use counts::{ReadingCounts, ReadingOutcome};

pub(crate) use counts::Readings;

const INSTRUCTION: &str = include_str!("read_shortlist/READ.md");
/// How many memories are on a shortlist.
const LISTED: u32 = 40;
/// The default time limit of a reading.
const PATIENCE: Duration = Duration::from_secs(4);
/// The longest answer, in tokens.
const LONGEST_ANSWER: u32 = 300;
/// The longest cue shown to the model, in characters.
const LONGEST_CUE: usize = 4_000;
/// How many selections are cached for turns that are answered again.
const KEPT: usize = 256;

/// What a model selected, or why the ranking was used. It is stored with the trace of the recall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reading {
    /// The model.
    pub(crate) model: String,
    /// How long it took; 0 for a cached selection.
    pub(crate) ms: u64,
    /// What it selected, best first; empty when the ranking was used.
    pub(crate) selected: Vec<MemoryId>,
    /// The outcome.
    pub(crate) outcome: ReadingOutcome,
}

impl Reading {
    /// The memories to render, if the model selected any.
    pub(crate) fn selection(&self) -> Option<&[MemoryId]> {
        match self.outcome {
            ReadingOutcome::Selected => Some(&self.selected),
            ReadingOutcome::TimedOut | ReadingOutcome::Failed | ReadingOutcome::Unusable => None,
        }
    }

    /// What did not work, as a message for the caller.
    pub(crate) fn degraded(&self) -> Option<String> {
        let why = match self.outcome {
            ReadingOutcome::Selected => return None,
            ReadingOutcome::TimedOut => "did not answer in time",
            ReadingOutcome::Failed => "failed",
            ReadingOutcome::Unusable => "selected nothing that was on the list",
        };
        Some(format!("the model of the role `recall` {why}, so the ranking was used"))
    }
}

/// Cached selections by turn and cue, newest last.
#[derive(Default)]
pub(crate) struct Selections(Mutex<VecDeque<([u8; 32], Vec<MemoryId>)>>);

impl Selections {
    fn get(&self, key: &[u8; 32]) -> Option<Vec<MemoryId>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == key).map(|(_, selected)| selected.clone())
    }

    fn put(&self, key: [u8; 32], selected: Vec<MemoryId>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.pop_front();
        }
        kept.push_back((key, selected));
    }
}

/// The input of a reading.
pub(crate) struct Reader<'a> {
    pub(crate) persona: &'a PersonaContext,
    pub(crate) listener: &'a Listener,
    pub(crate) now: Timestamp,
    pub(crate) turn: RecallTurn,
    pub(crate) words: CueWords<'a>,
}

impl Engine {
    /// Lets the model of the role `recall` select from the shortlist; `None` when none is configured.
    pub(crate) async fn read_shortlist(&self, reader: &Reader<'_>) -> Result<Option<Reading>, Problem> {
        let Some((role, model)) = self.shortlist_reader() else { return Ok(None) };
        let (shortlist, turn) = self.shortlist(reader).await?;
        if shortlist.is_empty() {
            return Ok(None);
        }
        let key = self.selection_key(reader, &shortlist, turn);
        let reading =
            |ms, selected, outcome| Reading { model: role.model_name.clone(), ms, selected, outcome };
        if let Some(selected) = self.memory_state.selections.get(&key) {
            return Ok(Some(reading(0, selected, ReadingOutcome::Selected)));
        }
        let begun = Instant::now();
        let selected = ask(model, role, reader, &shortlist).await;
        let took = begun.elapsed();
        let outcome = selected.as_ref().map_or_else(|outcome| *outcome, |_| ReadingOutcome::Selected);
        self.memory_state.readings.add(outcome, took);
        if outcome != ReadingOutcome::Selected {
            tracing::warn!(
                model = role.model_name,
                ?outcome,
                "a shortlist was not read; the ranking is \
                used"
            );
        }
        let selected = selected.unwrap_or_default();
        if outcome == ReadingOutcome::Selected {
            self.memory_state.selections.put(key, selected.clone());
        }
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        Ok(Some(reading(ms, selected, outcome)))
    }

    /// The outcomes of readings since the engine started.
    #[must_use]
    pub fn reading_counts(&self) -> ReadingCounts {
        self.memory_state.readings.counts()
    }

    /// The model that reads shortlists, if one is configured.
    pub(crate) fn shortlist_reader(&self) -> Option<(&Role, &Model)> {
        let role = self.talk_state.roles().reading()?;
        match role.backend.as_ref() {
            Backend::Offline => None,
            Backend::Model(model) => Some((role, model)),
        }
    }

    /// The memories that may be rendered in this turn, best first, and the turn's number.
    async fn shortlist(&self, reader: &Reader<'_>) -> Result<(Vec<Shortlisted>, u32), Problem> {
        let open = self.open(reader.persona).await?;
        let _recalling = open.recalling.read().await;
        let view = self.active_view(reader.persona, &open, reader.now).await?;
        let recalling = RecallContext {
            persona: reader.persona,
            open: &open,
            view: &view,
            listener: reader.listener.clone(),
            now: reader.now,
            encoder: self.cue_encoder(),
        };
        Ok(recalling.shortlist(reader.turn, &reader.words, LISTED))
    }

    /// The cache key: the same cue about the same list in the same turn is asked once.
    fn selection_key(&self, reader: &Reader<'_>, shortlist: &[Shortlisted], turn: u32) -> [u8; 32] {
        let ids: String = shortlist.iter().map(|listed| listed.id.to_string()).collect();
        let session = reader.listener.session.as_ref().map(ToString::to_string).unwrap_or_default();
        let persona = reader.persona.entry.id.to_string();
        let places = places(reader).to_be_bytes();
        let fields: [&[u8]; 6] = [
            persona.as_bytes(),
            session.as_bytes(),
            &turn.to_be_bytes(),
            reader.words.cue.as_bytes(),
            ids.as_bytes(),
            &places,
        ];
        self.pepper.tag("reading", &fields)
    }
}

/// How many memories may be rendered.
fn places(reader: &Reader<'_>) -> u32 {
    let policy = &reader.persona.loaded.document.memory_policy;
    reader.words.most.unwrap_or(u32::MAX).min(policy.max_memories_per_turn)
}

async fn ask(
    model: &Model,
    role: &Role,
    reader: &Reader<'_>,
    shortlist: &[Shortlisted],
) -> Result<Vec<MemoryId>, ReadingOutcome> {
    let speaker = reader.listener.subject.as_ref().and_then(|subject| subject.as_str().rsplit(':').next());
    let shown = ShownShortlist {
        persona: &reader.persona.loaded.document.identity.display_name,
        said: reader.words.cue,
        speaker,
        places: places(reader),
        shortlist,
    };
    shown.ask(model, role).await
}

/// What a reading model is shown.
#[derive(Clone, Copy)]
pub struct ShownShortlist<'a> {
    /// The name of the persona.
    pub persona: &'a str,
    /// What was said.
    pub said: &'a str,
    /// Who said it.
    pub speaker: Option<&'a str>,
    /// How many memories it may select.
    pub places: u32,
    /// The memories it selects from.
    pub shortlist: &'a [Shortlisted],
}

impl ShownShortlist<'_> {
    /// The memories that `model` selects, best first.
    #[boxed]
    pub async fn ask(&self, model: &Model, role: &Role) -> Result<Vec<MemoryId>, ReadingOutcome> {
        let request = self.request(role);
        let patience = role.timeout.unwrap_or(PATIENCE);
        let answer = match tokio::time::timeout(patience, model.complete(&request)).await {
            Err(_) => return Err(ReadingOutcome::TimedOut),
            Ok(Err(_)) => return Err(ReadingOutcome::Failed),
            Ok(Ok(answer)) => answer,
        };
        let mut selected = answer::selected(answer.text.as_str(), self.shortlist);
        selected.truncate(usize::try_from(self.places).unwrap_or(usize::MAX));
        if selected.is_empty() { Err(ReadingOutcome::Unusable) } else { Ok(selected) }
    }

    fn request(&self, role: &Role) -> Request {
        let notes: Vec<_> = (1..)
            .zip(self.shortlist)
            .map(|(n, listed): (u32, _)| json!({ "n": n, "note": recall::folded(listed.gist.as_str()) }))
            .collect();
        let said: String = self.said.chars().take(LONGEST_CUE).collect();
        let record = json!({ "said": said, "speaker": self.speaker, "notes": notes });
        let persona = recall::folded(self.persona);
        let system = INSTRUCTION.replace("{persona}", &persona).replace("{most}", &self.places.to_string());
        Request {
            system: system.as_str().into(),
            messages: vec![Message::User(record.to_string().as_str().into())],
            temperature: Some(role.temperature.unwrap_or(0.0)),
            max_tokens: Some(role.max_tokens.unwrap_or(LONGEST_ANSWER)),
            ..Request::default()
        }
    }
}
