//! Recognises lines whose memories are already stored, so that importing them again changes nothing.

use std::collections::{BTreeMap, HashSet};

use domain::{MemoryId, Timestamp};
use store::NewAtom;

use crate::memory::card::{Card, content_of};

/// A line that was read.
#[derive(Clone)]
pub(super) struct Line {
    /// Its number.
    pub(super) number: usize,
    pub(super) draft: NewAtom,
    /// Whether it says when the memory was formed. Without a date the time of the import is used.
    pub(super) is_dated: bool,
    pub(super) identity: Identity,
}

/// What makes two lines the same memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// Their content: notes of other programs, which repeat what they know in every conversation, and lines
    /// without a date.
    Content,
    /// Their content and their time.
    ContentAndTime,
}

/// Stored memories that lines may repeat.
pub(super) struct KnownMemories {
    at_their_times: HashSet<(u64, Timestamp)>,
    whenever: HashSet<u64>,
}

impl KnownMemories {
    /// Those of `cards` with the same content as one of `lines`.
    pub(super) fn among(cards: &BTreeMap<MemoryId, Card>, lines: &[Line]) -> Self {
        let contents: HashSet<u64> = lines.iter().map(|line| content_of(&line.draft.atom)).collect();
        let known = || cards.values().filter(|card| contents.contains(&card.content));
        Self {
            at_their_times: known().map(|card| (card.content, card.created_at)).collect(),
            whenever: known().map(|card| card.content).collect(),
        }
    }

    /// Whether `line` is new; it counts as known afterwards.
    pub(super) fn is_news(&mut self, line: &Line) -> bool {
        let (content, at) = (content_of(&line.draft.atom), line.draft.atom.created_at);
        let is_new_now = self.at_their_times.insert((content, at));
        let is_new_ever = self.whenever.insert(content);
        match line.identity {
            Identity::Content => is_new_ever,
            Identity::ContentAndTime => is_new_now,
        }
    }
}
