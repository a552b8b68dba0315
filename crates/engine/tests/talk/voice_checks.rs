//! What a program can tell of an answer of the built-in voice: whether it says what it should, and nothing that is meant
//! for a model, for a program or for another person.
//!
//! A turn of a file may say what its answer must hold: `words` (each a word, or a list of which one is enough), `never`
//! (words that may not stand in it), `declines` (whether it has to say that it does not know; what comes nearest may follow),
//! `refuses` (whether it has to say that what others tell it stays with them) and `courtesy` (whether it is small talk,
//! where nothing may be recited).

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// How the voice says in each language that it does not know, and in English that of its own story.
const DECLINES: [&str; 6] = [
    "don't have a memory",
    "keine Erinnerung",
    "aucun souvenir",
    "ningún recuerdo",
    "nicio amintire",
    "nothing in my own story",
];
/// How it says in English that it doesn't pass on what others say, each time in other words.
const REFUSES: [&str; 4] = [
    "what others may tell me stays",
    "don't pass on what other people",
    "that is for them to tell you",
    "what somebody else may have told me",
];
/// How it offers in English something else than what was asked for.
const OFFERS: &str = "The closest thing";
/// What small talk in English doesn't say.
const RECITES: [&str; 6] =
    ["memory of that", "the closest thing", "you told me", "i have noted", "my own story", "i'll remember"];
/// How the notice begins that is appended to the first answer.
const NOTICE: &str = "(No language model";
/// Frames, marks and names of fields that nobody says.
const FIELDS: [&str; 15] = [
    "[forgotten]",
    " said:",
    " gist",
    "salience",
    "privacyClass",
    "saidBy",
    "eventDate",
    "guest-pii",
    "non-pii",
    "sensitive-pii",
    "{words}",
    "{name}",
    "**",
    "```",
    "---",
];

/// The words of `answer` that are meant for a model or a program.
pub(super) fn stage_directions(answer: &str) -> Vec<String> {
    let directed = recall::prompt_directions().into_iter().filter(|words| answer.contains(words));
    let named = FIELDS.into_iter().filter(|words| answer.contains(words));
    let headings = answer.lines().filter(|line| line.starts_with('#'));
    directed.chain(named).chain(headings).map(str::to_owned).collect()
}

/// Whether `answer` is what `turn` expects; nothing if only a reader can tell.
pub(super) fn is_right(turn: &Value, answer: &str) -> Option<bool> {
    let (words, never) = (turn["words"].as_array(), turn["never"].as_array());
    let [declines, refuses, courtesy] =
        ["declines", "refuses", "courtesy"].map(|field| turn[field].as_bool());
    if words.or(never).is_none() && declines.or(refuses).or(courtesy).is_none() {
        return None;
    }
    let answer = answer.split_once(NOTICE).map_or(answer, |(answer, _)| answer);
    let lowered = answer.to_lowercase();
    let stands = |word: &Value| lowered.contains(&word.as_str().unwrap().to_lowercase());
    let holds = |word: &Value| word.as_array().map_or_else(|| stands(word), |any| any.iter().any(stands));
    let has_refused = REFUSES.iter().any(|words| answer.contains(words));
    let has_declined =
        DECLINES.iter().any(|words| answer.contains(words)) && !has_refused && !answer.contains(OFFERS);
    Some(
        words.is_none_or(|words| words.iter().all(holds))
            && never.is_none_or(|never| !never.iter().any(stands))
            && declines.is_none_or(|declines| declines == has_declined)
            && refuses.is_none_or(|refuses| refuses == has_refused)
            && courtesy.is_none_or(|_| !RECITES.iter().any(|words| lowered.contains(words))),
    )
}

/// Right answers of all that a program can judge, by group.
#[derive(Default)]
pub(super) struct Totals {
    groups: BTreeMap<String, (u32, u32)>,
    answers: u32,
}

impl Totals {
    /// Adds a judged answer; `None` counts as an answer that only a reader can judge.
    pub(super) fn add(&mut self, turn: &Value, is_right: Option<bool>) {
        self.answers += 1;
        let Some(is_right) = is_right else { return };
        let group = turn["group"].as_str().unwrap_or("other").to_owned();
        let (right, all) = self.groups.entry(group).or_default();
        *right += u32::from(is_right);
        *all += 1;
    }

    /// The right answers of all kinds.
    pub(super) fn right(&self) -> u32 {
        self.groups.values().map(|(right, _)| right).sum()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (right, all) = self.groups.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        write!(f, "{} answers, {right} of {all} judged right", self.answers)?;
        self.groups.iter().try_for_each(|(group, (right, all))| write!(f, ", {group} {right}/{all}"))
    }
}

#[test]
fn an_answer_is_held_to_its_words_and_to_what_it_may_not_say() {
    let turn = serde_json::json!({ "words": ["Galway", ["nine", "9"]], "never": ["Frida"] });
    assert_eq!(is_right(&turn, "In galway, at 9."), Some(true));
    assert_eq!(is_right(&turn, "In Galway, with Frida, at nine."), Some(false));
    let declines = serde_json::json!({ "declines": true });
    let refuses = serde_json::json!({ "refuses": true });
    for (answer, is_declined, is_refused) in [
        ("I don't have a memory of that.", true, false),
        ("I don't have a memory of that. The closest thing I remember: tea.", false, false),
        ("I don't have a memory of that from you, and what others may tell me stays with them.", false, true),
        ("You like tea.\n\n(No language model; I don't have a memory of that.)", false, false),
    ] {
        assert_eq!(is_right(&declines, answer), Some(is_declined), "{answer}");
        assert_eq!(is_right(&refuses, answer), Some(is_refused), "{answer}");
    }
    assert_eq!(is_right(&serde_json::json!({ "expect": "greets" }), "Hello!"), None);
    assert_eq!(stage_directions("The owner said: I like tea.\n# Heading"), [" said:", "# Heading"]);
    assert!(stage_directions("You like tea.").is_empty());
}
