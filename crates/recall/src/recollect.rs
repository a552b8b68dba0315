//! The whole pipeline, from a cue to the text in a prompt.
//!
//! Rehearsal is the last step and not part of this: the caller gets the rendered memories, and decides.

use domain::{ConfabulationPolicy, MemoryId, MemoryType, Text, TimelineId, Tokens, Vividness};

use crate::biography::Biography;
use crate::budget::{Outcome, SessionSoFar, choose, drop_repeated_details, fit, share};
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::life_events::select_events;
use crate::rank::{Parts, Question, Ranked, rank};
use crate::reconstruct::{RenderedMemory, reconstruct};
use crate::render::{cost, render};
use crate::render_life::{self, EventText, render_life};
use crate::trace::Trace;

/// The input of a recall.
pub struct Request<'a> {
    /// The cue, the listener and the time.
    pub question: Question<'a>,
    /// The persona's memories.
    pub memories: &'a Snapshot,
    /// The persona's own timeline.
    pub life: &'a Biography,
    /// The state of the conversation.
    pub session: &'a SessionSoFar,
    /// The maximum number of memories, if lower than the policy's.
    pub most: Option<u32>,
    /// The context window of the model.
    pub window: Tokens,
    /// The topic of the memories, for the heading of their section.
    pub about: &'a str,
    /// The memories a model selected from the shortlist, best first; without one, the ranking decides.
    pub selected: Option<&'a [MemoryId]>,
}

/// A memory on the shortlist that a model selects from.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortlisted {
    /// The memory.
    pub id: MemoryId,
    /// Its gist.
    pub gist: Text,
}

/// The result of a recall.
#[derive(Clone, Debug, Default)]
pub struct Recollection {
    /// The rendered memories, best first.
    pub memories: Vec<RenderedMemory>,
    /// The rendered events, best first.
    pub events: Vec<RecalledEvent>,
    /// The sections for the prompt, memories first; empty when nothing was recalled.
    pub rendered: String,
    /// Repressed events whose topic occurred in this turn: their pressure grows by one.
    pub pressed: Vec<TimelineId>,
    /// Whether a proud event was mentioned that the cue did not ask for.
    pub boasted: bool,
    /// The reasons.
    pub trace: Trace,
}

/// A rendered event of the persona's timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct RecalledEvent {
    /// The event.
    pub id: TimelineId,
    /// How the persona relates to it.
    pub memory_type: MemoryType,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Its score.
    pub score: f32,
    /// The components of its score.
    pub parts: Parts,
    /// Its label.
    pub label: Text,
    /// The rendered passages.
    pub passages: Vec<Text>,
    /// The sentences of it that the persona may say itself, without any instruction for a model.
    pub spoken: Vec<Text>,
}

/// Runs the recall of `request`.
#[must_use]
pub fn recollect(request: &Request<'_>) -> Recollection {
    let policy = request.question.policy;
    if !policy.enabled {
        return Recollection::default();
    }
    let ranked = rank(request.memories, &request.question);
    let ranked = match request.selected {
        Some(selected) => reordered(ranked, selected),
        None => ranked,
    };
    let (memories, outcomes) = memories(request, &ranked);
    let mut surfaced = select_events(request.life, &request.question, request.session, &Fusion::default());
    let mut event_texts = render_life::event_texts(std::mem::take(&mut surfaced.selected));
    let dropped = render_life::fit(&mut event_texts, share(request.window), policy.confabulation_policy);
    for considered in &mut surfaced.considered {
        if dropped.iter().any(|text| text.event.entry.id == considered.id) {
            considered.outcome = Outcome::OverBudget;
        }
    }
    let rendered = sections(request, &memories, &event_texts, policy.confabulation_policy);
    Recollection {
        trace: Trace::of(
            &ranked,
            &outcomes,
            &surfaced.considered,
            &rendered,
            request.question.cue,
            request.memories,
        ),
        boasted: event_texts.iter().any(|text| text.event.unprompted),
        events: event_texts.iter().map(recalled_event).collect(),
        memories,
        rendered,
        pressed: surfaced.pressed,
    }
}

/// The best `most` memories that may be rendered in this turn, best first: the shortlist for a model.
#[must_use]
pub fn shortlist(request: &Request<'_>, most: u32) -> Vec<Shortlisted> {
    let policy = request.question.policy;
    if !policy.enabled {
        return Vec::new();
    }
    let ranked = rank(request.memories, &request.question);
    let outcomes = choose(&ranked, request.memories, policy, most, request.session);
    let chosen = ranked.best.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Outcome::Rendered);
    chosen
        .filter_map(|(scored, _)| reconstruct(request.memories, scored, request.question.now))
        .map(|rendered| Shortlisted { id: rendered.id, gist: rendered.gist })
        .collect()
}

/// Moves the selected memories to the front, in the model's order.
fn reordered(mut ranked: Ranked, selected: &[MemoryId]) -> Ranked {
    let place = |id: MemoryId| selected.iter().position(|selected| *selected == id).unwrap_or(usize::MAX);
    ranked.best.sort_by_key(|scored| place(scored.id));
    ranked
}

fn memories(request: &Request<'_>, ranked: &Ranked) -> (Vec<RenderedMemory>, Vec<Outcome>) {
    let policy = request.question.policy;
    let most = request.most.unwrap_or(u32::MAX).min(policy.max_memories_per_turn);
    let mut outcomes = choose(ranked, request.memories, policy, most, request.session);
    if let Some(selected) = request.selected {
        for (outcome, scored) in outcomes.iter_mut().zip(&ranked.best) {
            if *outcome == Outcome::Rendered && !selected.contains(&scored.id) {
                *outcome = Outcome::NotSelected;
            }
        }
    }
    let chosen = ranked.best.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Outcome::Rendered);
    let mut rendered: Vec<RenderedMemory> = chosen
        .filter_map(|(scored, _)| reconstruct(request.memories, scored, request.question.now))
        .collect();
    drop_repeated_details(&mut rendered);
    let dropped =
        fit(&mut rendered, share(request.window), |rendered| cost(&render(rendered, request.about)));
    mark_dropped(&mut outcomes, ranked, &dropped);
    (rendered, outcomes)
}

fn mark_dropped(outcomes: &mut [Outcome], ranked: &Ranked, dropped: &[MemoryId]) {
    for (outcome, scored) in outcomes.iter_mut().zip(&ranked.best) {
        if dropped.contains(&scored.id) {
            *outcome = Outcome::OverBudget;
        }
    }
}

fn sections(
    request: &Request<'_>,
    rendered: &[RenderedMemory],
    event_texts: &[EventText],
    confabulation: ConfabulationPolicy,
) -> String {
    let sections = [render(rendered, request.about), render_life(event_texts, confabulation)];
    let present: Vec<&str> =
        sections.iter().map(String::as_str).filter(|section| !section.is_empty()).collect();
    present.join("\n")
}

fn recalled_event(text: &EventText) -> RecalledEvent {
    let event = &text.event;
    let passages = text.passages.iter().filter(|passage| !passage.is_empty());
    RecalledEvent {
        id: event.entry.id,
        memory_type: event.entry.event.memory_type,
        vividness: event.vividness,
        score: event.score,
        parts: event.parts,
        label: event.entry.event.event_label.clone(),
        passages: passages.map(|passage| Text::new(passage.join(" "))).collect(),
        spoken: render_life::spoken(event).into_iter().map(Text::new).collect(),
    }
}

#[cfg(test)]
mod tests;
