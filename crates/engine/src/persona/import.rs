//! `POST /v1/personas/import` and `POST /v1/personas/{p}/bundle`: the two ends of moving a persona.
//!
//! A persona from another deployment gets a new id, this deployment's name in its document, and this
//! operator's signature. Its memories follow by `import`.

use std::collections::BTreeMap;

use domain::validate::{ValidationContext, is_usable, validate};
use domain::{EventKind, PersonaDocument, PersonaId, PersonaName, Text};
use serde_json::Value;
use store::{Batch, DocumentName, EventDraft, Records};
use vault::canonical::canonicalize_serializable;
use vault::encoding::base64url;
use wire::bundle::{BundleSignature, FORMAT, ImportPersona, ImportedPersona, Manifest, SignBundle};
use wire::persona::{PersonaAnswer, PersonaView};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, PersonaKey};
use crate::persona::create::check_unbound;
use crate::persona::show::portray;
use crate::talk::files::is_writable;
use crate::talk::tools::{check_crons, check_tasks};
use crate::{Engine, boxed};

/// The version of bundles that is signed here.
const VERSION: u32 = 1;
/// The property of a document that says which bundle its persona was made of.
const BUNDLE: &str = "x-bundle";
/// Counts in a manifest that show that a bundle identifies people.
const PERSONAL: [&str; 3] = ["personalMemories", "conversations", "ownerFiles"];

impl Engine {
    /// Creates a persona from another deployment's document and files. If the persona of that name was created from
    /// the same bundle before, it is returned, so that an interrupted import can be resumed.
    #[boxed]
    pub async fn import_persona(
        &self,
        call: &Call,
        asked: ImportPersona,
    ) -> Result<ImportedPersona, Problem> {
        check_unbound(call)?;
        let mut document = self.moved_document(call, asked.document, asked.name)?;
        if let Some(bundle) = &asked.bundle {
            if let Some(persona) = self.made_of(call, &document.identity.name, bundle).await? {
                return Ok(ImportedPersona { persona, resumed: true });
            }
            document.extensions.set(BUNDLE, Some(Value::from(bundle.as_str())));
        }
        let kinds = [EventKind::PersonaCreated, EventKind::PersonaImported, EventKind::PersonaSigned];
        let made = self.register(call, &document, files(asked.files)?, &kinds).await;
        let entry = made.map_err(|error| taken(Problem::from(error)))?;
        let PersonaAnswer { persona } = self.persona_again(call, &entry.id.to_string()).await?;
        Ok(ImportedPersona { persona, resumed: false })
    }

    /// The persona of this name, if it was made of this bundle.
    async fn made_of(
        &self,
        call: &Call,
        name: &PersonaName,
        bundle: &str,
    ) -> Result<Option<PersonaView>, Problem> {
        let persona = match self.find(call, &PersonaKey::Name(name.clone())).await {
            Err(problem) if problem.code == Code::PersonaNotFound => return Ok(None),
            persona => persona?,
        };
        let own = persona.loaded.document.extensions.get(BUNDLE).and_then(Value::as_str);
        Ok((own == Some(bundle)).then(|| portray(&persona)))
    }

    /// Signs the manifest of a persona's bundle, and logs it if the bundle identifies people.
    #[boxed]
    pub async fn sign_bundle(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: SignBundle,
    ) -> Result<BundleSignature, Problem> {
        let persona = self.find(call, key).await?;
        let manifest = &asked.manifest;
        let is_own = manifest.format == FORMAT
            && manifest.version == VERSION
            && manifest.persona.id == persona.entry.id
            && manifest.deployment_did == self.deployment;
        if !is_own {
            let detail = "only the manifest of a bundle of this persona is signed here";
            return Err(Problem::new(Code::ValidationFailed, detail));
        }
        let bytes = canonicalize_serializable(manifest)
            .map_err(|error| Problem::new(Code::ValidationFailed, error.to_string()))?;
        if is_personal(manifest) {
            let event = EventDraft::new(EventKind::PersonaExported, call.caller.actor.clone())
                .about(persona.entry.id);
            self.store.commit(&persona.entry.scope(), Batch::at(call.now).with_event(event)).await?;
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
        let problems =
            validate(&value, &ValidationContext { now: call.now, added_bases: &self.consent.added });
        if !is_usable(&problems) {
            return Err(wire::read::invalid(problems.into_iter().map(Pointed::from).collect()));
        }
        serde_json::from_value(value).map_err(|error| Problem::new(Code::ValidationFailed, error.to_string()))
    }
}

/// The refusal of a name that is taken, with the way out.
fn taken(problem: Problem) -> Problem {
    if problem.code != Code::NameTaken {
        return problem;
    }
    let detail = format!("{}; give the new persona another one with --name (`name`)", problem.detail);
    Problem { detail, ..problem }
}

fn is_personal(manifest: &Manifest) -> bool {
    PERSONAL.iter().any(|name| manifest.counts.get(*name).is_some_and(|count| *count > 0))
}

/// The files by their known names; the document and generated files are refused.
fn files(given: BTreeMap<String, Text>) -> Result<Vec<(DocumentName, Text)>, Problem> {
    let mut files = Vec::with_capacity(given.len());
    for (name, content) in given {
        let refuse = |detail: String| Problem::new(Code::ValidationFailed, detail);
        let known: DocumentName =
            name.parse().map_err(|_| refuse(format!("`{name}` is not a file of a persona")))?;
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
