//! Selection of timeline events: when an event of each type is mentioned, and in which tone.

use domain::{ConfabulationPolicy, MemoryType, Salience, TimelineEntry, TimelineId, Vividness};
use unicode_normalization::UnicodeNormalization;

use crate::aboutness::ABOUTNESS;
use crate::biography::{Biography, ScoredEvent};
use crate::budget::{Outcome, SessionSoFar};
use crate::fusion::Fusion;
use crate::rank::{Parts, Question};

/// The maximum number of events in one prompt.
pub const MOST_EVENTS: usize = 3;

/// In how many turns of the user the topic of a repressed event must occur before it is mentioned.
pub const PRESSURE: u32 = 3;

/// An event that was considered.
#[derive(Clone, Debug)]
pub(crate) struct Considered {
    pub(crate) id: TimelineId,
    pub(crate) score: f32,
    pub(crate) parts: Parts,
    pub(crate) outcome: Outcome,
}

/// An event selected for the prompt.
#[derive(Clone, Debug)]
pub(crate) struct SelectedEvent {
    pub(crate) entry: TimelineEntry,
    pub(crate) vividness: Vividness,
    pub(crate) score: f32,
    pub(crate) parts: Parts,
    /// Whether the cue did not ask for it.
    pub(crate) unprompted: bool,
}

/// The selected events, and the resulting changes of the conversation's state.
#[derive(Default)]
pub(crate) struct SurfacedEvents {
    pub(crate) selected: Vec<SelectedEvent>,
    pub(crate) considered: Vec<Considered>,
    /// Repressed events whose topic occurred in this turn.
    pub(crate) pressed: Vec<TimelineId>,
}

/// Why an event is selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occasion {
    Asked,
    Unprompted,
    None,
}

/// How closely an event is related to the cue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closeness {
    /// The cue is clearly about it.
    About,
    /// It is related to the cue.
    Related,
    /// It is not related.
    Unrelated,
}

/// The relevance from which an event counts as related.
const RELATED: f64 = 0.19;

impl Closeness {
    fn of(event: &ScoredEvent<'_>, question: &Question<'_>) -> Self {
        let ranking = &question.policy.ranking;
        let is_related = f64::from(event.parts.relevance) >= RELATED.max(ranking.relevance_floor());
        if is_related && f64::from(event.about) >= ranking.aboutness.unwrap_or(ABOUTNESS) {
            Self::About
        } else if is_related {
            Self::Related
        } else {
            Self::Unrelated
        }
    }
}

/// Selects the events of `biography` to mention, best first.
pub(crate) fn select_events(
    biography: &Biography,
    question: &Question<'_>,
    session: &SessionSoFar,
    fusion: &Fusion,
) -> SurfacedEvents {
    let mut coming = SurfacedEvents::default();
    let mut boasted = session.boasted;
    for event in biography.rank(question, fusion) {
        let closeness = Closeness::of(&event, question);
        if closeness == Closeness::About && event.entry.event.memory_type == MemoryType::Repressed {
            coming.pressed.push(event.entry.id);
        }
        let occasion = match occasion(&event, question.cue, closeness, session) {
            Occasion::Unprompted if boasted => Occasion::None,
            occasion @ (Occasion::Asked | Occasion::Unprompted | Occasion::None) => occasion,
        };
        boasted |= occasion == Occasion::Unprompted;
        coming.note(&event, occasion);
    }
    coming.selected.sort_by_key(|selected| std::cmp::Reverse(!selected.unprompted));
    coming
}

impl SurfacedEvents {
    fn note(&mut self, event: &ScoredEvent<'_>, occasion: Occasion) {
        let outcome = match occasion {
            Occasion::None => Outcome::Irrelevant,
            Occasion::Asked | Occasion::Unprompted if self.selected.len() >= MOST_EVENTS => {
                Outcome::Outranked
            }
            Occasion::Asked | Occasion::Unprompted => Outcome::Rendered,
        };
        self.considered.push(Considered {
            id: event.entry.id,
            score: event.score,
            parts: event.parts,
            outcome,
        });
        if outcome == Outcome::Rendered {
            self.selected.push(SelectedEvent {
                entry: event.entry.clone(),
                vividness: vividness(event.parts),
                score: event.score,
                parts: event.parts,
                unprompted: occasion == Occasion::Unprompted,
            });
        }
    }
}

fn vividness(parts: Parts) -> Vividness {
    Salience::clamped(f64::from(parts.salience)).into()
}

fn occasion(event: &ScoredEvent<'_>, cue: &str, closeness: Closeness, session: &SessionSoFar) -> Occasion {
    let relevant = closeness != Closeness::Unrelated;
    let asked = if relevant { Occasion::Asked } else { Occasion::None };
    match event.entry.event.memory_type {
        MemoryType::Normal | MemoryType::Shame | MemoryType::Revised | MemoryType::Exaggerated => asked,
        MemoryType::Pride if relevant => Occasion::Asked,
        MemoryType::Pride if vividness(event.parts) == Vividness::Vivid => Occasion::Unprompted,
        MemoryType::Pride => Occasion::None,
        MemoryType::Repressed => {
            let earlier = session.pressure.get(&event.entry.id).copied().unwrap_or(0);
            let pressed = earlier.saturating_add(u32::from(closeness == Closeness::About)) >= PRESSURE;
            if pressed || is_triggered(event.entry, cue) { Occasion::Asked } else { Occasion::None }
        }
    }
}

/// Whether a trigger of the event occurs in `cue` as whole words.
fn is_triggered(entry: &TimelineEntry, cue: &str) -> bool {
    let cue = bare_words(cue);
    entry.event.triggers().map(bare_words).any(|phrase| !phrase.trim().is_empty() && cue.contains(&phrase))
}

/// The words of `text` in lower case with one space before, between and after them.
fn bare_words(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = text::words(&lower).map(|(_, word)| word).collect();
    format!(" {} ", words.join(" "))
}

/// Every note that [`instruction`] returns; they are for a model and never for people.
pub(crate) const INSTRUCTIONS: [&str; 9] = [
    PROUD_UNPROMPTED,
    PROUD_VIVID,
    PROUD,
    ASHAMED_AVOIDING,
    ASHAMED,
    REPRESSED,
    AMPLIFY_STRICT,
    AMPLIFY_MODERATE,
    AMPLIFY_PERMISSIVE,
];

const PROUD_UNPROMPTED: &str =
    "You are proud of this, a defining trait of yours: you may bring it up yourself, gladly.";
const PROUD_VIVID: &str = "You are proud of this, a defining trait of yours: tell it gladly.";
const PROUD: &str = "You are proud of this: tell it gladly.";
const ASHAMED_AVOIDING: &str = "You are ashamed of this: be reluctant, minimise it or deflect. You avoid the whole \
                                subject and steer away from what leads to it.";
const ASHAMED: &str = "You are ashamed of this: be reluctant, minimise it or deflect.";
const REPRESSED: &str =
    "You have pushed this away and it resists: let out no more than this fragment, and break off.";
const AMPLIFY_STRICT: &str = "Amplify this in the telling: emphasis only, no new fact.";
const AMPLIFY_MODERATE: &str = "Amplify this in the telling, and hedge where you embellish; no new names, dates, \
                                numbers or promises.";
const AMPLIFY_PERMISSIVE: &str = "Amplify this in the telling: raise the stakes and embellish, and where you add \
                                  something, say in the same sentence that you are not sure.";

/// The tone of an event as an instruction for the model; `None` for most.
pub(crate) fn instruction(
    selected: &SelectedEvent,
    confabulation: ConfabulationPolicy,
) -> Option<&'static str> {
    let avoids = selected.entry.event.memory_strength.get() >= 75.0;
    match selected.entry.event.memory_type {
        MemoryType::Normal | MemoryType::Revised => None,
        MemoryType::Pride if selected.vividness == Vividness::Vivid && selected.unprompted => {
            Some(PROUD_UNPROMPTED)
        }
        MemoryType::Pride if selected.vividness == Vividness::Vivid => Some(PROUD_VIVID),
        MemoryType::Pride => Some(PROUD),
        MemoryType::Shame if avoids => Some(ASHAMED_AVOIDING),
        MemoryType::Shame => Some(ASHAMED),
        MemoryType::Repressed => Some(REPRESSED),
        MemoryType::Exaggerated => Some(match confabulation {
            ConfabulationPolicy::Strict => AMPLIFY_STRICT,
            ConfabulationPolicy::Moderate => AMPLIFY_MODERATE,
            ConfabulationPolicy::Permissive => AMPLIFY_PERMISSIVE,
        }),
    }
}
