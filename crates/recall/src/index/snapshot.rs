//! What readers see: the memories as of one commit.

use std::sync::Arc;

use domain::{DecayProfile, Kind, MemoryId, Text, Timestamp};

use crate::embed::Row;
use crate::index::chunk::{self, Chunk, Weight};
use crate::index::names::People;
use crate::index::segment::Segment;
use crate::index::sentence_chunk::{MINILM, SentenceChunk, USE};
use crate::kernel;
use crate::words::Term;

/// An immutable view of an index, shared by any number of readers.
pub struct Snapshot {
    language: String,
    segments: Vec<(usize, Arc<Segment>)>,
    chunks: Vec<Arc<Chunk>>,
    sentences: Vec<Arc<SentenceChunk>>,
    people: Arc<People>,
    rows: usize,
}

/// A memory in a snapshot, with its details' brightness at a given time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SnapshotMemory {
    /// The memory.
    pub(crate) id: MemoryId,
    /// Its kind.
    pub(crate) kind: Kind,
    /// When it was formed.
    pub(crate) created_at: Timestamp,
    /// The sentence that is kept complete as long as the memory is remembered.
    pub(crate) gist: Text,
    /// The speaker, if the gist is stored as it was said.
    pub(crate) said_by: Option<Text>,
    /// Its details with their brightness.
    pub(crate) details: Vec<(Text, domain::Brightness)>,
}

impl Snapshot {
    pub(crate) fn new(
        language: &str,
        segments: Vec<Arc<Segment>>,
        chunks: Vec<Arc<Chunk>>,
        sentences: Vec<Arc<SentenceChunk>>,
        people: Arc<People>,
    ) -> Self {
        let mut rows = 0;
        let mut placed = Vec::with_capacity(segments.len());
        for segment in segments {
            let base = rows;
            rows += segment.rows();
            placed.push((base, segment));
        }
        Self { language: language.to_owned(), segments: placed, chunks, sentences, people, rows }
    }

    /// The number of rows of a scan, including removed ones.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The language of its words.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The packed vectors in row order, for benchmarking a bare scan.
    pub fn vectors(&self) -> impl Iterator<Item = &[Row]> {
        self.segments.iter().map(|(_, segment)| segment.vectors.as_slice())
    }

    /// The packed sentence vectors of the gists by both encoders, for benchmarking a bare scan.
    pub fn sentence_vectors(&self) -> impl Iterator<Item = (&[kernel::Row<MINILM>], &[kernel::Row<USE>])> {
        self.sentences
            .iter()
            .map(|chunk| (chunk.minilm.gists.as_slice(), chunk.use_multilingual.gists.as_slice()))
    }

    /// Each segment with the number of its first row.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (usize, &Segment)> {
        self.segments.iter().map(|(base, segment)| (*base, segment.as_ref()))
    }

    /// Each chunk with the number of its first row.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (usize, &Chunk)> {
        self.chunks.iter().enumerate().map(|(at, chunk)| (at * chunk::ROWS, chunk.as_ref()))
    }

    /// The sentence vectors of each chunk, with the number of its first row.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = (usize, &SentenceChunk)> {
        self.sentences.iter().enumerate().map(|(at, chunk)| (at * chunk::ROWS, chunk.as_ref()))
    }

    /// The sentence vectors of the chunk that contains `row`, and its position there.
    pub(crate) fn sentences_of(&self, row: usize) -> Option<(&SentenceChunk, usize)> {
        Some((self.sentences.get(row / chunk::ROWS)?.as_ref(), row % chunk::ROWS))
    }

    /// The similarity of two gists by both encoders; `None` unless both have vectors.
    pub(crate) fn gist_cosine(&self, one: usize, other: usize) -> Option<f32> {
        let (one, at_one) = self.sentences_of(one)?;
        let (other, at_other) = self.sentences_of(other)?;
        let minilm = one.minilm.gist_cosine(at_one, &other.minilm, at_other)?;
        let multilingual = one.use_multilingual.gist_cosine(at_one, &other.use_multilingual, at_other)?;
        Some(minilm.min(multilingual))
    }

    pub(crate) fn people(&self) -> &People {
        &self.people
    }

    pub(crate) fn id(&self, row: usize) -> Option<MemoryId> {
        let (segment, at) = self.segment(row)?;
        segment.id(at)
    }

    pub(crate) fn vector(&self, row: usize) -> Option<(&Row, f32)> {
        let (segment, at) = self.segment(row)?;
        Some((segment.vectors.get(at)?, *segment.steps.get(at)?))
    }

    /// The gist of a row and then its details.
    pub(crate) fn texts(&self, row: usize) -> impl Iterator<Item = &str> {
        self.segment(row).into_iter().flat_map(|(segment, at)| segment.parts(at))
    }

    /// Whether `term` is among the words of a row.
    pub(crate) fn has_term(&self, row: usize, term: Term) -> bool {
        self.segment(row).is_some_and(|(segment, at)| {
            u16::try_from(at).is_ok_and(|at| segment.words.find(term).rows.binary_search(&at).is_ok())
        })
    }

    pub(crate) fn tag_count(&self, row: usize) -> u8 {
        self.segment(row).and_then(|(segment, at)| segment.tag_counts.get(at).copied()).unwrap_or(0)
    }

    pub(crate) fn chunk(&self, row: usize) -> Option<(&Chunk, usize)> {
        Some((self.chunks.get(row / chunk::ROWS)?.as_ref(), row % chunk::ROWS))
    }

    pub(crate) fn weight(&self, row: usize) -> Option<(&Weight, &DecayProfile)> {
        let (chunk, at) = self.chunk(row)?;
        let weight = chunk.weight(at)?;
        Some((weight, self.people.profile_numbered(weight.profile)?))
    }

    /// Prefetches the data that the second pass needs of `row`.
    pub(crate) fn fetch_ahead(&self, row: usize) {
        if let Some((segment, at)) = self.segment(row) {
            segment.fetch_ahead(at);
        }
        if let Some((chunk, at)) = self.chunk(row) {
            chunk.fetch_ahead(at);
        }
    }

    /// The memory in `row`, with its details' brightness at `now`.
    pub(crate) fn remembered(&self, row: usize, now: Timestamp) -> Option<SnapshotMemory> {
        let (segment, at) = self.segment(row)?;
        let (chunk, in_chunk) = self.chunk(row)?;
        let (weight, profile) = self.weight(row)?;
        let mut parts = segment.parts(at).map(Text::from);
        let gist = parts.next()?;
        let brightness = chunk.lights(in_chunk).iter().map(|light| light.at(profile, now));
        Some(SnapshotMemory {
            id: segment.id(at)?,
            kind: segment.kind(at)?,
            created_at: weight.created_at,
            gist,
            said_by: segment.said_by(at).cloned(),
            details: parts.zip(brightness).collect(),
        })
    }

    fn segment(&self, row: usize) -> Option<(&Segment, usize)> {
        let after = self.segments.partition_point(|(base, _)| *base <= row);
        let (base, segment) = self.segments.get(after.checked_sub(1)?)?;
        Some((segment, row - base))
    }
}
