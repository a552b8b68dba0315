//! Whether two claims contradict each other, and in what.
//!
//! A life changes, so a difference counts only where it can't be a change: on one occasion, in
//! something remembered, or in what happens once.

use super::Conflict;
use super::claim::Claim;
use super::pair::Pair;
use super::values;
use super::vocabulary::Vocabulary;
use super::wording;

/// Looks at a pair for one kind of conflict.
type Rule = fn(&Pair<'_, '_>) -> bool;

const WORDS: &[(Rule, Conflict)] = &[
    (wording::negation, Conflict::Negation),
    (wording::opposites, Conflict::Opposites),
];

const FIGURES: &[(Rule, Conflict)] = &[(values::numbers, Conflict::Number), (values::dates, Conflict::Date)];

const VALUES: &[(Rule, Conflict)] = &[
    (values::places, Conflict::Place),
    (values::names, Conflict::Name),
    (values::another_only_one, Conflict::State),
];

/// Why two claims can't both be true, if they can't.
pub(super) fn conflict(left: &Claim<'_>, right: &Claim<'_>, vocabulary: &Vocabulary) -> Option<Conflict> {
    let hearsay = |claim: &Claim<'_>| claim.tone.unreal || claim.tone.reported;
    if hearsay(left) || hearsay(right) {
        return None;
    }
    let pair = Pair::new(left, right, vocabulary);
    let first = |rules: &[(Rule, Conflict)]| {
        rules.iter().find(|(differs, _)| differs(&pair)).map(|(_, conflict)| *conflict)
    };
    if !pair.has_one_subject() {
        let known = pair.earlier.people.iter().any(|person| pair.later.people.contains(person));
        let differs = (known || pair.tells_the_same_time()) && values::another_only_one(&pair);
        return (vocabulary.is_english() && differs).then_some(Conflict::Name);
    }
    if !vocabulary.is_english() {
        return first(FIGURES);
    }
    let titles = left.tone.title || right.tone.title;
    let words = || if titles { None } else { first(WORDS) };
    words().or_else(|| first(FIGURES)).or_else(|| first(VALUES))
}
