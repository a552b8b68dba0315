//! What the persona can't take or can't stand, and has with pleasure all the same.

use recall::words::Term;

use crate::claim::Claim;
use crate::clause::Word;
use crate::subject::Subject;
use crate::time_relation::{Relation, relation};
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// Pairs of claims, an aversion and a joy in its cause at a time when it held.
pub(crate) fn enjoyed_aversions(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let words = Words::new(vocabulary);
    let mut found = Vec::new();
    for (at, claim) in claims.iter().enumerate().filter(|(_, claim)| is_plain(claim)) {
        let before = at.checked_sub(1).and_then(|before| claims.get(before));
        let before = before.filter(|before| before.source == claim.source);
        let Some(aversion) = Aversion::read(claim, before, &words, vocabulary) else { continue };
        for (joy, other) in claims.iter().enumerate().filter(|(_, other)| is_plain(other)) {
            let ours = matches!(other.subject, Subject::Thing(_))
                && other.words.first().is_some_and(|word| matches!(word.lower.as_str(), "my" | "our"));
            let same = claim.subject == other.subject || is_tellers(claim) && (is_tellers(other) || ours);
            if other.source != claim.source && same && aversion.excludes(claim, other, &words) {
                found.push((at, joy));
            }
        }
    }
    found
}

/// The words by which an aversion and a joy are known.
struct Words {
    allergic: [Term; 5],
    hate: [Term; 5],
    take: [Term; 24],
}

impl Words {
    fn new(vocabulary: &mut Vocabulary) -> Self {
        let mut term = |word: &str| vocabulary.term(word);
        let take = [
            "eat",
            "drink",
            "ordered",
            "enjoyed",
            "cooked",
            "tasted",
            "swallowed",
            "bite",
            "adopted",
            "stroked",
            "snack",
            "keep",
            "share",
            "love",
            "breed",
            "favourite",
            "raise",
            "breakfast",
            "lunch",
            "sandwich",
            "bowl",
            "toast",
            "handful",
            "morning",
        ];
        Self {
            allergic: ["allergic", "allergy", "intolerant", "intolerance", "anaphylactic"].map(&mut term),
            hate: ["scared", "phobia", "panic", "hate", "disgusted"].map(&mut term),
            take: take.map(term),
        }
    }
}

/// What a person can't tolerate.
struct Aversion {
    cause: Vec<Term>,
    /// Whether it stays, as an allergy does and a dislike need not.
    lasting: bool,
    /// Whether it was there all the life.
    lifelong: bool,
}

impl Aversion {
    /// The cause stands after `allergic to` or before `allergy`; `this allergy` refers to the clause before.
    fn read(
        claim: &Claim<'_>,
        before: Option<&Claim<'_>>,
        words: &Words,
        vocabulary: &Vocabulary,
    ) -> Option<Self> {
        let known = |word: &Word| words.allergic.contains(&word.key) || words.hate.contains(&word.key);
        let at = claim.words.iter().position(known)?;
        let after = claim.words.iter().skip(at + 1).filter(|word| word.strong).take(2);
        let last = at.checked_sub(1).and_then(|last| claim.words.get(last));
        let mentioned =
            last.filter(|last| matches!(last.lower.as_str(), "this" | "that" | "the")).and(before);
        let mentioned =
            mentioned.into_iter().flat_map(|before| before.words.iter().filter(|word| word.strong));
        let mut cause: Vec<Term> =
            after.chain(last.filter(|last| last.strong)).chain(mentioned).map(|word| word.key).collect();
        cause.retain(|term| {
            !vocabulary.is(WordList::Light, *term) && !vocabulary.is(WordList::GenericVerb, *term)
        });
        let kinds: Vec<Term> = cause.iter().flat_map(|term| vocabulary.members(*term)).collect();
        cause.extend(kinds);
        let lasting = claim.words.iter().any(|word| words.allergic.contains(&word.key));
        Some(Self { cause, lasting, lifelong: claim.flags.universal || claim.at.is_none() })
    }

    fn excludes(&self, claim: &Claim<'_>, other: &Claim<'_>, words: &Words) -> bool {
        let taken = words.take.iter().any(|verb| other.words.iter().any(|word| word.key == *verb));
        let enjoyed = |term: &Term| other.has(*term) && taken;
        let held = match (self.lifelong, self.lasting) {
            (true, _) => true,
            (false, true) => other.at >= claim.at,
            (false, false) => matches!(relation(claim, other), Relation::Same | Relation::Near),
        };
        held && !words.allergic.iter().any(|word| other.has(*word)) && self.cause.iter().any(enjoyed)
    }
}

fn is_plain(claim: &Claim<'_>) -> bool {
    !claim.flags.negated && !claim.flags.unreal && !claim.words.iter().any(|word| word.lower == "without")
}

const fn is_tellers(claim: &Claim<'_>) -> bool {
    matches!(claim.subject, Subject::Persona | Subject::Implied)
}
