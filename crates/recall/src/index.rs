//! A persona's memories as a search index: every open persona has one.
//!
//! The writer changes it, and publishes a [`Snapshot`] after each commit. Readers scan their snapshot; they
//! never wait, and never see a partial change. Rows are numbered densely in the order of insertion. The
//! immutable part of a row is in a [`segment`], the mutable part in a [`chunk`]; small segments are merged
//! into larger ones as they fill.

pub(crate) mod chunk;
mod names;
mod ragged;
mod register;
pub(crate) mod segment;
pub(crate) mod sentence_chunk;
mod snapshot;
mod turns;

pub use snapshot::Snapshot;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use domain::{Atom, MemoryId};

use crate::embed::{Vector, embed};
use crate::index::chunk::{Belonging, Chunk, NO_ROW};
use crate::index::names::People;
use crate::index::segment::{Draft, Segment};
use crate::index::sentence_chunk::SentenceChunk;
use crate::index::turns::{Link, Side, Turn, Turns};
use crate::sentences::SentenceVectors;
use crate::words::Lexicon;

/// How many of the newest rows are re-indexed with each commit, before they are moved to a segment.
const TAIL_ROWS: usize = 128;

/// The writer's side of an index.
pub struct Index {
    language: String,
    segments: Vec<Arc<Segment>>,
    tail: Vec<Draft>,
    /// The searchable form of the tail; built at its first use after the tail changed.
    searchable_tail: OnceLock<Arc<Segment>>,
    chunks: Vec<Arc<Chunk>>,
    /// The sentence vectors of the rows of the chunk at the same position.
    sentences: Vec<Arc<SentenceChunk>>,
    people: Arc<People>,
    rows: HashMap<MemoryId, Placed>,
    turns: Turns,
    removed: usize,
}

/// The row of a memory, and the fingerprint of what the row was made from.
#[derive(Clone, Copy)]
struct Placed {
    row: u32,
    turn: Turn,
    words: u64,
}

/// A memory together with the embedding computed when it was written.
pub struct Entry<'a> {
    /// The memory.
    pub atom: &'a Atom,
    /// Its embedding by the built-in table.
    pub meaning: Vector,
    /// Its sentence vectors; without them, the memory is matched by words and the built-in table.
    pub sentences: Option<SentenceVectors>,
}

/// The embedding of `atom`: that of its gist and its details.
#[must_use]
pub fn meaning_of(atom: &Atom) -> Vector {
    let details = atom.details.iter().map(|detail| detail.content.as_str());
    let parts: Vec<&str> = std::iter::once(atom.gist.as_str()).chain(details).collect();
    embed(&parts.join("\n"))
}

impl Index {
    /// An empty index for words in `language`.
    #[must_use]
    pub fn new(language: &str) -> Self {
        Self {
            language: language.to_owned(),
            segments: Vec::new(),
            tail: Vec::new(),
            searchable_tail: OnceLock::new(),
            chunks: Vec::new(),
            sentences: Vec::new(),
            people: Arc::default(),
            rows: HashMap::new(),
            turns: Turns::default(),
            removed: 0,
        }
    }

    /// Adds or updates memories. A batch costs little more than a single one.
    pub fn put<'a>(&mut self, entries: impl IntoIterator<Item = Entry<'a>>) {
        let mut lexicon = Lexicon::new(&self.language);
        for entry in entries {
            self.put_one(&entry, &mut lexicon);
        }
        // A large batch goes into a segment at once, so that later commits have a short tail to re-index.
        if self.tail.len() > TAIL_ROWS {
            self.flush_tail();
        }
    }

    /// Removes a memory from every later recall. Its bytes are kept until [`Index::purge`].
    pub fn remove(&mut self, id: MemoryId) -> bool {
        let Some(placed) = self.rows.remove(&id) else { return false };
        let links = self.turns.remove(placed.turn, id);
        self.change(placed.row, Chunk::remove);
        self.change_sentences(placed.row, SentenceChunk::clear);
        self.relink(&links);
        self.removed += 1;
        true
    }

    /// Rebuilds the index without the removed rows, so that none of their bytes is left.
    pub fn purge(&mut self) {
        self.flush_tail();
        let mut alive = vec![false; self.total_rows()];
        for placed in self.rows.values() {
            if let Some(place) = alive.get_mut(placed.row as usize) {
                *place = true;
            }
        }
        self.keep_segments(&alive);
        self.keep_chunks(&alive);
        self.renumber(&alive);
        self.removed = 0;
    }

    /// The number of memories.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether so much was removed that a purge pays off.
    #[must_use]
    pub fn needs_purge(&self) -> bool {
        self.removed > 1024 && self.removed * 4 > self.rows.len()
    }

    /// Its approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(|segment| segment.bytes()).sum();
        let chunks: usize = self.chunks.iter().map(|chunk| chunk.bytes()).sum();
        let sentences: usize = self.sentences.iter().map(|chunk| chunk.bytes()).sum();
        let placed = self.rows.capacity() * (size_of::<(MemoryId, Placed)>() + 1);
        let turns = self.turns.len() * (size_of::<(Turn, MemoryId)>() + size_of::<(u32, Side)>()) * 4 / 3;
        segments + chunks + sentences + placed + turns + self.people.bytes()
    }

    /// The current memories, for readers.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        let mut segments = self.segments.clone();
        if !self.tail.is_empty() {
            segments.push(Arc::clone(self.searchable_tail.get_or_init(|| Arc::new(Segment::of(&self.tail)))));
        }
        Arc::new(Snapshot::new(
            &self.language,
            segments,
            self.chunks.clone(),
            self.sentences.clone(),
            Arc::clone(&self.people),
        ))
    }

    fn put_one(&mut self, entry: &Entry<'_>, lexicon: &mut Lexicon) {
        let atom = entry.atom;
        let belonging = self.belonging(atom);
        let turn = Turn { session: belonging.session, index: atom.provenance.turn_index };
        let words = fingerprint(atom, &entry.meaning);
        match self.rows.get(&atom.id) {
            Some(placed) if placed.words == words && placed.turn == turn => {
                self.change(placed.row, |chunk, row| chunk.set(row, atom, belonging));
            }
            _ => {
                self.remove(atom.id);
                self.append(entry, belonging, Placed { row: self.next_row(), turn, words }, lexicon);
            }
        }
        if let (Some(sentences), Some(placed)) = (&entry.sentences, self.rows.get(&atom.id)) {
            self.change_sentences(placed.row, |chunk, row| chunk.set(row, sentences));
        }
    }

    fn append(&mut self, entry: &Entry<'_>, belonging: Belonging, placed: Placed, lexicon: &mut Lexicon) {
        self.tail.push(Draft::of(entry.atom, &entry.meaning, lexicon));
        self.searchable_tail = OnceLock::new();
        if self.chunks.last().is_none_or(|chunk| chunk.rows() == chunk::ROWS) {
            self.chunks.push(Arc::default());
            self.sentences.push(Arc::default());
        }
        if let Some(chunk) = self.chunks.last_mut() {
            Arc::make_mut(chunk).push(entry.atom, belonging);
        }
        self.rows.insert(entry.atom.id, placed);
        let links = self.turns.insert(placed.turn, entry.atom.id, placed.row, side(entry.atom, belonging));
        self.relink(&links);
        if self.tail.len() >= self.tail_limit() {
            self.flush_tail();
        }
    }

    /// Rows are moved to segments in larger runs while many arrive at once.
    fn tail_limit(&self) -> usize {
        TAIL_ROWS
            .max(self.segments.iter().map(|segment| segment.rows()).sum::<usize>() / 8)
            .min(segment::MOST_ROWS / 8)
    }

    /// Moves the tail into a segment of its own, and merges segments of similar size.
    fn flush_tail(&mut self) {
        if !self.tail.is_empty() {
            self.segments.push(Arc::new(Segment::of(&std::mem::take(&mut self.tail))));
            self.searchable_tail = OnceLock::new();
        }
        while let [.., larger, smaller] = self.segments.as_slice()
            && larger.rows() <= smaller.rows() * 2
            && larger.rows() + smaller.rows() <= segment::MOST_ROWS
        {
            let merged = Arc::new(Segment::merged(larger, smaller));
            self.segments.truncate(self.segments.len() - 2);
            self.segments.push(merged);
        }
    }

    fn belonging(&mut self, atom: &Atom) -> Belonging {
        let people = &self.people;
        let known = (
            atom.subject.as_ref().map_or(Some(0), |subject| people.subject(subject)),
            people.session(&atom.provenance.session_id),
            people.profile(&atom.decay_profile),
        );
        if let (Some(subject), Some(session), Some(profile)) = known {
            return Belonging { subject, session, profile };
        }
        Arc::make_mut(&mut self.people).assign_numbers(atom)
    }

    fn total_rows(&self) -> usize {
        let full = self.chunks.len().saturating_sub(1) * chunk::ROWS;
        full + self.chunks.last().map_or(0, |chunk| chunk.rows())
    }

    fn next_row(&self) -> u32 {
        u32::try_from(self.total_rows()).unwrap_or(NO_ROW)
    }

    fn change(&mut self, row: u32, change: impl FnOnce(&mut Chunk, usize)) {
        let row = row as usize;
        if let Some(chunk) = self.chunks.get_mut(row / chunk::ROWS) {
            change(Arc::make_mut(chunk), row % chunk::ROWS);
        }
    }

    fn change_sentences(&mut self, row: u32, change: impl FnOnce(&mut SentenceChunk, usize)) {
        let row = row as usize;
        if let Some(chunk) = self.sentences.get_mut(row / chunk::ROWS) {
            change(Arc::make_mut(chunk), row % chunk::ROWS);
        }
    }

    fn relink(&mut self, links: &[Link]) {
        for link in links {
            self.change(link.row, |chunk, at| chunk.link(at, link.row, link.around));
        }
    }

    fn keep_segments(&mut self, alive: &[bool]) {
        let mut base = 0;
        let mut kept = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            let is_alive = |row: usize| alive.get(base + row).copied().unwrap_or(false);
            let whole = (0..segment.rows()).all(is_alive);
            kept.push(if whole { Arc::clone(segment) } else { Arc::new(segment.retained(is_alive)) });
            base += segment.rows();
        }
        kept.retain(|segment| segment.rows() > 0);
        self.segments = kept;
        self.flush_tail();
    }

    fn keep_chunks(&mut self, alive: &[bool]) {
        let mut kept: Vec<(Chunk, SentenceChunk)> = Vec::with_capacity(self.chunks.len());
        let both = self.chunks.iter().zip(&self.sentences);
        let rows = both.flat_map(|chunks| (0..chunks.0.rows()).map(move |row| (chunks, row)));
        for (((chunk, sentences), row), _) in rows.zip(alive).filter(|(_, alive)| **alive) {
            if kept.last().is_none_or(|(last, _)| last.rows() == chunk::ROWS) {
                kept.push(Default::default());
            }
            if let Some((last, last_sentences)) = kept.last_mut() {
                last_sentences.copy_row(last.rows(), sentences, row);
                last.copy_row(chunk, row);
            }
        }
        let kept = kept.into_iter().map(|(chunk, sentences)| (Arc::new(chunk), Arc::new(sentences)));
        (self.chunks, self.sentences) = kept.unzip();
    }

    /// Renumbers the remaining rows, and drops subjects that no row refers to any more.
    fn renumber(&mut self, alive: &[bool]) {
        let mut next = 0_u32;
        let numbers: Vec<u32> = alive
            .iter()
            .map(|alive| {
                let number = next;
                next += u32::from(*alive);
                number
            })
            .collect();
        let mut turns = Turns::default();
        let mut links = Vec::new();
        for (id, placed) in &mut self.rows {
            placed.row = numbers.get(placed.row as usize).copied().unwrap_or(NO_ROW);
            let side = side_of(&self.chunks, placed.row);
            links.extend(turns.insert(placed.turn, *id, placed.row, side));
        }
        self.turns = turns;
        self.relink(&links);
        let chunks = &self.chunks;
        Arc::make_mut(&mut self.people).keep_only(chunks);
    }
}

fn side(atom: &Atom, belonging: Belonging) -> Side {
    Side { subject: belonging.subject, own_words: atom.trust == domain::Trust::Persona }
}

fn side_of(chunks: &[Arc<Chunk>], row: u32) -> Side {
    let row = row as usize;
    let chunk = chunks.get(row / chunk::ROWS);
    let at = row % chunk::ROWS;
    let gates = chunk.and_then(|chunk| chunk.gates.get(at)).copied().unwrap_or(0);
    let subject = chunk.and_then(|chunk| chunk.subjects.get(at)).copied().unwrap_or(0);
    Side { subject, own_words: gates & chunk::gate::OWN_WORDS != 0 }
}

/// A fingerprint of a memory's text, tags and embedding, to check whether its row is current.
fn fingerprint(atom: &Atom, meaning: &Vector) -> u64 {
    let details = atom.details.iter().map(|detail| detail.content.as_str());
    let tags = atom.tags.iter().map(domain::Text::as_str);
    let cues = atom.cues.iter().map(domain::Text::as_str);
    let texts = std::iter::once(atom.gist.as_str()).chain(details).chain(["\u{1}"]).chain(tags);
    let texts = texts.chain(["\u{1}"]).chain(cues);
    let numbers = meaning.as_array().iter().flat_map(|number| number.to_le_bytes());
    crate::words::hash(texts.flat_map(|text| text.bytes().chain([0])).chain(numbers))
}

#[cfg(test)]
mod tests;
