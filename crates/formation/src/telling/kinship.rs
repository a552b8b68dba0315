//! How much a sentence means the same sort of thing as sentences that were worth knowing weeks later, and how little
//! as small talk: the built-in embedder's word for it, since no list knows every verb.

use std::sync::LazyLock;

use recall::embed::{DIMENSIONS, Vector, embed};

static KINDS: LazyLock<(Vector, Vector)> = LazyLock::new(|| {
    let examples = include_str!("examples.txt");
    let of = |sign: &str| middle(examples.lines().filter_map(|line| line.strip_prefix(sign)));
    (of("+ "), of("- "))
});

/// Above 0 if `sentence` is more like what was worth knowing, below if it is more like small talk; seldom beyond ±0.3.
pub(super) fn kinship(sentence: &str) -> f64 {
    let (worth, idle) = &*KINDS;
    let meaning = embed(sentence);
    f64::from(meaning.cosine(worth) - meaning.cosine(idle))
}

fn middle<'s>(sentences: impl Iterator<Item = &'s str>) -> Vector {
    let mut sum = [0.0_f32; DIMENSIONS];
    for sentence in sentences {
        let meaning = embed(sentence);
        sum.iter_mut().zip(meaning.numbers()).for_each(|(all, own)| *all += own);
    }
    Vector::normalised(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_list_knows_is_still_told_from_small_talk() {
        for said in ["We put the mill up for auction.", "The insurer will pay for the whole roof."] {
            assert!(kinship(said) > 0.04, "{said}: {}", kinship(said));
        }
        for said in ["My nose is cold.", "The cheese stared back at me.", "I waved at someone."] {
            assert!(kinship(said) < 0.0, "{said}: {}", kinship(said));
        }
    }
}
