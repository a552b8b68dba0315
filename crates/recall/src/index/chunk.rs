//! The mutable part of the index: weights, times, status and neighbours of 1,024 rows.
//!
//! Each property is a column of its own, in the form a scan needs. A change copies its chunk if a reader
//! still uses the old one, and nothing else.

use domain::audience::belongs_to_its_subject;
use domain::{
    Atom, Brightness, DecayFunction, DecayProfile, PrivacyClass, RedactionStatus, Review, Salience,
    Timestamp, Trust, Valence,
};

use crate::arithmetic::{log2, single};
use crate::dates::{Days, dates_in_text};
use crate::index::ragged::Ragged;
use crate::kernel;

/// The number of rows in a chunk.
pub(crate) const ROWS: usize = 1024;

/// The number for "no such row".
pub(crate) const NO_ROW: u32 = u32::MAX;

/// What prevents a memory from being recalled, as bits of one byte; zero means nothing does.
pub(crate) mod gate {
    /// Only its own subject may hear it.
    pub(crate) const BELONGS: u8 = 1;
    /// Only staff may hear it.
    pub(crate) const STAFF: u8 = 2;
    /// It was redacted, archived, or waits for a review of its sources.
    pub(crate) const INACTIVE: u8 = 4;
    /// Its initial salience is too low.
    pub(crate) const LIGHT: u8 = 8;
    /// The persona said it; this prevents nothing, but distinguishes the two sides of a conversation.
    pub(crate) const OWN_WORDS: u8 = 16;
    /// It ends in a question; this prevents nothing, but such a memory says little itself.
    pub(crate) const ASKS: u8 = 32;
    /// The bits that prevent something.
    pub(crate) const CLOSED: u8 = BELONGS | STAFF | INACTIVE | LIGHT;
}

/// The numbers of a row's subject, session and decay profile.
#[derive(Clone, Copy)]
pub(crate) struct Belonging {
    pub(crate) subject: u32,
    pub(crate) session: u32,
    pub(crate) profile: u32,
}

/// The exact numbers behind a row's weight.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    pub(crate) baseline: Salience,
    pub(crate) valence: Valence,
    pub(crate) rehearsals: u32,
    pub(crate) profile: u32,
    pub(crate) rehearsed_at: Timestamp,
    pub(crate) created_at: Timestamp,
    pub(crate) is_pinned: bool,
}

impl Weight {
    /// The exact weight of the memory at `now`, without the approximation of the scan.
    pub(crate) fn salience_at(&self, profile: &DecayProfile, now: Timestamp) -> Salience {
        let elapsed = if self.is_pinned { domain::Days(0.0) } else { now.since(self.rehearsed_at) };
        profile.salience(self.baseline, self.rehearsals, self.valence, elapsed)
    }
}

/// The brightness of a detail, and the time it was measured.
#[derive(Clone, Copy)]
pub(crate) struct Light {
    brightness: Brightness,
    since: Timestamp,
}

impl Light {
    pub(crate) fn at(self, profile: &DecayProfile, now: Timestamp) -> Brightness {
        profile.brightness(self.brightness, now.since(self.since))
    }
}

/// The rows one and two turns before and after a row, or [`NO_ROW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NeighbourRows {
    pub(crate) before: [u32; 2],
    pub(crate) after: [u32; 2],
}

impl NeighbourRows {
    /// Which of the rows before, and which of those after, are adjacent to `row`: one bit each.
    fn beside(&self, row: u32) -> [u8; 2] {
        let bits = |rows: [u32; 2], expected: [Option<u32>; 2]| {
            let [near, far] =
                [0, 1].map(|at: usize| rows.get(at).copied() == expected.get(at).copied().flatten());
            u8::from(near) | u8::from(far) << 1
        };
        let before = [row.checked_sub(1), row.checked_sub(2)];
        let after = [row.checked_add(1), row.checked_add(2)];
        [bits(self.before, before), bits(self.after, after)]
    }
}

impl Default for NeighbourRows {
    fn default() -> Self {
        Self { before: [NO_ROW; 2], after: [NO_ROW; 2] }
    }
}

/// The columns of up to [`ROWS`] rows.
#[derive(Clone, Default)]
pub(crate) struct Chunk {
    /// Logarithm of the weight at the last rehearsal.
    pub(crate) strength: Vec<f32>,
    /// Half-lives per second.
    pub(crate) fade: Vec<f32>,
    /// The floor of the weight.
    pub(crate) floor: Vec<f32>,
    /// Second of the last rehearsal.
    pub(crate) rehearsed: Vec<i32>,
    /// Second of creation.
    pub(crate) created: Vec<i32>,
    /// See [`gate`].
    pub(crate) gates: Vec<u8>,
    /// The gates of all rows together, and of all that ever were here.
    all_gates: u8,
    pub(crate) subjects: Vec<u32>,
    pub(crate) sessions: Vec<u32>,
    /// The rows of the neighbouring turns.
    pub(crate) around: Vec<NeighbourRows>,
    /// Which of them are adjacent to the row, one bit each: near and far before, near and far after.
    pub(crate) beside: Vec<u8>,
    /// Whether any row has, or ever had, such a neighbour.
    pub(crate) linked: bool,
    /// Whether any of them is, or ever was, not adjacent to its row.
    pub(crate) scattered: bool,
    /// Rows that fade by the power law, which the scan computes separately.
    pub(crate) power_law: Vec<u16>,
    weights: Vec<Weight>,
    lights: Ragged<Light>,
    /// The days each row is about: the date of its event, and the dates its texts name.
    days: Ragged<Days>,
}

impl Chunk {
    pub(crate) fn rows(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn push(&mut self, atom: &Atom, belonging: Belonging) {
        let row = self.rows();
        self.strength.push(0.0);
        self.fade.push(0.0);
        self.floor.push(0.0);
        self.rehearsed.push(0);
        self.created.push(0);
        self.gates.push(0);
        self.subjects.push(0);
        self.sessions.push(0);
        self.around.push(NeighbourRows::default());
        self.beside.push(0);
        self.weights.push(weight(atom, belonging));
        self.lights.push(&lights(atom));
        self.days.push(&days(atom));
        self.set(row, atom, belonging);
    }

    /// Updates a row from `atom`, whose texts must be those the row was made from.
    pub(crate) fn set(&mut self, row: usize, atom: &Atom, belonging: Belonging) {
        let profile = &atom.decay_profile;
        let rehearsed = f64::from(atom.rehearsal_count) * log2(profile.rehearsal_boost);
        put(&mut self.strength, row, single(log2(atom.salience.get()) + rehearsed));
        put(&mut self.fade, row, if atom.pinned { 0.0 } else { single(half_lives_per_second(profile)) });
        put(&mut self.floor, row, single(profile.floor(atom.emotional_valence).get()));
        put(&mut self.rehearsed, row, seconds(atom.last_rehearsed_at));
        // A memory without a known date fits no day that a cue names.
        put(&mut self.created, row, if atom.is_dated() { seconds(atom.created_at) } else { i32::MIN });
        self.close(row, gates(atom));
        put(&mut self.subjects, row, belonging.subject);
        put(&mut self.sessions, row, belonging.session);
        put(&mut self.weights, row, weight(atom, belonging));
        for (light, fresh) in self.lights.get_mut(row).iter_mut().zip(lights(atom)) {
            *light = fresh;
        }
        self.note_power_law(row, if atom.pinned { DecayFunction::None } else { profile.function });
    }

    /// Removes a row from every recall. Its bytes are removed when the index is purged.
    pub(crate) fn remove(&mut self, row: usize) {
        self.close(row, gate::INACTIVE);
        put(&mut self.around, row, NeighbourRows::default());
        put(&mut self.beside, row, 0);
    }

    /// Sets the neighbours of the row at position `at`, whose number in the whole index is `row`.
    pub(crate) fn link(&mut self, at: usize, row: u32, around: NeighbourRows) {
        let [before, after] = around.beside(row);
        let links = around.before.iter().chain(&around.after).filter(|other| **other != NO_ROW).count();
        self.linked |= links > 0;
        self.scattered |= links > (before | after << 2).count_ones() as usize;
        put(&mut self.around, at, around);
        put(&mut self.beside, at, before | after << 2);
    }

    pub(crate) fn weight(&self, row: usize) -> Option<&Weight> {
        self.weights.get(row)
    }

    /// Prefetches what the second pass needs of `row`.
    pub(crate) fn fetch_ahead(&self, row: usize) {
        kernel::fetch_ahead(self.weights.get(row));
        kernel::fetch_ahead(self.around.get(row));
        kernel::fetch_ahead(self.subjects.get(row));
        kernel::fetch_ahead(self.created.get(row));
    }

    /// The days a row is about.
    pub(crate) fn days(&self, row: usize) -> &[Days] {
        self.days.get(row)
    }

    pub(crate) fn lights(&self, row: usize) -> &[Light] {
        self.lights.get(row)
    }

    /// Copies a row of another chunk; its neighbours are determined again.
    pub(crate) fn copy_row(&mut self, other: &Self, row: usize) {
        let here = self.rows();
        self.strength.extend(other.strength.get(row));
        self.fade.extend(other.fade.get(row));
        self.floor.extend(other.floor.get(row));
        self.rehearsed.extend(other.rehearsed.get(row));
        self.created.extend(other.created.get(row));
        self.gates.push(0);
        self.close(here, other.gates.get(row).copied().unwrap_or(gate::INACTIVE));
        self.subjects.extend(other.subjects.get(row));
        self.sessions.extend(other.sessions.get(row));
        self.around.push(NeighbourRows::default());
        self.beside.push(0);
        self.weights.extend(other.weights.get(row));
        self.lights.push(other.lights.get(row));
        self.days.push(other.days.get(row));
        let place = u16::try_from(row).unwrap_or(u16::MAX);
        if other.power_law.contains(&place) {
            self.note_power_law(here, DecayFunction::Power);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let per_row = 4 * 7 + 2 + size_of::<NeighbourRows>() + size_of::<Weight>();
        self.weights.capacity() * per_row
            + self.power_law.capacity() * 2
            + self.lights.bytes()
            + self.days.bytes()
    }

    /// Whether any row has, or ever had, one of `gates`.
    pub(crate) const fn has_any(&self, gates: u8) -> bool {
        self.all_gates & gates != 0
    }

    fn close(&mut self, row: usize, gates: u8) {
        put(&mut self.gates, row, gates);
        self.all_gates |= gates;
    }

    fn note_power_law(&mut self, row: usize, function: DecayFunction) {
        let Ok(place) = u16::try_from(row) else { return };
        self.power_law.retain(|listed| *listed != place);
        match function {
            DecayFunction::Power => self.power_law.push(place),
            DecayFunction::Ebbinghaus | DecayFunction::None => {}
        }
    }
}

/// A time in seconds since 1970, clamped: the scan needs no finer and no wider range.
pub(crate) fn seconds(at: Timestamp) -> i32 {
    let second = at.as_millis().div_euclid(1000).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    i32::try_from(second).unwrap_or(i32::MAX)
}

fn half_lives_per_second(profile: &DecayProfile) -> f64 {
    match profile.function {
        DecayFunction::None => 0.0,
        DecayFunction::Ebbinghaus | DecayFunction::Power => 1.0 / (profile.half_life_days * 86_400.0),
    }
}

fn gates(atom: &Atom) -> u8 {
    let is_recallable = match (atom.redaction_status, atom.archived_at, atom.review) {
        (RedactionStatus::Active, None, None | Some(Review::SensitiveRetention)) => true,
        (RedactionStatus::Active | RedactionStatus::Redacted | RedactionStatus::PendingDeletion, _, _) => {
            false
        }
    };
    [
        (!is_recallable, gate::INACTIVE),
        (belongs_to_its_subject(atom), gate::BELONGS),
        (atom.privacy_class == PrivacyClass::CommercialConfidential, gate::STAFF),
        (atom.salience < atom.decay_profile.minimum_salience, gate::LIGHT),
        (atom.trust == Trust::Persona, gate::OWN_WORDS),
        (ends_in_a_question(atom.gist.as_str()), gate::ASKS),
    ]
    .into_iter()
    .filter_map(|(applies, bit)| applies.then_some(bit))
    .sum()
}

/// Whether `text` ends in a question mark, in any script.
fn ends_in_a_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '؟'])
}

fn weight(atom: &Atom, belonging: Belonging) -> Weight {
    Weight {
        baseline: atom.salience,
        valence: atom.emotional_valence,
        rehearsals: atom.rehearsal_count,
        profile: belonging.profile,
        rehearsed_at: atom.last_rehearsed_at,
        created_at: atom.created_at,
        is_pinned: atom.pinned,
    }
}

fn lights(atom: &Atom) -> Vec<Light> {
    let light = |detail: &domain::Detail| Light {
        brightness: detail.brightness,
        since: detail.brightened_at.unwrap_or(atom.created_at),
    };
    atom.details.iter().map(light).collect()
}

fn days(atom: &Atom) -> Vec<Days> {
    let texts = std::iter::once(&atom.gist).chain(atom.details.iter().map(|detail| &detail.content));
    let named = texts.flat_map(|text| dates_in_text(text.as_str(), atom.created_at));
    atom.event_date.and_then(Days::of_event).into_iter().chain(named).collect()
}

fn put<T>(column: &mut [T], row: usize, value: T) {
    if let Some(place) = column.get_mut(row) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use domain::example;

    use super::*;

    const NOBODY: Belonging = Belonging { subject: 0, session: 0, profile: 0 };

    #[test]
    fn the_gates_of_a_memory_are_read_from_the_atom() {
        let plain = example::plain_atom("The lobby smells of coffee.");
        let cases = [
            (plain.clone(), 0),
            (example::guest_atom(), gate::BELONGS),
            (Atom { redaction_status: RedactionStatus::Redacted, ..plain.clone() }, gate::INACTIVE),
            (Atom { archived_at: Some(example::day(3)), ..plain.clone() }, gate::INACTIVE),
            (Atom { review: Some(Review::SourceForgotten), ..plain.clone() }, gate::INACTIVE),
            (Atom { review: Some(Review::SensitiveRetention), ..plain.clone() }, 0),
            (Atom { privacy_class: PrivacyClass::CommercialConfidential, ..plain.clone() }, gate::STAFF),
            (Atom { salience: Salience::clamped(0.01), ..plain }, gate::LIGHT),
        ];
        for (atom, expected) in cases {
            assert_eq!(gates(&atom), expected, "{:?}", atom.redaction_status);
        }
    }

    #[test]
    fn a_row_follows_its_atom_and_keeps_its_place() {
        let mut atom = example::guest_atom();
        let mut chunk = Chunk::default();
        chunk.push(&atom, NOBODY);
        atom.rehearsal_count = 3;
        atom.details[0].brightened_at = Some(example::day(5));
        chunk.set(0, &atom, NOBODY);
        let weight = chunk.weight(0).unwrap();
        assert_eq!(
            weight.salience_at(&atom.decay_profile, example::day(20)),
            atom.salience_at(example::day(20))
        );
        let bright = chunk.lights(0)[0].at(&atom.decay_profile, example::day(9));
        assert_eq!(bright, atom.brightness_at(&atom.details[0], example::day(9)));
    }

    #[test]
    fn moments_out_of_range_are_held_at_its_ends() {
        for (millis, second) in [(1500, 1), (-1, -1), (i64::MIN / 2, i32::MIN), (i64::MAX / 2, i32::MAX)] {
            let at = Timestamp::from_millis(millis);
            assert_eq!(seconds(at), second.max(seconds(Timestamp::from_millis(i64::MIN))), "{millis}");
        }
    }
}
