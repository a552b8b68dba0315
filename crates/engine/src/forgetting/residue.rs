//! Searches opened records for what should be gone: a search of bytes can't find sealed text.

use domain::{SubjectRef, Text};
use serde::Serialize;
use store::residue::{CompiledNeedles, ResidueError, SearchTarget};
use store::{Content, PersonaEntry, Records, Scope};
use wire::residue::{RecordResidue, ResidueAnswer, SeekResidue};
use wire::{Code, Problem};

use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// Opens every record of the home and searches it for some words, or for all identifiers of a person.
    #[boxed]
    pub async fn seek_residue(&self, call: &Call, asked: SeekResidue) -> Result<ResidueAnswer, Problem> {
        call.demand_operator()?;
        let mut personas = Vec::new();
        for tenant in self.tenants_of(call).await? {
            personas.extend(self.personas_with_records(&tenant).await?.whole);
        }
        let identifiers = match (asked.subject, asked.text) {
            (Some(subject), None) => self.names_of(&personas, subject).await?,
            (None, Some(text)) => vec![text],
            (Some(_), Some(_)) | (None, None) => {
                return Err(Problem::new(Code::ValidationFailed, "give a subject or a text, one of the two"));
            }
        };
        let sought: Vec<SearchTarget> = identifiers.iter().cloned().map(SearchTarget::Words).collect();
        let needles = CompiledNeedles::of(&sought).map_err(|error| refused(&error))?;
        let mut answer = ResidueAnswer { identifiers, records: Vec::new(), unreadable: 0 };
        for persona in &personas {
            self.flush_writes(&persona.scope()).await?;
            self.sift(persona, &needles, &mut answer).await?;
        }
        Ok(answer)
    }

    /// The reference of a person, and every other one that resolves to them.
    async fn names_of(&self, personas: &[PersonaEntry], subject: SubjectRef) -> Result<Vec<Text>, Problem> {
        let mut names = vec![subject];
        for persona in personas {
            for known in self.store.subjects(&persona.scope()).await? {
                let all: Vec<SubjectRef> = std::iter::once(known.subject).chain(known.aliases).collect();
                if all.iter().any(|name| names.contains(name)) {
                    names.extend(all);
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        Ok(names.iter().map(|name| Text::new(name.as_str())).collect())
    }

    async fn sift(
        &self,
        persona: &PersonaEntry,
        needles: &CompiledNeedles,
        answer: &mut ResidueAnswer,
    ) -> Result<(), store::StoreError> {
        let (store, scope) = (&self.store, persona.scope());
        let loaded = store.load(&scope).await?;
        answer.unreadable += loaded.unreadable.len() as u64;
        let mut found = RecordScan { needles, persona, answer };
        found.place(
            store.place_of(Content::Memories),
            loaded.atoms.iter().map(|own| (Some(own.atom.id.to_string()), &own.atom)),
        );
        found.place(
            store.place_of(Content::Timeline),
            loaded.timeline.iter().map(|own| (Some(own.id.to_string()), own)),
        );
        let traces = store.traces(&scope).await?;
        found.place(
            store.place_of(Content::Traces),
            traces.iter().map(|own| (Some(own.recall.to_string()), own)),
        );
        let (sessions, subjects) = (store.sessions(&scope, None).await?, store.subjects(&scope).await?);
        found.place(store.place_of(Content::Sessions), sessions.iter().map(|own| (None, own)));
        let mut turns = Vec::new();
        for session in &sessions {
            turns.extend(store.turns(&scope, &session.id).await?);
        }
        found.place(store.place_of(Content::Turns), turns.iter().map(|own| (None, own)));
        found.place(store.place_of(Content::Keys), subjects.iter().map(|own| (None, own)));
        let documents = self.subject_texts(&scope, &subjects).await?;
        found.place(store.place_of(Content::SubjectDocuments), documents.iter().map(|own| (None, own)));
        if store.is_shared() {
            let files = self.opened_documents(persona).await?;
            found.place(
                store.place_of(Content::Files),
                files.iter().map(|(path, text)| (Some(path.display().to_string()), text)),
            );
        }
        let events = store.events(&scope, 0..u64::MAX).await?;
        let private = events.iter().map(|own| (Some(own.event.seq.to_string()), &own.private));
        found.place(store.place_of(Content::Events), private);
        Ok(())
    }

    async fn subject_texts(
        &self,
        scope: &Scope,
        subjects: &[store::Subject],
    ) -> Result<Vec<Text>, store::StoreError> {
        let mut texts = Vec::new();
        for subject in subjects {
            for name in self.store.subject_documents(scope, &subject.subject).await? {
                let document = self.store.subject_document(scope, &subject.subject, name).await?;
                texts.extend(document.map(|found| found.content));
            }
        }
        Ok(texts)
    }
}

/// The matches in one persona's records.
struct RecordScan<'a> {
    needles: &'a CompiledNeedles,
    persona: &'a PersonaEntry,
    answer: &'a mut ResidueAnswer,
}

impl RecordScan<'_> {
    /// Searches the records of one place; each comes with its id, if that says nothing about a person.
    fn place<'r, T: Serialize + 'r>(
        &mut self,
        place: &str,
        records: impl Iterator<Item = (Option<String>, &'r T)>,
    ) {
        let mut found = RecordResidue {
            tenant: self.persona.tenant.clone(),
            persona: self.persona.name.to_string(),
            place: place.to_owned(),
            opened: 0,
            hits: 0,
            ids: Vec::new(),
        };
        for (id, record) in records {
            found.opened += 1;
            let hits = self.needles.caught_in(&serde_json::to_string(record).unwrap_or_default()).hits;
            found.hits += hits;
            found.ids.extend(id.filter(|_| hits > 0));
        }
        if found.opened > 0 {
            self.answer.records.push(found);
        }
    }
}

/// The refusal of search terms that can't be used.
fn refused(error: &ResidueError) -> Problem {
    Problem::new(Code::ValidationFailed, error.to_string())
}
