//! `GET /v1/subjects/{s}/export`: all data of a person, for that person.

use domain::SubjectRef;
use serde_json::{Value, json};
use store::{DocumentName, PersonaEntry, Records};
use wire::Problem;
use wire::subject::{ExportedByPersona, ExportedDocument, SubjectExport};

use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// Everything stored about one person, in every status. Other people's memories are not included.
    #[boxed]
    pub async fn export_subject(&self, call: &Call, named: &SubjectRef) -> Result<SubjectExport, Problem> {
        let subject = self.show_subject(call, named).await?.subject;
        let mut personas = Vec::new();
        for known in self.personas_knowing(call, named).await? {
            personas.push(self.exported_by(call, &known.entry, &known.subject.subject).await?);
        }
        Ok(SubjectExport { subject, exported_at: call.now, personas })
    }

    async fn exported_by(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        subject: &SubjectRef,
    ) -> Result<ExportedByPersona, Problem> {
        let scope = entry.scope();
        let memories = self.shown_memories_of(call, entry, subject).await?;
        let mut sessions: Vec<Value> = Vec::new();
        for session in self.store.sessions(&scope, Some(subject)).await? {
            let turns = self.store.turns(&scope, &session.id).await?;
            sessions.push(json!({ "session": session, "turns": turns }));
        }
        let mut documents = Vec::new();
        let names = self.store.subject_documents(&scope, subject).await?;
        // The sources of digests are internal; the turns themselves are exported above.
        for name in names.into_iter().filter(|name| !matches!(name, DocumentName::Sources(_))) {
            if let Some(document) = self.store.subject_document(&scope, subject, name).await? {
                documents.push(ExportedDocument { name: name.to_string(), content: document.content });
            }
        }
        Ok(ExportedByPersona { persona: entry.name.clone(), memories, sessions, documents })
    }
}
