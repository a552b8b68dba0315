//! Which memory gives way to what was just said: "I moved to York", "no, half past seven".
//!
//! The learnt comparison of the crate `formation` decides. It is shown the memories most like the draft, and the latest
//! ones, since a correction often has no word of what it corrects.

use std::cmp::Reverse;
use std::sync::Arc;

use domain::{Atom, MemoryId, Timestamp, Trust};
use formation::{Author, Draft, ReadMemory, Replaces, RevisableMemory, Revision};
use store::{Records, StoredAtom};
use wire::Problem;

use super::Forming;
use super::learn::is_own;
use crate::Engine;
use crate::cpu_pool::{Cancellation, CpuOwner};

/// How many of the latest memories of a person are compared, besides those most like what was said.
const LATEST: usize = 8;
const MINUTES_PER_DAY: f64 = 1440.0;

impl Engine {
    /// The memory that `draft` supersedes, among `nearest` and the latest of the same person.
    pub(super) async fn revised(
        &self,
        forming: &Forming<'_>,
        draft: &Draft,
        nearest: &[StoredAtom],
        superseded: &[MemoryId],
    ) -> Result<Option<StoredAtom>, Problem> {
        let Some(encoders) = self.cue_encoder().map(|encoder| encoder.encoders().clone()) else {
            return Ok(None);
        };
        if !matches!(draft.replaces, Replaces::Perhaps(change) if change > Revision::LEAST_CHANGE) {
            return Ok(None);
        }
        let mut known = nearest.to_vec();
        known.extend(self.latest(forming, nearest, superseded).await?);
        let (draft, now, language) = (draft.clone(), forming.now, forming.language());
        let owner = CpuOwner { tenant: forming.persona.entry.tenant.clone(), persona: None };
        let (compared, cards) = forming.open.compared_memories();
        let run = move |_: &Cancellation| {
            let revision = Revision::of(&draft, &language, &encoders)?;
            let place = replaced(&revision, &known, now, |id, it| compared.read(&revision, id, it, &cards))?;
            known.into_iter().nth(place)
        };
        Ok(self.cpu.run(owner, run).await?)
    }

    /// The latest memories of the person, without those of `nearest`.
    async fn latest(
        &self,
        forming: &Forming<'_>,
        nearest: &[StoredAtom],
        superseded: &[MemoryId],
    ) -> Result<Vec<StoredAtom>, Problem> {
        let is_compared =
            |id: &MemoryId| superseded.contains(id) || nearest.iter().any(|stored| stored.atom.id == *id);
        let mut own: Vec<(Reverse<Timestamp>, MemoryId)> = forming
            .open
            .cards()
            .values()
            .filter(|card| card.is_active && card.is_of(&forming.session.subject) && !is_compared(&card.id))
            .map(|card| (Reverse(card.created_at), card.id))
            .collect();
        own.sort_unstable();
        let ids: Vec<MemoryId> = own.into_iter().take(LATEST).map(|(_, id)| id).collect();
        let mut latest = self.store.atoms(&forming.persona.entry.scope(), &ids).await?;
        latest.retain(|stored| is_own(stored, forming.session));
        Ok(latest)
    }
}

/// The place of the memory of `known` that the draft supersedes.
fn replaced(
    revision: &Revision<'_>,
    known: &[StoredAtom],
    now: Timestamp,
    read: impl Fn(MemoryId, &RevisableMemory<'_>) -> Arc<ReadMemory>,
) -> Option<usize> {
    let details: Vec<Vec<&str>> = known
        .iter()
        .map(|stored| stored.atom.details.iter().map(|detail| detail.content.as_str()).collect())
        .collect();
    let mut pairs = Vec::with_capacity(known.len());
    for (stored, details) in known.iter().zip(&details) {
        let known = remembered(&stored.atom, details, now);
        let read = read(stored.atom.id, &known);
        pairs.push((known, read));
    }
    revision.replaced(&pairs)
}

fn remembered<'a>(atom: &'a Atom, details: &'a [&'a str], now: Timestamp) -> RevisableMemory<'a> {
    RevisableMemory {
        gist: atom.gist.as_str(),
        details,
        kind: atom.kind,
        author: if atom.trust == Trust::Persona { Author::Persona } else { Author::Speaker },
        minutes: now.since(atom.created_at).0 * MINUTES_PER_DAY,
    }
}
