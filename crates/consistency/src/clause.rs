//! A text as clauses of words: the pieces small enough to say one thing about one subject.

use recall::words::Term;

use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// A word of a clause.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent property of one word")]
pub(crate) struct Word {
    /// As it was written, in lower case and without a possessive ending.
    pub(crate) lower: String,
    /// What it is compared by.
    pub(crate) key: Term,
    /// Whether it carries meaning of its own.
    pub(crate) strong: bool,
    /// Whether it begins with a capital although no sentence begins with it.
    pub(crate) capital: bool,
    /// Whether it owns the next word, as in `sister's wedding`.
    pub(crate) owner: bool,
    /// Whether a comma follows.
    pub(crate) comma: bool,
    /// Whether it opens its sentence, where every word has a capital.
    pub(crate) opens: bool,
    /// Whether it stands for a phrase of several words.
    pub(crate) phrase: bool,
    /// Whether it denies what follows.
    pub(crate) denial: bool,
}

/// One clause, with the sentence it was taken from.
pub(crate) struct Clause<'a> {
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// The whole sentence, for the report.
    pub(crate) sentence: &'a str,
    /// Whether the first word of the sentence is the first of the clause.
    pub(crate) opens: bool,
}

/// The clauses of `text`, in order.
pub(crate) fn clauses<'a>(text: &'a str, vocabulary: &mut Vocabulary) -> Vec<Clause<'a>> {
    let mut clauses = Vec::new();
    for sentence in statements(text) {
        let words = words(sentence, vocabulary);
        for (at, words) in split(&words, vocabulary).into_iter().enumerate() {
            clauses.push(Clause { words, sentence, opens: at == 0 });
        }
    }
    clauses
}

/// The statements of a text, without the sign they end with: a semicolon and a dash end one too.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text::sentences(text).into_iter().flat_map(|sentence| sentence.split([';', '—']));
    let bare = pieces.map(|piece| piece.trim().trim_end_matches(['.', '!', '?']).trim_end());
    bare.filter(|statement| statement.contains(char::is_alphanumeric))
}

/// The words of a sentence, with known phrases read as one word.
pub(crate) fn words(sentence: &str, vocabulary: &mut Vocabulary) -> Vec<Word> {
    let raw = raw_words(sentence);
    let mut words = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(current) = raw.get(at) {
        let rest = raw.get(at..).unwrap_or_default();
        let phrase =
            vocabulary.phrases_from(&current.lower).iter().find(|phrase| begins_with(rest, &phrase.words));
        let (length, meaning) =
            phrase.map_or((1, Some(None)), |found| (found.words.len(), found.meaning.map(Some)));
        if let Some(meaning) = meaning {
            let lower = meaning.map_or_else(|| side_or_verb(&raw, at), str::to_owned);
            let (key, meaningful) = vocabulary.key(&lower);
            let strong = meaningful
                && !vocabulary.says(WordList::Filler, &lower)
                && !vocabulary.says(WordList::Preposition, &lower);
            let last = raw.get(at + length - 1).unwrap_or(current);
            words.push(Word {
                denial: vocabulary.says(WordList::Negation, &lower),
                lower,
                key,
                strong,
                capital: current.capital,
                owner: last.owner,
                comma: last.comma,
                phrase: length > 1,
                opens: at == 0,
            });
        }
        at += length;
    }
    words
}

struct RawWord {
    lower: String,
    capital: bool,
    owner: bool,
    comma: bool,
}

fn raw_words(sentence: &str) -> Vec<RawWord> {
    let mut words = Vec::new();
    for piece in sentence
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | '“' | '”' | '/' | '*' | '#'))
    {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '€' | '£' | '%'));
        if bare.is_empty() {
            continue;
        }
        let lower = bare.to_lowercase().replace('’', "'");
        let possessor = lower
            .strip_suffix("'s")
            .filter(|owner| !matches!(*owner, "it" | "that" | "he" | "she" | "what" | "there"));
        let owner = possessor.is_some() || lower.ends_with("s'");
        let capital = bare.chars().next().is_some_and(char::is_uppercase)
            && !words.is_empty()
            && !is_subject_pronoun(&lower);
        let comma = piece.ends_with([',', ':']);
        let lower = possessor.unwrap_or(&lower).trim_end_matches('\'').to_owned();
        words.push(RawWord { lower, capital, owner, comma });
    }
    words
}

fn begins_with(words: &[RawWord], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, wanted)| word.lower == *wanted)
}

/// Tells the left side from the past of leaving: a side follows an article or comes before a part of the body.
fn side_or_verb(raw: &[RawWord], at: usize) -> String {
    let Some(word) = raw.get(at) else { return String::new() };
    let before = at.checked_sub(1).and_then(|before| raw.get(before)).map_or("", |word| word.lower.as_str());
    if word.lower == "left" && matches!(before, "my" | "his" | "her" | "the" | "their" | "our" | "on") {
        return "left-side".to_owned();
    }
    word.lower.clone()
}

fn split(words: &[Word], vocabulary: &Vocabulary) -> Vec<Vec<Word>> {
    let mut clauses: Vec<Vec<Word>> = Vec::new();
    let mut current: Vec<Word> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at + 1..).unwrap_or_default();
        let begins = current.len() >= 2 && begins_a_clause(word, &current, rest, vocabulary);
        if begins || current.len() >= 3 && comma_ends(&current, word, vocabulary) {
            clauses.push(std::mem::take(&mut current));
        }
        current.push(word.clone());
    }
    clauses.push(current);
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

/// A new clause begins with a conjunction that is followed by a subject of its own.
fn begins_a_clause(word: &Word, current: &[Word], rest: &[Word], vocabulary: &Vocabulary) -> bool {
    let Some(next) = rest.first() else { return false };
    let pronoun = is_subject_pronoun(&next.lower);
    let article = vocabulary.is(WordList::Article, next.key);
    match word.lower.as_str() {
        "and" | "or" => {
            let acted = current.iter().any(|word| is_verb(word, vocabulary));
            let acts =
                rest.iter().skip(1).take(3).any(|word| is_verb(word, vocabulary) || is_modal(&word.lower));
            let goes_on =
                acted && (is_verb(next, vocabulary) || is_modal(&next.lower)) && word.lower == "and";
            let couple = next.lower == "i"
                && current
                    .last()
                    .is_some_and(|last| last.capital || last.opens || vocabulary.is(WordList::Kin, last.key));
            pronoun && next.lower != "i"
                || pronoun && acted && !couple
                || (article || next.capital || next.denial) && acted && acts
                || goes_on
        }
        "but" | "although" | "though" | "whereas" | "because" => true,
        "which" | "who" => rest.iter().take(3).any(|word| vocabulary.says(WordList::Negation, &word.lower)),
        "where" => false,
        "how" => current.len() > 2,
        "that" => {
            current.iter().any(|word| vocabulary.says(WordList::Reporting, &word.lower))
                && !vocabulary.is(WordList::TimeNoun, next.key)
        }
        "as" => pronoun,
        _ => {
            vocabulary.says(WordList::Splitter, &word.lower)
                && (pronoun || article && (next.lower != "the" || word.lower == "why"))
        }
    }
}

/// A guess without a grammar: a listed form, a past ending, or an auxiliary.
pub(crate) fn is_verb(word: &Word, vocabulary: &Vocabulary) -> bool {
    let auxiliary = ["was", "were", "is", "are", "had", "has", "have", "did", "didn't", "does", "do"];
    auxiliary.contains(&word.lower.as_str())
        || word.lower.ends_with("ed")
        || vocabulary.is_verb_form(&word.lower)
}

/// `and can't swim`, `and would never go`: what one clause denies or wishes says nothing of the other.
pub(crate) fn is_modal(lower: &str) -> bool {
    matches!(
        lower,
        "can" | "can't" | "cannot" | "could" | "couldn't" | "would" | "wouldn't" | "will" | "won't" | "never"
    )
}

/// A comma ends a clause that began with a conjunction, or comes before a pronoun that is a new subject.
fn comma_ends(current: &[Word], word: &Word, vocabulary: &Vocabulary) -> bool {
    let Some((first, last)) = current.first().zip(current.last()) else { return false };
    let subordinate = vocabulary.says(WordList::Subordinator, &first.lower)
        && current.get(1).is_some_and(|next| {
            is_subject_pronoun(&next.lower) || vocabulary.is(WordList::Article, next.key) || next.capital
        });
    let new_subject = is_subject_pronoun(&word.lower);
    last.comma
        && ((subordinate && (new_subject || word.capital || vocabulary.is(WordList::Article, word.key)))
            || (new_subject && !vocabulary.is(WordList::Preposition, first.key)))
}

/// Whether the word can only be the subject of a clause.
pub(crate) fn is_subject_pronoun(lower: &str) -> bool {
    matches!(lower, "i" | "we" | "he" | "she" | "they" | "it" | "you" | "i'm" | "i've" | "i'd" | "there")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let clauses = clauses(text, &mut Vocabulary::new("en"));
        let joined = |clause: &Clause<'_>| {
            clause.words.iter().map(|word| word.lower.as_str()).collect::<Vec<_>>().join(" ")
        };
        clauses.iter().map(joined).collect()
    }

    #[test]
    fn a_text_is_read_clause_by_clause() {
        for (text, expected) in [
            ("I was born in Porto. It rained.", vec!["i was born in porto", "it rained"]),
            (
                "I stayed because I never learned to swim.",
                vec!["i stayed", "because i never learned to swim"],
            ),
            ("When I was seven, my father left.", vec!["when i was seven", "my father left"]),
            ("In 2010, I moved.", vec!["in 2010 i moved"]),
            ("My brother and my sister came.", vec!["my brother and my sister came"]),
            ("Dr. Lee paid 2.5 million; I left.", vec!["dr lee paid 2.5 million", "i left"]),
            ("She passed away on my left side.", vec!["she die on my left-side side"]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
