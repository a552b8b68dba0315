//! Consent that is given by saying so: "you may remember my health details", and a yes to the question that follows.

use recall::CueEncoder;

use super::classifier::Chances;
use super::intent::Intent;
use super::{phrases, question};

/// The least chance; a wrong guess asks a question and records nothing.
const OFFERED: f32 = 0.2;
/// The marks of words that another person said.
const QUOTES: [char; 7] = ['"', '“', '”', '„', '«', '»', '‚'];

/// Whether a sentence of `message` allows sensitive details to be remembered. Questions, negated and quoted words don't.
pub(in super::super) fn is_offered(message: &str, language: &str, encoder: Option<&CueEncoder>) -> bool {
    question::sentences(message).into_iter().any(|sentence| {
        let code = phrases::code(language);
        // "Remember that I have diabetes" tells something, and allows nothing.
        let is_plain = !sentence.contains('?')
            && !sentence.contains(QUOTES)
            && !formation::is_negated(sentence, code)
            && !formation::asks_to_remember(sentence, code);
        let offers = || Chances::of(sentence, code, encoder).of_intent(Intent::GivesConsent) >= OFFERED;
        is_plain && offers()
    })
}

/// Whether `message` is a yes, and nothing else: a word that is neither one nor polite makes it something else.
pub(in super::super) fn is_confirmed(message: &str, language: &str) -> bool {
    let phrases = &phrases::of(language).phrases;
    let words = question::bare_words(message);
    let is_polite = |rest: &[String]| rest.iter().all(|word| phrases.after_yes.contains(word));
    let confirms =
        |yes: &String| words.strip_prefix(question::bare_words(yes).as_slice()).is_some_and(is_polite);
    !message.contains('?') && phrases.yes.iter().any(confirms)
}

/// Whether `reply` asked for the confirmation, in any language.
pub(in super::super) fn was_asked(reply: &str) -> bool {
    phrases::codes().any(|code| reply.contains(&phrases::of(code).phrases.consent_ask))
}

/// What the persona says about a consent.
pub(in super::super) fn words(consent: SpokenConsent, language: &str) -> Option<&'static str> {
    let phrases = &phrases::of(language).phrases;
    match consent {
        SpokenConsent::Nothing => None,
        SpokenConsent::Offered => Some(&phrases.consent_ask),
        SpokenConsent::Given => Some(&phrases.consent_given),
    }
}

/// Whether a message is about consent alone.
pub(in super::super) fn is_all(consent: SpokenConsent, message: &str) -> bool {
    match consent {
        SpokenConsent::Nothing => false,
        SpokenConsent::Offered => question::sentences(message).len() == 1,
        SpokenConsent::Given => true,
    }
}

/// What a message says about consent to keeping sensitive details.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum SpokenConsent {
    #[default]
    Nothing,
    /// It is offered, and counts after a yes.
    Offered,
    /// It is on record.
    Given,
}

#[cfg(test)]
mod tests {
    use recall::sentences::Encoders;

    use super::*;

    #[test]
    fn consent_is_heard_in_five_languages_and_neither_in_refusals_nor_in_quotes() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        for (message, language, expected) in [
            ("You may remember my health details.", "en", true),
            ("It's ok if you keep notes on my illness.", "en", true),
            ("You may not remember my health details.", "en", false),
            ("My doctor said \"you may remember my health details\".", "en", false),
            ("May you remember my health details?", "en", false),
            ("Please remember my dentist appointment.", "en", false),
            ("Remember that I have diabetes.", "en", false),
            ("I like tea in the morning.", "en", false),
            ("Du darfst dir merken, was ich dir über meine Krankheit sage.", "de", true),
            ("Du darfst dir das nicht merken.", "de", false),
            ("Vous pouvez retenir mes problèmes de santé.", "fr", true),
            ("Puedes recordar mis problemas de salud.", "es", true),
            ("Poți reține problemele mele de sănătate.", "ro", true),
        ] {
            let chances = Chances::of(message, language, Some(&encoder));
            let said = chances.of_intent(Intent::GivesConsent);
            assert_eq!(is_offered(message, language, Some(&encoder)), expected, "{message}: {said}");
        }
        for (message, language, expected) in [
            ("Yes.", "en", true),
            ("yes, please do", "en", true),
            ("Yes? What for?", "en", false),
            ("No.", "en", false),
            ("Yes, but not about my faith.", "en", false),
            ("Yes but only my allergies", "en", false),
            ("I do mind", "en", false),
            ("OK, forget it", "en", false),
            ("Ok, nein danke", "de", false),
            ("Bien sûr que non", "fr", false),
            ("Si quieres, luego", "es", false),
            ("si", "es", true),
            ("Ja, gerne!", "de", true),
            ("Oui.", "fr", true),
            ("Sí", "es", true),
            ("Da.", "ro", true),
        ] {
            assert_eq!(is_confirmed(message, language), expected, "{message}");
        }
    }
}
