//! Changes the grammatical person of English sentences: notes about the speaker to "you", a description of
//! the persona to "I".
//!
//! Only certain cases are changed. A note with a pronoun that may mean another person is quoted instead.

use text::Language;

use super::question::sentences;

/// A note about `name` rewritten to "you", or `None` where that is not certain.
pub(super) fn to_you(name: &str, note: &[&str]) -> Option<String> {
    let mut others = Others::None;
    let mut said = Vec::new();
    let mut is_about_them = false;
    for sentence in note.iter().flat_map(|text| sentences(text)) {
        let (changed, mentions, other) = sentence_to_you(name, sentence, others)?;
        is_about_them |= mentions;
        others = other;
        // A detail is often noted without a capital and a full stop.
        said.push(super::as_sentence(&changed));
    }
    is_about_them.then(|| said.join(" "))
}

/// A text about `name` in their own words, as far as possible: for comparison with a question they ask, not
/// for output.
pub(super) fn as_own_words(name: &str, text: &str) -> String {
    if let Some(own) = to_you(name, &[text]).and_then(|said| to_first_person("", &said)) {
        return own;
    }
    let own = |whole: &str| {
        let word = Word::of(whole);
        match () {
            () if word.is_possessive_of(name) => word.with("my"),
            () if word.is(name) => word.with("I"),
            () => whole.to_owned(),
        }
    };
    text.split_whitespace().map(own).collect::<Vec<_>>().join(" ")
}

/// Whether a note has mentioned other people so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    None,
    Some,
}

fn sentence_to_you(name: &str, sentence: &str, before: Others) -> Option<(String, bool, Others)> {
    let words: Vec<Word<'_>> = sentence.split_whitespace().map(Word::of).collect();
    let begins_with_name = words.first().is_some_and(|word| word.is(name) || word.is_possessive_of(name));
    let begins_with_other = words.first().is_some_and(Word::is_other_name) && !begins_with_name;
    // In a sentence about them, "he" is them until another person is mentioned.
    let mut others = if begins_with_name { Others::None } else { before };
    let (mut out, mut mentions, mut verb_due): (Vec<String>, bool, bool) = (Vec::new(), false, false);
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1);
        let is_pronoun = PRONOUNS.contains(&word.lower.as_str());
        let own = word.is(name) || word.is_possessive_of(name);
        if is_pronoun && begins_with_other {
            out.push(word.whole.to_owned());
            continue;
        }
        let may_mean_both = before == Others::Some && THEY.contains(&word.lower.as_str());
        // "her" as an object is another person: the subject would be "herself".
        let means_another = mentions && is_object(word, next);
        if is_pronoun && (others == Others::Some || means_another) || may_mean_both {
            return None;
        }
        if own || is_pronoun {
            let (changed, is_subject) = second_person(name, word, next);
            let begins_large = at == 0 || word.whole.starts_with(char::is_uppercase) && is_pronoun;
            out.push(word.with(&if begins_large { super::capitalised(&changed) } else { changed }));
            mentions = true;
            verb_due = is_subject;
            continue;
        }
        let after_and =
            at > 0 && words.get(at - 1).is_some_and(|before| before.lower == "and" || before.lower == "but");
        if verb_due {
            verb_due = ADVERBS.contains(&word.lower.as_str()) || word.lower.ends_with("ly");
            out.push(if verb_due {
                word.whole.to_owned()
            } else {
                word.with(&base_form(&word.lower, word.bare))
            });
        } else if after_and && mentions && begins_with_name && is_third_person(&word.lower) {
            // "… and plays": a verb of the same subject, or a noun in the plural.
            if !VERBS.contains(&word.lower.as_str()) {
                return None;
            }
            out.push(word.with(&base_form(&word.lower, word.bare)));
        } else {
            out.push(word.whole.to_owned());
        }
        let after_place_word =
            at > 0 && words.get(at - 1).is_some_and(|before| PLACE.contains(&before.lower.as_str()));
        let after_article =
            at > 0 && words.get(at - 1).is_some_and(|before| ARTICLES.contains(&before.lower.as_str()));
        let is_numbered = next.is_some_and(|next| next.bare.starts_with(|c: char| c.is_ascii_digit()));
        let is_person = PEOPLE.contains(&word.lower.trim_end_matches('s'))
            || at > 0 && word.is_other_name() && !after_place_word && !is_numbered && !after_article;
        if is_person && !word.is_possessive() {
            others = Others::Some;
        }
    }
    let after = if before == Others::Some || others == Others::Some { Others::Some } else { Others::None };
    Some((out.join(" "), mentions, after))
}

/// Whether a noun or a verb may follow a name or pronoun, and not the start of another clause.
fn is_followed_by_noun(word: &Word<'_>, next: Option<&Word<'_>>) -> bool {
    let is_part = |next: &Word<'_>| PREPOSITIONS.contains(&next.lower.as_str());
    next.is_some_and(|next| !word.ends_clause() && !is_part(next))
}

/// Whether a pronoun is the object of a verb.
fn is_object(word: &Word<'_>, next: Option<&Word<'_>>) -> bool {
    let begins_phrase = |next: &Word<'_>| {
        DETERMINERS.contains(&next.lower.as_str())
            || ADVERBS.contains(&next.lower.as_str())
            || next.lower.ends_with("ly")
            || next.bare.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
    };
    match word.lower.as_str() {
        "him" => true,
        "her" => !is_followed_by_noun(word, next) || next.is_some_and(begins_phrase),
        _ => false,
    }
}

/// The replacement of a name or pronoun, and whether its verb follows.
fn second_person(name: &str, word: &Word<'_>, next: Option<&Word<'_>>) -> (String, bool) {
    let followed_by_noun = is_followed_by_noun(word, next);
    match word.lower.as_str() {
        _ if word.is_possessive_of(name) => ("your".to_owned(), false),
        "he" | "she" => ("you".to_owned(), true),
        "he's" | "she's" => ("you're".to_owned(), false),
        "he'd" | "she'd" => ("you'd".to_owned(), false),
        "he'll" | "she'll" => ("you'll".to_owned(), false),
        "his" => ("your".to_owned(), false),
        "her" if followed_by_noun => ("your".to_owned(), false),
        "himself" | "herself" => ("yourself".to_owned(), false),
        "hers" => ("yours".to_owned(), false),
        _ => ("you".to_owned(), word.is(name) && followed_by_noun),
    }
}

/// Rewrites a description from the second person, or from the third with the persona's name in front, to the
/// first; `None` where that is not certain. First-person text stays.
pub(super) fn to_first_person(name: &str, sentence: &str) -> Option<String> {
    let words: Vec<Word<'_>> = sentence.split_whitespace().map(Word::of).collect();
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.lower.as_str()));
    if has(&["i", "i'm", "my", "me", "i've"]) {
        return Some(sentence.to_owned());
    }
    if has(&["you", "your", "you're", "yours", "yourself", "you've", "you'd", "you'll"]) {
        let changed = words.iter().enumerate().map(|(at, word)| from_second(&words, at, word));
        return Some(changed.collect::<Vec<_>>().join(" "));
    }
    let first = name.split_whitespace().next().unwrap_or(name);
    let rest = sentence.strip_prefix(name).or_else(|| sentence.strip_prefix(first));
    let third = rest.or_else(|| ["She ", "He "].iter().find_map(|start| sentence.strip_prefix(start)));
    let Some(third) = third else {
        // A sentence without persons fits any speaker.
        return (!has(&PRONOUNS) && !sentence.contains(first)).then(|| sentence.to_owned());
    };
    let mut rest = third.split_whitespace().map(Word::of);
    let verb =
        rest.next().filter(|verb| is_third_person(&verb.lower) || PAST.contains(&verb.lower.as_str()))?;
    let rest: Vec<Word<'_>> = rest.collect();
    if rest.iter().any(|word| PRONOUNS.contains(&word.lower.as_str())) {
        return None;
    }
    let verb = verb.with(&first_form(&base_form(&verb.lower, verb.bare)));
    Some(
        std::iter::once("I")
            .chain([verb.as_str()])
            .chain(rest.iter().map(|word| word.whole))
            .collect::<Vec<_>>()
            .join(" "),
    )
}

fn from_second(words: &[Word<'_>], at: usize, word: &Word<'_>) -> String {
    let next = words.get(at + 1);
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let follows_verb = before.is_some_and(|before| TO_SOMEBODY.contains(&before.lower.as_str()));
    let is_object = follows_verb
        || word.ends_clause()
        || next.is_none_or(|next| PREPOSITIONS.contains(&next.lower.as_str()));
    let capital = at == 0 || before.is_some_and(|before| before.whole.ends_with(['.', '!', '?', ':']));
    let changed = match word.lower.as_str() {
        "you" if is_object && !capital => "me".to_owned(),
        "you" => return word.with("I"),
        "your" => "my".to_owned(),
        "yours" => "mine".to_owned(),
        "yourself" => "myself".to_owned(),
        "you're" => return word.with("I'm"),
        "you've" => return word.with("I've"),
        "you'd" => return word.with("I'd"),
        "you'll" => return word.with("I'll"),
        verb @ ("are" | "were" | "aren't" | "weren't")
            if before.is_some_and(|before| before.lower == "you") =>
        {
            first_form(verb)
        }
        _ => return word.whole.to_owned(),
    };
    word.with(&if capital { super::capitalised(&changed) } else { changed })
}

/// A word with the punctuation around it.
struct Word<'s> {
    whole: &'s str,
    bare: &'s str,
    lower: String,
}

impl<'s> Word<'s> {
    fn of(whole: &'s str) -> Self {
        let bare = whole.trim_matches(|c: char| !c.is_alphanumeric());
        Self { whole, bare, lower: bare.to_lowercase().replace('’', "'") }
    }

    fn is(&self, name: &str) -> bool {
        self.bare == name
    }

    fn is_possessive(&self) -> bool {
        self.lower.ends_with("'s")
    }

    fn is_possessive_of(&self, name: &str) -> bool {
        self.bare.strip_suffix("'s").or_else(|| self.bare.strip_suffix("’s")) == Some(name)
    }

    /// Whether it is capitalised and not one of the words that begin sentences.
    fn is_other_name(&self) -> bool {
        self.bare.starts_with(char::is_uppercase)
            && self.bare.chars().count() > 1
            && !OPENERS.contains(&self.lower.as_str())
            && !is_in_calendar(&self.lower)
            && !PRONOUNS.contains(&self.lower.as_str())
    }

    fn ends_clause(&self) -> bool {
        self.whole.ends_with(|c: char| !c.is_alphanumeric())
    }

    /// `changed` with the punctuation of this word.
    fn with(&self, changed: &str) -> String {
        if self.bare.is_empty() { self.whole.to_owned() } else { self.whole.replacen(self.bare, changed, 1) }
    }
}

/// Whether it is the name of a month or a weekday.
fn is_in_calendar(lower: &str) -> bool {
    Language::English.month_named(lower).is_some() || Language::English.weekday_named(lower).is_some()
}

fn is_third_person(word: &str) -> bool {
    ["is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"].contains(&word)
        || word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("us")
            && !word.ends_with("is")
}

/// The form of a verb that goes with "you".
fn base_form(lower: &str, written: &str) -> String {
    let changed = match lower {
        "is" => "are",
        "was" => "were",
        "has" => "have",
        "does" => "do",
        "goes" => "go",
        "isn't" => "aren't",
        "wasn't" => "weren't",
        "hasn't" => "haven't",
        "doesn't" => "don't",
        _ => "",
    };
    if !changed.is_empty() {
        return changed.to_owned();
    }
    let cut = |ending: &str| lower.strip_suffix(ending).map(str::to_owned);
    match lower {
        _ if !is_third_person(lower) => written.to_owned(),
        _ if lower.ends_with("ies") && lower.len() > 4 => {
            cut("ies").map(|stem| stem + "y").unwrap_or_default()
        }
        _ if ["sses", "shes", "ches", "xes", "zes"].iter().any(|ending| lower.ends_with(ending)) => {
            cut("es").unwrap_or_default()
        }
        _ => cut("s").unwrap_or_default(),
    }
}

/// The form of a verb that goes with "I", from the one that goes with "you".
fn first_form(verb: &str) -> String {
    match verb {
        "are" => "am",
        "were" => "was",
        "aren't" => "am not",
        "weren't" => "wasn't",
        other => other,
    }
    .to_owned()
}

const PRONOUNS: [&str; 14] = [
    "he", "he's", "he'd", "he'll", "him", "his", "himself", "she", "she's", "she'd", "she'll", "her", "hers",
    "herself",
];
const ADVERBS: [&str; 16] = [
    "always",
    "never",
    "often",
    "usually",
    "sometimes",
    "also",
    "still",
    "only",
    "just",
    "now",
    "seldom",
    "once",
    "ever",
    "already",
    "soon",
    "even",
];
const THEY: [&str; 5] = ["they", "they're", "they've", "their", "them"];
const ARTICLES: [&str; 3] = ["the", "a", "an"];
const DETERMINERS: [&str; 16] = [
    "the", "a", "an", "every", "each", "all", "some", "this", "that", "next", "last", "twice", "very", "too",
    "today", "tomorrow",
];
const PLACE: [&str; 5] = ["in", "at", "near", "from", "on"];
const PAST: [&str; 4] = ["had", "did", "grew", "came"];
const PREPOSITIONS: [&str; 32] = [
    "to", "in", "at", "on", "for", "from", "with", "by", "of", "as", "about", "after", "before", "when",
    "while", "if", "because", "and", "or", "but", "than", "that", "during", "over", "under", "through",
    "into", "since", "until", "there", "here", "again",
];
const VERBS: [&str; 40] = [
    "is", "was", "has", "does", "goes", "likes", "loves", "hates", "lives", "works", "plays", "sings",
    "writes", "reads", "drinks", "eats", "sleeps", "wakes", "tends", "wants", "needs", "keeps", "takes",
    "makes", "teaches", "studies", "runs", "rides", "drives", "cooks", "bakes", "paints", "gets", "comes",
    "prefers", "collects", "hopes", "plans", "travels", "stays",
];
/// After these, "you" is the one to whom something is said or given.
const TO_SOMEBODY: [&str; 14] = [
    "tell", "tells", "told", "give", "gives", "gave", "ask", "asks", "asked", "show", "shows", "send",
    "sends", "let",
];
const PEOPLE: [&str; 56] = [
    "mother",
    "father",
    "mum",
    "mom",
    "dad",
    "brother",
    "sister",
    "wife",
    "husband",
    "son",
    "daughter",
    "friend",
    "girlfriend",
    "boyfriend",
    "partner",
    "uncle",
    "aunt",
    "cousin",
    "nephew",
    "niece",
    "boss",
    "doctor",
    "teacher",
    "neighbour",
    "neighbor",
    "colleague",
    "professor",
    "nurse",
    "grandmother",
    "grandfather",
    "grandma",
    "grandpa",
    "child",
    "baby",
    "man",
    "woman",
    "boy",
    "girl",
    "guest",
    "customer",
    "client",
    "flatmate",
    "roommate",
    "dentist",
    "coach",
    "manager",
    "landlord",
    "landlady",
    "owner",
    "guide",
    "student",
    "pupil",
    "patient",
    "cat",
    "dog",
    "horse",
];
const OPENERS: [&str; 30] = [
    "the", "a", "an", "it", "they", "their", "this", "that", "these", "those", "there", "in", "on", "at",
    "for", "and", "but", "so", "when", "since", "after", "before", "once", "every", "each", "one", "two",
    "both", "all", "some",
];

#[cfg(test)]
mod tests;
