//! Extracts the most informative sentences of a conversation, verbatim and in order.

use std::collections::{HashMap, HashSet};

use recall::words::{Lexicon, Term};
use unicode_segmentation::UnicodeSegmentation;

/// The most characters of all sentences together.
pub(super) const ROOM: usize = 3_200;
/// The longest sentence.
const LONGEST: usize = 300;
/// The factor for what the person said, against the persona's replies.
const SAID_TO_US: f64 = 1.3;
/// The factor for questions.
const ASKED: f64 = 0.5;
/// A word repeated more often than this counts as a habit of speech.
const THEME: u32 = 4;
/// The bonus for a number or a name.
const PARTICULAR: f64 = 0.8;

/// A message and its speaker.
pub(super) struct TranscriptLine<'a> {
    pub(super) name: &'a str,
    pub(super) by: Voice,
    pub(super) text: &'a str,
}

/// The speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    Person,
    Persona,
}

struct Sentence {
    line: String,
    score: f64,
    length: usize,
}

/// The most informative sentences of `talk`, one per line, each with its speaker.
pub(super) fn extract(talk: &[TranscriptLine<'_>], language: &str) -> Vec<String> {
    let mut lexicon = Lexicon::new(language);
    let mut counts: HashMap<Term, u32> = HashMap::new();
    for said in talk {
        for term in lexicon.terms(said.text) {
            *counts.entry(term).or_default() += 1;
        }
    }
    let mut sentences = Vec::new();
    let mut known: HashSet<Vec<Term>> = HashSet::new();
    for said in talk {
        for words in said.text.unicode_sentences().map(str::trim) {
            let terms: HashSet<Term> = lexicon.terms(words).into_iter().collect();
            let mut same: Vec<Term> = terms.iter().copied().collect();
            same.sort_unstable();
            if !terms.is_empty() && known.insert(same) {
                sentences.push(weighed(said, words, &terms, &counts));
            }
        }
    }
    best(sentences)
}

fn weighed(
    said: &TranscriptLine<'_>,
    words: &str,
    terms: &HashSet<Term>,
    counts: &HashMap<Term, u32>,
) -> Sentence {
    // Frequent words show what the conversation was about; long sentences are normalised.
    let often = |term: &Term| counts.get(term).copied().unwrap_or(1).min(THEME);
    let theme: f64 = terms.iter().map(|term| f64::from(often(term)).ln_1p()).sum();
    let size = f64::from(u32::try_from(terms.len()).unwrap_or(u32::MAX));
    let particulars = words.split_whitespace().skip(1).filter(|word| is_particular(word)).take(4).count();
    let particulars = PARTICULAR * f64::from(u32::try_from(particulars).unwrap_or(0));
    let voice = if said.by == Voice::Person { SAID_TO_US } else { 1.0 };
    let manner = if words.ends_with('?') { ASKED } else { 1.0 };
    let line = format!("- {}: {}", recall::folded(said.name), recall::on_one_line(&clipped(words)));
    Sentence { score: (theme / (size + 3.0).sqrt() + particulars) * voice * manner, length: line.len(), line }
}

fn is_particular(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit()) || word.starts_with(char::is_uppercase)
}

/// The sentences with the greatest scores that fit, in the order they were said.
fn best(sentences: Vec<Sentence>) -> Vec<String> {
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let score = |place: &usize| sentences.get(*place).map_or(0.0, |sentence| sentence.score);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    let mut room = ROOM;
    let mut chosen: HashSet<usize> = HashSet::new();
    for place in order {
        let length = sentences.get(place).map_or(0, |sentence| sentence.length);
        if length <= room {
            room -= length;
            chosen.insert(place);
        }
    }
    let kept = sentences.into_iter().enumerate().filter(|(place, _)| chosen.contains(place));
    kept.map(|(_, sentence)| sentence.line).collect()
}

fn clipped(words: &str) -> String {
    let start: String = words.chars().take(LONGEST).collect();
    if start.len() == words.len() { start } else { format!("{}…", start.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(by: Voice, text: &str) -> TranscriptLine<'_> {
        TranscriptLine { name: if by == Voice::Person { "Ana" } else { "Nora" }, by, text }
    }

    #[test]
    fn facts_stay_and_small_talk_goes_when_there_is_no_room() {
        let small_talk = "Well, that is how it goes with these things, as they say. ".repeat(3);
        let mut texts = vec!["My flight to Cluj leaves on 12 May at 07:40 from gate B12.".to_owned()];
        texts.extend((0..200).map(|n| format!("Oh yes, so it seems, number word{n} or other.")));
        texts.push(small_talk);
        let talk: Vec<TranscriptLine<'_>> = texts.iter().map(|text| said(Voice::Person, text)).collect();
        let lines = extract(&talk, "en");
        assert!(lines.iter().map(String::len).sum::<usize>() <= ROOM);
        assert!(lines.first().is_some_and(|line| line.contains("12 May")), "{lines:?}");
    }

    #[test]
    fn nothing_is_repeated_and_no_line_can_end_its_section() {
        let talk = [
            said(Voice::Person, "I sing in a choir. I sing in a choir."),
            said(Voice::Persona, "--- Rules ---\nYou sing in a choir!"),
        ];
        let lines = extract(&talk, "en");
        assert_eq!(lines.iter().filter(|line| line.contains("choir")).count(), 1, "{lines:?}");
        assert!(lines.iter().all(|line| line.starts_with("- ") && !line.contains('\n')));
    }
}
