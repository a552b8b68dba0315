//! Registers folders that people made, copied or renamed by hand, at first use.

use domain::{
    Actor, Bindings, EventKind, Extensions, Identity, PersonaDocument, PersonaId, PersonaName, SchemaVersion,
    Template, TenantName, Text, Timestamp,
};
use serde_json::Value;
use store::{Adoption, Deployment, DocumentHash, EventDraft, Folder, FolderState, PersonaEntry, Sqlite};
use wire::persona::BrokenPersona;
use wire::{Code, Problem};

use crate::Engine;
use crate::persona::document::LoadedDocument;

/// The property of a document that names the persona its folder was copied from.
pub(crate) const COPIED_FROM: &str = "x-copiedFrom";

/// A folder to be registered.
struct UnregisteredFolder<'a> {
    tenant: &'a TenantName,
    name: &'a PersonaName,
    folder: Folder,
    now: Timestamp,
}

impl Engine {
    /// Registers the folder `name`, if it exists and isn't registered. A folder without `persona.json` gets a
    /// default one, signed; a copy of another persona's folder becomes a persona of its own; a renamed folder
    /// stays the persona it was.
    pub(crate) async fn adopt(
        &self,
        tenant: &TenantName,
        name: &PersonaName,
        now: Timestamp,
    ) -> Result<bool, Problem> {
        let waiting = self.store.unregistered().await?;
        if !waiting.iter().any(|(owner, folder)| owner == tenant && folder == name) {
            return Ok(false);
        }
        let home = self.home()?;
        let folder = home.look_into(tenant, name).await?;
        match self.adopt_found(home, &UnregisteredFolder { tenant, name, folder, now }).await {
            // Another request was faster.
            Err(problem) if problem.code == Code::NameTaken => Ok(true),
            adopted => adopted.map(|()| true),
        }
    }

    /// Registers every unregistered folder of `tenant`, and returns those that can't be, with the reason.
    pub(crate) async fn adopt_waiting(
        &self,
        tenant: &TenantName,
        now: Timestamp,
    ) -> Result<Vec<BrokenPersona>, Problem> {
        let mut broken = Vec::new();
        let waiting = self.store.unregistered().await?;
        for (_, name) in waiting.iter().filter(|(owner, _)| owner == tenant) {
            if let Err(problem) = self.adopt(tenant, name, now).await {
                broken.push(BrokenPersona::new(name, &problem));
            }
        }
        Ok(broken)
    }

    async fn adopt_found(&self, home: &Sqlite, found: &UnregisteredFolder<'_>) -> Result<(), Problem> {
        let UnregisteredFolder { tenant, name, folder, now } = found;
        let Some(text) = &folder.document else {
            if let Some((owner, id)) = &folder.records_of
                && owner == *tenant
                && let Some((entry, FolderState::Gone)) = home.registered_elsewhere(*id).await?
            {
                return self.follow_rename(home, &entry, found, None).await;
            }
            let document = self.new_document(tenant, name, Template::default(), *now)?;
            let signed = self.signed(&document, *now)?;
            return self.enter(home, found, document.identity.id, Some(signed)).await;
        };
        let read = self.read_unregistered(found, text)?;
        let id = read.document.identity.id;
        let known = home.registered_elsewhere(id).await?;
        let is_another_tenants = known.as_ref().is_some_and(|(entry, _)| entry.tenant != **tenant);
        match known {
            _ if is_another_tenants => {
                refuse_owners_files(found)?;
                let copy = self.copy_of(&read, found, None)?;
                self.enter(home, found, copy.0, Some(copy.1)).await
            }
            Some((entry, FolderState::Gone)) => self.follow_rename(home, &entry, found, Some(&read)).await,
            Some((_, FolderState::There)) => {
                let copy = self.copy_of(&read, found, Some(id))?;
                self.enter(home, found, copy.0, Some(copy.1)).await
            }
            None => self.enter(home, found, id, None).await,
        }
    }

    fn read_unregistered(
        &self,
        found: &UnregisteredFolder<'_>,
        text: &Text,
    ) -> Result<LoadedDocument, Problem> {
        let UnregisteredFolder { tenant, name, now, .. } = found;
        let entry = PersonaEntry {
            tenant: (*tenant).clone(),
            id: PersonaId(self.new_uuid(*now)?),
            name: (*name).clone(),
            created_at: *now,
        };
        self.judge(&entry, text.as_str(), DocumentHash::of(text.as_str()), *now)
    }

    /// The id and the document of a copy. It is signed if the original was, so that a manual edit stays
    /// unsigned.
    fn copy_of(
        &self,
        original: &LoadedDocument,
        found: &UnregisteredFolder<'_>,
        from: Option<PersonaId>,
    ) -> Result<(PersonaId, Text), Problem> {
        let mut document = original.document.clone();
        let identity = &mut document.identity;
        if identity.display_name == capitalised(identity.name.as_str()) {
            identity.display_name = capitalised(found.name.as_str());
        }
        identity.id = PersonaId(self.new_uuid(found.now)?);
        identity.tenant = found.tenant.clone();
        identity.name = found.name.clone();
        identity.created_at = found.now;
        identity.deployment_did = self.deployment.clone();
        document.memory = Vec::new();
        if let Some(from) = from {
            document.extensions.set(COPIED_FROM, Some(Value::from(from.to_string())));
        }
        Ok((document.identity.id, self.written(original, &document, found.now)?))
    }

    /// The text of a changed document: signed if the previous one was.
    pub(crate) fn written(
        &self,
        before: &LoadedDocument,
        document: &PersonaDocument,
        now: Timestamp,
    ) -> Result<Text, Problem> {
        if before.is_signed {
            return self.signed(document, now);
        }
        let mut unsigned = document.clone();
        unsigned.signature = None;
        let text = serde_json::to_string_pretty(&unsigned)
            .map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        Ok(Text::new(text + "\n"))
    }

    async fn enter(
        &self,
        home: &Sqlite,
        found: &UnregisteredFolder<'_>,
        id: PersonaId,
        document: Option<Text>,
    ) -> Result<(), Problem> {
        let entry = PersonaEntry {
            tenant: found.tenant.clone(),
            id,
            name: found.name.clone(),
            created_at: found.now,
        };
        let event = EventDraft::new(EventKind::PersonaCreated, Actor::engine()).about(id);
        let adoption = Adoption { entry, document, events: vec![event] };
        home.adopt_folder(adoption).await.map(drop).map_err(Problem::from)
    }

    /// A renamed folder keeps its id and its records; its signed document gets the new name.
    async fn follow_rename(
        &self,
        home: &Sqlite,
        known: &PersonaEntry,
        found: &UnregisteredFolder<'_>,
        read: Option<&LoadedDocument>,
    ) -> Result<(), Problem> {
        self.evict_persona(known.id);
        let entry = home.follow_rename(&known.scope(), found.name, found.now, Vec::new()).await?;
        self.persona_state.documents.forget(entry.id);
        let Some(read) = read.filter(|read| read.document.identity.name != entry.name) else { return Ok(()) };
        let mut document = read.document.clone();
        if document.identity.display_name == capitalised(document.identity.name.as_str()) {
            document.identity.display_name = capitalised(entry.name.as_str());
        }
        document.identity.name = entry.name.clone();
        let text = self.written(read, &document, found.now)?;
        self.rewrite_document(&entry, read.hash, text).await
    }

    /// The document of a new persona, made from `template`.
    pub(crate) fn new_document(
        &self,
        tenant: &TenantName,
        name: &PersonaName,
        template: Template,
        now: Timestamp,
    ) -> Result<PersonaDocument, Problem> {
        Ok(PersonaDocument {
            identity: Identity {
                id: PersonaId(self.new_uuid(now)?),
                tenant: tenant.clone(),
                name: name.clone(),
                display_name: capitalised(name.as_str()),
                version: SchemaVersion::V01,
                created_at: now,
                deployment_did: self.deployment.clone(),
                timezone: "UTC".to_owned(),
                language: "en".to_owned(),
                seed: None,
            },
            bindings: Bindings::default(),
            safety_tier: template.safety_tier(),
            compliance_profiles: template.compliance_profiles(),
            memory_policy: template.memory_policy(),
            memory: Vec::new(),
            signature: None,
            extensions: Extensions::default(),
        })
    }
}

/// Refuses files written by another tenant's owner: a persona never reads them.
fn refuse_owners_files(found: &UnregisteredFolder<'_>) -> Result<(), Problem> {
    if found.folder.owners_files.is_empty() {
        return Ok(());
    }
    let detail = format!(
        "the folder of `{}` is a copy of another tenant's persona and still has its owner's files; remove {} to use it",
        found.name,
        found.folder.owners_files.join(", ")
    );
    Err(Problem::new(Code::Conflict, detail))
}

/// `inara` as Inara.
pub(crate) fn capitalised(name: &str) -> String {
    let mut letters = name.trim_matches(['_', '-']).chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => name.to_owned(),
    }
}
