//! `GET /v1/personas/{p}/memories`: by weight or, with a search text, by relevance; in pages.

use std::collections::HashMap;

use domain::{MemoryId, Reach, RedactionStatus, Text, Timestamp};
use recall::CueEncoder;
use store::{Records, Tombstone};
use wire::memory::{MemoryFilter, MemoryPage, MemoryView};
use wire::{Code, Problem};

use crate::access::law::{is_shown, is_visible};
use crate::call::{Call, PersonaKey};
use crate::memory::card::Card;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// The default page size.
const PAGE: usize = 50;

/// Where a page ends: the moment of the list, and the last memory shown.
///
/// Weights change with time, so later pages use the time of the first page.
struct Cursor {
    at: Timestamp,
    last: RankedId,
}

/// The sort key of a memory, from 0 to 1, and its id.
type RankedId = (f64, MemoryId);

/// The search text and what matches it.
struct TextQuery {
    words: Text,
    fitting: HashMap<MemoryId, f32>,
}

impl Engine {
    /// A page of memories. Listing is no rehearsal.
    #[boxed]
    pub async fn list_memories(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: MemoryFilter,
    ) -> Result<MemoryPage, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let access = self.access(call, &persona, asked.subject.clone()).await?;
        let (open, view) = self.view(&persona).await?;
        let expired =
            self.expired(&persona, &open, asked.at.unwrap_or(call.now).max(call.now)).await?.memories;
        // A person may be given by any of their references.
        let asked = MemoryFilter { subject: asked.subject.map(|named| open.known_as(named)), ..asked };
        let cursor = asked.cursor.as_deref().map(Cursor::read).transpose()?;
        let tombstones = match (&cursor, asked.tombstones || asked.include_redacted) {
            (None, true) => self.shown_tombstones(call, &persona).await?,
            (Some(_), _) | (None, false) => Vec::new(),
        };
        if asked.tombstones {
            return Ok(MemoryPage { data: Vec::new(), next_cursor: None, tombstones });
        }
        let at = cursor.as_ref().map_or_else(|| asked.at.unwrap_or(call.now), |cursor| cursor.at);
        let sought =
            asked.q.clone().map(|words| TextQuery::among(&view, words, self.cue_encoder())).transpose()?;
        let mut placed: Vec<RankedId> = open
            .cards()
            .values()
            .filter(|card| asked.include_redacted || !expired.contains(&card.id))
            .filter(|card| is_shown(&persona, &access, &card.audience(&access.listener)))
            .filter(|card| card.passes(&asked, at))
            .filter_map(|card| place(card, sought.as_ref(), at))
            .filter(|memory| cursor.as_ref().is_none_or(|cursor| order(&cursor.last, memory).is_lt()))
            .collect();
        placed.sort_by(order);
        let limit = asked.limit.unwrap_or(PAGE);
        let more = placed.len() > limit;
        placed.truncate(limit);
        let ids: Vec<MemoryId> = placed.iter().map(|(_, id)| *id).collect();
        let atoms = self.store.atoms(&persona.entry.scope(), &ids).await?;
        let next = placed.last().filter(|_| more).map(|last| Cursor { at, last: *last }.write());
        let mut data = Vec::with_capacity(atoms.len());
        for stored in atoms.into_iter().filter(|stored| is_visible(&persona, &access, &stored.atom)) {
            let mut atom = self.remembered_at(&persona, stored.atom, at, call.now).await?;
            if expired.contains(&atom.id) {
                atom.redaction_status = RedactionStatus::PendingDeletion;
            }
            data.push(MemoryView::new(&atom, at));
        }
        Ok(MemoryPage { data, next_cursor: next, tombstones })
    }

    /// The tombstones of memories, newest first. A caller who sees only one person's memories gets none:
    /// the fact that something was forgotten is visible to the owner only.
    pub(crate) async fn shown_tombstones(
        &self,
        call: &Call,
        persona: &PersonaContext,
    ) -> Result<Vec<domain::Tombstone>, Problem> {
        if Reach::of(call.caller.speaks, |scope| call.caller.may(scope)) == Reach::Subject {
            return Ok(Vec::new());
        }
        let (_, tombstones) = self.store.timeline(&persona.entry.scope()).await?;
        let mut of_memories: Vec<domain::Tombstone> = tombstones
            .into_iter()
            .filter_map(|tombstone| match tombstone {
                Tombstone::Atom(tombstone) => Some(tombstone),
                Tombstone::Entry(_) => None,
            })
            .collect();
        of_memories.sort_by(|a, b| b.at.cmp(&a.at).then(a.id.cmp(&b.id)));
        Ok(of_memories)
    }
}

/// Greatest first, then by id.
fn order(a: &RankedId, b: &RankedId) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

/// The sort key of a memory: its relevance with a search text, its weight without one.
fn place(card: &Card, sought: Option<&TextQuery>, at: Timestamp) -> Option<RankedId> {
    let by = match sought {
        Some(sought) => sought.fit(card)?,
        None => card.salience_at(at).get(),
    };
    Some((by, card.id))
}

impl TextQuery {
    fn among(view: &View, words: Text, encoder: Option<&CueEncoder>) -> Result<Self, Problem> {
        if words.trimmed().length() == 0 {
            return Err(Problem::new(Code::ValidationFailed, "`q` is empty; give a search text"));
        }
        let fitting = recall::search(&view.snapshot, words.as_str(), encoder);
        Ok(Self { words, fitting })
    }

    /// A matching label or subject scores highest.
    fn fit(&self, card: &Card) -> Option<f64> {
        if card.is_called(self.words.as_str()) {
            return Some(1.0);
        }
        self.fitting.get(&card.id).map(|fit| f64::from(*fit))
    }
}

impl Cursor {
    fn write(&self) -> String {
        format!("{}.{:016x}.{:012x}", self.at.as_millis(), self.last.0.to_bits(), self.last.1.as_u64())
    }

    fn read(text: &str) -> Result<Self, Problem> {
        let parse = || {
            let mut parts = text.split('.');
            let at = Timestamp::from_millis(parts.next()?.parse().ok()?);
            let by = f64::from_bits(u64::from_str_radix(parts.next()?, 16).ok()?);
            let id = MemoryId::from_u64(u64::from_str_radix(parts.next()?, 16).ok()?);
            let is_whole = parts.next().is_none() && (0.0..=1.0).contains(&by);
            is_whole.then_some(Self { at, last: (by, id) })
        };
        let unknown =
            || Problem::new(Code::ValidationFailed, "the cursor is not one of this list; start without it");
        parse().ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_as_it_is_written_and_nonsense_is_refused() {
        let cursor =
            Cursor { at: Timestamp::from_millis(1_777_000_000_123), last: (0.3, MemoryId::from_u64(7)) };
        let read = Cursor::read(&cursor.write()).unwrap();
        assert_eq!((read.at, read.last), (cursor.at, cursor.last));
        for wrong in ["", "1.2", "a.b.c", "1.7ff8000000000000.1", "1.3fd3333333333333.7.8"] {
            assert!(Cursor::read(wrong).is_err(), "{wrong}");
        }
    }
}
