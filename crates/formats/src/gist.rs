//! A long text as a memory: one sentence that stays, and particulars that fade.
//!
//! It does not use `text::sentences`, because the length decides: it looks backwards from the longest piece that
//! fits, and cuts between words where no sentence ends.

/// The longest gist, and the longest detail, in characters.
pub const GIST: usize = 280;
/// The longest detail, in characters.
pub const DETAIL: usize = 200;
/// How many details a text is given; the rest stays in the whole text beside them.
const MOST_DETAILS: usize = 24;

/// A text as a memory holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// What stays.
    pub gist: String,
    /// The rest, piece by piece.
    pub details: Vec<String>,
    /// Whether the text is longer than a gist, so that it should be kept whole beside it.
    pub is_long: bool,
}

/// Splits `text` at the ends of sentences; a sentence that is too long is cut between words.
#[must_use]
pub fn split(text: &str) -> Parts {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if folded.chars().count() <= GIST {
        return Parts { gist: folded, details: Vec::new(), is_long: false };
    }
    let (gist, mut rest) = piece(&folded, GIST);
    let gist = gist.to_owned();
    let mut details = Vec::new();
    while !rest.is_empty() && details.len() < MOST_DETAILS {
        let (detail, after) = piece(rest, DETAIL);
        details.push(detail.to_owned());
        rest = after;
    }
    Parts { gist, details, is_long: true }
}

/// The longest beginning of `text` that fits and ends with a sentence, or else with a word; and what follows it.
fn piece(text: &str, most: usize) -> (&str, &str) {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    if end == text.len() {
        return (text, "");
    }
    let fits = text.get(..end).unwrap_or(text);
    let sentence = fits.char_indices().rev().find(|(at, c)| {
        let after = at + c.len_utf8();
        ".!?。！？".contains(*c)
            && text.get(after..).is_some_and(|rest| rest.starts_with(' ') || !c.is_ascii())
    });
    let cut = match sentence {
        Some((at, c)) if at > 0 => at + c.len_utf8(),
        _ => fits.rfind(' ').filter(|at| *at > 0).unwrap_or(end),
    };
    let (head, rest) = text.split_at_checked(cut).unwrap_or((text, ""));
    (head.trim_end(), rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_a_gist_and_a_long_one_is_split_at_sentences() {
        assert_eq!(
            split(" Likes\n tea. "),
            Parts { gist: "Likes tea.".into(), details: vec![], is_long: false }
        );
        let sentence = "The quick brown fox jumps over the lazy dog near the river bank today. ";
        let parts = split(&sentence.repeat(10));
        assert_eq!(parts.gist, sentence.repeat(3).trim());
        assert!(parts.details.iter().all(|detail| detail.chars().count() <= DETAIL && detail.ends_with('.')));
        assert_eq!([vec![parts.gist], parts.details].concat().join(" "), sentence.repeat(10).trim());
    }

    #[test]
    fn words_without_end_are_cut_within_bounds() {
        for text in ["x".repeat(5000), "é ".repeat(900), "。".repeat(700), "漢字".repeat(400)] {
            let parts = split(&text);
            assert!(parts.is_long && (1..=GIST).contains(&parts.gist.chars().count()));
            assert!(parts.details.iter().all(|detail| (1..=DETAIL).contains(&detail.chars().count())));
        }
    }
}
