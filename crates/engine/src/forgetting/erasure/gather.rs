//! Finds everything that has to be destroyed, and everything that may have to, in every place.

use std::collections::BTreeSet;

use domain::{PersonaId, SessionId, SubjectRef};
use store::{Documents, LoadedRecords, PersonaEntry, Records, Scope, Session, Store, StoreError, Trace};
use wire::Problem;

use super::item::{Claim, Item, ItemKind};
use super::job::{Job, JobSecrets};
use super::words::{self, SearchTerms};
use crate::Engine;
use crate::persona::each::Sorted;

/// What was found in one persona.
pub(super) struct Findings<'a> {
    persona: PersonaId,
    references: &'a BTreeSet<SubjectRef>,
    wanted: &'a SearchTerms,
    /// The subject's own conversations.
    own_sessions: BTreeSet<SessionId>,
    found: Vec<(ItemKind, Claim)>,
    /// Own memories under a legal hold.
    held: u64,
}

impl Engine {
    /// Searches every place of the job's tenant, and records what was found.
    pub(super) async fn gather(&self, job: &mut Job) -> Result<(), Problem> {
        let Sorted { whole: personas, broken } = self.personas_with_records(&job.tenant).await?;
        job.note_left_out(&broken);
        let subject = job.private()?.subject.clone();
        let references = self.references(&personas, &subject).await?;
        job.private_mut()?.references = references;
        let private = job.private()?;
        let wanted = wanted(private);
        let (mut items, mut held) = (Vec::new(), 0);
        for persona in &personas {
            let mut findings = Findings::new(persona.id, &private.references, &wanted);
            self.flush_writes(&persona.scope()).await?;
            findings.look_everywhere(&self.store, persona).await?;
            held += findings.held;
            items.extend(findings.found.into_iter().map(|(what, claim)| (persona.id, what, claim)));
        }
        let numbered = (1..).zip(items);
        let items: Vec<Item> =
            numbered.map(|(number, (persona, what, claim))| Item { number, persona, what, claim }).collect();
        job.progress.identifiers = wanted.identifiers().len() as u64;
        let private = job.private_mut()?;
        private.items = items;
        private.taken.clear();
        count(job, held, &self.store)
    }

    /// Every reference of the subject, in any persona.
    async fn references(
        &self,
        personas: &[PersonaEntry],
        subject: &SubjectRef,
    ) -> Result<BTreeSet<SubjectRef>, Problem> {
        let mut people = Vec::new();
        for persona in personas {
            people.extend(self.store.subjects(&persona.scope()).await?);
        }
        let mut known = BTreeSet::from([subject.clone()]);
        loop {
            let before = known.len();
            for person in &people {
                let all = || std::iter::once(&person.subject).chain(&person.aliases);
                if all().any(|reference| known.contains(reference)) {
                    known.extend(all().cloned());
                }
            }
            if known.len() == before {
                return Ok(known);
            }
        }
    }
}

/// The search terms of a job's subject.
pub(super) fn wanted(private: &JobSecrets) -> SearchTerms {
    SearchTerms::new(private.sought(), private.identifiers.len())
}

/// Counts what was found, without naming anyone.
pub(super) fn count(job: &mut Job, held: u64, store: &Store) -> Result<(), Problem> {
    let private = job.private()?;
    let mut counts = job.progress.counts.clone();
    counts.held = held;
    counts.own = 0;
    counts.proposed = private.items.iter().filter(|item| !item.is_own()).count() as u64;
    counts.taken = private.taken.len() as u64;
    counts.places.clear();
    for item in private.to_destroy() {
        for (place, number, _) in item.places(store).into_iter().filter(|(_, number, _)| *number > 0) {
            *counts.places.entry(place.to_owned()).or_default() += number;
            counts.own += if item.is_own() { number } else { 0 };
        }
    }
    job.progress.counts = counts;
    Ok(())
}

impl<'a> Findings<'a> {
    pub(super) fn new(
        persona: PersonaId,
        references: &'a BTreeSet<SubjectRef>,
        wanted: &'a SearchTerms,
    ) -> Self {
        Self { persona, references, wanted, own_sessions: BTreeSet::new(), found: Vec::new(), held: 0 }
    }

    /// Searches every record and every file of a persona.
    async fn look_everywhere(&mut self, store: &Store, persona: &PersonaEntry) -> Result<(), StoreError> {
        let scope = persona.scope();
        debug_assert_eq!(self.persona, scope.persona);
        self.look_at_talk(store, &scope).await?;
        let loaded = store.load(&scope).await?;
        self.look_at_memories(&loaded);
        self.look_at_files(store, &scope).await
    }

    /// The subject's own atoms: about them, mentioning them, or about nobody and from a conversation with them.
    pub(super) fn own_memories(&self, loaded: &LoadedRecords) -> BTreeSet<domain::MemoryId> {
        let is_own = |atom: &domain::Atom| {
            let is_about_them = match &atom.subject {
                Some(subject) => self.references.contains(subject),
                None => self.own_sessions.contains(&atom.provenance.session_id),
            };
            is_about_them || atom.mentions.iter().any(|mention| self.references.contains(mention))
        };
        loaded.atoms.iter().filter(|stored| is_own(&stored.atom)).map(|stored| stored.atom.id).collect()
    }

    fn look_at_memories(&mut self, loaded: &LoadedRecords) {
        let own = self.own_memories(loaded);
        for stored in &loaded.atoms {
            let claim = if own.contains(&stored.atom.id) {
                self.held += u64::from(stored.atom.audit_hold);
                Some(Claim::Own)
            } else {
                self.claim(&words::of_atom(&stored.atom))
            };
            self.found.extend(claim.map(|claim| (ItemKind::Atom(stored.atom.id), claim)));
        }
        for entry in &loaded.timeline {
            let claim = self.claim(&words::of_entry(entry));
            self.found.extend(claim.map(|claim| (ItemKind::Entry(entry.id), claim)));
        }
    }

    /// Finds the conversations with the subject, and nothing else.
    pub(super) async fn find_own_sessions(&mut self, store: &Store, scope: &Scope) -> Result<(), StoreError> {
        let sessions = store.sessions(scope, None).await?;
        let own = sessions.into_iter().filter(|session| self.references.contains(&session.subject));
        self.own_sessions.extend(own.map(|session| session.id));
        Ok(())
    }

    /// Sessions, turns, traces and sealed documents, of the subject and of everyone else.
    async fn look_at_talk(&mut self, store: &Store, scope: &Scope) -> Result<(), StoreError> {
        let sessions = store.sessions(scope, None).await?;
        let traces = store.traces(scope).await?;
        let mut own = Vec::new();
        for session in sessions {
            if self.references.contains(&session.subject) {
                let turns = store.turns(scope, &session.id).await?.len() as u64;
                self.own_sessions.insert(session.id.clone());
                own.push((session.subject, turns));
            } else {
                self.look_at_session(store, scope, &session).await?;
            }
        }
        for person in store.subjects(scope).await? {
            let names = store.subject_documents(scope, &person.subject).await?;
            if self.references.contains(&person.subject) {
                let theirs = || own.iter().filter(|(subject, _)| *subject == person.subject);
                let about_them =
                    traces.iter().filter(|trace| trace.subject.as_ref() == Some(&person.subject));
                let what = ItemKind::Subject {
                    sessions: theirs().count() as u64,
                    turns: theirs().map(|(_, turns)| turns).sum(),
                    traces: about_them.count() as u64,
                    documents: names.len() as u64,
                    reference: person.subject,
                };
                self.found.push((what, Claim::Own));
                continue;
            }
            for name in names {
                let document = store.subject_document(scope, &person.subject, name).await?;
                let text = document.map(|document| document.content.as_str().to_owned()).unwrap_or_default();
                let claim = self.claim(&words::of_file(&text));
                let what = || ItemKind::SubjectDocument(person.subject.clone(), name.to_string());
                self.found.extend(claim.map(|claim| (what(), claim)));
            }
        }
        self.look_at_traces(&traces);
        Ok(())
    }

    async fn look_at_session(
        &mut self,
        store: &Store,
        scope: &Scope,
        session: &Session,
    ) -> Result<(), StoreError> {
        let texts = words::of(&(&session.title, &session.checkpoint, &session.state));
        let claim = self.claim(&texts);
        self.found.extend(claim.map(|claim| (ItemKind::Session(session.id.clone()), claim)));
        for turn in store.turns(scope, &session.id).await? {
            let claim = self.claim(&[turn.text.as_str().to_owned()]);
            self.found.extend(claim.map(|claim| (ItemKind::Turn(turn.id), claim)));
        }
        Ok(())
    }

    fn look_at_traces(&mut self, traces: &[Trace]) {
        for trace in traces {
            let is_own = trace.subject.as_ref().is_some_and(|subject| self.references.contains(subject));
            let claim = if is_own { None } else { self.claim(&words::of(&trace.body)) };
            self.found.extend(claim.map(|claim| (ItemKind::Trace(trace.recall), claim)));
        }
    }

    /// The files people edit. The owner's files are destroyed as a whole if the subject is the owner.
    async fn look_at_files(&mut self, store: &Store, scope: &Scope) -> Result<(), StoreError> {
        let is_owner = self.references.iter().any(SubjectRef::is_owner);
        for name in store.list(scope).await? {
            let Some(document) = store.read(scope, name).await? else { continue };
            let claim = if is_owner && name.is_owners() {
                Some(Claim::Own)
            } else {
                self.claim(&words::of_file(document.content.as_str()))
            };
            self.found.extend(claim.map(|claim| (ItemKind::Document(name.to_string()), claim)));
        }
        Ok(())
    }

    fn claim(&self, texts: &[String]) -> Option<Claim> {
        self.wanted.claim(texts.iter().map(String::as_str))
    }
}
