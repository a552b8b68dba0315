//! Things sold or thrown away that somebody still has.

use recall::words::Term;

use super::claim::Claim;
use super::occasion::DAY;
use super::subject::Subject;
use super::vocabulary::{List, Vocabulary};

/// Pairs of claims, one parting with a thing and a later one that still has it.
pub(super) fn kept_after_parting(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (parting, claim) in claims.iter().enumerate() {
        let Some(thing) = parted_with(claim, vocabulary) else { continue };
        for (keeping, other) in claims.iter().enumerate() {
            let later = claim.at.zip(other.at).is_some_and(|(parting, other)| other > parting);
            let kept = keeps(other, thing)
                || was_of_the_same(claim, other, thing)
                || is_part_of_me(other, thing, vocabulary)
                || has_there(claim, other, thing)
                || has_the_same(claim, other, thing);
            if later
                && kept
                && claim.source != other.source
                && !is_had_back(claims, thing, claim.at, other.at)
            {
                found.push((parting, keeping));
            }
        }
    }
    found
}

/// The thing somebody sold, burned or stole, or that was sold, burned or stolen.
fn parted_with(claim: &Claim<'_>, vocabulary: &Vocabulary) -> Option<Term> {
    let told = !claim.tone.negated && !claim.tone.unreal && !claim.tone.reported;
    if let Some(organ) = had_out(claim).filter(|_| told) {
        return Some(organ);
    }
    let verb = claim.words.iter().position(|word| vocabulary.is(List::Parted, word.key)).filter(|_| told)?;
    let passive = claim
        .words
        .get(verb.checked_sub(1)?)
        .is_some_and(|word| matches!(word.lower.as_str(), "was" | "were"));
    if let Subject::Thing(thing) = &claim.subject
        && passive
    {
        return thing.last().copied();
    }
    let mut after = claim
        .words
        .iter()
        .skip(verb + 1)
        .skip_while(|word| matches!(word.lower.as_str(), "all" | "both" | "of" | "every"));
    let owned =
        after.next().filter(|word| word.owner || matches!(word.lower.as_str(), "the" | "my" | "our" | "her"));
    let things = owned.map(|_| after.take_while(|word| word.strong || word.owner))?;
    things.filter(|word| !word.owner).last().map(|word| word.key)
}

/// `I had my tonsils out`.
fn had_out(claim: &Claim<'_>) -> Option<Term> {
    claim.words.windows(4).find_map(|four| match four {
        [had, my, organ, out] if had.lower == "had" && my.lower == "my" && out.lower == "out" => {
            Some(organ.key)
        }
        _ => None,
    })
}

/// `I bought it back`, `it turned up again`: told of the thing in between, or in the later entry.
fn is_had_back(claims: &[Claim<'_>], thing: Term, parted: Option<i64>, kept: Option<i64>) -> bool {
    let returns = |claim: &Claim<'_>| {
        let back = claim
            .words
            .iter()
            .any(|word| matches!(word.lower.as_str(), "again" | "back" | "replica" | "copy"));
        let spoken =
            claim.has(thing) || claim.words.iter().any(|word| matches!(word.lower.as_str(), "it" | "them"));
        back && spoken && !claim.tone.negated
    };
    claims.iter().any(|claim| claim.at > parted && claim.at <= kept && returns(claim))
}

/// `my grandfather's violin` was sold, and is played on as `the violin my grandfather left me`.
fn was_of_the_same(parting: &Claim<'_>, claim: &Claim<'_>, thing: Term) -> bool {
    let owner = parting.owner_of(thing);
    let known = owner.is_some_and(|owner| {
        claim.owner_of(thing) == Some(owner) || claim.words.iter().any(|word| word.key == owner)
    });
    let told = claim.tone.negated || claim.tone.unreal || claim.tone.newer || claim.tone.title;
    known && claim.has(thing) && !told && !claim.words.iter().any(|word| word.lower == "sold")
}

/// `I still have`, `the same`, `kept all`, `both my`: it is there, whatever was told.
fn keeps(claim: &Claim<'_>, thing: Term) -> bool {
    let words = ["still", "still-keep", "same", "kept", "keep", "every", "both", "never-part"];
    let still = claim.words.iter().any(|word| words.contains(&word.lower.as_str()));
    still && claim.has(thing) && !claim.tone.negated && !claim.tone.unreal && !claim.tone.newer
}

/// What was taken from a body doesn't grow again: `my appendix`, `my two legs`.
fn is_part_of_me(claim: &Claim<'_>, thing: Term, vocabulary: &Vocabulary) -> bool {
    let body = vocabulary.family("body").is_some_and(|body| body.contains(&thing));
    let at = claim.words.iter().position(|word| word.key == thing).unwrap_or(0);
    let before = claim.words.get(at.saturating_sub(3)..at).unwrap_or_default();
    let mine = before.iter().rev().take_while(|word| !word.owner).any(|word| word.lower == "my");
    body && mine && claim.has(thing) && !claim.tone.negated && !claim.tone.unreal && !claim.tone.looks_back
}

/// `my old guitar`, after my old guitar was sold.
fn has_the_same(parting: &Claim<'_>, claim: &Claim<'_>, thing: Term) -> bool {
    let described = |claim: &Claim<'_>| {
        let triples = claim.words.iter().zip(claim.words.iter().skip(1)).zip(claim.words.iter().skip(2));
        let found = triples.into_iter().find(|((my, _), noun)| {
            matches!(my.lower.as_str(), "my" | "our") && noun.key == thing && !noun.owner
        });
        found.map(|((_, adjective), _)| adjective.key)
    };
    let same = described(parting).is_some_and(|adjective| described(claim) == Some(adjective));
    same && !claim.tone.negated && !claim.tone.unreal && !claim.tone.looks_back
}

/// Pairs of claims, one leaving a firm and a later one still at work there.
pub(super) fn at_work_after_leaving(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let proper = |claim: &Claim<'_>| {
        claim.proper.places.iter().chain(&claim.proper.names).copied().collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for (leaving, claim) in claims.iter().enumerate().filter(|(_, claim)| leaves(claim, vocabulary)) {
        let firm = proper(claim);
        for (working, other) in claims.iter().enumerate() {
            let later = claim.at.zip(other.at).is_some_and(|(leaving, other)| other > leaving + 30 * DAY);
            let there = proper(other).iter().any(|name| firm.contains(name));
            if later && there && claim.source != other.source && works(other, vocabulary) {
                found.push((leaving, working));
            }
        }
    }
    found
}

fn leaves(claim: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
    let told = !claim.tone.negated && !claim.tone.unreal && !claim.tone.reported;
    let mine = matches!(claim.subject, Subject::Teller | Subject::Implied);
    let first = claim.words.iter().find(|word| word.strong);
    told && mine && first.is_some_and(|word| vocabulary.is(List::Leaving, word.key))
}

fn works(claim: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
    let told = claim.tone.negated
        || claim.tone.unreal
        || claim.tone.looks_back
        || claim.tone.newer
        || claim.tone.another;
    let mine = matches!(claim.subject, Subject::Teller | Subject::Implied | Subject::Thing(_));
    !told && mine && claim.words.iter().any(|word| vocabulary.is(List::AtWork, word.key))
}

/// `my flat in Gracia`, after the flat in Gracia was sold.
fn has_there(parting: &Claim<'_>, claim: &Claim<'_>, thing: Term) -> bool {
    let proper = |claim: &Claim<'_>| {
        claim.proper.places.iter().chain(&claim.proper.names).copied().collect::<Vec<_>>()
    };
    let there = proper(parting).iter().any(|place| proper(claim).contains(place));
    let pairs = claim.words.iter().zip(claim.words.iter().skip(1));
    let mine =
        pairs.into_iter().any(|(my, noun)| matches!(my.lower.as_str(), "my" | "our") && noun.key == thing);
    there && mine && !claim.tone.negated && !claim.tone.unreal && !claim.tone.looks_back && !claim.tone.newer
}
