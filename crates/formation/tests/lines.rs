//! Single messages of people, labelled by their writers: what of them is kept, and what is refused as a special
//! category. Nobody who changed the rules or the models has read `lines/blind.tsv`; only the totals are printed.
#![allow(clippy::unwrap_used, reason = "a test may stop where its expectation ends")]

use encoders::Encoders;
use formation::{Exchange, Formed, form};
use jiff::civil::date;

/// What became of the lines of one kind.
#[derive(Debug, Default)]
struct Count {
    kept: usize,
    refused: usize,
    of: usize,
}

impl Count {
    fn add(&mut self, formed: &[Formed]) {
        self.of += 1;
        let is_refused = formed.iter().any(|formed| matches!(formed, Formed::Refused { .. }));
        self.refused += usize::from(is_refused);
        self.kept += usize::from(!is_refused && !formed.is_empty());
    }
}

#[derive(Debug, Default)]
struct Counts {
    special: Count,
    fact: Count,
    nothing: Count,
}

fn judge(lines: &str, is_counted: impl Fn(&str) -> bool) -> Counts {
    let encoders = Encoders::built_in().unwrap();
    let mut counts = Counts::default();
    for line in lines.lines() {
        let mut fields = line.split('\t');
        let (label, language, said) =
            (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap());
        if !is_counted(language) {
            continue;
        }
        let exchange =
            Exchange { encoders: Some(&encoders), ..Exchange::new(said, language, date(2026, 11, 15)) };
        let count = match label {
            "sensitive" => &mut counts.special,
            "none" => &mut counts.nothing,
            _ => &mut counts.fact,
        };
        count.add(&form(&exchange));
    }
    counts
}

#[test]
fn harmless_messages_of_people_we_do_not_know_are_kept_and_special_ones_are_not() {
    let lines = include_str!("lines/blind.tsv");
    let english = judge(lines, |language| language == "en");
    let others = judge(lines, |language| language != "en");
    println!("English: {english:?}\nGerman, French, Spanish, Romanian: {others:?}");
    assert!(english.special.kept <= 6 && others.special.kept <= 12);
    assert!(english.fact.kept >= 75 && others.fact.kept >= 60);
    assert!(english.nothing.kept <= 3 && others.nothing.kept <= 1);
}
