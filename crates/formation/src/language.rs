//! Which language a turn is in: people answer in their own, whatever the persona speaks.

use crate::cue::Cue;
use crate::lexicon::{LANGUAGES, Lexicon};
use crate::word::Word;

/// As many words tell a language; more only take time.
const ENOUGH_WORDS: usize = 200;

/// A sentence with fewer words may be without any function word.
const FEWEST_WORDS: usize = 5;

/// The language `words` are in: the `declared` one, unless the function words speak clearly for another.
pub(crate) fn language(words: &[Word], declared: &str) -> &'static str {
    let words = words.get(..ENOUGH_WORDS).unwrap_or(words);
    let primary = text::primary_tag(declared);
    let declared = LANGUAGES.into_iter().find(|known| *known == primary);
    let spoken = |language: &str| {
        let hits = Lexicon::of(language).map(|list| list.hits(words)).unwrap_or_default();
        hits.iter().filter(|hit| hit.cue == Cue::Function).count()
    };
    let counts = LANGUAGES.map(|language| (spoken(language), language));
    let of_declared = declared.map_or(0, spoken);
    let (most, best) = counts.into_iter().rev().max_by_key(|(count, _)| *count).unwrap_or((0, "en"));
    // A short sentence has few function words, but in the declared language it would have one.
    let is_rivalled = counts.iter().filter(|(count, _)| *count == most).count() > 1;
    if most > 0 && of_declared == 0 && !is_rivalled && words.len() >= FEWEST_WORDS {
        return best;
    }
    match declared {
        Some(declared) if most < of_declared * 2 || most < of_declared + 2 => declared,
        Some(_) | None => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::words;

    #[test]
    fn the_words_decide_only_when_they_speak_clearly_for_another_language() {
        for (text, declared, expected) in [
            ("I have two dogs and a cat", "en", "en"),
            ("Am un câine și o pisică la țară", "en", "ro"),
            ("Ich habe einen Hund und eine Katze", "en", "de"),
            ("J'ai un chien et je suis de Lyon", "de", "fr"),
            ("Tengo un perro y soy de Sevilla", "en", "es"),
            ("Peanuts", "de", "de"),
            ("Bitte merk dir, dass ich keinen Rosenkohl mag", "en", "de"),
            ("", "fr-CA", "fr"),
            ("", "tlh", "en"),
        ] {
            assert_eq!(language(&words(text), declared), expected, "{text}");
        }
    }
}
