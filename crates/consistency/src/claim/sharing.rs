//! What the clauses of one text tell each other: ages, years, subjects and hindsight.

use recall::words::Term;

use super::super::moment::year_of;
use super::super::numeral::{number, ordinal};
use super::super::quantity::{Precision, Quantity};
use super::super::sentences::Word;
use super::super::subject::Subject;
use super::super::vocabulary::{List, Vocabulary};
use super::Claim;

/// Lets the clauses of one text tell each other what only one of them says.
pub(super) fn share(claims: &mut [Claim<'_>], vocabulary: &mut Vocabulary) {
    share_subjects(claims);
    share_questions(claims);
    share_doubt(claims);
    share_cast(claims);
    share_years(claims);
    share_hindsight(claims);
    for claim in claims.iter_mut() {
        claim.tone.recalls = claim.tone.looks_back;
    }
    share_ages(claims, vocabulary);
    share_anchors(claims, vocabulary);
    share_hindsight(claims);
    share_ellipsis(claims);
}

/// `He asked where I was born, and I said Funchal`: the answer is about what was asked.
fn share_questions(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let Some((before, rest)) = claims.split_at_mut_checked(at) else { return };
        let Some((question, answer)) = before.last().zip(rest.first_mut()) else { return };
        let asks = question.words.iter().any(|word| matches!(word.lower.as_str(), "asked" | "asks"))
            && question.words.iter().any(|word| matches!(word.lower.as_str(), "where" | "when" | "for"));
        let named = !answer.proper.places.is_empty() || !answer.proper.names.is_empty();
        if asks && named && std::ptr::eq(question.sentence, answer.sentence) {
            answer.once.extend(&question.once);
            answer.topic.extend(&question.topic);
            answer.topic.sort_unstable();
            answer.topic.dedup();
        }
    }
}

/// What somebody only said, feared or dreamed stays so after `that`.
fn share_doubt(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let Some((before, rest)) = claims.split_at_mut_checked(at) else { return };
        let Some((before, claim)) = before.last().zip(rest.first_mut()) else { return };
        let said = claim.words.first().is_some_and(|word| word.lower == "that");
        if said && std::ptr::eq(before.sentence, claim.sentence) {
            claim.tone.unreal |= before.tone.unreal;
            claim.tone.reported |= before.tone.reported || is_printed(before);
        }
    }
}

/// `The paper wrote`: what a thing says is hearsay.
fn is_printed(claim: &Claim<'_>) -> bool {
    let says =
        |word: &Word| matches!(word.lower.as_str(), "wrote" | "printed" | "reported" | "said" | "says");
    matches!(claim.subject, Subject::Thing(_)) && claim.words.iter().any(says)
}

fn share_cast(claims: &mut [Claim<'_>]) {
    let cast: Vec<Term> = claims.iter().flat_map(|claim| &claim.people).copied().collect();
    for claim in claims {
        claim.cast.clone_from(&cast);
    }
}

/// A sentence that looks back in one clause looks back in all of them, and a text that begins so does throughout. What
/// `had been` only goes before the rest.
fn share_hindsight(claims: &mut [Claim<'_>]) {
    let looks = |claim: &&Claim<'_>| claim.tone.looks_back && !claim.tone.had_been;
    let looking: Vec<&str> = claims.iter().filter(looks).map(|claim| claim.sentence).collect();
    let from_the_start = claims
        .iter()
        .find(|claim| !claim.tone.title)
        .is_some_and(|claim| looking.iter().any(|sentence| std::ptr::eq(*sentence, claim.sentence)));
    for claim in claims {
        let looks = looking.iter().any(|sentence| std::ptr::eq(*sentence, claim.sentence));
        claim.tone.looks_back |= from_the_start || looks;
    }
}

/// A clause that goes on with the subject of the one before is about what that one is about.
fn share_subjects(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let Some((before, rest)) = claims.split_at_mut_checked(at) else { return };
        let Some((before, claim)) = before.last().zip(rest.first_mut()) else { return };
        let goes_on =
            claim.words.first().is_some_and(|word| word.lower == "and") && claim.subject == before.subject;
        if let Subject::Thing(thing) = &claim.subject {
            claim.topic.extend(thing);
        }
        if goes_on && claim.proper.names.is_empty() {
            claim.proper.names.clone_from(&before.proper.names);
            claim.people.extend(&before.proper.names);
        }
        let pronoun = claim.words.iter().any(|word| matches!(word.lower.as_str(), "it" | "them"));
        let object = before.words.iter().rev().find(|word| word.strong && !word.capital);
        claim.topic.extend(object.filter(|_| goes_on && pronoun).map(|word| word.key));
        claim.tone.another |= goes_on && before.tone.another;
        claim.topic.sort_unstable();
        claim.topic.dedup();
    }
}

/// `when I was six` gives its age to what the rest of the sentence tells.
fn share_ages(claims: &mut [Claim<'_>], vocabulary: &mut Vocabulary) {
    let unit = vocabulary.term("age");
    let ages: Vec<(&str, (f64, bool))> =
        claims.iter().filter_map(|claim| Some((claim.sentence, age_then(&claim.words)?))).collect();
    for claim in claims {
        if let Some((_, (value, past))) =
            ages.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence))
        {
            claim.quantities.push(Quantity {
                value: *value,
                precision: Precision::Exact,
                converted: false,
                units: vec![unit],
            });
            claim.tone.looks_back |= *past && !claim.tone.title;
        }
    }
}

/// The age in `when I was six`, `I was six when`, `at the age of six`, and whether it looks back, as a bare `I was six`
/// doesn't.
fn age_then(words: &[Word]) -> Option<(f64, bool)> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).find_map(|at| {
        let was = lower(at) == "was" && matches!(at.checked_sub(1).map_or("", lower), "i" | "we");
        let then = matches!(lower(0), "when" | "because" | "until" | "before")
            || lower(at + 2) == "when"
            || at + 2 == words.len();
        let aged = lower(at) == "of" && at.checked_sub(1).map_or("", lower) == "age";
        let young = number(lower(at + 1)).is_some_and(|age| age > 12.0)
            && lower(at) == "at"
            && (at + 2 == words.len() || words.get(at + 1).is_some_and(|word| word.comma));
        let bare = was && at + 2 == words.len() && lower(0) != "when";
        number(lower(at + 1))
            .filter(|age| (was && then || aged || young) && (1.0..110.0).contains(age))
            .map(|age| (age, !bare))
    })
}

/// `when I joined` says of which time the rest of the sentence speaks.
fn share_anchors(claims: &mut [Claim<'_>], vocabulary: &Vocabulary) {
    let once = |claim: &Claim<'_>| {
        claim.topic.iter().copied().filter(|term| vocabulary.is(List::OnceWith, *term)).collect::<Vec<_>>()
    };
    let anchors: Vec<(&str, Vec<Term>)> = claims.iter().map(|claim| (claim.sentence, once(claim))).collect();
    for claim in claims {
        let same = anchors.iter().filter(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.anchors = same.flat_map(|(_, terms)| terms).copied().collect();
    }
}

/// A year in one clause of a sentence dates the others, and a year that isn't the entry's own looks back.
fn share_years(claims: &mut [Claim<'_>]) {
    let back: Vec<(&str, i16)> =
        claims.iter().filter_map(|claim| Some((claim.sentence, years_back(&claim.words)?))).collect();
    let years: Vec<(&str, i16)> =
        claims.iter().filter_map(|claim| Some((claim.sentence, claim.moment.year?))).collect();
    for claim in claims {
        let named = years.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.moment.year = claim.moment.year.or(named.map(|(_, year)| *year));
        let own = claim.at.map(year_of);
        let counted = back.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.moment.around = own.zip(counted).map(|(own, (_, back))| own - back);
        claim.tone.looks_back |= claim.moment.year.zip(own).is_some_and(|(named, own)| named < own);
    }
}

/// The ten of `ten years ago`, `ten years since`, `our tenth anniversary`.
#[expect(clippy::cast_possible_truncation, reason = "spans of a life are below two hundred years")]
fn years_back(words: &[Word]) -> Option<i16> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).find_map(|at| {
        let back = match lower(at + 2) {
            "ago" | "since" | "back" | "on" | "later" | "to" => true,
            "after" => at + 3 == words.len(),
            _ => false,
        };
        let years = matches!(lower(at + 1), "years" | "year") && back;
        let counted = number(lower(at)).filter(|_| years);
        let celebrated =
            ordinal(lower(at)).filter(|_| lower(at + 1) == "anniversary" || lower(at + 2) == "anniversary");
        counted.or(celebrated).filter(|years| (1.0..200.0).contains(years)).map(|years| years as i16)
    })
}

/// `I don't drink coffee; I never have`: the second says of the first that it always was so.
fn share_ellipsis(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let bare = claims
            .get(at)
            .is_some_and(|claim| claim.tone.universal && claim.words.len() <= 4 && claim.topic.len() <= 1);
        if let Some(before) = at.checked_sub(1).and_then(|before| claims.get_mut(before)).filter(|_| bare) {
            before.tone.universal = true;
        }
    }
}
