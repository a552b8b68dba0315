//! Undoing a memory that superseded another restores the earlier one; restoring the memory supersedes it
//! again.
//!
//! A correction (`PATCH`) says that the earlier version was wrong: it keeps the earlier one's provenance,
//! and the earlier version is not restored. What talk superseded was true once, and has a provenance of
//! its own.

use domain::{Actor, Atom, EventKind, Provenance, ReasonCode, RedactionStatus};
use serde_json::json;
use store::{Batch, Change, EventDraft, Mark, Records, Scope, StoredAtom};
use wire::Problem;

use crate::Engine;

/// How many versions of one memory are examined.
const MOST_VERSIONS: usize = 64;

impl Engine {
    /// The memory that `atom` superseded, in any state. Corrected versions are skipped, and so are those
    /// whose source `is_gone`.
    pub(crate) async fn superseded_by(
        &self,
        scope: &Scope,
        atom: &Atom,
        is_gone: impl Fn(&Provenance) -> bool,
    ) -> Result<Option<StoredAtom>, Problem> {
        let mut next = atom.revises;
        for _ in 0..MOST_VERSIONS {
            let Some(id) = next else { return Ok(None) };
            let Some(earlier) = self.store.atoms(scope, &[id]).await?.pop() else {
                return Ok(None);
            };
            let is_correction = earlier.atom.provenance == atom.provenance;
            if !is_correction && !is_gone(&earlier.atom.provenance) {
                return Ok(Some(earlier));
            }
            next = earlier.atom.revises;
        }
        Ok(None)
    }

    /// Adds to `batch` that the memory superseded by `atom` is active again.
    pub(crate) async fn restoring_superseded(
        &self,
        scope: &Scope,
        batch: Batch,
        atom: &Atom,
        actor: &Actor,
        is_gone: impl Fn(&Provenance) -> bool,
    ) -> Result<Batch, Problem> {
        let superseded = self.superseded_by(scope, atom, is_gone).await?;
        Ok(match superseded.filter(|old| old.atom.redaction_status == RedactionStatus::Redacted) {
            Some(old) => marked(batch, &old.atom, RedactionStatus::Active, actor),
            None => batch,
        })
    }

    /// Adds to `batch` that the memory superseded by `atom` is set aside again.
    pub(crate) async fn superseding_again(
        &self,
        scope: &Scope,
        batch: Batch,
        atom: &Atom,
        actor: &Actor,
    ) -> Result<Batch, Problem> {
        let superseded = self.superseded_by(scope, atom, |_| false).await?;
        Ok(match superseded.filter(|old| old.atom.redaction_status == RedactionStatus::Active) {
            Some(old) => marked(batch, &old.atom, RedactionStatus::Redacted, actor),
            None => batch,
        })
    }
}

fn marked(batch: Batch, atom: &Atom, status: RedactionStatus, actor: &Actor) -> Batch {
    let kind = match status {
        RedactionStatus::Active => EventKind::MemoryRestored,
        RedactionStatus::Redacted | RedactionStatus::PendingDeletion => EventKind::MemoryRedactedSoft,
    };
    let mut event = EventDraft::new(kind, actor.clone()).about(atom.id);
    if status != RedactionStatus::Active {
        event = event.because(ReasonCode::Corrected);
    }
    batch
        .with(Change::MarkAtom(atom.id, Mark::Status(status)))
        .with_event(event.privately(atom.subject.clone(), json!({}).into()))
}
