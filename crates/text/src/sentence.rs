//! Where one sentence ends and the next begins, as people write when they talk.
//!
//! Unicode's own rule ends a sentence after `Dr.` and after the `3.` of `3. Mai`, which splits a statement in
//! two and changes what it says. Where text is only cut to fit, Unicode's rule is good enough and is used.

use crate::fold::folded;
use crate::language::Language;
use crate::word::words;

/// The sentences of `text`, each with the sign it ends with; pieces without a letter or a digit are left out.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    let style = Style::of(text);
    let mut found = Vec::new();
    let mut start = 0;
    let mut space = 0;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            space = at;
        }
        let end = at + c.len_utf8();
        if style.ends_sentence(text, at, c) {
            found.extend(text.get(start..end));
            start = end;
        } else if end - start > LONGEST {
            let cut = if space > start { space } else { end };
            found.extend(text.get(start..cut));
            start = cut;
        }
    }
    found.extend(text.get(start..));
    found.into_iter().map(str::trim).filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}

/// A longer sentence is cut between words, so that reading one takes bounded time.
const LONGEST: usize = 800;

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 24] = [
    "dr", "mr", "mrs", "ms", "st", "nr", "no", "str", "approx", "ca", "bzw", "prof", "sr", "sra", "dl",
    "dna", "mme", "mlle", "vs", "etc", "jr", "ing", "av", "tel",
];

/// How the writer begins sentences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Capitals,
    /// A text that begins without a capital letter has none at its other beginnings either.
    LowerCase,
}

impl Style {
    fn of(text: &str) -> Self {
        let first = text.chars().find(|c| c.is_alphabetic());
        if first.is_some_and(char::is_lowercase) { Self::LowerCase } else { Self::Capitals }
    }

    fn ends_sentence(self, text: &str, at: usize, c: char) -> bool {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let is_last =
            || rest.chars().next().is_none_or(|next| next.is_whitespace() || "\"”»)".contains(next));
        match c {
            '\n' | '。' | '？' | '！' => true,
            '!' | '?' | '…' => is_last(),
            '.' => is_last() && !self.is_inner_stop(text.get(..at).unwrap_or_default(), rest),
            _ => false,
        }
    }

    /// Whether the full stop between `before` and `after` belongs to an abbreviation, an ordinal or an initial.
    fn is_inner_stop(self, before: &str, after: &str) -> bool {
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let letters = last.chars().take(3).count();
        let next_is_lower = after.trim_start().starts_with(char::is_lowercase);
        let goes_on = next_is_lower && (self == Self::Capitals || letters == 1);
        let is_initial = letters == 1 && last.chars().all(char::is_uppercase) && last != "I";
        let is_ordinal = (1..=2).contains(&letters) && last.chars().all(|c| c.is_ascii_digit());
        goes_on || is_initial || is_abbreviation(last) || is_ordinal && begins_with_month(after)
    }
}

fn is_abbreviation(word: &str) -> bool {
    ABBREVIATIONS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Only German writes the day of a month with a full stop.
fn begins_with_month(text: &str) -> bool {
    let first = words(text).next();
    first.is_some_and(|(_, word)| Language::German.month_named(&folded(word)).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_would_stop() {
        for (text, expected) in [
            ("I met Dr. Pop. He was kind!", vec!["I met Dr. Pop.", "He was kind!"]),
            ("“Dr. Pop was kind.” So I went.", vec!["“Dr. Pop was kind.", "” So I went."]),
            ("Am 3. Mai komme ich. Gut?", vec!["Am 3. Mai komme ich.", "Gut?"]),
            ("Ich kam als 3. Dann ging ich.", vec!["Ich kam als 3.", "Dann ging ich."]),
            ("At 7.30 p.m. we eat", vec!["At 7.30 p.m. we eat"]),
            ("J. Pop and I. He left", vec!["J. Pop and I.", "He left"]),
            ("one\ntwo\n\n", vec!["one", "two"]),
            ("at 7 p.m. we eat. it hurts", vec!["at 7 p.m. we eat.", "it hurts"]),
            ("終わり。はい！", vec!["終わり。", "はい！"]),
            ("...", vec![]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }

    #[test]
    fn a_sentence_without_end_is_cut_between_words() {
        let text = "word ".repeat(1000);
        assert!(
            sentences(&text).iter().all(|sentence| sentence.len() <= LONGEST && sentence.ends_with("word"))
        );
        assert!(sentences(&"x".repeat(5000)).len() > 5);
    }
}
