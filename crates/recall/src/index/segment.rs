//! The immutable part of the index: vectors, words, tags and texts of a run of rows.

use std::collections::BTreeMap;

use domain::{Atom, Kind, MemoryId, Text};

use crate::bm25::{Occurrence, Postings};
use crate::embed::Row;
use crate::embed::Vector;
use crate::index::ragged::Ragged;
use crate::kernel;
use crate::words::{Lexicon, Term, tag_term};

/// The maximum number of rows in a segment, so that a row number fits two bytes.
pub(crate) const MOST_ROWS: usize = 1 << 16;

/// The indexed data of one memory, before it becomes a row.
#[derive(Clone)]
pub(crate) struct Draft {
    id: MemoryId,
    kind: Kind,
    vector: Row,
    step: f32,
    terms: Vec<(Term, u8)>,
    cue_terms: Vec<(Term, u8)>,
    length: u16,
    tags: Vec<Term>,
    parts: Vec<Text>,
    said_by: Option<Text>,
}

impl Draft {
    pub(crate) fn of(atom: &Atom, vector: &Vector, lexicon: &mut Lexicon) -> Self {
        let mut words = atom.gist.as_str().to_owned();
        for detail in &atom.details {
            words.push('\n');
            words.push_str(detail.content.as_str());
        }
        let (row, step) = vector.quantised();
        let terms = lexicon.terms(&words);
        let length = u16::try_from(terms.len()).unwrap_or(u16::MAX);
        let mut tags: Vec<Term> = atom.tags.iter().map(|tag| tag_term(tag.as_str())).collect();
        tags.sort_unstable();
        tags.dedup();
        Self {
            id: atom.id,
            kind: atom.kind,
            vector: row,
            step,
            terms: counted(terms),
            cue_terms: counted(atom.cues.iter().flat_map(|cue| lexicon.terms(cue.as_str())).collect()),
            length,
            tags,
            parts: parts(atom),
            said_by: atom.said_by.clone(),
        }
    }
}

/// A run of rows. Row numbers within it start at zero.
#[derive(Default)]
pub(crate) struct Segment {
    pub(crate) vectors: Vec<Row>,
    pub(crate) steps: Vec<f32>,
    pub(crate) lengths: Vec<u16>,
    /// The sum of all lengths.
    pub(crate) total_length: u64,
    pub(crate) words: Postings,
    /// The words of the memories' cues.
    pub(crate) cue_words: Postings,
    pub(crate) tags: Postings,
    pub(crate) tag_counts: Vec<u8>,
    ids: Vec<MemoryId>,
    kinds: Vec<Kind>,
    parts: Ragged<u32>,
    text: String,
    /// The speaker of rows that are stored as they were said. It is rendered, and never searched.
    said_by: BTreeMap<usize, Text>,
}

impl Segment {
    pub(crate) fn of(drafts: &[Draft]) -> Self {
        let mut segment = Self::default();
        let (mut words, mut cue_words, mut tags) = (Vec::new(), Vec::new(), Vec::new());
        for (row, draft) in (0..=u16::MAX).zip(drafts) {
            let occurrence = |(term, count): &(Term, u8)| Occurrence { term: *term, row, count: *count };
            words.extend(draft.terms.iter().map(occurrence));
            cue_words.extend(draft.cue_terms.iter().map(occurrence));
            tags.extend(draft.tags.iter().map(|tag| Occurrence { term: *tag, row, count: 1 }));
            segment.push(draft);
        }
        segment.words = Postings::of(words);
        segment.cue_words = Postings::of(cue_words);
        segment.tags = Postings::of(tags);
        segment.complete();
        segment
    }

    /// The rows of `first` followed by those of `second`.
    pub(crate) fn merged(first: &Self, second: &Self) -> Self {
        let mut merged = Self::default();
        merged.copy_rows(first, |_| true);
        merged.copy_rows(second, |_| true);
        let offset = u16::try_from(first.rows()).unwrap_or(u16::MAX);
        merged.words = Postings::merged(&first.words, &second.words, offset);
        merged.cue_words = Postings::merged(&first.cue_words, &second.cue_words, offset);
        merged.tags = Postings::merged(&first.tags, &second.tags, offset);
        merged.complete();
        merged
    }

    /// The rows that `keep` accepts, renumbered without gaps; the bytes of the others are dropped.
    pub(crate) fn retained(&self, keep: impl Fn(usize) -> bool) -> Self {
        let mut retained = Self::default();
        retained.copy_rows(self, &keep);
        let mut next = 0_u16;
        let mut renumbered = Vec::with_capacity(self.rows());
        for row in 0..self.rows() {
            renumbered.push(keep(row).then_some(next));
            next = next.wrapping_add(u16::from(keep(row)));
        }
        retained.words = self.words.renumbered(&renumbered);
        retained.cue_words = self.cue_words.renumbered(&renumbered);
        retained.tags = self.tags.renumbered(&renumbered);
        retained.complete();
        retained
    }

    pub(crate) fn rows(&self) -> usize {
        self.vectors.len()
    }

    pub(crate) fn fetch_ahead(&self, row: usize) {
        kernel::fetch_ahead(self.vectors.get(row));
        kernel::fetch_ahead(self.steps.get(row));
        kernel::fetch_ahead(self.ids.get(row));
    }

    pub(crate) fn id(&self, row: usize) -> Option<MemoryId> {
        self.ids.get(row).copied()
    }

    pub(crate) fn kind(&self, row: usize) -> Option<Kind> {
        self.kinds.get(row).copied()
    }

    /// The gist and then the details of a row.
    pub(crate) fn parts(&self, row: usize) -> impl Iterator<Item = &str> {
        let ends = self.parts.get(row);
        ends.windows(2).filter_map(|ends| match ends {
            [start, end] => self.text.get(*start as usize..*end as usize),
            _ => None,
        })
    }

    /// The speaker of a row, if it is rendered in front of the text.
    pub(crate) fn said_by(&self, row: usize) -> Option<&Text> {
        self.said_by.get(&row)
    }

    pub(crate) fn bytes(&self) -> usize {
        let speakers: usize =
            self.said_by.values().map(|name| size_of::<usize>() + name.as_str().len()).sum();
        speakers
            + self.vectors.capacity() * size_of::<Row>()
            + self.steps.capacity() * 4
            + self.lengths.capacity() * 2
            + self.tag_counts.capacity()
            + self.ids.capacity() * size_of::<MemoryId>()
            + self.kinds.capacity()
            + self.words.bytes()
            + self.cue_words.bytes()
            + self.tags.bytes()
            + self.parts.bytes()
            + self.text.capacity()
    }

    fn push(&mut self, draft: &Draft) {
        self.said_by.extend(draft.said_by.clone().map(|name| (self.ids.len(), name)));
        self.ids.push(draft.id);
        self.kinds.push(draft.kind);
        self.vectors.push(draft.vector);
        self.steps.push(draft.step);
        self.lengths.push(draft.length);
        self.tag_counts.push(u8::try_from(draft.tags.len()).unwrap_or(u8::MAX));
        self.push_parts(draft.parts.iter().map(Text::as_str));
    }

    fn push_parts<'t>(&mut self, parts: impl Iterator<Item = &'t str>) {
        let place = |text: &String| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let mut ends = vec![place(&self.text)];
        for part in parts {
            self.text.push_str(part);
            ends.push(place(&self.text));
        }
        self.parts.push(&ends);
    }

    fn copy_rows(&mut self, other: &Self, keep: impl Fn(usize) -> bool) {
        for row in (0..other.rows()).filter(|row| keep(*row)) {
            self.said_by.extend(other.said_by.get(&row).cloned().map(|name| (self.ids.len(), name)));
            self.ids.extend(other.ids.get(row));
            self.kinds.extend(other.kinds.get(row));
            self.vectors.extend(other.vectors.get(row));
            self.steps.extend(other.steps.get(row));
            self.lengths.extend(other.lengths.get(row));
            self.tag_counts.extend(other.tag_counts.get(row));
            self.push_parts(other.parts(row));
        }
    }

    /// Must be called after the last row was added.
    fn complete(&mut self) {
        self.total_length = self.lengths.iter().map(|length| u64::from(*length)).sum();
        self.ids.shrink_to_fit();
        self.kinds.shrink_to_fit();
        self.vectors.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.lengths.shrink_to_fit();
        self.tag_counts.shrink_to_fit();
        self.parts.shrink();
        self.text.shrink_to_fit();
    }
}

fn parts(atom: &Atom) -> Vec<Text> {
    std::iter::once(&atom.gist).chain(atom.details.iter().map(|detail| &detail.content)).cloned().collect()
}

fn counted(mut terms: Vec<Term>) -> Vec<(Term, u8)> {
    terms.sort_unstable();
    terms
        .chunk_by(PartialEq::eq)
        .filter_map(|run| Some((*run.first()?, u8::try_from(run.len()).unwrap_or(u8::MAX))))
        .collect()
}
