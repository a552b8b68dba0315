//! The state of a persona: its document as it is on disk now, and whether its signature is valid.

use std::sync::Arc;

use domain::validate::{ValidationContext, is_usable, validate};
use domain::{PersonaDocument, Severity, Timestamp};
use serde_json::Value;
use store::{DocumentHash, DocumentName, Documents, PersonaEntry};
use vault::signature::{sign_persona, verify_persona};
use wire::persona::{MemoryState, NoticeCode};
use wire::{Code, Pointed, Problem};

use crate::Engine;
use crate::persona::adopt::COPIED_FROM;

/// The property of a document with the time of the last write through the API.
const UPDATED_AT: &str = "x-updatedAt";

/// A persona's document, parsed and verified.
#[derive(Clone, Debug)]
pub struct LoadedDocument {
    /// The parsed document.
    pub document: PersonaDocument,
    /// Whether an operator signed exactly this.
    pub is_signed: bool,
    /// The precondition of a later write.
    pub hash: DocumentHash,
}

impl LoadedDocument {
    /// Whether the persona's memory is on.
    #[must_use]
    pub fn memory(&self) -> MemoryState {
        match (self.is_signed, self.document.memory_policy.enabled) {
            (false, _) => MemoryState::Paused,
            (true, false) => MemoryState::Off,
            (true, true) => MemoryState::On,
        }
    }

    /// Refuses what needs memory while it is off.
    pub(crate) fn demand_memory(&self) -> Result<(), Problem> {
        use domain::creation::CreationRefusal::{DocumentUnsigned, MemoryDisabled};
        match self.memory() {
            MemoryState::On => Ok(()),
            MemoryState::Off => Err(MemoryDisabled.into()),
            MemoryState::Paused => Err(DocumentUnsigned.into()),
        }
    }

    /// Why jobs that need memory don't run, as the code of the notice about it; `None` while memory is on.
    pub(crate) fn without_memory(&self) -> Option<&'static str> {
        Some(match self.memory() {
            MemoryState::On => return None,
            MemoryState::Off => NoticeCode::MemoryOff.as_str(),
            MemoryState::Paused => NoticeCode::MemoryPaused.as_str(),
        })
    }

    /// The persona whose folder was copied to make this one, if any.
    #[must_use]
    pub fn copied_from(&self) -> Option<domain::PersonaId> {
        self.document.extensions.get(COPIED_FROM).and_then(Value::as_str)?.parse().ok()
    }

    /// When the document was last written through the API.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        let written = self.document.extensions.get(UPDATED_AT).and_then(Value::as_str);
        written.and_then(|at| at.parse().ok()).unwrap_or(self.document.identity.created_at)
    }
}

impl Engine {
    /// The persona's current document. The next request sees a manual edit.
    pub(crate) async fn load_document(
        &self,
        entry: &PersonaEntry,
        now: Timestamp,
    ) -> Result<Arc<LoadedDocument>, Problem> {
        let read = self.store.read(&entry.scope(), DocumentName::Persona).await?;
        let Some(read) = read else {
            return Err(Problem::new(
                Code::PersonaNotFound,
                format!("persona `{}` has no persona.json; restore it from a backup", entry.name),
            ));
        };
        self.follow_signers(now)?;
        if let Some(known) = self.persona_state.documents.get(entry.id, read.hash) {
            return Ok(known);
        }
        let mut loaded = self.judge(entry, read.content.as_str(), read.hash, now)?;
        if loaded.document.identity.id != entry.id {
            loaded = self.reclaim(entry, &loaded, now).await?;
        }
        if loaded.is_signed {
            self.note_signed_policy(entry, &loaded.document.memory_policy, now).await?;
        }
        let loaded = Arc::new(loaded);
        self.persona_state.documents.put(entry.id, Arc::clone(&loaded));
        Ok(loaded)
    }

    /// Gives a document copied from another persona's folder the identity of its own folder, so that no two
    /// personas have one id. It is signed if it was. Records of the other persona are set aside.
    async fn reclaim(
        &self,
        entry: &PersonaEntry,
        read: &LoadedDocument,
        now: Timestamp,
    ) -> Result<LoadedDocument, Problem> {
        let mut document = read.document.clone();
        let from = std::mem::replace(&mut document.identity.id, entry.id);
        document.identity.tenant = entry.tenant.clone();
        document.identity.name = entry.name.clone();
        document.identity.deployment_did = self.deployment.clone();
        document.extensions.set(COPIED_FROM, Some(Value::from(from.to_string())));
        let text = self.written(read, &document, now)?;
        if let Ok(home) = self.home() {
            home.set_aside_foreign(entry).await?;
        }
        let hash = DocumentHash::of(text.as_str());
        self.rewrite_document(entry, read.hash, text.clone()).await?;
        self.judge(entry, text.as_str(), hash, now)
    }

    /// Replaces the `persona.json` that was read.
    pub(crate) async fn rewrite_document(
        &self,
        entry: &PersonaEntry,
        found: DocumentHash,
        text: domain::Text,
    ) -> Result<(), Problem> {
        let written = self.store.write(&entry.scope(), DocumentName::Persona, Some(found), text).await;
        self.persona_state.documents.forget(entry.id);
        written.map(drop).map_err(Problem::from)
    }

    pub(crate) fn judge(
        &self,
        entry: &PersonaEntry,
        text: &str,
        hash: DocumentHash,
        now: Timestamp,
    ) -> Result<LoadedDocument, Problem> {
        let value = vault::canonical::parse_strict(text.as_bytes()).map_err(|error| {
            let detail = format!("persona.json of `{}`: {error}; correct the file", entry.name);
            Problem::new(Code::ValidationFailed, detail)
        })?;
        let problems = validate(&value, &ValidationContext { now, added_bases: &self.consent.added });
        if !is_usable(&problems) {
            let errors = problems.into_iter().filter(|problem| problem.severity == Severity::Error);
            let errors = errors.map(Pointed::from).collect();
            let detail =
                format!("persona.json of `{}` breaks its rules; see `selfhood persona validate`", entry.name);
            return Err(Problem::new(Code::ValidationFailed, detail).pointing_at(errors));
        }
        let verdict = verify_persona(&value, &self.signers());
        let is_signed = verdict.is_ok_and(vault::signature::Verdict::is_valid);
        let document =
            serde_json::from_value(value).map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        Ok(LoadedDocument { document, is_signed, hash })
    }

    /// The text of `document`, with the time `now`, signed by the deployment's operator.
    pub(crate) fn signed(&self, document: &PersonaDocument, now: Timestamp) -> Result<domain::Text, Problem> {
        let internal = |error: String| Problem::new(Code::Internal, error);
        let mut value = serde_json::to_value(document).map_err(|error| internal(error.to_string()))?;
        if let Some(properties) = value.as_object_mut() {
            properties.shift_remove("signature");
            properties.insert(UPDATED_AT.to_owned(), Value::from(now.to_string()));
        }
        sign_persona(&mut value, &self.operator).map_err(|error| internal(error.to_string()))?;
        let text = serde_json::to_string_pretty(&value).map_err(|error| internal(error.to_string()))?;
        Ok(domain::Text::new(text + "\n"))
    }
}
