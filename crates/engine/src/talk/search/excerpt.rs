//! Excerpts of search results, with the search words marked.

use std::collections::HashSet;

use recall::words::{Lexicon, Term};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;
use wire::search::ExcerptMark;

use super::literal::Literal;

/// How long an excerpt is, in characters.
const LENGTH: usize = 200;
/// How much of that precedes the first marked word.
const BEFORE: usize = 40;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    pub(super) marks: Vec<ExcerptMark>,
}

/// A text on one line, and the positions of the search words in it.
pub(super) struct Reading {
    characters: Vec<char>,
    marks: Vec<ExcerptMark>,
    /// The terms that occur.
    pub(super) met: HashSet<Term>,
    /// Whether the whole query occurs literally.
    pub(super) is_literal: bool,
}

impl Reading {
    /// Looks in `text` for `terms`, and for the literal query.
    pub(super) fn of(text: &str, terms: &HashSet<Term>, lexicon: &mut Lexicon, literal: &Literal) -> Self {
        let line = recall::folded(&text.nfc().collect::<String>());
        let (mut marks, mut met) = (Vec::new(), HashSet::new());
        let (mut bytes, mut characters) = (0, 0);
        for (at, word) in line.unicode_word_indices() {
            characters += line.get(bytes..at).map_or(0, |between| between.chars().count());
            bytes = at;
            let found: Vec<Term> =
                lexicon.terms(word).into_iter().filter(|term| terms.contains(term)).collect();
            if !found.is_empty() {
                marks.push(ExcerptMark { start: characters, end: characters + word.chars().count() });
                met.extend(found);
            }
        }
        let written = literal.marks(&line);
        let is_literal = written.is_some();
        // Whole words are marked, and a match that contains words; parts of words only where no whole word is
        // marked.
        for mark in written.unwrap_or_default() {
            marks.retain(|known| known.start < mark.start || known.end > mark.end);
            if marks.iter().all(|known| mark.end <= known.start || mark.start >= known.end) {
                marks.push(mark);
            }
        }
        marks.sort_by_key(|mark| (mark.start, mark.end));
        Self { characters: line.chars().collect(), marks, met, is_literal }
    }

    /// The part with the most search words; the beginning when there are none.
    pub(super) fn excerpt(&self) -> Excerpt {
        let inside = |start: usize| {
            self.marks.iter().filter(move |mark| mark.start >= start && mark.end <= start + LENGTH)
        };
        let starts = self.marks.iter().map(|mark| mark.start.saturating_sub(BEFORE));
        // The first of the best: `max_by_key` would take the last.
        let start = starts.rev().max_by_key(|start| inside(*start).count()).unwrap_or(0);
        let start = self.at_a_word(start);
        let end = (start + LENGTH).min(self.characters.len());
        let shown = self.characters.get(start..end).unwrap_or_default();
        let before = if start > 0 { "…" } else { "" };
        let after = if end < self.characters.len() { "…" } else { "" };
        let shift = |place: usize| place - start + before.chars().count();
        let kept = self.marks.iter().filter(|mark| mark.start >= start && mark.end <= end);
        Excerpt {
            marks: kept.map(|mark| ExcerptMark { start: shift(mark.start), end: shift(mark.end) }).collect(),
            text: format!("{before}{}{after}", shown.iter().collect::<String>()),
        }
    }

    /// The nearest start of a word at or before `start`, if one is near.
    fn at_a_word(&self, start: usize) -> usize {
        let is_space = |place: usize| self.characters.get(place).is_some_and(|c| c.is_whitespace());
        let near = start.saturating_sub(BEFORE)..=start;
        near.rev().find(|place| *place == 0 || is_space(place - 1)).unwrap_or(start)
    }
}

impl Excerpt {
    /// The excerpt as HTML, with its text escaped.
    pub(super) fn html(&self) -> String {
        let mut html = String::with_capacity(self.text.len() + 32);
        for (place, character) in self.text.chars().enumerate() {
            if self.marks.iter().any(|mark| mark.start == place) {
                html.push_str("<mark>");
            }
            match character {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                '\'' => html.push_str("&#39;"),
                other => html.push(other),
            }
            if self.marks.iter().any(|mark| mark.end == place + 1) {
                html.push_str("</mark>");
            }
        }
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, query: &str) -> Excerpt {
        let mut lexicon = Lexicon::new("en");
        let terms = lexicon.terms(query).into_iter().collect();
        Reading::of(text, &terms, &mut lexicon, &Literal::of(query)).excerpt()
    }

    #[test]
    fn words_are_marked_in_every_form_and_hostile_text_stays_text() {
        let found = excerpt("<script>alert('boats')</script> & the Boat's owner", "boat");
        let html = found.html();
        assert_eq!(
            html,
            "&lt;script&gt;alert(&#39;<mark>boats</mark>&#39;)&lt;/script&gt; &amp; the <mark>Boat&#39;s</mark> owner"
        );
        assert_eq!(
            excerpt("a <mark>forged</mark> one", "one").html(),
            "a &lt;mark&gt;forged&lt;/mark&gt; <mark>one</mark>"
        );
    }

    #[test]
    fn parts_of_words_and_signs_are_marked_as_they_are_written() {
        assert_eq!(excerpt("The Boathouse is open", "boa").html(), "The <mark>Boa</mark>thouse is open");
        assert_eq!(excerpt("use <b> here", "<B>").html(), "use <mark>&lt;b&gt;</mark> here");
        let with_accent = "Das <mark>Über</mark>grün";
        assert_eq!(excerpt("Das Übergrün", "uber").html(), with_accent);
        assert_eq!(excerpt("Das U\u{308}bergrün", "ÜBER").html(), with_accent, "in either normal form");
        assert_eq!(excerpt("a cat", "a c").marks, [], "single letters are in every text");
    }

    #[test]
    fn a_long_text_is_shown_where_most_of_the_words_are() {
        let text = format!("{} șampanie {} rece și șampanie aici", "vorbă ".repeat(100), "altă ".repeat(100));
        let found = excerpt(&text, "șampanie rece");
        assert!(found.text.starts_with('…') && found.text.ends_with("aici"), "{}", found.text);
        let marked: Vec<String> = found
            .marks
            .iter()
            .map(|mark| found.text.chars().skip(mark.start).take(mark.end - mark.start).collect())
            .collect();
        assert_eq!(marked, ["rece", "șampanie"]);
    }

    #[test]
    fn control_and_bidi_characters_are_left_out() {
        let found = excerpt("one\u{1b}[2J two\r\n\u{202e}three", "three");
        assert_eq!(found.html(), "one[2J two <mark>three</mark>");
    }
}
