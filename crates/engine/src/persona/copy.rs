//! `POST /v1/personas/{p}/copy`: creates a persona from the files of another.

use domain::{EventKind, PersonaId};
use serde_json::Value;
use store::{Deployment, DocumentName, Documents, EventDraft, NewPersona, PersonaEntry};
use wire::Problem;
use wire::persona::{CopyPersona, PersonaAnswer};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::error::store_problem;
use crate::persona::adopt::{COPIED_FROM, capitalised};

impl Engine {
    /// Creates a persona with the files of another and an empty memory, as a copied folder is.
    pub async fn copy_persona(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: CopyPersona,
    ) -> Result<PersonaAnswer, Problem> {
        let found = self.find(call, key).await?;
        // A folder of that name made by hand counts as a persona.
        self.adopt(&call.caller.tenant, &asked.name, call.now).await?;
        let mut document = found.standing.document.clone();
        let identity = &mut document.identity;
        if identity.display_name == capitalised(identity.name.as_str()) {
            identity.display_name = capitalised(asked.name.as_str());
        }
        identity.id = PersonaId(self.new_uuid(call.now)?);
        identity.name = asked.name.clone();
        identity.created_at = call.now;
        let entry = PersonaEntry {
            tenant: identity.tenant.clone(),
            id: identity.id,
            name: asked.name,
            created_at: call.now,
        };
        document.memory = Vec::new();
        document.extensions.set(COPIED_FROM, Some(Value::from(found.entry.id.to_string())));
        let mut documents =
            vec![(DocumentName::Persona, self.written(&found.standing, &document, call.now)?)];
        let scope = found.entry.scope();
        for name in
            self.store.list(&scope).await.map_err(store_problem)?.into_iter().filter(|name| is_copied(*name))
        {
            let read = self.store.read(&scope, name).await.map_err(store_problem)?;
            documents.extend(read.map(|read| (name, read.content)));
        }
        let event = EventDraft::new(EventKind::PersonaCreated, call.caller.actor.clone()).about(entry.id);
        let id = entry.id.to_string();
        let made = NewPersona { entry, documents, events: vec![event] };
        self.store.create_persona(made).await.map_err(store_problem)?;
        self.persona_again(call, &id).await
    }
}

/// Whether a document is a file of the persona's folder that people can copy too. `persona.json` is not copied but made for the new persona.
const fn is_copied(name: DocumentName) -> bool {
    match name {
        DocumentName::Identity
        | DocumentName::Soul
        | DocumentName::Protocols
        | DocumentName::ContextTiers
        | DocumentName::User
        | DocumentName::Help
        | DocumentName::MemoryShort
        | DocumentName::MemoryMid
        | DocumentName::MemoryLong
        | DocumentName::Reminders
        | DocumentName::Scratch
        | DocumentName::Tasks
        | DocumentName::Crons
        | DocumentName::Card
        | DocumentName::MemoryShortBackup1
        | DocumentName::MemoryShortBackup2
        | DocumentName::MemoryMidBackup1
        | DocumentName::MemoryMidBackup2
        | DocumentName::MemoryLongBackup1
        | DocumentName::MemoryLongBackup2
        | DocumentName::DayLog(_) => true,
        DocumentName::Persona | DocumentName::Sources(_) | DocumentName::Consents | DocumentName::ApiKeys => {
            false
        }
    }
}
