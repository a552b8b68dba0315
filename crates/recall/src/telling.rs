//! How much a cue tells: whether anything in it could single out a memory.
//!
//! "Ok." matches every memory with an "ok" in it completely, and is about none of them. And among
//! thousands of memories there is always one a little like anything. So all that speaks for a memory is
//! weighed by what the cue tells: one factor for a cue, the same for every memory, so that their order
//! stays and only the distance to the floor changes.

use crate::arithmetic::{count, single};
use crate::bm25::inverse_frequency;

/// What a cue tells in a collection of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Telling {
    words: f32,
    unheard: f32,
}

/// Fewer texts than this say nothing about how frequent a word is.
const FEWEST: usize = 100;

/// The inverse frequency from which a word tells all it can: one text in 55 has it.
const RARE: f64 = 4.0;

impl Telling {
    /// Counts a word that is in `containing` of `all` texts: from 0 if all of them have it to 1 if few do.
    pub(crate) fn add_word(&mut self, all: usize, containing: usize) {
        let tells = single((inverse_frequency(all.max(FEWEST), containing) / RARE).min(1.0));
        self.words += tells;
        self.unheard += if containing == 0 { tells } else { 0.0 };
    }

    /// Counts a person or a day the cue names, which tells as much as a rare word.
    pub(crate) fn add_named(&mut self) {
        self.words += 1.0;
    }

    /// How much of what speaks for one of `all` texts counts, from 0 to 1.
    ///
    /// A cue of `terse` telling words counts half among many texts. Of a word that no text has, `unheard`
    /// is taken off: a cue that shares one word of three is seldom about the same.
    #[must_use]
    pub(crate) fn share(self, all: usize, terse: f32, unheard: f32) -> f32 {
        if self.words <= 0.0 {
            return 0.0;
        }
        (self.words - unheard * self.unheard).max(0.0) / (self.words + terse * chance(all))
    }
}

/// How large a part chance has in the best likeness among `all` texts: little among a few, where the one
/// that is like the cue hardly is so by accident, and all from some hundred on.
fn chance(all: usize) -> f32 {
    count(all.saturating_add(2)) / count(all.saturating_add(80))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cue whose words are each in so many of a thousand texts.
    fn share(containing: &[usize]) -> f32 {
        let mut telling = Telling::default();
        for texts in containing {
            telling.add_word(1000, *texts);
        }
        telling.share(1000, 4.0, 0.3)
    }

    #[test]
    fn a_cue_tells_more_the_more_it_says_and_the_rarer_its_words_are() {
        for (less, more) in [
            (vec![], vec![1000]),
            (vec![1000], vec![400]),
            (vec![400], vec![5]),
            (vec![5], vec![5, 400]),
            (vec![5, 400], vec![5, 5]),
            (vec![0, 5], vec![5, 5]),
            (vec![0, 0], vec![0, 5]),
        ] {
            assert!(share(&less) < share(&more), "{less:?} {more:?}");
        }
    }

    #[test]
    fn a_name_or_a_day_tells_as_much_as_a_rare_word() {
        let (mut named, mut worded) = (Telling::default(), Telling::default());
        named.add_named();
        worded.add_word(1000, 1);
        assert_eq!(named, worded);
    }

    #[test]
    fn among_few_memories_a_short_cue_counts_more_than_among_many() {
        let shares = [1, 10, 100, 1000, 100_000].map(|all| {
            let mut telling = Telling::default();
            telling.add_word(all, 1);
            telling.share(all, 4.0, 0.3)
        });
        assert!(shares.is_sorted_by(|few, many| few > many), "{shares:?}");
        assert!(shares[0] > 0.6 && shares[4] > 0.19, "{shares:?}");
    }
}
