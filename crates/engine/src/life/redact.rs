//! `POST /v1/personas/{p}/timeline/{timelineId}/redact`: destroys a timeline event; its number stays.
//!
//! To set an event aside reversibly, supersede or revise it.

use domain::{EventKind, RedactionMode, TimelineEntry, TimelineId};
use serde_json::json;
use store::{Destruction, EventDraft, Records, Target};
use wire::Problem;
use wire::redaction::{EntryTombstone, RedactEntry, RedactEntryAnswer, Redaction};

use crate::call::{Call, PersonaKey};
use crate::forgetting::destroy::unreached;
use crate::life::append::find_entry;
use crate::memory::redact::demand_erasing;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

impl Engine {
    /// Destroys a timeline event with its earlier versions and the traces that contain it.
    #[boxed]
    pub async fn redact_entry(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: TimelineId,
        asked: RedactEntry,
    ) -> Result<RedactEntryAnswer, Problem> {
        demand_erasing(call)?;
        let persona = self.find(call, key).await?;
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        let (timeline, tombstones) = self.store.timeline(&scope).await?;
        let mut redaction = Redaction { dry_run: asked.dry_run, ..Redaction::new(RedactionMode::Hard) };
        let buried = tombstones.iter().find_map(|tombstone| own_tombstone(tombstone, id));
        // For an event that is already gone, only completes what an interruption left undone.
        if let Some(tombstone) = buried.filter(|_| !asked.dry_run) {
            self.finish_entry(call, &persona, &mut redaction).await?;
            return Ok(RedactEntryAnswer { tombstones: vec![tombstone], redaction });
        }
        let versions = versions(&timeline, find_entry(&timeline, id)?);
        let tombstones = versions.iter().map(|entry| tombstone(entry, call, &asked)).collect();
        if !asked.dry_run {
            redaction.events = self.destroy_entries(call, &persona, &versions, &asked).await?;
            self.finish_entry(call, &persona, &mut redaction).await?;
        }
        Ok(RedactEntryAnswer { tombstones, redaction })
    }

    /// The tombstone of an entry that an earlier request destroyed; changes nothing.
    #[boxed]
    pub async fn redacted_entry_again(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: TimelineId,
    ) -> Result<RedactEntryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let (timeline, tombstones) = self.store.timeline(&persona.entry.scope()).await?;
        let redaction = Redaction::new(RedactionMode::Hard);
        match tombstones.iter().find_map(|tombstone| own_tombstone(tombstone, id)) {
            Some(tombstone) => Ok(RedactEntryAnswer { tombstones: vec![tombstone], redaction }),
            None => {
                find_entry(&timeline, id).map(|_| RedactEntryAnswer { tombstones: Vec::new(), redaction })
            }
        }
    }

    async fn destroy_entries(
        &self,
        call: &Call,
        persona: &PersonaContext,
        versions: &[TimelineEntry],
        asked: &RedactEntry,
    ) -> Result<Vec<u64>, Problem> {
        let scope = persona.entry.scope();
        let batch = self.new_uuid(call.now)?.to_string();
        let event = |entry: &TimelineEntry| EventDraft {
            batch: Some(batch.clone()),
            ..EventDraft::new(EventKind::TimelineRedacted, call.caller.actor.clone())
                .about(entry.id)
                .because(asked.reason)
                .privately(None, json!({ "reason": asked.reason }).into())
        };
        let what = Destruction {
            now: call.now,
            targets: versions.iter().map(|entry| Target::Entry(entry.id, asked.reason)).collect(),
            events: versions.iter().map(event).collect(),
        };
        let receipt = self.store.destroy(&scope, what).await?;
        self.wait_for_recalls(&scope).await?;
        let names: Vec<String> = versions.iter().map(|entry| entry.id.to_string()).collect();
        let traces = self.store.traces(&scope).await?;
        let telling = traces.iter().filter(|trace| {
            let body = trace.body.as_str();
            names.iter().any(|name| body.contains(name))
        });
        let targets: Vec<Target> = telling.map(|trace| Target::Trace(trace.recall)).collect();
        if !targets.is_empty() {
            let what = Destruction { now: call.now, targets, events: Vec::new() };
            self.store.destroy(&scope, what).await?;
        }
        Ok(receipt.events)
    }

    async fn finish_entry(
        &self,
        call: &Call,
        persona: &PersonaContext,
        redaction: &mut Redaction,
    ) -> Result<(), Problem> {
        let scope = persona.entry.scope();
        let status = self.rewrite_and_rotate(call, std::slice::from_ref(&scope)).await?;
        redaction.epoch = Some(status.epoch);
        redaction.partial = !status.stale_mirrors.is_empty();
        redaction.note(unreached(&status));
        redaction.checkpoint = self.signed_state(call, &scope).await?.map(|signed| signed.note);
        Ok(())
    }
}

/// The entry and all entries it revises: destroying it includes them.
fn versions(timeline: &[TimelineEntry], entry: TimelineEntry) -> Vec<TimelineEntry> {
    let mut versions = vec![entry];
    while let Some(earlier) = versions.last().and_then(|entry| entry.revises_timeline_id) {
        let known = versions.iter().any(|entry| entry.id == earlier);
        match timeline.iter().find(|entry| entry.id == earlier).filter(|_| !known) {
            Some(entry) => versions.push(entry.clone()),
            None => break,
        }
    }
    versions
}

fn tombstone(entry: &TimelineEntry, call: &Call, asked: &RedactEntry) -> EntryTombstone {
    EntryTombstone { id: entry.id, sequence: entry.sequence, at: call.now, reason_code: asked.reason }
}

fn own_tombstone(tombstone: &store::Tombstone, own: TimelineId) -> Option<EntryTombstone> {
    match tombstone {
        store::Tombstone::Entry(store::EntryTombstone { id, sequence, at, reason_code }) if *id == own => {
            Some(EntryTombstone { id: *id, sequence: *sequence, at: *at, reason_code: *reason_code })
        }
        store::Tombstone::Entry(_) | store::Tombstone::Atom(_) => None,
    }
}
