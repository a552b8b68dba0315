//! Relevance from circumstances besides the text: neighbouring turns, speaker, dates and tags.

use crate::arithmetic::count;
use crate::candidates::{Candidates, verdict};
use crate::dates::Days;
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::index::chunk::{Chunk, NeighbourRows, ROWS, gate};
use crate::kernel;
use crate::query::Query;

/// The circumstances relevant for one query.
pub(crate) struct Circumstances<'s> {
    snapshot: &'s Snapshot,
    query: &'s Query,
    fusion: &'s Fusion,
    /// Rows that share tags with the topics, ascending, with the Jaccard index of each.
    tagged: Vec<(usize, f32)>,
    /// The bonus for a row that fully matches the dates of the cue. It is small for a date that most
    /// memories match.
    date: f32,
}

pub(crate) const SECONDS_PER_DAY: i32 = 86_400;

impl<'s> Circumstances<'s> {
    pub(crate) fn of(
        snapshot: &'s Snapshot,
        query: &'s Query,
        candidates: &Candidates,
        fusion: &'s Fusion,
    ) -> Self {
        let date = fusion.date * (1.0 - share_that_fits(snapshot, query, candidates));
        Self { snapshot, query, fusion, tagged: tagged(snapshot, query), date }
    }

    pub(crate) const fn fusion(&self) -> &Fusion {
        self.fusion
    }

    /// The relevance of every row of a chunk including its circumstances, from the rows' `own` relevance.
    pub(crate) fn apply(&self, base: usize, chunk: &Chunk, own: &[f32], out: &mut [f32; ROWS]) {
        let mine = own.get(base..base + chunk.rows()).unwrap_or_default();
        if chunk.linked && !chunk.scattered {
            let weights = [self.fusion.previous, self.fusion.next];
            let (farther, beside) = (self.fusion.farther, chunk.beside.as_slice());
            let window = base.checked_sub(MARGIN).and_then(|start| own.get(start..)?.first_chunk());
            if let Some(own) = window {
                kernel::widest(BorrowBeside { weights, farther, own, beside, out });
            } else {
                let own = &with_margin(own, base);
                kernel::widest(BorrowBeside { weights, farther, own, beside, out });
            }
        } else if let Some(out) = out.get_mut(..mine.len()) {
            out.copy_from_slice(mine);
        }
        if chunk.scattered {
            for (out, around) in out.iter_mut().zip(&chunk.around) {
                *out += self.borrowed(around, own);
            }
        }
        if chunk.has_any(gate::ASKS) {
            for ((out, gates), own) in out.iter_mut().zip(&chunk.gates).zip(mine) {
                *out -= self.unsaid(*gates, *own);
            }
        }
        if !self.query.speakers.is_empty() {
            for ((out, subject), own) in out.iter_mut().zip(&chunk.subjects).zip(mine) {
                *out += self.by_speaker(*subject, *own);
            }
        }
        if !self.query.days.is_empty() {
            for (((out, created), own), row) in out.iter_mut().zip(&chunk.created).zip(mine).zip(0..) {
                *out += self.by_day(*created, chunk.days(row), *own);
            }
        }
    }

    /// As [`Self::apply`], for one row.
    pub(crate) fn of_row(&self, row: usize, own: &[f32]) -> f32 {
        let Some((chunk, at)) = self.snapshot.chunk(row) else { return 0.0 };
        let mine = own.get(row).copied().unwrap_or(0.0);
        let around = chunk.around.get(at).copied().unwrap_or_default();
        let subject = chunk.subjects.get(at).copied().unwrap_or(0);
        let created = chunk.created.get(at).copied().unwrap_or(0);
        let gates = chunk.gates.get(at).copied().unwrap_or(0);
        mine - self.unsaid(gates, mine)
            + self.borrowed(&around, own)
            + self.by_speaker(subject, mine)
            + self.by_day(created, chunk.days(at), mine)
    }

    /// The Jaccard index of each row of a chunk that starts at `base`.
    ///
    /// If no memory shares a tag, `out` is not changed: it is all zeros.
    pub(crate) fn topical(&self, base: usize, rows: usize, out: &mut [f32; ROWS]) {
        if self.tagged.is_empty() {
            return;
        }
        let first = self.tagged.partition_point(|(row, _)| *row < base);
        let here =
            self.tagged.get(first..).unwrap_or_default().iter().take_while(|(row, _)| *row < base + rows);
        out.fill(0.0);
        for (row, share) in here {
            if let Some(place) = out.get_mut(row - base) {
                *place = *share;
            }
        }
    }

    pub(crate) fn topical_of(&self, row: usize) -> f32 {
        let place = self.tagged.binary_search_by_key(&row, |(row, _)| *row);
        place.ok().and_then(|place| self.tagged.get(place)).map_or(0.0, |(_, share)| *share)
    }

    fn borrowed(&self, around: &NeighbourRows, own: &[f32]) -> f32 {
        let at = |row: u32| own.get(row as usize).copied().unwrap_or(0.0);
        let (before, after) = (&around.before, &around.after);
        self.fusion.previous * (at(before[0]) + self.fusion.farther * at(before[1]))
            + self.fusion.next * (at(after[0]) + self.fusion.farther * at(after[1]))
    }

    /// What a memory that ends in a question loses: it tells less of what it is about than an answer does.
    fn unsaid(&self, gates: u8, own: f32) -> f32 {
        if gates & gate::ASKS != 0 { self.fusion.unsaid * own } else { 0.0 }
    }

    fn by_speaker(&self, subject: u32, own: f32) -> f32 {
        if self.query.speakers.contains(&subject) { self.fusion.speaker * own } else { 0.0 }
    }

    /// The bonus when the cue names the day a memory was formed, or one that it is about.
    fn by_day(&self, created: i32, about: &[Days], own: f32) -> f32 {
        if own > 0.0 { self.date * fit(self.query, created, about) } else { 0.0 }
    }
}

/// How well a memory formed in second `created`, and about these days, matches the days of a cue, from 0 to
/// 1.
fn fit(query: &Query, created: i32, about: &[Days]) -> f32 {
    let day = created.div_euclid(SECONDS_PER_DAY);
    let best = |days: &Days| about.iter().fold(days.fit(day), |best, about| best.max(days.fit_days(*about)));
    query.days.iter().map(best).fold(0.0_f32, f32::max)
}

/// The share of the candidates that match the days of a cue. Other memories are not counted, so that they
/// can't influence the ranking for another person.
fn share_that_fits(snapshot: &Snapshot, query: &Query, candidates: &Candidates) -> f32 {
    if query.days.is_empty() {
        return 0.0;
    }
    let rows = snapshot.chunks().flat_map(|(_, chunk)| {
        chunk.created.iter().enumerate().map(move |(row, created)| (*created, chunk.days(row)))
    });
    let visible = rows.zip(&candidates.verdicts).filter(|(_, verdict)| **verdict == verdict::CANDIDATE);
    let fitting: f32 = visible.map(|((created, about), _)| fit(query, created, about)).sum();
    fitting / count(candidates.count.max(1))
}

/// How many rows before and after a chunk its rows may borrow relevance from.
const MARGIN: usize = 2;

/// The relevance of the rows of a chunk that starts at `base`, and of two rows on either side of it, zero
/// where there are none.
fn with_margin(own: &[f32], base: usize) -> [f32; ROWS + 2 * MARGIN] {
    let mut window = [0.0; ROWS + 2 * MARGIN];
    let (skipped, start) = (MARGIN.saturating_sub(base), base.saturating_sub(MARGIN));
    let own = own.get(start..).unwrap_or_default();
    let count = own.len().min(window.len() - skipped);
    if let (Some(places), Some(own)) = (window.get_mut(skipped..skipped + count), own.get(..count)) {
        places.copy_from_slice(own);
    }
    window
}

/// Adds borrowed relevance where neighbouring turns are neighbouring rows, as they are when a conversation
/// is stored in order.
struct BorrowBeside<'w> {
    weights: [f32; 2],
    farther: f32,
    own: &'w [f32; ROWS + 2 * MARGIN],
    beside: &'w [u8],
    out: &'w mut [f32; ROWS],
}

impl kernel::Arithmetic for BorrowBeside<'_> {
    type Result = ();

    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    fn compute(self) {
        let shifted = |by: usize| self.own.get(by..by + ROWS).unwrap_or_default();
        let before = shifted(1).iter().zip(shifted(0));
        let after = shifted(3).iter().zip(shifted(4));
        let rows = self.out.iter_mut().zip(self.beside).zip(shifted(MARGIN));
        for ((((out, beside), own), before), after) in rows.zip(before).zip(after) {
            let bit = |at: u8| f32::from(beside >> at & 1);
            let borrowed = self.weights[0] * (bit(0) * before.0 + self.farther * (bit(1) * before.1))
                + self.weights[1] * (bit(2) * after.0 + self.farther * (bit(3) * after.1));
            *out = own + borrowed;
        }
    }
}

fn tagged(snapshot: &Snapshot, query: &Query) -> Vec<(usize, f32)> {
    let mut rows = Vec::new();
    for (base, segment) in snapshot.segments() {
        for topic in &query.topics {
            rows.extend(segment.tags.find(*topic).rows.iter().map(|row| base + usize::from(*row)));
        }
    }
    rows.sort_unstable();
    let share = |run: &[usize]| {
        let row = *run.first()?;
        let either = usize::from(snapshot.tag_count(row)) + query.topics.len() - run.len();
        Some((row, count(run.len()) / count(either.max(1))))
    };
    rows.chunk_by(PartialEq::eq).filter_map(share).collect()
}
