//! Exports memories and events, one JSON object each, in the format that `import` reads.

use domain::{Atom, MemoryId, RedactionStatus};
use store::Records;
use wire::transfer::{Export, ExportPage};
use wire::{Code, Problem};

use crate::access::law::{is_shown, is_visible};
use crate::call::{Call, PersonaKey};
use crate::{Engine, boxed};

/// How many memories one page holds; the timeline follows on the last page.
const PAGE: usize = 1000;

impl Engine {
    /// A page of an export: memories by id, then the whole timeline by sequence.
    #[boxed]
    pub async fn export(&self, call: &Call, key: &PersonaKey, asked: Export) -> Result<ExportPage, Problem> {
        let persona = self.find(call, key).await?;
        self.flush_writes(&persona.entry.scope()).await?;
        let access = self.access(call, &persona, None).await?;
        let (open, view) = self.view(&persona).await?;
        let after: Option<MemoryId> = match &asked.cursor {
            None => None,
            Some(cursor) => Some(cursor.parse().map_err(|_| {
                Problem::new(Code::ValidationFailed, "the cursor is not one of this export; start without it")
            })?),
        };
        let expired = self.expired(&persona, &open, call.now).await?;
        let permitted = |card: &&crate::memory::card::Card| {
            let is_current = !expired.memories.contains(&card.id) && (card.is_active || asked.moving);
            (asked.include_redacted || is_current)
                && is_shown(&persona, &access, &card.audience(&access.listener))
        };
        let wanted = |card: &&crate::memory::card::Card| {
            (asked.include_pii || !card.is_pii())
                && after.is_none_or(|after| card.id > after)
                && permitted(card)
        };
        let left_out = if after.is_none() && !asked.include_pii {
            open.cards().values().filter(|card| card.is_pii() && permitted(card)).count()
        } else {
            0
        };
        let mut ids: Vec<MemoryId> =
            open.cards().values().filter(wanted).take(PAGE + 1).map(|card| card.id).collect();
        let more = ids.len() > PAGE;
        ids.truncate(PAGE);
        let atoms = self.store.atoms(&persona.entry.scope(), &ids).await?;
        let may_go = |atom: &Atom| !asked.moving || atom.redaction_status != RedactionStatus::PendingDeletion;
        let shown =
            atoms.iter().filter(|stored| is_visible(&persona, &access, &stored.atom) && may_go(&stored.atom));
        let mut lines: Vec<serde_json::Value> = shown
            .map(|stored| serde_json::to_value(expired.mark(stored.atom.clone())).unwrap_or_default())
            .collect();
        let next_cursor = ids.last().filter(|_| more).map(ToString::to_string);
        if next_cursor.is_none() {
            let life = view
                .timeline
                .iter()
                .filter(|entry| asked.include_redacted || asked.moving || entry.superseded_at.is_none());
            lines.extend(life.map(|entry| serde_json::to_value(entry).unwrap_or_default()));
        }
        Ok(ExportPage { lines, left_out, next_cursor })
    }
}
