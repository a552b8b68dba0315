//! The date of single sentences, in words that people use: each line of `tests/dates` is a language, the day on which a
//! sentence is said, the sentence, and the day, month or year it tells of, or `-`.
//!
//! The date reader was made with the `development` lines. Of the `unread` ones only totals are printed.
#![expect(clippy::unwrap_used, reason = "a test that can't read its sentences fails loudly")]

use std::collections::BTreeMap;

use formation::{Exchange, teaching::dates};

/// Counts over sentences.
#[derive(Default)]
struct Score {
    sentences: u32,
    right: u32,
    /// A date was given that was not meant.
    wrong: u32,
    /// What went wrong.
    missed: Vec<String>,
}

impl Score {
    fn add(&mut self, line: &str) {
        let [language, day, said, expected] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let today = day.split(' ').next().unwrap().parse().unwrap();
        let found = dates(&Exchange::new(said, language, today)).into_iter().flatten().next();
        let found = found.map_or_else(|| "-".to_owned(), |date| date.to_string());
        self.sentences += 1;
        self.right += u32::from(found == expected);
        self.wrong += u32::from(found != expected && found != "-");
        if found != expected {
            self.missed.push(format!("{language} {day} {found} for {expected}: {said}"));
        }
    }
}

/// The scores of the sentences of a file by language, and in total.
fn measured(name: &str) -> Score {
    let path = format!("{}/tests/dates/{name}.tsv", std::env::var("CARGO_MANIFEST_DIR").unwrap());
    let mut total = Score::default();
    let mut by_language: BTreeMap<String, Score> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        by_language.entry(line.split('\t').next().unwrap().to_owned()).or_default().add(line);
        total.add(line);
    }
    for (language, score) in &by_language {
        println!("{name} {language}: {} of {} right, {} wrong", score.right, score.sentences, score.wrong);
    }
    println!("{name}: {} of {} right, {} wrong", total.right, total.sentences, total.wrong);
    total
}

#[test]
fn the_dates_of_development_sentences_are_read() {
    let score = measured("development");
    println!("{:#?}", score.missed);
    assert!(score.right >= 192 && score.wrong <= 6, "{:#?}", score.missed);
}

#[test]
fn the_dates_of_unread_sentences_are_read() {
    let score = measured("unread");
    assert!(score.right >= 170 && score.wrong <= 17);
}
