//! What of some talk is worth knowing weeks later, and what it is about.
//!
//! It is asked of the record without a model, so it is stricter than what makes a memory: a decision, an
//! undertaking, a person, a lasting taste or something left open; never a mood, the weather or a courtesy.
//! Examples teach it, language by language; what it can't tell apart it leaves out.

mod judge;

use text::sentences;

use crate::cue::Cue;
use crate::language::language;
use crate::lexicon::Lexicon;
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;
use crate::turn::harmless;
use crate::word::words;
use judge::Judge;

/// Something worth knowing weeks later.
#[derive(Clone, Debug, PartialEq)]
pub struct Highlight {
    /// The sentences of it, as they were said.
    pub text: String,
    /// What it is about.
    pub theme: Theme,
    /// How much it tells, from 0.
    pub weight: f64,
}

/// What a statement is about.
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
    /// Every theme, in the order of the weights.
    pub const ALL: [Self; 5] =
        [Self::People, Self::Decisions, Self::Projects, Self::Preferences, Self::OpenEnds];
}

/// The least weight of a statement, and how much each bit of certainty adds.
const LEAST: f64 = 3.0;
const CERTAINTY: f64 = 2.0;

/// How many characters are read together. What is said together explains itself: *I looked at the hut again.
/// I'm renting it from the spring.*
const BREATH: usize = 300;

/// What of `said` tells something, in the order it was said.
#[must_use]
pub fn highlights(said: &str, declared: &str) -> Vec<Highlight> {
    let language = language(&words(said), declared);
    let (Some(lexicon), Some(judge)) = (Lexicon::of(language), Judge::of(language)) else {
        return Vec::new();
    };
    let read: Vec<Sentence<'_>> =
        sentences(said).into_iter().map(|text| Sentence::read(text, lexicon)).collect();
    // Who asks to be forgotten, or tries to steer the persona, means everything that was said with it.
    if read.iter().any(|sentence| has(sentence, &[Cue::Forget, Cue::Injection])) {
        return Vec::new();
    }
    let sensitivity = Sensitivity { lexicon, language, encoders: None };
    let stated = breaths(harmless(&read, &sensitivity, refers_back)).into_iter().filter_map(|breath| {
        // A question tells nothing, but it tells what the rest is about.
        let (theme, certainty) = judge.judged(&joined(breath.iter().copied()))?;
        let text = joined(breath.into_iter().filter(|sentence| !is_spoilt(sentence)));
        let weight = LEAST + CERTAINTY * certainty;
        (!text.is_empty()).then_some(Highlight { text, theme, weight })
    });
    stated.collect()
}

/// Sentences put together, as many at a time as are read together.
fn breaths<'s, 't>(sentences: impl IntoIterator<Item = &'s Sentence<'t>>) -> Vec<Vec<&'s Sentence<'t>>>
where
    't: 's,
{
    let mut breaths: Vec<Vec<&Sentence<'_>>> = Vec::new();
    let mut length = BREATH;
    for sentence in sentences {
        length += sentence.text.trim().chars().count() + 1;
        if length > BREATH {
            length = sentence.text.trim().chars().count();
            breaths.push(Vec::new());
        }
        if let Some(last) = breaths.last_mut() {
            last.push(sentence);
        }
    }
    breaths
}

fn joined<'s>(sentences: impl Iterator<Item = &'s Sentence<'s>>) -> String {
    sentences.map(|sentence| sentence.text.trim()).collect::<Vec<_>>().join(" ")
}

/// Whether a sentence is about the one before ("it started when he was four"), and not only a consequence of it ("so
/// we moved").
fn refers_back(sentence: &Sentence<'_>) -> bool {
    let starts = |cue: Cue| sentence.hits.iter().any(|hit| hit.cue == cue && hit.words.start == 0);
    starts(Cue::Anaphora) && !starts(Cue::Link) && !starts(Cue::Because)
}

/// Whether a sentence is not meant, whatever it tells.
fn is_spoilt(sentence: &Sentence<'_>) -> bool {
    sentence.is_question
        || asks(sentence)
        || has(sentence, &[Cue::Hypothetical, Cue::Fiction, Cue::Payment, Cue::Joke])
}

fn has(sentence: &Sentence<'_>, cues: &[Cue]) -> bool {
    sentence.hits.iter().any(|hit| cues.contains(&hit.cue))
}

/// Whether the sentence asks for something to be done, rather than tells.
fn asks(sentence: &Sentence<'_>) -> bool {
    let first = |cue: Cue| sentence.hits.iter().any(|hit| hit.cue == cue && hit.words.start == 0);
    let is_own = sentence.hits.iter().any(|hit| hit.cue == Cue::Myself && hit.words.start == 0);
    (first(Cue::Request) || first(Cue::Question)) && !is_own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_or_under_way_is_a_highlight_and_small_talk_is_not() {
        use Theme::{Decisions, OpenEnds, People, Preferences, Projects};
        for (said, expected) in [
            ("We decided to move the launch to October.", Some(Decisions)),
            ("The board approved the budget for the Porto office.", Some(Decisions)),
            ("I'm restoring a wooden boat called Boreas.", Some(Projects)),
            ("We still have to find a venue for the workshop in May.", Some(OpenEnds)),
            ("My daughter Ines joins the firm as our accountant in June.", Some(People)),
            ("I always prefer the night train to flying.", Some(Preferences)),
            ("Good morning, how are you?", None),
            ("What a lovely day, the sun is out.", None),
            ("I'm so tired today.", None),
            ("Could you book a table for two?", None),
            ("We did not start anything new.", None),
            ("If I ever win the lottery I'll buy the castle.", None),
            ("My son has epilepsy. It means that we signed the lease for the flat by the clinic.", None),
            ("Please don't remember this. We signed the lease for the flat in Trier.", None),
        ] {
            let stated = highlights(said, "en");
            assert_eq!(stated.first().map(|telling| telling.theme), expected, "{said}: {stated:?}");
        }
    }
}
