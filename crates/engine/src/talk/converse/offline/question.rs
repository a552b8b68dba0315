//! Parses a message: its sentences, which of them are questions, whom they are about and whom they name.
//!
//! Sentences are Unicode's and not those of `text`: a `No.` before a question is a sentence of its own here, and
//! an abbreviation there.

use unicode_segmentation::UnicodeSegmentation;

use super::phrases::{Language, Nouns};

/// Whom a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The speaker.
    Speaker,
    /// The persona.
    Persona,
    /// Anyone or anything else.
    Other,
}

/// Whether a text states what something is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It does.
    Said,
    /// It contains a name.
    Possible,
    /// It contains none.
    None,
}

/// The most words of the end of a sentence that asks to agree.
const TAG: usize = 3;
/// How many words describe a person before a pronoun that means them.
const DESCRIBED: usize = 3;

/// The sentences of a text that have a letter or digit.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let lines = text.lines().flat_map(UnicodeSegmentation::unicode_sentences);
    lines.map(str::trim).filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}

/// The words of `text` in lower case, with their apostrophes.
pub(super) fn bare_words(text: &str) -> Vec<String> {
    let plain = text.to_lowercase().replace('’', "'");
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
    words
        .map(|word| word.trim_matches(['\'', '-']))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a sentence ends with a question mark.
pub(super) fn ends_asking(sentence: &str) -> bool {
    sentence.trim_end_matches(['"', '”', '»', ')', ' ']).ends_with('?')
}

impl Language {
    /// Whom a question is about.
    pub(super) fn about(&self, question: &str) -> About {
        if self.has_any(question, &self.speaker_words) {
            About::Speaker
        } else if self.addresses_persona(question) {
            About::Persona
        } else {
            About::Other
        }
    }

    /// Whether a question says "you", and not only in the words around it ("do you remember").
    pub(super) fn addresses_persona(&self, question: &str) -> bool {
        self.has_any(question, &self.persona_words)
    }

    /// Whether a question has one of `words` besides the phrases around it.
    fn has_any(&self, question: &str, words: &[String]) -> bool {
        self.unframed_words(question).iter().any(|own| words.contains(own))
    }

    /// The words of a question without the phrases around it.
    pub(super) fn unframed_words(&self, question: &str) -> Vec<String> {
        let mut plain = format!(" {} ", bare_words(question).join(" "));
        for frame in &self.frames {
            plain = plain.replace(&format!(" {frame} "), " ");
        }
        plain.split_whitespace().map(str::to_owned).collect()
    }

    /// A question without the words that ask for a name.
    pub(super) fn without_naming(&self, question: &str) -> String {
        let is_naming = |word: &&str| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            self.naming_words.contains(&bare)
        };
        question.split_whitespace().filter(|word| !is_naming(word)).collect::<Vec<_>>().join(" ")
    }

    /// Whether a sentence refers to something said before.
    pub(super) fn is_anaphoric(&self, sentence: &str) -> bool {
        bare_words(sentence).iter().any(|word| self.pronouns.contains(word))
    }

    /// Whether it refers to a person mentioned before.
    pub(super) fn means_somebody(&self, sentence: &str) -> bool {
        bare_words(sentence).iter().any(|word| self.people_pronouns.contains(word))
    }

    /// Whether a sentence ends like "…, isn't it?"
    pub(super) fn asks_to_agree(&self, sentence: &str) -> bool {
        let Some((_, tag)) = sentence.rsplit_once(',') else { return false };
        let words = bare_words(tag);
        words.len() <= TAG && words.iter().any(|word| self.tag_words.contains(word))
    }

    /// Whether a statement describes a person itself: "The old man sends his regards" has its pronoun late.
    pub(super) fn describes_somebody(&self, statement: &str) -> bool {
        let words = bare_words(statement);
        let pronoun = words.iter().position(|word| self.people_pronouns.contains(word));
        let is_speaker = |word: &String| self.speaker_words.contains(word);
        pronoun.is_some_and(|at| at >= DESCRIBED) && !words.first().is_some_and(is_speaker)
    }

    /// The names in a text: capitalised words, except at the start of a sentence and except places.
    pub(super) fn names<'t>(&self, text: &'t str) -> Vec<&'t str> {
        if self.nouns == Nouns::Capital {
            return Vec::new();
        }
        let mut names = Vec::new();
        let (mut begins, mut after_place_word) = (true, false);
        for word in text.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            let bare = bare.split_once(['\'', '’']).map_or(bare, |(name, _)| name);
            let is_capital = bare.chars().next().is_some_and(char::is_uppercase) && bare.chars().count() > 1;
            if is_capital && !begins && !after_place_word && !self.calendar.iter().any(|own| own == bare) {
                names.push(bare);
            }
            begins = word.ends_with(['.', '!', '?', ':', '“', '"', '«']);
            after_place_word = self.place_words.iter().any(|own| own == word);
        }
        names
    }

    /// The names in a question. Its first word is one if it is a possessive.
    pub(super) fn asked_names<'t>(&self, question: &'t str) -> Vec<&'t str> {
        let owns = |name: &&str| question.trim_start().starts_with(&format!("{name}'s "));
        let first = self.first_name(question).filter(owns);
        first.into_iter().chain(self.names(question)).collect()
    }

    /// Whether each of `names` follows a word in `text` after which it may be a place.
    pub(super) fn may_be_places(&self, text: &str, names: &[String]) -> bool {
        let words = bare_words(text);
        let is_led_to = |name: &String| {
            let pairs = words.iter().zip(words.iter().skip(1));
            pairs.into_iter().any(|(way, word)| *word == name.to_lowercase() && self.way_words.contains(way))
        };
        names.iter().all(is_led_to)
    }

    /// Whether a text states a name: with a word for that, or just a name.
    pub(super) fn tells_name(&self, text: &str) -> Naming {
        if bare_words(text).iter().any(|word| self.naming_words.contains(word)) {
            Naming::Said
        } else if self.nouns == Nouns::Capital || !self.names(text).is_empty() {
            Naming::Possible
        } else {
            Naming::None
        }
    }

    /// The name at the start of a statement, as in "Ana is ill."; a word that often begins sentences is not a
    /// name.
    pub(super) fn first_name<'t>(&self, sentence: &'t str) -> Option<&'t str> {
        if self.nouns == Nouns::Capital {
            return None;
        }
        let first = sentence.split_whitespace().next()?;
        let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.split_once(['\'', '’']).map_or(bare, |(name, _)| name);
        let is_capital = bare.chars().next().is_some_and(char::is_uppercase) && bare.chars().count() > 2;
        (is_capital && !self.is_common(&bare.to_lowercase()) && !self.calendar.iter().any(|own| own == bare))
            .then_some(bare)
    }

    /// Whether a word in lower case often begins sentences, or tells a time.
    pub(super) fn is_common(&self, word: &str) -> bool {
        let all = [
            &self.speaker_words,
            &self.persona_words,
            &self.pronouns,
            &self.openers,
            &self.times,
            &self.amounts,
        ];
        all.into_iter().flatten().any(|own| own == word)
    }
}

/// `sentence` without the persona's name as an address at its start or end.
pub(super) fn without_address(sentence: &str, persona: &str) -> String {
    let end = sentence.trim_end().chars().next_back().filter(|c| ".!?…".contains(*c));
    let mut bare = sentence.trim().trim_end_matches(['.', '!', '?', '…', ' ']).to_owned();
    for name in std::iter::once(persona).chain(persona.split_whitespace()) {
        for (before, after) in [(", ", ""), (" ", ""), ("", ", ")] {
            let called = format!("{before}{name}{after}");
            let shorter =
                if after.is_empty() { bare.strip_suffix(&called) } else { bare.strip_prefix(&called) };
            if let Some(rest) = shorter.filter(|rest| rest.contains(char::is_alphanumeric)) {
                bare = rest.trim_end_matches([',', ' ']).to_owned();
            }
        }
    }
    bare.extend(end);
    bare
}

/// Whether one of `names` stands in `text` as whole words, in any case.
pub(super) fn names_any(text: &str, names: &[String]) -> bool {
    let text = plain_words(text);
    names
        .iter()
        .map(|name| plain_words(name))
        .any(|name| !name.is_empty() && text.windows(name.len()).any(|words| words == name))
}

/// The words of `text` in lower case; an apostrophe parts words.
fn plain_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::phrases;
    use super::*;

    #[test]
    fn whom_a_question_is_about_is_distinguished_from_the_frame_around_it() {
        let english = phrases::of("en");
        for (question, expected) in [
            ("Do you remember where I live?", About::Speaker),
            ("Where do you live?", About::Persona),
            ("What's our team called?", About::Speaker),
            ("When does the sauna open, do you know?", About::Other),
            ("Tell me, how old is Frida?", About::Other),
        ] {
            assert_eq!(english.about(question), expected, "{question}");
        }
    }

    #[test]
    fn the_names_in_a_message_are_the_words_with_a_capital_letter_inside_a_sentence() {
        let english = phrases::of("en");
        assert_eq!(english.names("Does Kofi's sister see Ama in Accra on Monday?"), ["Kofi", "Ama"]);
        assert!(phrases::of("de").names("Wo ist mein Hund?").is_empty());
        assert_eq!(english.first_name("Frida isn't picking up."), Some("Frida"));
        assert_eq!(english.first_name("The weather is fine."), None);
    }

    #[test]
    fn a_remark_may_ask_to_agree() {
        for (language, remark, question) in [
            ("en", "Lovely sun today, isn't it?", "Is there a bath, a shower or both?"),
            ("de", "Schönes Wetter, nicht wahr?", "Gibt es Tee, Kaffee oder beides?"),
            ("fr", "Il fait froid, n'est-ce pas ?", "Il y a du thé, du café ?"),
            ("es", "Hace frío, ¿verdad?", "¿Hay té, café o zumo?"),
            ("ro", "E frumos azi, nu-i așa?", "Aveți ceai, cafea?"),
        ] {
            assert!(phrases::of(language).asks_to_agree(remark), "{remark}");
            assert!(!phrases::of(language).asks_to_agree(question), "{question}");
        }
    }

    #[test]
    fn a_name_is_a_whole_word() {
        for (text, name, expected) in [
            ("Ana likes figs.", "Ana", true),
            ("ANA's cat", "ana", true),
            ("A banana", "Ana", false),
            ("Always late", "Al", false),
            ("Mrs Pargeter's pot", "Pargeter", true),
            ("Jean-Luc called.", "Jean-Luc", true),
            ("Anything", "", false),
        ] {
            assert_eq!(names_any(text, &[name.to_owned()]), expected, "{text}: {name}");
        }
    }

    #[test]
    fn the_persona_is_addressed_without_being_asked_about() {
        for (said, expected) in [
            ("Hiya, Mina.", "Hiya."),
            ("Mina, where are you?", "where are you?"),
            ("Good night Mina Castellane!", "Good night!"),
            ("Mina.", "Mina."),
        ] {
            assert_eq!(without_address(said, "Mina Castellane"), expected, "{said}");
        }
    }
}
