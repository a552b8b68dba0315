//! Numbers in words, in the languages we know, as [`crate::folded`] writes them.
//!
//! Only numbers that are one word are listed: `twenty-one` and `dix-sept` are put together by their readers.

use crate::language::Language;

impl Language {
    /// The words for numbers, each with its value.
    pub fn cardinals(self) -> impl Iterator<Item = (i32, &'static str)> {
        let split = |(value, words): &(i32, &'static str)| {
            let value = *value;
            words.split('|').map(move |word| (value, word))
        };
        self.number_words().iter().flat_map(split)
    }

    /// The value of a number in words.
    #[must_use]
    pub fn cardinal_named(self, folded: &str) -> Option<i32> {
        self.cardinals().find(|(_, word)| *word == folded).map(|(value, _)| value)
    }

    /// Articles that count one although they are no numbers, as in `a week ago`. Only English has them: the
    /// article of the other languages is their word for one.
    #[must_use]
    pub const fn counting_articles(self) -> &'static [&'static str] {
        match self {
            Self::English => &["a", "an"],
            Self::German | Self::French | Self::Spanish | Self::Romanian => &[],
        }
    }

    const fn number_words(self) -> &'static [(i32, &'static str)] {
        match self {
            Self::English => ENGLISH,
            Self::German => GERMAN,
            Self::French => FRENCH,
            Self::Spanish => SPANISH,
            Self::Romanian => ROMANIAN,
        }
    }
}

#[rustfmt::skip]
const ENGLISH: &[(i32, &str)] = &[
    (1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five"), (6, "six"), (7, "seven"), (8, "eight"),
    (9, "nine"), (10, "ten"), (11, "eleven"), (12, "twelve"), (13, "thirteen"), (14, "fourteen"),
    (15, "fifteen"), (16, "sixteen"), (17, "seventeen"), (18, "eighteen"), (19, "nineteen"), (20, "twenty"),
    (30, "thirty"), (40, "forty"), (50, "fifty"), (60, "sixty"), (70, "seventy"), (80, "eighty"),
    (90, "ninety"), (100, "hundred"), (1000, "thousand"), (1_000_000, "million"),
];

#[rustfmt::skip]
const GERMAN: &[(i32, &str)] = &[
    (1, "ein|eine|einem|einer|einen|eins"), (2, "zwei|zwo"), (3, "drei"), (4, "vier"), (5, "funf|fuenf"),
    (6, "sechs"), (7, "sieben"), (8, "acht"), (9, "neun"), (10, "zehn"), (11, "elf"), (12, "zwolf|zwoelf"),
    (13, "dreizehn"), (14, "vierzehn"), (15, "funfzehn|fuenfzehn"), (16, "sechzehn"), (17, "siebzehn"),
    (18, "achtzehn"), (19, "neunzehn"), (20, "zwanzig"), (30, "dreissig"),
];

#[rustfmt::skip]
const FRENCH: &[(i32, &str)] = &[
    (1, "un|une"), (2, "deux"), (3, "trois"), (4, "quatre"), (5, "cinq"), (6, "six"), (7, "sept"),
    (8, "huit"), (9, "neuf"), (10, "dix"), (11, "onze"), (12, "douze"), (13, "treize"), (14, "quatorze"),
    (15, "quinze"), (16, "seize"), (20, "vingt"), (30, "trente"),
];

#[rustfmt::skip]
const SPANISH: &[(i32, &str)] = &[
    (1, "un|una|uno"), (2, "dos"), (3, "tres"), (4, "cuatro"), (5, "cinco"), (6, "seis"), (7, "siete"),
    (8, "ocho"), (9, "nueve"), (10, "diez"), (11, "once"), (12, "doce"), (13, "trece"), (14, "catorce"),
    (15, "quince"), (16, "dieciseis"), (17, "diecisiete"), (18, "dieciocho"), (19, "diecinueve"),
    (20, "veinte"), (30, "treinta"),
];

#[rustfmt::skip]
const ROMANIAN: &[(i32, &str)] = &[
    (1, "un|o|una|unu"), (2, "doi|doua"), (3, "trei"), (4, "patru"), (5, "cinci"), (6, "sase"),
    (7, "sapte"), (8, "opt"), (9, "noua"), (10, "zece"), (11, "unsprezece"), (12, "doisprezece|douasprezece"),
    (13, "treisprezece"), (14, "paisprezece"), (15, "cincisprezece"), (16, "saisprezece"),
    (17, "saptesprezece"), (18, "optsprezece"), (19, "nouasprezece"), (20, "douazeci"), (30, "treizeci"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folded;

    #[test]
    fn every_language_counts_to_twelve_in_folded_words() {
        for language in Language::ALL {
            for value in 1..=12 {
                assert!(language.cardinals().any(|(known, _)| known == value), "{language:?}: {value}");
            }
            for (value, word) in language.cardinals() {
                assert_eq!(folded(word), word);
                assert_eq!(language.cardinal_named(word), Some(value));
            }
        }
    }
}
