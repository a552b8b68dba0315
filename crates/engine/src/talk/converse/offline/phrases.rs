//! The phrases of the built-in voice, and the words by which it parses messages: one data file per language.

use std::sync::OnceLock;

use serde::Deserialize;

use super::intent::Intent;
use super::question::bare_words;

/// The data of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    pub(super) phrases: Phrases,
    /// How nouns are written; where all are capitalised, names can't be recognised by it.
    #[serde(default)]
    pub(super) nouns: Nouns,
    /// Words by which a speaker means themselves.
    pub(super) speaker_words: Vec<String>,
    /// Words by which a speaker means the persona.
    pub(super) persona_words: Vec<String>,
    /// Phrases around a question that don't say whom it is about, such as "do you remember".
    pub(super) frames: Vec<String>,
    /// Words that refer to something said before.
    pub(super) pronouns: Vec<String>,
    /// Those that refer to people.
    pub(super) people_pronouns: Vec<String>,
    /// Words that ask for a name; the other words say of what.
    pub(super) naming_words: Vec<String>,
    /// Words after which a name is a place.
    pub(super) place_words: Vec<String>,
    /// Words after which a name may be a place.
    pub(super) way_words: Vec<String>,
    /// Words that often begin a statement and are not names.
    pub(super) openers: Vec<String>,
    /// Capitalised words that are not names.
    pub(super) calendar: Vec<String>,
    /// Words after a comma by which a remark asks to agree.
    pub(super) tag_words: Vec<String>,
    /// The beginnings of questions for a number.
    pub(super) asks_number: Vec<String>,
    /// The beginnings of questions for a time.
    pub(super) asks_time: Vec<String>,
    /// Words for an amount besides the numbers, without accents.
    pub(super) amounts: Vec<String>,
    /// Words for a time besides months, weekdays and numbers, without accents.
    pub(super) times: Vec<String>,
    /// Examples of sentences that say where the persona lives.
    pub(super) home: Vec<String>,
    /// Examples of sentences that say what its work is.
    pub(super) work: Vec<String>,
    /// Examples of sentences that say what it does in its free time.
    pub(super) pastimes: Vec<String>,
    /// Examples of sentences about its childhood.
    pub(super) childhood: Vec<String>,
}

/// The sentences of one language. `{name}`, `{words}` and the like are filled in; `{, name}` is dropped if no
/// name is known.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    pub(super) hello: Vec<String>,
    pub(super) well: Vec<String>,
    pub(super) welcome: Vec<String>,
    pub(super) goodbye: Vec<String>,
    pub(super) goodnight: Vec<String>,
    /// After a statement.
    pub(super) heard: Vec<String>,
    /// After "may I ask you something?".
    pub(super) here: Vec<String>,
    /// After a statement of which something was stored.
    pub(super) noted: String,
    pub(super) not_kept_consent: String,
    pub(super) not_kept_forbidden: String,
    /// Asks to confirm that sensitive details may be kept.
    pub(super) consent_ask: String,
    pub(super) consent_given: String,
    /// After a consent to what the persona's policy forbids.
    pub(super) consent_forbidden: String,
    /// How long the record has what was not kept.
    pub(super) record_until: String,
    /// The same where the record is kept until it is deleted.
    pub(super) record_stays: String,
    /// The answers that confirm something.
    pub(super) yes: Vec<String>,
    /// The words that may follow a yes without changing it.
    pub(super) after_yes: Vec<String>,
    pub(super) name: String,
    /// Who the speaker is.
    pub(super) you_are: String,
    pub(super) age: String,
    pub(super) ai: String,
    pub(super) proud: String,
    /// Around a sentence of IDENTITY.md that could not be put into the first person.
    pub(super) written_of_me: String,
    pub(super) unknown: String,
    /// If the speaker mentioned a person but not what is asked about them.
    pub(super) unknown_of: String,
    pub(super) unknown_self: String,
    pub(super) unknown_general: String,
    /// For what other people may have said; the later ones for repeated questions.
    pub(super) others: Vec<String>,
    /// Around a memory that may not be what was asked for.
    pub(super) closest: String,
    /// Around memories that are probably not what was asked for.
    pub(super) nearest: String,
    /// Around a sentence of the persona's own story that may not be what was asked for.
    pub(super) closest_self: String,
    /// Around the speaker's own words.
    pub(super) told_me: String,
    /// Around a memory that could not be rewritten to "you".
    pub(super) noted_words: String,
    pub(super) moderate: String,
    pub(super) faint: String,
    pub(super) details_gone: String,
    /// Instead of an event of shame.
    pub(super) reluctant: String,
    /// Instead of an event of denial.
    pub(super) resisting: String,
    pub(super) know_some: String,
    pub(super) know_nothing: String,
    pub(super) keeps: String,
    pub(super) forget_one: String,
    pub(super) forget_all: String,
    pub(super) can_do: String,
    /// After a wish for something that only a model could do.
    pub(super) cannot_do: String,
    /// After an order to remember what is not stored.
    pub(super) in_mind: String,
    /// After a statement that is not remembered because memory is paused.
    pub(super) not_kept_paused: String,
    /// After a statement that is not remembered because memory is off.
    pub(super) not_kept_off: String,
    /// The notice that memory is paused, and how to resume it.
    pub(super) memory_paused: String,
    /// The notice that memory is off, and how to switch it on.
    pub(super) memory_off: String,
    /// The notice that no model is connected.
    pub(super) no_model: String,
}

impl Language {
    /// The words that people who speak it use often.
    fn common_words(&self) -> impl Iterator<Item = &String> {
        let lists = [
            &self.openers,
            &self.speaker_words,
            &self.persona_words,
            &self.pronouns,
            &self.naming_words,
            &self.place_words,
            &self.times,
        ];
        lists.into_iter().flatten()
    }
}

impl Phrases {
    /// Whether an answer has no content that a follow-up question could refer to.
    pub(super) fn is_stock(&self, answer: &str) -> bool {
        let single = [&self.unknown, &self.unknown_self, &self.unknown_general, &self.noted];
        single.into_iter().chain(&self.heard).chain(&self.others).any(|phrase| phrase == answer)
    }

    /// The replies to a greeting or the like.
    pub(super) fn courtesy(&self, intent: Intent) -> Option<&[String]> {
        Some(match intent {
            Intent::Greeting => &self.hello,
            Intent::HowAreYou => &self.well,
            Intent::Thanks => &self.welcome,
            Intent::Goodbye => &self.goodbye,
            Intent::Goodnight => &self.goodnight,
            Intent::AsksPermission
            | Intent::AsksName
            | Intent::AsksSpeakerName
            | Intent::AsksIntroduction
            | Intent::AsksAge
            | Intent::AsksHome
            | Intent::AsksWork
            | Intent::AsksPastimes
            | Intent::AsksPride
            | Intent::AsksChildhood
            | Intent::AsksAi
            | Intent::AsksKnowledge
            | Intent::AsksKeeping
            | Intent::GivesConsent
            | Intent::AsksForgetOne
            | Intent::AsksForgetAll
            | Intent::AsksOthers
            | Intent::Insists
            | Intent::AsksAbilities
            | Intent::AsksAction
            | Intent::OrderToRemember
            | Intent::Statement
            | Intent::QuestionAboutSpeaker
            | Intent::QuestionAboutPersona
            | Intent::QuestionAboutWorld
            | Intent::QuestionFollowUp => return None,
        })
    }
}

/// How a language writes its nouns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Nouns {
    /// Capitalised.
    Capital,
    /// In lower case.
    #[default]
    Small,
}

/// The supported languages, English first.
const FILES: [(&str, &str); 5] = [
    ("en", include_str!("en.json")),
    ("de", include_str!("de.json")),
    ("fr", include_str!("fr.json")),
    ("es", include_str!("es.json")),
    ("ro", include_str!("ro.json")),
];

/// The data of `language`; English where there is none.
pub(super) fn of(language: &str) -> &'static Language {
    static READ: OnceLock<Vec<Language>> = OnceLock::new();
    static NOTHING: OnceLock<Language> = OnceLock::new();
    // The files are compiled in, and a test reads each of them.
    let read = || FILES.iter().map(|(_, text)| serde_json::from_str(text).unwrap_or_default()).collect();
    let all: &Vec<Language> = READ.get_or_init(read);
    all.get(number(language)).unwrap_or_else(|| NOTHING.get_or_init(Language::default))
}

/// The codes of all data files.
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(code, _)| *code)
}

/// The code of the data file used for `language`.
pub(super) fn code(language: &str) -> &'static str {
    FILES.get(number(language)).map_or("en", |(code, _)| code)
}

/// The language of a text of few words, if some of them belong to one language alone and none to `usual` alone: such a
/// text has hardly any function words to tell it by.
pub(in crate::talk::converse) fn language_of_few(text: &str, usual: &str) -> Option<&'static str> {
    let words = bare_words(text);
    let knows = |data: &Language, word: &String| data.common_words().any(|own| own == word);
    let mut counts = FILES.map(|(code, _)| (0, code));
    for word in &words {
        let mut knowing = counts.iter_mut().filter(|(_, code)| knows(of(code), word));
        if let (Some((count, _)), None) = (knowing.next(), knowing.next()) {
            *count += 1;
        }
    }
    let is_usual = |count: usize, code: &str| count > 0 && code == self::code(usual);
    let (most, best) = counts.into_iter().rev().max_by_key(|(count, _)| *count)?;
    (most > 0 && !counts.into_iter().any(|(count, code)| is_usual(count, code))).then_some(best)
}

fn number(language: &str) -> usize {
    let primary = text::primary_tag(language);
    FILES.iter().position(|(code, _)| primary == *code).unwrap_or(0)
}

/// One of `phrases`, the same for the same `seed`, addressed to `name` if it is known.
pub(super) fn addressed(phrases: &[String], seed: &str, name: Option<&str>) -> String {
    let sum = seed.bytes().fold(0_usize, |sum, byte| sum.wrapping_add(byte.into()));
    let phrase = phrases.get(sum % phrases.len().max(1)).map_or("", String::as_str);
    let name = name.map(|name| format!(", {name}")).unwrap_or_default();
    phrase.replace("{, name}", &name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_all_phrases() {
        for (code, text) in FILES {
            let language: Language =
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{code}: {error}"));
            for phrase in [
                &language.phrases.closest,
                &language.phrases.nearest,
                &language.phrases.told_me,
                &language.phrases.noted_words,
            ] {
                assert!(phrase.contains("{words}"), "{code}: {phrase}");
            }
            assert!(!language.pronouns.is_empty() && !language.home.is_empty(), "{code}");
        }
    }

    #[test]
    fn a_few_words_are_of_the_language_that_alone_has_one_of_them() {
        for (text, usual, expected) in [
            ("Wo wohnst du?", "en", Some("de")),
            ("tu as quel age", "en", Some("fr")),
            ("Hallo Nora!", "en", Some("de")),
            ("Where are you?", "de", Some("en")),
            ("¿Dónde vives?", "en", Some("es")),
            ("Unde locuiești?", "en", Some("ro")),
            ("Where do you live?", "en", None),
            ("Nora?", "en", None),
            ("Peanuts", "de", None),
        ] {
            assert_eq!(language_of_few(text, usual), expected, "{text}");
        }
    }

    #[test]
    fn a_phrase_is_addressed_only_to_somebody_known() {
        let phrases = ["Hello{, name}.".to_owned()];
        assert_eq!(addressed(&phrases, "x", Some("Ana")), "Hello, Ana.");
        assert_eq!(addressed(&phrases, "x", None), "Hello.");
        assert_eq!(addressed(&[], "x", None), "");
    }
}
