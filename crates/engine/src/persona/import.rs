//! `POST /v1/personas/import` and `POST /v1/personas/{p}/bundle`: the two ends of a persona's move.
//!
//! A persona that comes from another deployment becomes one of this: a new id, this deployment's name in its document,
//! this operator's signature. What it remembers follows by `import`.

use std::collections::BTreeMap;

use domain::validate::{Given, is_usable, validate};
use domain::{EventKind, PersonaDocument, PersonaId, PersonaName, Text};
use serde_json::Value;
use store::{Batch, Deployment, DocumentName, EventDraft, NewPersona, PersonaEntry, Records};
use vault::canonical::canonicalize_serializable;
use vault::encoding::base64url;
use wire::bundle::{BundleSignature, FORMAT, ImportPersona, Manifest, SignBundle};
use wire::persona::PersonaAnswer;
use wire::{Code, Pointed, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::error::told;
use crate::talk::files::is_writable;
use crate::talk::tools::{check_crons, check_tasks};

/// The version of bundles that is signed here.
const VERSION: u32 = 1;
/// Counts of a manifest that tell that people can be identified by it.
const PERSONAL: [&str; 3] = ["personalMemories", "conversations", "ownerFiles"];

impl Engine {
    /// Makes a persona of another deployment's document and files.
    pub async fn import_persona(&self, call: &Call, asked: ImportPersona) -> Result<PersonaAnswer, Problem> {
        let document = self.moved_document(call, asked.document, asked.name)?;
        let identity = &document.identity;
        let entry = PersonaEntry {
            tenant: identity.tenant.clone(),
            id: identity.id,
            name: identity.name.clone(),
            created_at: call.now,
        };
        let mut documents = vec![(DocumentName::Persona, self.signed(&document, call.now)?)];
        documents.extend(files(asked.files)?);
        let event = |kind| EventDraft::new(kind, call.caller.actor.clone()).about(entry.id);
        let kinds = [EventKind::PersonaCreated, EventKind::PersonaImported, EventKind::PersonaSigned];
        let new = NewPersona { entry: entry.clone(), documents, events: kinds.map(event).into() };
        self.store.create_persona(new).await.map_err(told)?;
        self.persona_again(call, &entry.id.to_string()).await
    }

    /// Signs the manifest of a bundle of a persona, and logs it where people can be identified by the bundle.
    pub async fn sign_bundle(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: SignBundle,
    ) -> Result<BundleSignature, Problem> {
        let found = self.find(call, key).await?;
        let manifest = &asked.manifest;
        let is_own = manifest.format == FORMAT
            && manifest.version == VERSION
            && manifest.persona.id == found.entry.id
            && manifest.deployment_did == self.deployment;
        if !is_own {
            let detail = "only the manifest of a bundle of this persona is signed here";
            return Err(Problem::new(Code::ValidationFailed, detail));
        }
        let bytes = canonicalize_serializable(manifest)
            .map_err(|error| Problem::new(Code::ValidationFailed, error.to_string()))?;
        if is_personal(manifest) {
            let event =
                EventDraft::new(EventKind::PersonaExported, call.caller.actor.clone()).about(found.entry.id);
            self.store.commit(&found.entry.scope(), Batch::at(call.now).saying(event)).await.map_err(told)?;
        }
        Ok(BundleSignature {
            signer: self.operator.public_key().to_string(),
            signature: base64url(&self.operator.sign(&bytes)),
        })
    }

    fn moved_document(
        &self,
        call: &Call,
        mut value: Value,
        name: Option<PersonaName>,
    ) -> Result<PersonaDocument, Problem> {
        let id = PersonaId(self.new_uuid(call.now)?);
        if let Some(document) = value.as_object_mut() {
            document.shift_remove("signature");
            document.insert("memory".to_owned(), Value::Array(Vec::new()));
        }
        if let Some(identity) = value.get_mut("identity").and_then(Value::as_object_mut) {
            identity.insert("id".to_owned(), id.to_string().into());
            identity.insert("tenant".to_owned(), call.caller.tenant.as_str().into());
            identity.insert("deploymentDid".to_owned(), self.deployment.as_str().into());
            if let Some(name) = name {
                identity.insert("name".to_owned(), name.as_str().into());
            }
        }
        let problems = validate(&value, &Given { now: call.now, added_bases: &self.consent.added });
        if !is_usable(&problems) {
            return Err(wire::read::invalid(problems.into_iter().map(Pointed::from).collect()));
        }
        serde_json::from_value(value).map_err(|error| Problem::new(Code::ValidationFailed, error.to_string()))
    }
}

fn is_personal(manifest: &Manifest) -> bool {
    PERSONAL.iter().any(|name| manifest.counts.get(*name).is_some_and(|count| *count > 0))
}

/// The files by the names a home knows; the document and what the engine writes itself are not among them.
fn files(given: BTreeMap<String, Text>) -> Result<Vec<(DocumentName, Text)>, Problem> {
    let mut files = Vec::with_capacity(given.len());
    for (name, content) in given {
        let refuse = |detail: String| Problem::new(Code::ValidationFailed, detail);
        let known: DocumentName =
            name.parse().map_err(|_| refuse(format!("`{name}` is no file of a persona's home")))?;
        if known == DocumentName::Persona || !is_writable(known) {
            return Err(refuse(format!("`{name}` is written by Selfhood and can't be given")));
        }
        if known == DocumentName::Tasks {
            check_tasks(content.as_str())?;
        }
        if known == DocumentName::Crons {
            check_crons(content.as_str())?;
        }
        files.push((known, content));
    }
    Ok(files)
}
