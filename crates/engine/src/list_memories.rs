//! `GET /v1/personas/{p}/memories`: heaviest now first, page by page.

use domain::{MemoryId, Salience, Timestamp};
use store::Records;
use wire::memory::{MemoryFilter, MemoryPage, MemoryView};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::failure::told;

/// How many memories a page has when nobody says.
const PAGE: usize = 50;

/// Where a page ends: the moment the list is of, and the last memory shown.
///
/// Weights change with time, so a list that was begun goes on as of its first page.
struct Cursor {
    at: Timestamp,
    last: (Salience, MemoryId),
}

impl Engine {
    /// A page of memories. Listing is no rehearsal.
    pub async fn list_memories(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: MemoryFilter,
    ) -> Result<MemoryPage, Problem> {
        let found = self.find(call, key).await?;
        self.settle(&found.entry.scope()).await?;
        let (open, _) = self.view(&found).await?;
        let cursor = asked.cursor.as_deref().map(Cursor::read).transpose()?;
        let at = cursor.as_ref().map_or_else(|| asked.at.unwrap_or(call.now), |cursor| cursor.at);
        let mut weighed: Vec<(Salience, MemoryId)> = open
            .cards()
            .values()
            .filter(|card| card.passes(&asked, at))
            .map(|card| (card.salience_at(at), card.id))
            .filter(|memory| cursor.as_ref().is_none_or(|cursor| order(&cursor.last, memory).is_lt()))
            .collect();
        weighed.sort_by(order);
        let limit = asked.limit.unwrap_or(PAGE);
        let more = weighed.len() > limit;
        weighed.truncate(limit);
        let ids: Vec<MemoryId> = weighed.iter().map(|(_, id)| *id).collect();
        let atoms = self.store.atoms(&found.entry.scope(), &ids).await.map_err(told)?;
        let next = weighed.last().filter(|_| more).map(|last| Cursor { at, last: *last }.write());
        let mut data = Vec::with_capacity(atoms.len());
        for stored in atoms {
            let atom = self.remembered_at(&found, stored.atom, at, call.now).await?;
            data.push(MemoryView::new(&atom, at));
        }
        Ok(MemoryPage { data, next_cursor: next })
    }
}

/// Heaviest first, then by id.
fn order(a: &(Salience, MemoryId), b: &(Salience, MemoryId)) -> std::cmp::Ordering {
    b.0.get().total_cmp(&a.0.get()).then(a.1.cmp(&b.1))
}

impl Cursor {
    fn write(&self) -> String {
        format!("{}.{:016x}.{:012x}", self.at.as_millis(), self.last.0.get().to_bits(), self.last.1.as_u64())
    }

    fn read(text: &str) -> Result<Self, Problem> {
        let parse = || {
            let mut parts = text.split('.');
            let at = Timestamp::from_millis(parts.next()?.parse().ok()?);
            let weight = f64::from_bits(u64::from_str_radix(parts.next()?, 16).ok()?);
            let id = MemoryId::from_u64(u64::from_str_radix(parts.next()?, 16).ok()?);
            let last = (Salience::new(weight).ok()?, id);
            parts.next().is_none().then_some(Self { at, last })
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
        let cursor = Cursor {
            at: Timestamp::from_millis(1_777_000_000_123),
            last: (Salience::clamped(0.3), MemoryId::from_u64(7)),
        };
        let read = Cursor::read(&cursor.write()).unwrap();
        assert_eq!((read.at, read.last), (cursor.at, cursor.last));
        for wrong in ["", "1.2", "a.b.c", "1.7ff8000000000000.1", "1.3fd3333333333333.7.8"] {
            assert!(Cursor::read(wrong).is_err(), "{wrong}");
        }
    }
}
