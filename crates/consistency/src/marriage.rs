//! How long somebody has been married: whoever celebrates forty years was not divorced in them.

use recall::words::Term;

use super::claim::Claim;
use super::numeral::{number, ordinal};
use super::occasion::DAY;
use super::subject::Subject;
use super::vocabulary::Vocabulary;

/// Pairs of claims, years of marriage and a divorce within them.
pub(super) fn divorced_meanwhile(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let (marry, divorce) = (vocabulary.term("marry"), vocabulary.term("divorce"));
    let divorces: Vec<(usize, i64)> = claims
        .iter()
        .enumerate()
        .filter_map(|(at, claim)| Some((at, divorced_at(claim, divorce)?)))
        .collect();
    let mut found = Vec::new();
    for (marriage, claim) in claims.iter().enumerate().filter(|(_, claim)| is_mine(claim)) {
        let Some((at, years)) = claim.at.zip(years_married(claim, marry)) else { continue };
        let wed = at - years * 365 * DAY + 60 * DAY;
        let during = divorces.iter().filter(|(_, divorced)| (wed..=at).contains(divorced));
        found.extend(during.map(|(divorce, _)| (*divorce, marriage)));
    }
    found
}

fn is_mine(claim: &Claim<'_>) -> bool {
    let mine = matches!(claim.subject, Subject::Teller | Subject::Implied) || claim.includes_me();
    mine && !claim.tone.negated && !claim.tone.unreal
}

/// When the persona was divorced, if the claim tells of it as it happens and not of the time after.
fn divorced_at(claim: &Claim<'_>, divorce: Term) -> Option<i64> {
    let after = claim.words.iter().any(|word| matches!(word.lower.as_str(), "after" | "since"));
    let told = is_mine(claim) && claim.has(divorce) && !after && !claim.tone.looks_back;
    claim.at.filter(|_| told)
}

/// The forty of `forty years of marriage`, `married for forty years`, `our fortieth anniversary`.
#[expect(clippy::cast_possible_truncation, reason = "a marriage lasts less than a hundred years")]
fn years_married(claim: &Claim<'_>, marry: Term) -> Option<i64> {
    let lower = |at: usize| claim.words.get(at).map_or("", |word| word.lower.as_str());
    let counted = |at: usize| {
        number(lower(at)).filter(|_| claim.has(marry) && lower(at + 1) == "years" && lower(at + 2) != "ago")
    };
    let ours = claim.words.iter().any(|word| word.lower == "our");
    let celebrated = |at: usize| {
        let named = (at + 1..at + 3).any(|next| lower(next) == "anniversary");
        ordinal(lower(at)).filter(|_| named && (ours || claim.has(marry)))
    };
    let years = (0..claim.words.len()).find_map(|at| counted(at).or_else(|| celebrated(at)));
    years.filter(|years| (2.0..90.0).contains(years)).map(|years| years as i64)
}
