//! Who died, when, and who is told of as living after that.

use recall::words::Term;

use super::claim::Claim;
use super::moment::year_of;
use super::occasion::DAY;
use super::overlap::owners_differ;
use super::sentences::is_verb;
use super::subject::{Subject, relative};
use super::vocabulary::{List, Vocabulary};


/// Pairs of claims, a death and a sign of life after it.
pub(super) fn signs_of_life_after_death(
    claims: &[Claim<'_>],
    vocabulary: &mut Vocabulary,
) -> Vec<(usize, usize)> {
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
    let weds = |claim: &&Claim<'_>| claim.has(words.marry) && !claim.tone.negated && !claim.tone.unreal;
    let weddings = claims.iter().filter(weds).filter_map(|claim| claim.at).filter(|at| *at > dead_since);
    weddings.min().filter(|_| words.spouses.contains(&dead))
}

/// Pairs of claims, the end of a thing and a later one in which it is still there.
pub(super) fn things_after_their_end(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (end, claim) in claims.iter().enumerate() {
        let Subject::Thing(thing) = &claim.subject else { continue };
        let ended = claim.words.iter().any(|word| vocabulary.is(List::Ended, word.key))
            && !claim.tone.negated
            && !claim.tone.unreal;
        let thing: Vec<Term> =
            thing.iter().copied().filter(|term| !vocabulary.is(List::Ended, *term)).collect();
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
    let there = end.proper.all().any(|name| claim.proper.all().any(|other| other == name));
    let specific = thing.len() > 1
        || there
        || claim.words.iter().any(|word| matches!(word.lower.as_str(), "same" | "still" | "old"))
        || matches!(&claim.subject, Subject::Thing(subject) if subject.iter().any(|term| thing.contains(term)));
    let told = claim.tone.looks_back
        || claim.tone.unreal
        || claim.tone.negated
        || claim.tone.newer
        || claim.tone.another
        || claim.tone.title;
    let mourned = claim
        .words
        .iter()
        .any(|word| vocabulary.is(List::Mourning, word.key) || vocabulary.is(List::Ended, word.key));
    let others = owners_differ(claim, end);
    after && specific && !told && !mourned && !others && thing.iter().all(|term| claim.has(*term))
}

struct Words {
    die: Term,
    lose: Term,
    bury: Term,
    take: Term,
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
            take: vocabulary.term("take"),
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
    let Some(at) = claim.at.filter(|_| !claim.tone.unreal && !claim.tone.negated) else { return Vec::new() };
    let people = match &claim.subject {
        Subject::Person(person) if dies(claim, words) => vec![*person],
        Subject::Person(_) => Vec::new(),
        Subject::Teller | Subject::Implied | Subject::Thing(_) | Subject::Unknown => {
            lost_people(claim, words, vocabulary)
        }
    };
    let since = dead_since(claim, at, words);
    people.into_iter().map(|person| (person, since)).collect()
}

/// From when on somebody is dead whose death is told at `at`.
fn dead_since(claim: &Claim<'_>, at: i64, words: &Words) -> i64 {
    let long_ago = claim.words.iter().any(|word| word.lower == "as-a-child")
        || claim.quantities.iter().any(|quantity| quantity.units == [words.age])
            && claim.tone.looks_back
            && claim.context.iter().all(|term| *term != words.die);
    let before_birth = claim.sentence.contains("before") && claim.sentence.contains("born")
        || claim.words.iter().any(|word| word.key == words.born);
    if long_ago || before_birth {
        return i64::MIN;
    }
    let named = claim
        .moment
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

/// A word for dying, or `lost` where it is said of somebody: `lost at sea`, `lost off Rockall`.
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
        let said = (at + 1..at + 12).any(|later| is_death(claim, later, words)) && opens_with(claim, at);
        let taken =
            claim.words.iter().take(at).any(|word| word.key == words.take) && is_taken(claim, vocabulary);
        let put_down = near(at.saturating_sub(2), at, &[words.put]) && is_put_down(claim, at);
        if before || after || said || taken || put_down {
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

/// A relative, or somebody with a name.
fn person_at(claim: &Claim<'_>, at: usize, vocabulary: &Vocabulary) -> Option<Term> {
    let named = || {
        let word = claim.words.get(at).filter(|word| word.capital)?;
        claim.proper.names.contains(&word.key).then_some(word.key)
    };
    relative(&claim.words, at, vocabulary).or_else(named)
}

/// Whether nothing but `all`, `both`, numbers and the like stand before, so that the clause is about whom it names there,
/// or a colon came before.
fn opens_with(claim: &Claim<'_>, at: usize) -> bool {
    let before = claim.words.get(..at).unwrap_or_default();
    let described = before.first().is_some_and(|word| matches!(word.lower.as_str(), "my" | "our" | "the"))
        && before.iter().filter(|word| word.strong).count() == 1;
    before.iter().all(|word| !word.strong) || described || before.last().is_some_and(|word| word.comma)
}

/// `The sea took him`, `it took my father with it`: what takes people is no person.
fn is_taken(claim: &Claim<'_>, vocabulary: &Vocabulary) -> bool {
    let killer = vocabulary.family("killer");
    let by_force = killer.is_some_and(|killer| claim.words.iter().any(|word| killer.contains(&word.key)));
    let pairs = claim.words.iter().zip(claim.words.iter().skip(1));
    let along = pairs
        .into_iter()
        .any(|(with, it)| with.lower == "with" && matches!(it.lower.as_str(), "it" | "her" | "him"));
    matches!(claim.subject, Subject::Thing(_) | Subject::Implied) && (by_force || along)
}

/// Whether `person` does something at a time after `dead_since`, outside anybody's memory.
fn lives(claim: &Claim<'_>, person: Term, dead_since: i64, vocabulary: &Vocabulary) -> bool {
    let after = claim.at.is_some_and(|at| at > dead_since)
        && claim.moment.year.is_none_or(|year| year >= year_of(dead_since));
    let remembered = claim.tone.looks_back || claim.tone.unreal || is_denied_at_once(claim);
    let mourned = claim.words.iter().any(|word| vocabulary.is(List::Mourning, word.key));
    let named_only = claim.tone.title && !claim.words.iter().any(|word| is_verb(word, vocabulary));
    if !after || remembered || mourned || named_only {
        return false;
    }
    let acts = matches!(&claim.subject, Subject::Person(subject) if *subject == person);
    acts || meets(claim, person, vocabulary)
}

/// Whether what is told first is denied, and not only something said of it later: `Papa sang, which nobody had asked for`.
fn is_denied_at_once(claim: &Claim<'_>) -> bool {
    let first = claim.words.iter().position(|word| word.comma).map_or(claim.words.len(), |comma| comma + 1);
    claim.tone.negated && claim.words.iter().take(first).any(|word| word.denial)
}

/// `with my father`, `I called my father`, `my father and I`.
fn meets(claim: &Claim<'_>, person: Term, vocabulary: &Vocabulary) -> bool {
    (0..claim.words.len()).any(|at| {
        let is_person = person_at(claim, at, vocabulary) == Some(person)
            && claim.words.get(at).is_some_and(|word| !word.owner);
        let before = claim.words.get(at.saturating_sub(3)..at).unwrap_or_default();
        let lower = |at: usize| claim.words.get(at).map_or("", |word| word.lower.as_str());
        let called = matches!(at.checked_sub(1).map_or("", lower), "called" | "named");
        let and_i = lower(at + 1) == "and" && lower(at + 2) == "i";
        let together =
            before.iter().any(|word| word.lower == "with" || vocabulary.is(List::Contact, word.key));
        let sent = before.iter().any(|word| word.lower == "from")
            && claim.words.iter().take(at).any(|word| {
                matches!(
                    word.lower.as_str(),
                    "letter" | "parcel" | "postcard" | "card" | "telegram" | "call" | "note"
                )
            });
        let together = together || sent;
        is_person && !called && (and_i || together)
    })
}
