//! How private a text is that another program wrote down, such as an agent that asks for a memory.
//!
//! A claimed class is not trusted: the same word lists and learnt models decide as in talk. In doubt a text tells of the
//! person, and in doubt whether what it tells is a special category, it is one.

use domain::PrivacyClass;
use encoders::Encoders;
use text::sentences;

use crate::class::privacy_class;
use crate::cue::Cue;
use crate::language::language;
use crate::lexicon::{LANGUAGES, Lexicon};
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;
use crate::statement::Statement;
use crate::word::words;

/// What agents call the person they write about.
const PERSON: [&str; 6] = ["user", "users", "guest", "customer", "nutzer", "utilisateur"];

/// The strictest class that a sentence of `text` has. The text may be in `declared`, the persona's language, or in
/// another one: it is read in both.
#[must_use]
pub fn privacy_class_of(text: &str, declared: &str, encoders: Option<&Encoders>) -> PrivacyClass {
    let spoken = language(&words(text), declared);
    let primary = text::primary_tag(declared);
    let declared = LANGUAGES.into_iter().find(|known| *known == primary && *known != spoken);
    let is_special = [Some(spoken), declared].into_iter().flatten().any(|language| {
        Lexicon::of(language)
            .is_some_and(|lexicon| Sensitivity { lexicon, language, encoders }.tells_special(text))
    });
    if is_special {
        return PrivacyClass::SensitivePii;
    }
    let Some(lexicon) = Lexicon::of(spoken) else { return PrivacyClass::GuestPii };
    let class = |sentence| {
        let sentence = Sentence::read(sentence, lexicon);
        let Some(statement) = Statement::whole(&sentence) else { return PrivacyClass::GuestPii };
        let class = privacy_class(&statement, spoken);
        if tells_of_person(&statement) { class.max(PrivacyClass::GuestPii) } else { class }
    };
    sentences(text).into_iter().map(class).max().unwrap_or(PrivacyClass::GuestPii)
}

/// Whether a person is spoken of. People speak of themselves in the first person, by which the classes are recognised; agents
/// write of them in the third.
fn tells_of_person(statement: &Statement<'_>) -> bool {
    statement.has(&[Cue::Myself, Cue::Person, Cue::Kin, Cue::Name])
        || statement.words.iter().any(|word| PERSON.contains(&word.folded.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_strictest_class_of_its_sentences_and_in_doubt_it_is_the_persons() {
        for (text, expected) in [
            ("The footbridge is closed until the end of May.", PrivacyClass::NonPii),
            ("The user prefers the footbridge.", PrivacyClass::GuestPii),
            ("She lives behind the footbridge.", PrivacyClass::GuestPii),
            ("Ana likes sailing and lives in Rijeka.", PrivacyClass::GuestPii),
            ("Ana has diabetes.", PrivacyClass::SensitivePii),
            ("The footbridge is closed. Ana has diabetes.", PrivacyClass::SensitivePii),
            ("Ana hat Diabetes und nimmt Insulin.", PrivacyClass::SensitivePii),
            ("", PrivacyClass::GuestPii),
            ("…", PrivacyClass::GuestPii),
        ] {
            assert_eq!(privacy_class_of(text, "en", None), expected, "{text}");
        }
    }
}
