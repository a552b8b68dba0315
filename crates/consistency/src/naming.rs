//! The name somebody was christened: given once, whatever they are called later.

use recall::words::Term;

use super::claim::Claim;
use super::sentences::Word;
use super::subject::Subject;

/// Pairs of claims that christen the persona with different names.
pub(super) fn two_given_names(claims: &[Claim<'_>]) -> Vec<(usize, usize)> {
    let named: Vec<(usize, Vec<Term>)> = claims
        .iter()
        .enumerate()
        .map(|(at, claim)| (at, given_names(claim)))
        .filter(|(_, names)| !names.is_empty())
        .collect();
    let mut found = Vec::new();
    for (at, (left, names)) in named.iter().enumerate() {
        let others =
            named.iter().skip(at + 1).filter(|(_, other)| !other.iter().any(|name| names.contains(name)));
        found.extend(others.map(|(right, _)| (*left, *right)));
    }
    found
}

/// The names in `I was christened Margarethe Luise`, `they named me Ottilie`, `my given name is Jan`.
fn given_names(claim: &Claim<'_>) -> Vec<Term> {
    let mine = matches!(claim.subject, Subject::Teller | Subject::Implied) || claim.includes_me();
    if !mine || claim.tone.unreal || claim.tone.title {
        return Vec::new();
    }
    let denied = claim.words.iter().position(|word| word.denial).unwrap_or(claim.words.len());
    let named = (0..denied).find(|at| gives_name(&claim.words, *at));
    let after = named.map_or(&[][..], |at| claim.words.get(at + 1..).unwrap_or_default());
    let given = after.iter().skip_while(|word| matches!(word.lower.as_str(), "me" | "as" | "is" | "was"));
    given.take_while(|word| word.capital).map(|word| word.key).collect()
}

/// Whether a name the persona was given follows: `christened`, `named me`, `I was named`, `given name`.
fn gives_name(words: &[Word], at: usize) -> bool {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let before = at.checked_sub(1).map_or("", lower);
    match lower(at) {
        "christened" | "baptised" | "baptized" => {
            lower(at + 1) == "me" || matches!(before, "was" | "me" | "been") || at == 0
        }
        "named" => lower(at + 1) == "me" || before == "was" && at.checked_sub(2).map_or("", lower) == "i",
        "name" => matches!(before, "given" | "baptismal" | "christian" | "first") && words.len() > at + 1,
        _ => false,
    }
}
