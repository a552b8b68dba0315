//! Folders that people made by hand become personas at first use.

use domain::{
    Actor, Bindings, EventKind, Extensions, Identity, PersonaDocument, PersonaId, PersonaName, SchemaVersion,
    Template, TenantName, Timestamp,
};
use store::{Deployment, DocumentName, EventDraft, NewPersona, PersonaEntry};
use wire::Problem;

use crate::Engine;
use crate::failure::told;

impl Engine {
    /// Registers the folder `name`, if someone made one: a missing `persona.json` gets a default one, signed.
    pub(crate) async fn adopt(
        &self,
        tenant: &TenantName,
        name: &PersonaName,
        now: Timestamp,
    ) -> Result<bool, Problem> {
        let waiting = self.store.unregistered().await.map_err(told)?;
        if !waiting.iter().any(|(owner, folder)| owner == tenant && folder == name) {
            return Ok(false);
        }
        let document = self.new_document(tenant, name, Template::default(), now)?;
        let entry = PersonaEntry {
            tenant: tenant.clone(),
            id: document.identity.id,
            name: name.clone(),
            created_at: now,
        };
        let event = EventDraft::new(EventKind::PersonaCreated, Actor::engine()).about(entry.id);
        let documents = vec![(DocumentName::Persona, self.signed(&document, now)?)];
        self.store
            .create_persona(NewPersona { entry, documents, events: vec![event] })
            .await
            .map_err(told)?;
        Ok(true)
    }

    /// The document of a new persona, as `template` writes it.
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

/// `inara` as people write it.
pub(crate) fn capitalised(name: &str) -> String {
    let mut letters = name.trim_matches(['_', '-']).chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => name.to_owned(),
    }
}
