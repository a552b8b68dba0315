//! People who do something after their death, and things that are there after their end.

use recall::words::Term;

use crate::claim::Claim;
use crate::clause::is_verb;
use crate::date::year_of;
use crate::overlap::owners_differ;
use crate::subject::{Subject, relative};
use crate::time_relation::DAY;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// Pairs of claims, a death and a sign of life after it.
pub(crate) fn alive_after_death(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let words = Words::new(vocabulary);
    let mut found = Vec::new();
    for (death, claim) in claims.iter().enumerate() {
        for (person, at) in deaths(claim, &words, vocabulary) {
            let mut people = words.members(person);
            people.push(person);
            let remarried = remarried_at(claims, person, at, &words);
            let later = |other: &Claim<'_>| remarried.is_none_or(|wedding| other.at < Some(wedding));
            for (life, other) in claims.iter().enumerate().filter(|(_, other)| other.source != claim.source) {
                if later(other) && people.iter().any(|person| lives(other, *person, at, vocabulary)) {
                    found.push((death, life));
                }
            }
        }
    }
    found
}

/// When the persona married again after the death of a husband or a wife, so that `my husband` is another one.
fn remarried_at(claims: &[Claim<'_>], dead: Term, dead_since: i64, words: &Words) -> Option<i64> {
    let weds = |claim: &&Claim<'_>| claim.has(words.marry) && !claim.flags.negated && !claim.flags.unreal;
    let weddings = claims.iter().filter(weds).filter_map(|claim| claim.at).filter(|at| *at > dead_since);
    weddings.min().filter(|_| words.spouses.contains(&dead))
}

/// Pairs of claims, the end of a thing and a later one in which it is still there.
pub(crate) fn things_after_their_end(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (end, claim) in claims.iter().enumerate() {
        let Subject::Thing(thing) = &claim.subject else { continue };
        let ended = claim.words.iter().any(|word| vocabulary.is(WordList::Ended, word.key))
            && !claim.flags.negated
            && !claim.flags.unreal;
        let thing: Vec<Term> =
            thing.iter().copied().filter(|term| !vocabulary.is(WordList::Ended, *term)).collect();
        for (later, other) in claims.iter().enumerate().filter(|_| ended && !thing.is_empty()) {
            if other.source != claim.source && is_there_after(other, &thing, claim, vocabulary) {
                found.push((end, later));
            }
        }
    }
    found
}

fn is_there_after(claim: &Claim<'_>, thing: &[Term], end: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
    let after = claim.at.zip(end.at).is_some_and(|(at, end)| at >= end);
    let there = end.names.all().any(|name| claim.names.all().any(|other| other == name));
    let specific = thing.len() > 1
        || there
        || claim.words.iter().any(|word| matches!(word.lower.as_str(), "same" | "still" | "old"))
        || matches!(&claim.subject, Subject::Thing(subject) if subject.iter().any(|term| thing.contains(term)))
            && !is_pet(thing, vocabulary);
    let looks_back = claim.flags.looks_back
        || claim.flags.unreal
        || claim.flags.negated
        || claim.flags.newer
        || claim.flags.another
        || claim.flags.title;
    let mourned = claim
        .words
        .iter()
        .any(|word| vocabulary.is(WordList::Mourning, word.key) || vocabulary.is(WordList::Ended, word.key));
    let others = owners_differ(claim, end);
    after && specific && !looks_back && !mourned && !others && thing.iter().all(|term| claim.has(*term))
}

/// `my cat` years after a cat died is another cat.
fn is_pet(thing: &[Term], vocabulary: &Vocabulary) -> bool {
    vocabulary.family("pet").is_some_and(|pets| thing.iter().any(|term| pets.contains(term)))
}

struct Words {
    die: Term,
    lose: Term,
    bury: Term,
    funeral: Term,
    age: Term,
    born: Term,
    marry: Term,
    put: Term,
    spouses: [Term; 2],
    /// Several people under one word, and each of them.
    groups: [(Term, Vec<Term>); 2],
}

impl Words {
    fn new(vocabulary: &mut Vocabulary) -> Self {
        let mut group = |name: &str, members: [&str; 2]| {
            (vocabulary.term(name), members.map(|member| vocabulary.term(member)).to_vec())
        };
        let groups =
            [group("parents", ["mother", "father"]), group("grandparents", ["grandmother", "grandfather"])];
        Self {
            die: vocabulary.term("die"),
            lose: vocabulary.term("lose"),
            bury: vocabulary.term("buried"),
            funeral: vocabulary.term("funeral"),
            age: vocabulary.term("age"),
            born: vocabulary.term("born"),
            marry: vocabulary.term("marry"),
            put: vocabulary.term("put"),
            spouses: ["husband", "wife"].map(|spouse| vocabulary.term(spouse)),
            groups,
        }
    }

    /// Who else is dead when this person or these people are.
    fn members(&self, person: Term) -> Vec<Term> {
        self.groups.iter().find(|(group, _)| *group == person).map_or_else(Vec::new, |(_, all)| all.clone())
    }
}

/// Whose deaths the claim tells, and the first day after them.
fn deaths(claim: &Claim<'_>, words: &Words, vocabulary: &Vocabulary) -> Vec<(Term, i64)> {
    let Some(at) = claim.at.filter(|_| !claim.flags.unreal && !claim.flags.negated) else {
        return Vec::new();
    };
    let people = match &claim.subject {
        Subject::Person(person) if dies(claim, words) => vec![*person],
        Subject::Person(_) => Vec::new(),
        Subject::Persona | Subject::Implied | Subject::Thing(_) | Subject::Unknown => {
            lost_people(claim, words, vocabulary)
        }
    };
    let since = dead_since(claim, at, words);
    people.into_iter().map(|person| (person, since)).collect()
}

/// The time from which a person is dead whose death is reported at `at`.
fn dead_since(claim: &Claim<'_>, at: i64, words: &Words) -> i64 {
    let long_ago = claim.words.iter().any(|word| word.lower == "as-a-child")
        || claim.quantities.iter().any(|quantity| quantity.units == [words.age])
            && claim.flags.looks_back
            && claim.context.iter().all(|term| *term != words.die);
    let before_birth = claim.sentence.contains("before") && claim.sentence.contains("born")
        || claim.words.iter().any(|word| word.key == words.born);
    if long_ago || before_birth {
        return i64::MIN;
    }
    let named = claim
        .date
        .year
        .filter(|year| *year < year_of(at))
        .map(|year| at - i64::from(year_of(at) - year - 1) * 365 * DAY);
    named.unwrap_or(at) + 3 * DAY
}

/// `My father died`, `my father was buried`, `my father, lost at sea`.
fn dies(claim: &Claim<'_>, words: &Words) -> bool {
    let pairs = claim.words.iter().zip(claim.words.iter().skip(1));
    let buried = pairs
        .into_iter()
        .any(|(was, buried)| buried.key == words.bury && matches!(was.lower.as_str(), "was" | "is" | "been"));
    buried || (0..claim.words.len()).any(|at| is_death(claim, at, words))
}

/// A word for dying, or `lost` where it is said of a person: `lost at sea`, `lost off Rockall`.
fn is_death(claim: &Claim<'_>, at: usize, words: &Words) -> bool {
    let lower = |at: usize| claim.words.get(at).map_or("", |word| word.lower.as_str());
    let word = claim.words.get(at).map(|word| word.key);
    let overboard = matches!(lower(at + 1), "at" | "off" | "overboard" | "in") && lower(at) == "lost";
    word == Some(words.die) || overboard
}

/// `We buried my father`, `my father's funeral`, `I lost my father`, `the death of my father`, `the river took my father`,
/// `all my grandparents were dead`.
fn lost_people(claim: &Claim<'_>, words: &Words, vocabulary: &Vocabulary) -> Vec<Term> {
    let mut found = Vec::new();
    for at in 0..claim.words.len() {
        let Some(person) = person_at(claim, at, vocabulary) else { continue };
        let near = |from: usize, to: usize, wanted: &[Term]| {
            let range = claim.words.get(from..to.min(claim.words.len())).unwrap_or_default();
            range.iter().any(|word| wanted.contains(&word.key))
        };
        let before = near(at.saturating_sub(3), at, &[words.lose, words.bury, words.die, words.funeral]);
        let after = claim.words.get(at).is_some_and(|word| word.owner)
            && near(at + 1, at + 3, &[words.die, words.funeral]);
        let put_down = near(at.saturating_sub(2), at, &[words.put]) && is_put_down(claim, at);
        if before || after || put_down {
            found.push(person);
        }
    }
    found
}

/// `The vet put Biscuit to sleep`.
fn is_put_down(claim: &Claim<'_>, at: usize) -> bool {
    let lower = |at: usize| claim.words.get(at).map_or("", |word| word.lower.as_str());
    let vet = claim.words.iter().any(|word| word.lower == "vet");
    lower(at + 1) == "to" && lower(at + 2) == "sleep" && vet || lower(at + 1) == "down" && vet
}

/// A relative, or a person with a name.
fn person_at(claim: &Claim<'_>, at: usize, vocabulary: &Vocabulary) -> Option<Term> {
    let named = || {
        let word = claim.words.get(at).filter(|word| word.capital)?;
        claim.names.people.contains(&word.key).then_some(word.key)
    };
    relative(&claim.words, at, vocabulary).or_else(named)
}

/// Whether `person` does something at a time after `dead_since`, outside anybody's memory.
fn lives(claim: &Claim<'_>, person: Term, dead_since: i64, vocabulary: &Vocabulary) -> bool {
    let after = claim.at.is_some_and(|at| at > dead_since)
        && claim.date.year.is_none_or(|year| year >= year_of(dead_since));
    let remembered = claim.flags.looks_back || claim.flags.unreal || is_denied_at_once(claim);
    let mourned = claim.words.iter().any(|word| vocabulary.is(WordList::Mourning, word.key));
    let named_only = claim.flags.title && !claim.words.iter().any(|word| is_verb(word, vocabulary));
    if !after || remembered || mourned || named_only {
        return false;
    }
    let acts = matches!(&claim.subject, Subject::Person(subject) if *subject == person);
    acts
}

/// Whether the main clause is denied, and not only something said of it later: `Papa sang, which nobody had asked for`.
fn is_denied_at_once(claim: &Claim<'_>) -> bool {
    let first = claim.words.iter().position(|word| word.comma).map_or(claim.words.len(), |comma| comma + 1);
    claim.flags.negated && claim.words.iter().take(first).any(|word| word.denial)
}
