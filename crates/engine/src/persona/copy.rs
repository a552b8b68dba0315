//! `POST /v1/personas/{p}/copy`: creates a persona from the files of another.

use domain::{EventKind, PersonaId};
use serde_json::Value;
use store::{Deployment, DocumentClass, DocumentName, Documents, EventDraft, NewPersona, PersonaEntry};
use wire::Problem;
use wire::persona::{CopyPersona, PersonaAnswer};

use crate::call::{Call, PersonaKey};
use crate::persona::adopt::{COPIED_FROM, capitalised};
use crate::{Engine, boxed};

impl Engine {
    /// Creates a persona with the files of another and an empty memory, as a copied folder is.
    #[boxed]
    pub async fn copy_persona(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: CopyPersona,
    ) -> Result<PersonaAnswer, Problem> {
        let persona = self.find(call, key).await?;
        // A folder of that name made by hand counts as a persona.
        self.adopt(&call.caller.tenant, &asked.name, call.now).await?;
        let mut document = persona.loaded.document.clone();
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
        document.extensions.set(COPIED_FROM, Some(Value::from(persona.entry.id.to_string())));
        let mut documents =
            vec![(DocumentName::Persona, self.written(&persona.loaded, &document, call.now)?)];
        let scope = persona.entry.scope();
        for name in self.store.list(&scope).await?.into_iter().filter(|name| is_copied(*name)) {
            let read = self.store.read(&scope, name).await?;
            documents.extend(read.map(|read| (name, read.content)));
        }
        let event = EventDraft::new(EventKind::PersonaCreated, call.caller.actor.clone()).about(entry.id);
        let id = entry.id.to_string();
        let made = NewPersona { entry, documents, events: vec![event] };
        self.store.create_persona(made).await?;
        self.persona_again(call, &id).await
    }
}

/// Whether a document is a file of the persona's folder that people can copy too. `persona.json` is not copied but made for the new persona.
const fn is_copied(name: DocumentName) -> bool {
    match name.class() {
        DocumentClass::Persona | DocumentClass::Sealed => false,
        DocumentClass::Character
        | DocumentClass::Person
        | DocumentClass::Digest(_)
        | DocumentClass::Tasks
        | DocumentClass::Crons => true,
    }
}
