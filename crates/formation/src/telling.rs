//! The sentences of some talk that are worth knowing weeks later, and what each is about.
//!
//! It is asked of the record without a model, so it is stricter than what makes a memory: a decision, an
//! undertaking, a person, a lasting taste or something left open; never a mood, the weather or a courtesy.
//! What it can't tell apart it leaves out.

mod kinship;
mod vocabulary;

use crate::cue::Cue;
use crate::language::language;
use crate::lexicon::Lexicon;
use crate::sentence::{Sentence, sentences};
use crate::special::special_category;
use crate::word::{Word, words};
use kinship::kinship;
use vocabulary::{Vocabulary, Word as Kind};

/// A sentence worth knowing weeks later.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// It, as it was said.
    pub text: String,
    /// What it is about.
    pub theme: Theme,
    /// How much it tells, from 0.
    pub weight: f64,
}

/// What a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// Who matters to the speaker.
    People,
    /// What was settled.
    Decisions,
    /// What is being done.
    Projects,
    /// What the speaker likes and how they live.
    Preferences,
    /// What is still to be done or settled.
    OpenEnds,
}

impl Theme {
    /// Every theme, in the order they are told.
    pub const ALL: [Self; 5] =
        [Self::People, Self::Decisions, Self::Projects, Self::Preferences, Self::OpenEnds];
}

/// The weight from which a sentence is worth knowing weeks later.
const ENOUGH: f64 = 3.0;

/// How much it weighs to mean the same sort of thing as what was worth knowing.
const KINSHIP: f64 = 25.0;
/// How much of that a sentence needs of which no list knows a word, and what such a one weighs besides.
const AKIN: f64 = 0.045;
const UNLISTED: f64 = 2.0;

/// The sum from which something counts as settled.
const SETTLED: f64 = 2.0;

/// The sentences of `said` that tell something, in the order they were said.
#[must_use]
pub fn tellings(said: &str, declared: &str) -> Vec<Telling> {
    let language = language(&words(said), declared);
    let Some(lexicon) = Lexicon::of(language) else { return Vec::new() };
    let vocabulary = Vocabulary::of(language);
    let told = sentences(said).into_iter().filter_map(|text| {
        let sentence = Sentence::read(text, lexicon);
        // The examples it is compared with are English.
        let kinship = if language == "en" { kinship(text) } else { 0.0 };
        let (theme, weight) = weighed(&sentence, vocabulary, kinship)?;
        Some(Telling { text: text.trim().to_owned(), theme, weight })
    });
    told.collect()
}

/// What a sentence is about and how much it tells; `None` if it is not worth knowing weeks later.
fn weighed(sentence: &Sentence<'_>, vocabulary: &Vocabulary, kinship: f64) -> Option<(Theme, f64)> {
    let has = |cues: &[Cue]| sentence.hits.iter().any(|hit| cues.contains(&hit.cue));
    let is_spoilt = sentence.is_question
        || special_category(sentence).is_some()
        || has(&[Cue::Hypothetical, Cue::Fiction, Cue::Payment, Cue::Joke, Cue::Injection, Cue::Forget])
        || sentence.is_withheld(&(0..sentence.words.len()));
    if is_spoilt || asks(sentence) {
        return None;
    }
    let found = vocabulary.found(&sentence.words);
    let is = |kind: Kind| found.contains(&kind);
    if is(Kind::Unreal) {
        return None;
    }
    let particulars = particulars(&sentence.words);
    let mut themes = [
        (
            Theme::Decisions,
            sum(&[
                (has(&[Cue::Decision]), 3.0),
                (is(Kind::Settles), 2.0),
                (is(Kind::Ends), 1.5),
                (has(&[Cue::Standing]), 1.0),
            ]),
        ),
        (
            Theme::Projects,
            sum(&[
                (is(Kind::Undertakes) && !has(&[Cue::Negation]), 2.0),
                (is(Kind::Undertaking), 1.5),
                (is(Kind::Undertaking) && is_under_way(&sentence.words), 1.0),
                (has(&[Cue::Work]), 0.75),
                (has(&[Cue::Plan]), 1.5),
            ]),
        ),
        (Theme::Preferences, sum(&[(has(&[Cue::Preference]), 2.0), (has(&[Cue::Fact]), 2.0)])),
        (Theme::People, sum(&[(has(&[Cue::Kin]) && has(&[Cue::Myself]), 1.0), (is(Kind::Joins), 2.0)])),
        (Theme::OpenEnds, sum(&[(is(Kind::Open), 2.5)])),
    ];
    themes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let [(theme, first), (_, second), ..] = themes;
    // What settles something is told as settled, whatever else it is about.
    let settles = themes.iter().any(|(theme, sum)| *theme == Theme::Decisions && *sum >= SETTLED);
    let theme = if settles { Theme::Decisions } else { theme };
    if first < 1.0 {
        let weight = UNLISTED + KINSHIP * kinship;
        let is_told = kinship >= AKIN && weight >= ENOUGH && !has(&[Cue::Negation]);
        return is_told.then_some((Theme::Projects, weight));
    }
    let besides = sum(&[
        (has(&[Cue::Myself]), 0.5),
        (particulars.names > 0, 1.0),
        (particulars.names > 1, 0.5),
        (particulars.numbers > 0, 0.5),
        (is_dated(sentence), 0.75),
        (is(Kind::Formal), 1.0),
        (sentence.words.len() > 9, 0.5),
        (sentence.words.len() < 5, -1.5),
        (has(&[Cue::Filler]), -3.0),
        (has(&[Cue::Mood]), -2.0),
        (has(&[Cue::Weather]), -2.0),
        (has(&[Cue::Hedge]), -1.0),
        (is(Kind::Trivial), -2.5),
    ]);
    // Tastes and arrivals say what they are, and the examples hold few of them.
    let is_plain = has(&[Cue::Preference]) || is(Kind::Joins);
    let kinship = if is_plain { kinship.max(0.0) } else { kinship };
    let weight = first + second / 2.0 + besides + KINSHIP * kinship;
    (weight >= ENOUGH).then_some((theme, weight))
}

fn sum(parts: &[(bool, f64)]) -> f64 {
    parts.iter().filter(|(counts, _)| *counts).map(|(_, weight)| weight).sum()
}

/// Whether the sentence asks for something to be done, rather than tells.
fn asks(sentence: &Sentence<'_>) -> bool {
    let first = |cue: Cue| sentence.hits.iter().any(|hit| hit.cue == cue && hit.words.start == 0);
    let is_own = sentence.hits.iter().any(|hit| hit.cue == Cue::Myself && hit.words.start == 0);
    (first(Cue::Request) || first(Cue::Question)) && !is_own
}

/// Whether somebody says that they are doing something: *I'm writing*, *we are moving*.
fn is_under_way(words: &[Word]) -> bool {
    let is = |word: &Word, forms: &[&str]| forms.contains(&word.folded.as_str());
    words.windows(3).any(|three| match three {
        [who, be, what] => {
            is(who, &["i", "we"]) && is(be, &["m", "am", "re", "are"]) && what.folded.ends_with("ing")
        }
        _ => false,
    })
}

fn is_dated(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| {
        matches!(
            hit.cue,
            Cue::Weekday(_)
                | Cue::Month(_)
                | Cue::Tomorrow
                | Cue::Overmorrow
                | Cue::Next
                | Cue::In
                | Cue::Weeks
                | Cue::Months
                | Cue::Years
        )
    })
}

struct Particulars {
    names: usize,
    numbers: usize,
}

/// Names and numbers: what is particular is seldom small talk.
fn particulars(words: &[Word]) -> Particulars {
    let inner = || words.iter().skip(1);
    let is_name =
        |word: &&Word| word.is_capital && word.folded.chars().count() > 1 && !word.folded.starts_with("i'");
    Particulars {
        names: inner().filter(is_name).count(),
        numbers: words.iter().filter(|word| word.is_number()).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_or_under_way_is_told_and_small_talk_is_not() {
        use Theme::{Decisions, OpenEnds, People, Preferences, Projects};
        for (said, expected) in [
            ("We decided to move the launch to October.", Some(Decisions)),
            ("The board approved the budget for the Porto office.", Some(Decisions)),
            ("I'm building a weather station called Boreas.", Some(Projects)),
            ("We still have to find a venue for the workshop in May.", Some(OpenEnds)),
            ("My daughter Ines joins the firm as our accountant in June.", Some(People)),
            ("I always prefer the night train to flying.", Some(Preferences)),
            ("Good morning, how are you?", None),
            ("What a lovely day, the sun is out.", None),
            ("I'm so tired today.", None),
            ("Could you book a table for two?", None),
            ("We did not start anything new.", None),
            ("If I ever win the lottery I'll buy the castle.", None),
        ] {
            let told = tellings(said, "en");
            assert_eq!(told.first().map(|telling| telling.theme), expected, "{said}: {told:?}");
        }
    }
}
