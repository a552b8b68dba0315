//! The search itself: all patterns at once, through any stream of bytes, in bounded memory.

use std::collections::BTreeSet;
use std::io::{self, Read};

use aho_corasick::AhoCorasick;

use super::needle::{Form, Needles, SearchTarget};
use super::{ResidueError, needle};

/// How much of a file is searched at a time.
pub(super) const CHUNK: usize = 1 << 20;
/// The longest UTF-8 character; the characters next to a word decide where it ends.
const CHARACTER: usize = 4;
/// More patterns than this would take too much memory.
const MOST_NEEDLES: usize = 200_000;

/// How a stream is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// As text, for whole words too.
    Text,
    /// As bytes.
    Bytes,
    /// As text if it looks like text.
    AsItLooks,
}

/// The matches in one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamHits {
    /// Number of matches.
    pub hits: u64,
    /// The forms that matched.
    pub forms: BTreeSet<Form>,
    /// Number of bytes read.
    pub bytes: u64,
    /// The forms of the canary that were found.
    pub(super) canary: BTreeSet<Form>,
}

/// All patterns, compiled for searching.
pub struct CompiledNeedles {
    anywhere: NeedleAutomaton,
    words: NeedleAutomaton,
    longest: usize,
}

/// One automaton, with the form and source of each of its patterns.
struct NeedleAutomaton {
    automaton: Option<AhoCorasick>,
    patterns: Vec<(Form, Owner)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Sought,
    Canary,
}

impl CompiledNeedles {
    /// Compiles the patterns of `sought`.
    pub fn of(sought: &[SearchTarget]) -> Result<Self, ResidueError> {
        Self::with_canary(sought, &[])
    }

    /// Also compiles the patterns of a canary, whose matches are counted separately.
    pub(super) fn with_canary(
        sought: &[SearchTarget],
        canary: &[SearchTarget],
    ) -> Result<Self, ResidueError> {
        let (mut wanted, mut own) = (Needles::default(), Needles::default());
        sought.iter().try_for_each(|sought| wanted.add(sought))?;
        if sought.is_empty() {
            return Err(ResidueError::Nothing);
        }
        canary.iter().try_for_each(|canary| own.add(canary))?;
        let all = [&wanted.anywhere, &own.anywhere, &wanted.words, &own.words];
        let count = all.iter().map(|needles| needles.len()).sum();
        if count > MOST_NEEDLES {
            return Err(ResidueError::TooMany(count));
        }
        let longest = all.iter().flat_map(|needles| needles.keys()).map(Vec::len).max().unwrap_or(0);
        let too_many = |_| ResidueError::TooMany(count);
        let anywhere =
            NeedleAutomaton::of([(&wanted.anywhere, Owner::Sought), (&own.anywhere, Owner::Canary)]);
        let words = NeedleAutomaton::of([(&wanted.words, Owner::Sought), (&own.words, Owner::Canary)]);
        Ok(Self { anywhere: anywhere.map_err(too_many)?, words: words.map_err(too_many)?, longest })
    }

    /// Searches everything `source` yields, reporting the number of bytes read to `passed`.
    pub fn read(
        &self,
        mut source: impl Read,
        wording: Wording,
        passed: &mut impl FnMut(u64),
    ) -> io::Result<StreamHits> {
        let mut caught = StreamHits::default();
        let mut window = Window { bytes: Vec::with_capacity(CHUNK + self.overlap()), counted: 0 };
        let mut wording = wording;
        loop {
            let kept = window.bytes.len();
            let read = (&mut source).take(CHUNK as u64).read_to_end(&mut window.bytes)?;
            if wording == Wording::AsItLooks {
                wording = if looks_like_text(&window.bytes) { Wording::Text } else { Wording::Bytes };
            }
            caught.bytes += read as u64;
            passed(read as u64);
            let is_last = read < CHUNK;
            let limit = if is_last { kept + read } else { (kept + read).saturating_sub(CHARACTER) };
            self.count_matches(&window, limit, wording, &mut caught);
            if is_last {
                return Ok(caught);
            }
            window.advance(limit, self.overlap());
        }
    }

    /// Searches a text in memory.
    #[must_use]
    pub fn caught_in(&self, text: &str) -> StreamHits {
        let mut caught = StreamHits { bytes: text.len() as u64, ..StreamHits::default() };
        let window = Window { bytes: text.as_bytes().to_vec(), counted: 0 };
        self.count_matches(&window, text.len(), Wording::Text, &mut caught);
        caught
    }

    /// How many bytes of a chunk are searched again with the next one, so that no match is missed at the
    /// boundary.
    fn overlap(&self) -> usize {
        self.longest + 2 * CHARACTER
    }

    /// Counts matches that end after those counted before, and not after `limit`.
    fn count_matches(&self, window: &Window, limit: usize, wording: Wording, caught: &mut StreamHits) {
        let is_new = |end: usize| end > window.counted && end <= limit;
        if let Some(automaton) = &self.anywhere.automaton {
            for found in automaton.find_iter(&window.bytes).filter(|found| is_new(found.end())) {
                self.anywhere.note(found.pattern().as_usize(), caught);
            }
        }
        let Some(automaton) = self.words.automaton.as_ref().filter(|_| wording == Wording::Text) else {
            return;
        };
        for found in automaton.find_overlapping_iter(&window.bytes).filter(|found| is_new(found.end())) {
            if window.is_whole_word(found.start(), found.end()) {
                self.words.note(found.pattern().as_usize(), caught);
            }
        }
    }
}

impl NeedleAutomaton {
    fn of(
        groups: [(&std::collections::BTreeMap<Vec<u8>, Form>, Owner); 2],
    ) -> Result<Self, aho_corasick::BuildError> {
        let all = || groups.iter().flat_map(|(needles, owner)| needles.iter().map(move |one| (one, *owner)));
        let patterns: Vec<(Form, Owner)> = all().map(|((_, form), owner)| (*form, owner)).collect();
        let automaton = (!patterns.is_empty()).then(|| AhoCorasick::new(all().map(|((bytes, _), _)| bytes)));
        Ok(Self { automaton: automaton.transpose()?, patterns })
    }

    fn note(&self, pattern: usize, caught: &mut StreamHits) {
        match self.patterns.get(pattern) {
            Some((form, Owner::Sought)) => {
                caught.hits += 1;
                caught.forms.insert(*form);
            }
            Some((form, Owner::Canary)) => drop(caught.canary.insert(*form)),
            None => {}
        }
    }
}

/// The part of a stream being searched.
struct Window {
    bytes: Vec<u8>,
    /// Matches that end here or before are counted already.
    counted: usize,
}

impl Window {
    fn advance(&mut self, counted: usize, overlap: usize) {
        let gone = counted.saturating_sub(overlap);
        self.bytes.drain(..gone);
        self.counted = counted - gone;
    }

    fn is_whole_word(&self, start: usize, end: usize) -> bool {
        let before = self.bytes.get(start.saturating_sub(CHARACTER)..start).unwrap_or_default();
        let after = self.bytes.get(end..self.bytes.len().min(end + CHARACTER)).unwrap_or_default();
        let before = String::from_utf8_lossy(before).chars().next_back();
        let after = String::from_utf8_lossy(after).chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    }
}

/// Whether these first bytes of a stream are UTF-8 without a zero byte.
fn looks_like_text(bytes: &[u8]) -> bool {
    let cut_off = |error: std::str::Utf8Error| error.error_len().is_none();
    !bytes.contains(&0) && std::str::from_utf8(bytes).map_or_else(cut_off, |_| true)
}

/// Every form of `words` as bytes, for planting.
pub(super) fn all_forms(words: &str) -> Vec<Vec<u8>> {
    needle::forms_of(words).into_iter().map(|(_, bytes)| bytes).collect()
}
