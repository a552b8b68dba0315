//! E-mail addresses, including obfuscated spellings: `ana [at] example dot org`.

use std::ops::Range;

use super::folded::Folded;

/// An address: its words, each but the first with the sign that joins it to the one before.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Email {
    words: Folded,
    joints: Vec<char>,
}

impl Email {
    /// Parses `text` as an address.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (mailbox, domain) = text.split_once('@')?;
        let has_words = |part: &str| part.contains(char::is_alphanumeric);
        let whole = domain.split('.').count() > 1 && domain.split('.').all(has_words);
        if !whole || !has_words(mailbox) || text.contains(char::is_whitespace) || domain.contains('@') {
            return None;
        }
        let words = Folded::new(text);
        let joint = |n: usize| {
            let mut signs = words.signs_before(n).chars();
            signs.next().filter(|_| signs.next().is_none())
        };
        let joints = (1..words.len()).map(joint).collect::<Option<Vec<_>>>()?;
        Some(Self { words, joints })
    }

    /// The address in lower case, without insignificant characters.
    pub(super) fn canonical(&self) -> String {
        let joints = std::iter::once(None).chain(self.joints.iter().copied().map(Some));
        joints.zip(self.words.words()).fold(String::new(), |text, (joint, word)| {
            text + &joint.map(String::from).unwrap_or_default() + word
        })
    }

    pub(super) fn places(&self, text: &Folded) -> Vec<Range<usize>> {
        let ends = (0..text.len()).filter_map(|start| Some((start, self.end_from(start, text)?)));
        ends.filter(|(start, end)| stands_alone(*start..*end, text))
            .map(|(start, end)| text.place(start..end))
            .collect()
    }

    /// The index of the word after the address, if it starts with word `start`.
    fn end_from(&self, start: usize, text: &Folded) -> Option<usize> {
        if text.word(start) != self.words.word(0) {
            return None;
        }
        let mut at = start + 1;
        for (n, joint) in (1..).zip(&self.joints) {
            if *joint == '@' {
                at = behind_tag(at, text);
            }
            at = joined(at, *joint, text)?;
            if text.word(at) != self.words.word(n) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }
}

/// The index of the next word of an address, if `joint` joins it to the word before `at`.
fn joined(at: usize, joint: char, text: &Folded) -> Option<usize> {
    let spelt = match joint {
        '@' => "at",
        '.' => "dot",
        _ => "",
    };
    let mut bare = text.signs_before(at).chars().filter(|sign| *sign != ' ');
    if bare.next() == Some(joint) && bare.next().is_none() {
        return Some(at);
    }
    let brackets = |n: usize| text.signs_before(n).chars().all(|sign| " ()[]{}<>".contains(sign));
    (text.word(at) == spelt && brackets(at) && brackets(at + 1)).then_some(at + 1)
}

/// Skips `+news` in `ana+news@example.org`: the same mailbox.
fn behind_tag(at: usize, text: &Folded) -> usize {
    if text.signs_before(at) == "+" { at + 1 } else { at }
}

/// Whether the address does not continue on either side.
fn stands_alone(words: Range<usize>, text: &Folded) -> bool {
    let joins = |n: usize| matches!(text.signs_before(n), "." | "-" | "_" | "+");
    let before = words.start > 0 && joins(words.start);
    let behind = words.end < text.len() && joins(words.end);
    !before && !behind
}
