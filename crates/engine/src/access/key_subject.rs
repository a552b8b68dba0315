//! The person that an API key speaks for, if it is bound to one.
//!
//! The name is stored only in a sealed document of that person, beside the public ids of the keys that speak
//! for them: erasure destroys it, merges and store copies include it, and the register of keys never contains
//! it. A key whose person was forgotten is refused.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{SubjectRef, TenantName, Text, Timestamp};
use serde::{Deserialize, Serialize};
use store::{ApiKey, Batch, Change, DocumentHash, DocumentName, Expect, Records, Scope, StoreError};
use wire::{Code, Problem};

use crate::Engine;

/// How often a change is retried after concurrent writes.
const ATTEMPTS: usize = 5;

/// Where each bound key was last found. Every use reads that document again, so an answer is never older than
/// the store.
#[derive(Default)]
pub(crate) struct KeySubjects(Mutex<HashMap<String, SubjectRef>>);

/// One line of a subject's document.
#[derive(Serialize, Deserialize)]
struct KeyLine {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<Text>,
}

/// The person a key speaks for, and the label of the key.
pub(crate) struct KeySubject {
    pub(crate) subject: SubjectRef,
    pub(crate) label: Option<Text>,
}

impl KeySubjects {
    pub(crate) fn clear(&self) {
        self.known().clear();
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, SubjectRef>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// The person that `key` is bound to, if any. Refused if that person was forgotten.
    pub(crate) async fn key_subject(&self, key: &ApiKey) -> Result<Option<SubjectRef>, Problem> {
        let Some(persona) = key.bounds.subject_in else { return Ok(None) };
        let scope = Scope::new(key.tenant.clone(), persona);
        let known = self.access_state.key_subjects.known().get(&key.public_id).cloned();
        if let Some(subject) = known
            && self.names_key(&scope, &subject, &key.public_id).await?
        {
            return Ok(Some(subject));
        }
        self.access_state.key_subjects.known().remove(&key.public_id);
        let spoken = self.spoken_by_keys(&scope).await?.remove(&key.public_id).ok_or_else(forgotten)?;
        self.access_state.key_subjects.known().insert(key.public_id.clone(), spoken.subject.clone());
        Ok(Some(spoken.subject))
    }

    /// The person of each of the tenant's bound keys, by public id.
    pub(crate) async fn key_subjects(
        &self,
        tenant: &TenantName,
        keys: &[ApiKey],
    ) -> Result<HashMap<String, KeySubject>, Problem> {
        let personas: BTreeSet<_> = keys.iter().filter_map(|key| key.bounds.subject_in).collect();
        let mut spoken = HashMap::new();
        for persona in personas {
            spoken.extend(self.spoken_by_keys(&Scope::new(tenant.clone(), persona)).await?);
        }
        Ok(spoken)
    }

    /// Records in the subject's document that the key `id` speaks for them.
    pub(crate) async fn bind_key(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        id: &str,
        label: Option<&Text>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let line = KeyLine { id: id.to_owned(), label: label.cloned() };
        let line = serde_json::to_string(&line).unwrap_or_default();
        for _ in 0..ATTEMPTS {
            let (text, hash) = self.key_document(scope, subject).await?;
            let batch = Batch::at(now)
                .expecting(Expect::DocumentHash(subject.clone(), DocumentName::ApiKeys, hash))
                .with(Change::PutDocument(
                    subject.clone(),
                    DocumentName::ApiKeys,
                    Text::new(format!("{text}{line}\n")),
                ));
            match self.store.commit(scope, batch).await {
                Ok(_) => return Ok(()),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::new(Code::Conflict, "the keys of this person are being changed; try again"))
    }

    async fn names_key(&self, scope: &Scope, subject: &SubjectRef, id: &str) -> Result<bool, Problem> {
        match self.key_document(scope, subject).await {
            Ok((text, _)) => Ok(lines(&text).any(|line| line.id == id)),
            Err(problem) if problem.code == Code::PersonaNotFound => Ok(false),
            Err(problem) => Err(problem),
        }
    }

    async fn spoken_by_keys(&self, scope: &Scope) -> Result<HashMap<String, KeySubject>, Problem> {
        let mut spoken = HashMap::new();
        let subjects = match self.store.subjects(scope).await.map_err(Problem::from) {
            Err(problem) if problem.code == Code::PersonaNotFound => return Ok(spoken),
            subjects => subjects?,
        };
        for known in subjects {
            let (text, _) = self.key_document(scope, &known.subject).await?;
            for KeyLine { id, label } in lines(&text) {
                spoken.insert(id, KeySubject { subject: known.subject.clone(), label });
            }
        }
        Ok(spoken)
    }

    async fn key_document(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
    ) -> Result<(String, Option<DocumentHash>), Problem> {
        let document = self.store.subject_document(scope, subject, DocumentName::ApiKeys).await;
        let document = document?;
        let text = document.as_ref().map(|document| document.content.as_str().to_owned());
        Ok((text.unwrap_or_default(), document.map(|document| document.hash)))
    }
}

fn lines(text: &str) -> impl Iterator<Item = KeyLine> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}

fn forgotten() -> Problem {
    Problem::new(
        Code::Unauthorized,
        "the person this key spoke for is no longer known here; make another key with `selfhood key new \
        --subject`",
    )
}
