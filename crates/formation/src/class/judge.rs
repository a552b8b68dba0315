//! How private a statement is, judged by examples where no rule decides.

use std::sync::LazyLock;

use domain::PrivacyClass;

use crate::learning::{Trait, Weights};
use crate::traits::Traits;
use crate::word::{Word, words};

/// What the examples teach.
pub(super) struct Judge {
    traits: Traits,
    classes: Vec<(PrivacyClass, Weights)>,
}

/// How much more surely than the guest's own a statement has to be of another class: in doubt it is the guest's.
const DOUBT: f64 = 0.4;

const CLASSES: [PrivacyClass; 4] = [
    PrivacyClass::GuestPii,
    PrivacyClass::NonPii,
    PrivacyClass::StaffPii,
    PrivacyClass::CommercialConfidential,
];

static ENGLISH: LazyLock<Judge> = LazyLock::new(|| Judge::taught(include_str!("examples/en.txt"), "en"));

impl Judge {
    /// The judge of a language, if there are examples of it.
    pub(super) fn of(language: &str) -> Option<&'static Self> {
        (language == "en").then(|| &*ENGLISH)
    }

    /// The class of a statement.
    pub(super) fn class(&self, text: &str, words: &[Word]) -> PrivacyClass {
        let traits = self.traits.read(text, words);
        let sure = |(class, weights): &(PrivacyClass, Weights)| {
            weights.of(&traits) + if *class == PrivacyClass::GuestPii { DOUBT } else { 0.0 }
        };
        let best = self.classes.iter().max_by(|a, b| sure(a).total_cmp(&sure(b)));
        best.map_or(PrivacyClass::GuestPii, |(class, _)| *class)
    }

    fn taught(examples: &str, language: &str) -> Self {
        let examples: Vec<(PrivacyClass, &str, Vec<Word>)> = examples.lines().filter_map(read).collect();
        let traits = Traits::of(examples.iter().map(|(_, _, words)| words.as_slice()), language);
        let seen: Vec<(PrivacyClass, Vec<Trait>)> =
            examples.iter().map(|(class, text, words)| (*class, traits.read(text, words))).collect();
        let of_class = |own: PrivacyClass| {
            let examples = seen.iter().map(|(class, traits)| (*class == own, traits));
            (own, Weights::learnt(traits.count(), examples))
        };
        Self { classes: CLASSES.map(of_class).into(), traits }
    }
}

/// A line of examples: the class, and what was said.
fn read(line: &str) -> Option<(PrivacyClass, &str, Vec<Word>)> {
    let (name, text) = line.split_once(": ")?;
    let class = CLASSES.into_iter().find(|class| class.as_str() == name)?;
    Some((class, text, words(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_examples_and_most_of_them_are_learnt() {
        let lines = include_str!("examples/en.txt");
        let examples: Vec<_> = lines.lines().filter_map(read).collect();
        assert_eq!(examples.len(), lines.lines().count());
        for class in CLASSES {
            assert!(examples.iter().filter(|(own, _, _)| *own == class).count() > 100, "{class:?}");
        }
        let judge = Judge::of("en").unwrap();
        let right = examples.iter().filter(|(class, text, words)| judge.class(text, words) == *class).count();
        assert!(right * 100 >= examples.len() * 90, "{right} of {}", examples.len());
    }

    #[test]
    fn what_nobody_gave_as_an_example_is_judged_by_its_like() {
        use PrivacyClass::{CommercialConfidential, GuestPii, NonPii, StaffPii};
        let judge = Judge::of("en").unwrap();
        for (said, class) in [
            ("My brother Tom breeds ferrets in Hull.", GuestPii),
            ("I'd rather sit by the stove.", GuestPii),
            ("The footbridge is closed until the end of May.", NonPii),
            ("Our waiter Pavel forgot the bread twice.", StaffPii),
            (
                "Between ourselves, the brewery gives us eleven per cent off every keg.",
                CommercialConfidential,
            ),
            ("Mmh, blue.", GuestPii),
        ] {
            assert_eq!(judge.class(said, &words(said)), class, "{said}");
        }
    }
}
