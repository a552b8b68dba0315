//! The name of a speaker: an alias that is a name, the name they gave, or, for the owner, the one in USER.md.

use domain::{SubjectRef, Timestamp};
use store::{DocumentName, Documents, Session, Speaker, Turn};
use wire::Problem;

use crate::Engine;
use crate::persona::registry::PersonaContext;

/// Phrases that introduce a name, in the languages of the rules; and the wording of a memory about it.
const INTRODUCTIONS: [&str; 34] = [
    "my name is ",
    "my name's ",
    "call me ",
    "i am called ",
    "i'm called ",
    "i go by ",
    "the guest's name is ",
    "the guest is called ",
    "the guest goes by ",
    "the owner's name is ",
    "the owner is called ",
    "the owner goes by ",
    "ich heiße ",
    "ich heisse ",
    "mein name ist ",
    "nenn mich ",
    "nennen sie mich ",
    "der gast heißt ",
    "je m'appelle ",
    "je m’appelle ",
    "mon nom est ",
    "appelle-moi ",
    "appelez-moi ",
    "l'hôte s'appelle ",
    "me llamo ",
    "mi nombre es ",
    "llámame ",
    "el huésped se llama ",
    "mă numesc ",
    "ma numesc ",
    "mă cheamă ",
    "numele meu este ",
    "spune-mi ",
    "oaspetele se numește ",
];
/// Greetings after which "I'm" introduces a name.
const GREETINGS: [&str; 6] = ["hi", "hello", "hey", "good morning", "good evening", "good afternoon"];
/// Capitalised words after "I'm" that are not names.
const NO_NAMES: [&str; 30] = [
    "American",
    "Asian",
    "Australian",
    "Austrian",
    "Black",
    "British",
    "Canadian",
    "Catholic",
    "Chinese",
    "Danish",
    "Dutch",
    "English",
    "French",
    "German",
    "Greek",
    "Hindu",
    "Indian",
    "Irish",
    "Italian",
    "Japanese",
    "Jewish",
    "Muslim",
    "Polish",
    "Romanian",
    "Russian",
    "Scottish",
    "Spanish",
    "Swedish",
    "Swiss",
    "Turkish",
];
/// The cue that finds the memory of a name.
const NAME_CUE: &str = "My name is";
/// A name has at most this many words, and this many characters.
const MOST_WORDS: usize = 3;
const LONGEST: usize = 60;

impl Engine {
    /// The name of the speaker of `session`, if it is known.
    pub(super) async fn speaker_name(
        &self,
        persona: &PersonaContext,
        session: &Session,
        before: &[&Turn],
        now: Timestamp,
    ) -> Result<Option<String>, Problem> {
        let (open, _) = self.view(persona).await?;
        let references = open.aliases_of(&session.subject);
        let alias = references.iter().chain([&session.subject]).filter_map(name_in_reference);
        if let Some(alias) = alias.min_by_key(|name| name.split(' ').count()) {
            return Ok(Some(alias));
        }
        let mut own = before.iter().rev().filter(|turn| turn.speaker == Speaker::Subject);
        if let Some(said) = own.find_map(|turn| introduced(turn.text.as_str())) {
            return Ok(Some(said));
        }
        if session.subject.is_owner()
            && let Some(written) = self.owner_name(persona).await?
        {
            return Ok(Some(written));
        }
        self.remembered_name(persona, session, now).await
    }

    /// The owner's name, if USER.md has a line for it.
    async fn owner_name(&self, persona: &PersonaContext) -> Result<Option<String>, Problem> {
        let file = self.store.read(&persona.entry.scope(), DocumentName::User).await?;
        Ok(file.and_then(|file| file.content.as_str().lines().find_map(name_line)))
    }

    async fn remembered_name(
        &self,
        persona: &PersonaContext,
        session: &Session,
        now: Timestamp,
    ) -> Result<Option<String>, Problem> {
        let known = self.nearest(persona, session, NAME_CUE, now).await?;
        Ok(known.iter().find_map(|stored| introduced(stored.atom.gist.as_str())))
    }
}

/// The name in a reference such as `Tomas` or `guest:Tomas`; an id or a login is not a name.
fn name_in_reference(reference: &SubjectRef) -> Option<String> {
    let last = reference.as_str().rsplit(':').next().unwrap_or_default();
    is_name(last).then(|| last.trim().to_owned())
}

fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    (1..=MOST_WORDS).contains(&words.len())
        && text.chars().count() <= LONGEST
        && words.iter().all(|word| is_name_word(word))
}

/// Whether a word is capitalised like a name: `Tomas`, `O'Brien`, `Anne-Marie`.
fn is_name_word(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && word.chars().count() > 1
        && word.chars().any(char::is_lowercase)
        && letters.all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.'))
}

/// The name in an introduction in `text`.
fn introduced(text: &str) -> Option<String> {
    let lowered = text.to_lowercase();
    let after = |phrase: &&str| {
        let at = lowered.find(*phrase)?;
        // Lower case may change the length in bytes; then the position is unknown.
        let starts = at == 0 || !lowered.get(..at)?.ends_with(char::is_alphanumeric);
        let rest =
            (lowered.len() == text.len() && starts).then(|| text.get(at + phrase.len()..)).flatten()?;
        leading_name(rest)
    };
    INTRODUCTIONS.iter().find_map(after).or_else(|| greeted(text))
}

/// The name in "Hello, I'm Tomas."
fn greeted(text: &str) -> Option<String> {
    let lowered = text.to_lowercase();
    let greeting = GREETINGS.iter().find(|greeting| lowered.starts_with(**greeting))?;
    let rest = text.get(greeting.len()..)?.trim_start_matches([' ', ',', '!', '.', '-']);
    let rest =
        ["I'm ", "I’m ", "I am ", "this is ", "This is "].iter().find_map(|own| rest.strip_prefix(own))?;
    leading_name(rest).filter(|name| !NO_NAMES.contains(&name.as_str()))
}

/// The words at the start of `text` that are a name, if the clause ends after them or continues in lower
/// case.
fn leading_name(text: &str) -> Option<String> {
    let clause = text.split(['.', ',', '!', '?', ';', '\n', '(', '"']).next()?.trim();
    let name: Vec<&str> = clause.split(' ').take_while(|word| is_name_word(word)).take(MOST_WORDS).collect();
    (!name.is_empty()).then(|| name.join(" "))
}

/// The name in a line such as `- **Name:** Scott`.
fn name_line(line: &str) -> Option<String> {
    let plain: String = line.chars().filter(|c| !matches!(c, '*' | '_' | '`' | '#')).collect();
    let plain = plain.trim().trim_start_matches(['-', '+', ' ']);
    let (key, value) = plain.split_once(':')?;
    let is_key = matches!(key.trim().to_lowercase().as_str(), "name" | "first name" | "my name" | "called");
    is_key.then(|| leading_name(value.trim())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_somebody_says_it_and_nowhere_else() {
        for (text, expected) in [
            ("My name is Tomas and I play the cello.", Some("Tomas")),
            ("Hello, I'm Tomas!", Some("Tomas")),
            ("Good morning, I am Ana Pop.", Some("Ana Pop")),
            ("Hi, I'm German.", None),
            ("I'm German.", None),
            ("Hi, I'm tired.", None),
            ("Bună ziua, mă numesc Ioana.", Some("Ioana")),
            ("Ich heiße Jürgen.", Some("Jürgen")),
            ("The guest is called Tomas.", Some("Tomas")),
            ("The hotel is called Astoria.", None),
            ("Please call me tomorrow.", None),
        ] {
            assert_eq!(introduced(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_reference_is_a_name_only_if_it_looks_like_one() {
        for (reference, expected) in [
            ("Tomas", Some("Tomas")),
            ("guest:Ana Pop", Some("Ana Pop")),
            ("tomas", None),
            ("ana@example.org", None),
            ("U0412", None),
            ("anonymous:sess:0123", None),
        ] {
            let reference: SubjectRef = reference.parse().unwrap();
            assert_eq!(name_in_reference(&reference).as_deref(), expected, "{reference:?}");
        }
    }

    #[test]
    fn the_owners_file_names_the_owner_in_a_line_of_its_own() {
        for (line, expected) in [
            ("- **Name:** Scott", Some("Scott")),
            ("Name: Scott Idler (he)", Some("Scott Idler")),
            ("Project name: Inara", None),
            ("Write here your name: then more", None),
        ] {
            assert_eq!(name_line(line).as_deref(), expected, "{line}");
        }
    }
}
