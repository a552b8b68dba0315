//! What the clauses of one text say of each other: subjects, doubt, years and hindsight.

use recall::words::Term;

use super::Claim;
use crate::date::year_of;
use crate::subject::Subject;

/// Gives every clause of a text what another one says of it.
pub(super) fn propagate(claims: &mut [Claim<'_>]) {
    propagate_subjects(claims);
    propagate_doubt(claims);
    propagate_people(claims);
    propagate_years(claims);
    propagate_hindsight(claims);
}

/// What a person only said, feared or dreamed stays so after `that`.
fn propagate_doubt(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let Some((before, rest)) = claims.split_at_mut_checked(at) else { return };
        let Some((before, claim)) = before.last().zip(rest.first_mut()) else { return };
        let said = claim.words.first().is_some_and(|word| word.lower == "that");
        if said && std::ptr::eq(before.sentence, claim.sentence) {
            claim.flags.unreal |= before.flags.unreal;
            claim.flags.reported |= before.flags.reported;
        }
    }
}

fn propagate_people(claims: &mut [Claim<'_>]) {
    let cast: Vec<Term> = claims.iter().flat_map(|claim| &claim.people).copied().collect();
    for claim in claims {
        claim.cast.clone_from(&cast);
    }
}

/// A sentence that looks back in one clause looks back in all of them, and a text that begins so does throughout.
fn propagate_hindsight(claims: &mut [Claim<'_>]) {
    let looks = |claim: &&Claim<'_>| claim.flags.looks_back;
    let looking: Vec<&str> = claims.iter().filter(looks).map(|claim| claim.sentence).collect();
    let from_the_start = claims
        .iter()
        .find(|claim| !claim.flags.title)
        .is_some_and(|claim| looking.iter().any(|sentence| std::ptr::eq(*sentence, claim.sentence)));
    for claim in claims {
        let looks = looking.iter().any(|sentence| std::ptr::eq(*sentence, claim.sentence));
        claim.flags.looks_back |= from_the_start || looks;
    }
}

/// A clause that continues the subject of the one before is about the same thing.
fn propagate_subjects(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let Some((before, rest)) = claims.split_at_mut_checked(at) else { return };
        let Some((before, claim)) = before.last().zip(rest.first_mut()) else { return };
        let goes_on =
            claim.words.first().is_some_and(|word| word.lower == "and") && claim.subject == before.subject;
        if let Subject::Thing(thing) = &claim.subject {
            claim.topic.extend(thing);
        }
        if goes_on && claim.names.people.is_empty() {
            claim.names.people.clone_from(&before.names.people);
            claim.people.extend(&before.names.people);
        }
        let pronoun = claim.words.iter().any(|word| matches!(word.lower.as_str(), "it" | "them"));
        let object = before.words.iter().rev().find(|word| word.strong && !word.capital);
        claim.topic.extend(object.filter(|_| goes_on && pronoun).map(|word| word.key));
        claim.flags.another |= goes_on && before.flags.another;
        claim.topic.sort_unstable();
        claim.topic.dedup();
    }
}

/// A year in one clause of a sentence dates the others, and a year that isn't the entry's own looks back.
fn propagate_years(claims: &mut [Claim<'_>]) {
    let years: Vec<(&str, i16)> =
        claims.iter().filter_map(|claim| Some((claim.sentence, claim.date.year?))).collect();
    for claim in claims {
        let named = years.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.date.year = claim.date.year.or(named.map(|(_, year)| *year));
        let own = claim.at.map(year_of);
        claim.flags.looks_back |= claim.date.year.zip(own).is_some_and(|(named, own)| named < own);
    }
}
