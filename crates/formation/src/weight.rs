//! How much a statement weighs and how it felt.

use domain::{Salience, Valence};

use crate::cue::Cue;
use crate::statement::Statement;

/// What any statement weighs that is worth keeping.
const LEAST: f64 = 0.4;

/// What each cue adds to the weight.
const WEIGHTS: [(Cue, f64); 11] = [
    (Cue::Fact, 0.12),
    (Cue::Preference, 0.1),
    (Cue::Kin, 0.1),
    (Cue::Name, 0.05),
    (Cue::Plan, 0.08),
    (Cue::Decision, 0.12),
    (Cue::Correction, 0.08),
    (Cue::Event, 0.05),
    (Cue::Standing, 0.06),
    (Cue::Confidential, 0.1),
    (Cue::Hedge, -0.1),
];

/// The weight of a statement, with the feeling in it.
pub(crate) fn salience(statement: &Statement<'_>, valence: Valence) -> Salience {
    let cues: f64 = WEIGHTS.iter().filter(|(cue, _)| statement.has(&[*cue])).map(|(_, weight)| weight).sum();
    let dated = if statement.is_dated() { 0.06 } else { 0.0 };
    let asked_for = if statement.is_asked_for { 0.25 } else { 0.0 };
    Salience::clamped((LEAST + cues + dated + asked_for + 0.15 * valence.get().abs()).clamp(0.3, 0.95))
}

/// How a statement felt: the words of its lexicon, a negated word turned round, strong words stronger.
pub(crate) fn valence(statement: &Statement<'_>) -> Valence {
    let felt: f64 = statement
        .hits
        .iter()
        .map(|hit| {
            let is_negated = statement.hits.iter().any(|other| {
                other.cue == Cue::Negation
                    && (other.words.end..other.words.end + 3).contains(&hit.words.start)
            });
            match (hit.cue == Cue::Positive, hit.cue == Cue::Negative, is_negated) {
                (true, _, false) => 0.4,
                (true, _, true) | (false, true, false) => -0.4,
                (false, true, true) => 0.1,
                (false, false, _) => 0.0,
            }
        })
        .sum();
    let strength = if statement.has(&[Cue::Intense]) { 1.4 } else { 1.0 };
    Valence::clamped((felt * strength).clamp(-0.9, 0.9))
}
