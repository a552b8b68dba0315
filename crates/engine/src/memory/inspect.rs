//! One memory in full: how it fades, when it was rehearsed, and the curve of both.

use domain::history::{as_of, changed_after};
use domain::{Atom, Brightness, Days, MemoryId, MemoryPolicy, Salience, Timestamp, lifecycle};
use store::Records;
use wire::memory::{
    Crossing, CrossingKind, CurveAnswer, CurvePoint, DecayStatus, DestroyedMemory, Inspect, InspectedMemory,
    MemoryInspection, MemoryView,
};
use wire::{Code, Pointed, Problem};

use crate::access::law::Act;
use crate::call::{Call, PersonaKey};
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// How many points a curve has.
const POINTS: u32 = 120;
/// The default length of a curve, in half-lives.
const HALF_LIVES_AHEAD: f64 = 4.0;

impl Engine {
    /// A memory with everything known about it. Reading it is no rehearsal.
    #[boxed]
    pub async fn inspect_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        at: Option<Timestamp>,
    ) -> Result<MemoryInspection, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let stored = self.memory(call, &persona, id, Act::See).await?;
        let mut rehearsals = self.store.rehearsals(&persona.entry.scope(), id).await?;
        let mut atom = stored.atom;
        let at = at.unwrap_or(call.now);
        // Only dates in the past are rewound: after the clock was set back, rehearsals in the "future" did
        // happen.
        if at < call.now {
            atom = as_of(&atom, &rehearsals, at);
            rehearsals.retain(|rehearsal| rehearsal.at <= at);
        }
        let retention_ends_at = self.expire(&persona, &mut atom, at.max(call.now)).await?;
        let policy = &persona.loaded.document.memory_policy;
        Ok(MemoryInspection {
            memory: MemoryView::new(&atom, at),
            decay: DecayStatus {
                floor: atom.decay_profile.floor(atom.emotional_valence),
                crossings: crossings(&atom, policy, at),
                retention_ends_at,
            },
            rehearsals,
        })
    }

    /// The same, or the tombstone of a destroyed memory if it is asked for and the caller may see it.
    #[boxed]
    pub async fn inspect_or_tombstone(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        asked: Inspect,
    ) -> Result<InspectedMemory, Problem> {
        let missing = match self.inspect_memory(call, key, id, asked.at).await {
            Ok(persona) => return Ok(InspectedMemory::Memory(Box::new(persona))),
            Err(problem) if problem.code == Code::MemoryNotFound && asked.include_redacted => problem,
            Err(problem) => return Err(problem),
        };
        let persona = self.find(call, key).await?;
        let tombstones = self.shown_tombstones(call, &persona).await?;
        let tombstone = tombstones.into_iter().find(|tombstone| tombstone.id == id).ok_or(missing)?;
        Ok(InspectedMemory::Destroyed(DestroyedMemory { tombstone }))
    }

    /// The weight of a memory over time, by default from its creation to four half-lives from now.
    #[boxed]
    pub async fn draw_curve(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<CurveAnswer, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let atom = self.memory(call, &persona, id, Act::See).await?.atom;
        let history = self.store.rehearsals(&persona.entry.scope(), id).await?;
        let from = from.unwrap_or(atom.created_at);
        let ahead = Days(atom.decay_profile.half_life_days * HALF_LIVES_AHEAD);
        let to = to.unwrap_or_else(|| call.now.plus(ahead));
        if to <= from {
            let detail = "must be after `from`".to_owned();
            return Err(wire::read::invalid(vec![Pointed { pointer: "/to".to_owned(), detail }]));
        }
        let step = Days(to.since(from).0 / f64::from(POINTS - 1));
        let evenly = (0..POINTS).map(|n| from.plus(Days(step.0 * f64::from(n))));
        // Each rehearsal, and the pin, is a corner of the curve: the moment before it, and the moment
        // itself.
        let rehearsed = history.iter().map(|r| r.at).filter(|at| (from..=to).contains(at));
        let pinned = atom.pinned_at.filter(|pinned| (from..=to).contains(pinned));
        let corners = rehearsed.chain(pinned).flat_map(|at| [Timestamp::from_millis(at.as_millis() - 1), at]);
        let mut times: Vec<Timestamp> = evenly.chain(corners).collect();
        times.sort_unstable();
        times.dedup();
        let points = times.into_iter().map(|at| point(&as_of(&atom, &history, at), at)).collect();
        let policy = &persona.loaded.document.memory_policy;
        let mut crossings = crossings(&atom, policy, call.now);
        let contact = self.last_contact(&persona.entry.scope(), atom.subject.as_ref()).await?;
        let deleted = lifecycle::retention_ends(&atom, policy, contact).filter(|end| *end > call.now);
        crossings.retain(|crossing| deleted.is_none_or(|end| crossing.at <= end));
        crossings.extend(deleted.map(|at| Crossing { at, what: CrossingKind::DeletionDue, detail: None }));
        Ok(CurveAnswer { points, crossings })
    }

    /// The atom as it was at `at`; the present and the future need no history.
    pub(crate) async fn remembered_at(
        &self,
        persona: &PersonaContext,
        atom: Atom,
        at: Timestamp,
        now: Timestamp,
    ) -> Result<Atom, Problem> {
        if at >= now || !changed_after(&atom, at) {
            return Ok(atom);
        }
        let history = self.store.rehearsals(&persona.entry.scope(), atom.id).await?;
        Ok(as_of(&atom, &history, at))
    }
}

fn point(atom: &Atom, at: Timestamp) -> CurvePoint {
    let details = atom.details.iter().map(|detail| atom.brightness_at(detail, at)).collect();
    CurvePoint { at, salience: atom.salience_at(at), details }
}

/// What happens to `atom` after `now` without another rehearsal, soonest first.
fn crossings(atom: &Atom, policy: &MemoryPolicy, now: Timestamp) -> Vec<Crossing> {
    let profile = &atom.decay_profile;
    let below = |threshold: Salience| {
        profile.days_until_salience_below(
            threshold,
            atom.salience,
            atom.rehearsal_count,
            atom.emotional_valence,
        )
    };
    let whole = [
        (CrossingKind::NoLongerVivid, Salience::clamped(0.75)),
        (CrossingKind::Faint, Salience::clamped(0.40)),
        (CrossingKind::NoLongerRecalled, policy.retrieval_threshold),
        (CrossingKind::ArchiveDue, profile.minimum_salience),
    ];
    // A pinned memory keeps its weight; only its details fade.
    let fades = |_: &(CrossingKind, Salience)| !atom.pinned;
    let whole = whole.into_iter().filter(fades).filter_map(|(what, threshold)| {
        Some(Crossing { at: atom.last_rehearsed_at.plus(below(threshold)?), what, detail: None })
    });
    let details = atom.details.iter().enumerate().filter_map(|(n, detail)| {
        let days = profile.days_until_brightness_below(Brightness::RENDERED, detail.brightness)?;
        let since = detail.brightened_at.unwrap_or(atom.created_at);
        Some(Crossing { at: since.plus(days), what: CrossingKind::DetailFaded, detail: Some(n) })
    });
    let mut ahead: Vec<Crossing> = whole.chain(details).filter(|crossing| crossing.at > now).collect();
    ahead.sort_by_key(|crossing| (crossing.at, crossing.what, crossing.detail));
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;

    #[test]
    fn a_memory_tells_when_it_will_fade() {
        let atom = example::guest_atom();
        let crossings: Vec<(CrossingKind, Option<usize>, i64)> =
            crossings(&atom, &MemoryPolicy::default(), example::day(0))
                .into_iter()
                .map(|c| (c.what, c.detail, (c.at.as_millis() - example::day(0).as_millis()) / 86_400_000))
                .collect();
        assert_eq!(
            crossings,
            [
                (CrossingKind::NoLongerVivid, None, 5),
                (CrossingKind::DetailFaded, Some(1), 9),
                (CrossingKind::DetailFaded, Some(0), 18),
                (CrossingKind::Faint, None, 25),
                (CrossingKind::DetailFaded, Some(2), 28),
            ],
            "the floor of 0.186 keeps it above the other thresholds"
        );
    }
}
