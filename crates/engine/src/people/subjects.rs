//! The people known to a tenant's personas, and what is known of each.

use std::collections::BTreeMap;

use domain::{Atom, PersonaName, SubjectRef, lifecycle};
use store::{PersonaEntry, Records, Subject};
use wire::memory::MemoryView;
use wire::persona::BrokenPersona;
use wire::subject::{KnownByPersona, KnownMemory, SubjectAnswer, SubjectList, SubjectRole, SubjectSummary};
use wire::{Code, Problem};

use crate::access::law::is_visible;
use crate::call::Call;
use crate::{Engine, boxed};

/// What one persona knows of a person.
pub(crate) struct KnownSubject {
    pub(crate) entry: PersonaEntry,
    pub(crate) subject: Subject,
}

impl Engine {
    /// Everyone with records in the caller's tenant.
    #[boxed]
    pub async fn list_subjects(&self, call: &Call) -> Result<SubjectList, Problem> {
        let mut people: BTreeMap<SubjectRef, SubjectSummary> = BTreeMap::new();
        let mut broken = self.usable_personas(call).await?.broken;
        for KnownSubject { entry, subject } in self.everyone(call).await? {
            if broken.iter().any(|left_out| left_out.persona == entry.name) {
                continue;
            }
            let memories = match self.memories_of(call, &entry, &subject.subject).await {
                Ok(memories) => memories.len(),
                Err(problem) => {
                    broken.push(BrokenPersona::new(&entry.name, &problem));
                    continue;
                }
            };
            if let Some(known) = people.get_mut(&subject.subject) {
                add(known, &entry.name, &subject, memories);
            } else {
                people.insert(subject.subject.clone(), summary(entry.name, subject, memories));
            }
        }
        Ok(SubjectList { data: people.into_values().collect(), broken })
    }

    /// What is known of one person, by each persona.
    #[boxed]
    pub async fn show_subject(&self, call: &Call, named: &SubjectRef) -> Result<SubjectAnswer, Problem> {
        // One unreadable persona must not hide what the others know.
        let broken = self.usable_personas(call).await?.broken;
        let mut personas_knowing = self.personas_knowing(call, named).await?;
        personas_knowing.retain(|known| broken.iter().all(|broken| broken.persona != known.entry.name));
        let mut known = Vec::new();
        for KnownSubject { entry, subject } in &personas_knowing {
            known.push(self.known_by(call, entry, &subject.subject).await?);
        }
        let memories = known.iter().map(|known| known.memories.len()).collect::<Vec<_>>();
        let mut people = personas_knowing.into_iter().zip(memories);
        let (first, count) = people.next().ok_or_else(|| nobody(named))?;
        let mut subject = summary(first.entry.name, first.subject, count);
        for (other, count) in people {
            add(&mut subject, &other.entry.name, &other.subject, count);
        }
        Ok(SubjectAnswer { subject, known })
    }

    /// The personas with records of the person `named`, by reference or alias. An error if there are none.
    pub(crate) async fn personas_knowing(
        &self,
        call: &Call,
        named: &SubjectRef,
    ) -> Result<Vec<KnownSubject>, Problem> {
        let everyone = self.everyone(call).await?;
        let is_named = |subject: &Subject| subject.subject == *named || subject.aliases.contains(named);
        let meant =
            everyone.iter().find(|known| is_named(&known.subject)).map(|known| &known.subject.subject);
        let meant = meant.cloned().ok_or_else(|| nobody(named))?;
        Ok(everyone.into_iter().filter(|known| known.subject.subject == meant).collect())
    }

    /// The ids of all of a person's memories with one persona, including those the caller may not see.
    pub(crate) async fn memories_of(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        subject: &SubjectRef,
    ) -> Result<Vec<domain::MemoryId>, Problem> {
        let persona = self.persona_context(call, entry).await?;
        let (open, _) = self.view(&persona).await?;
        let cards = open.cards();
        let mut own: Vec<_> = cards.values().filter(|card| card.is_of(subject)).collect();
        own.sort_by_key(|card| (card.created_at, card.id));
        Ok(own.into_iter().map(|card| card.id).collect())
    }

    /// A person's memories with one persona, those the caller may see.
    pub(crate) async fn shown_memories_of(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        subject: &SubjectRef,
    ) -> Result<Vec<Atom>, Problem> {
        let persona = self.persona_context(call, entry).await?;
        let access = self.access(call, &persona, None).await?;
        let ids = self.memories_of(call, entry, subject).await?;
        let atoms = self.store.atoms(&entry.scope(), &ids).await?;
        let (open, _) = self.view(&persona).await?;
        let expired = self.expired(&persona, &open, call.now).await?;
        let atoms = atoms.into_iter().map(|stored| expired.mark(stored.atom));
        Ok(atoms.filter(|atom| is_visible(&persona, &access, atom)).collect())
    }

    async fn everyone(&self, call: &Call) -> Result<Vec<KnownSubject>, Problem> {
        let mut everyone = Vec::new();
        for entry in self.visible_with_records(call).await?.whole {
            let scope = entry.scope();
            self.flush_writes(&scope).await?;
            for subject in self.store.subjects(&scope).await? {
                everyone.push(KnownSubject { entry: entry.clone(), subject });
            }
        }
        Ok(everyone)
    }

    async fn known_by(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        subject: &SubjectRef,
    ) -> Result<KnownByPersona, Problem> {
        let scope = entry.scope();
        let policy = &self.persona_context(call, entry).await?.loaded.document.memory_policy;
        let contact = self.last_contact(&scope, Some(subject)).await?;
        let atoms = self.shown_memories_of(call, entry, subject).await?;
        let loaded = self.store.load(&scope).await?;
        let mentions = loaded.atoms.iter().filter(|stored| stored.atom.mentions.contains(subject));
        let traces = self.store.traces(&scope).await?;
        let documents = self.store.subject_documents(&scope, subject).await?;
        Ok(KnownByPersona {
            persona: entry.name.clone(),
            memories: atoms
                .into_iter()
                .map(|mut atom| {
                    let retention_ends_at = lifecycle::retention_ends(&atom, policy, contact);
                    lifecycle::expire(&mut atom, policy, contact, call.now);
                    KnownMemory { memory: MemoryView::new(&atom, call.now), retention_ends_at }
                })
                .collect(),
            mentioned_in: mentions.map(|stored| stored.atom.id).collect(),
            sessions: self.store.sessions(&scope, Some(subject)).await?.len(),
            documents: documents.iter().map(ToString::to_string).collect(),
            traces: traces.iter().filter(|trace| trace.subject.as_ref() == Some(subject)).count(),
        })
    }
}

/// The summary of a person whom one persona knows.
fn summary(persona: PersonaName, subject: Subject, memories: usize) -> SubjectSummary {
    let role = if subject.subject.is_owner() { SubjectRole::Owner } else { SubjectRole::Guest };
    SubjectSummary {
        subject: subject.subject,
        role,
        aliases: subject.aliases,
        since: subject.since,
        held_since: subject.held_since,
        personas: vec![persona],
        memories,
    }
}

/// Adds what another persona knows.
fn add(known: &mut SubjectSummary, persona: &PersonaName, subject: &Subject, memories: usize) {
    known.personas.push(persona.clone());
    known.memories += memories;
    known.since = known.since.min(subject.since);
    known.held_since = [known.held_since, subject.held_since].into_iter().flatten().min();
    let new: Vec<SubjectRef> =
        subject.aliases.iter().filter(|alias| !known.aliases.contains(alias)).cloned().collect();
    known.aliases.extend(new);
}

/// The message repeats no name: the reference may be a person's address.
fn nobody(named: &SubjectRef) -> Problem {
    let length = named.as_str().chars().count();
    let detail = format!(
        "no person with records has that reference of {length} characters; see `selfhood subject list`"
    );
    Problem::new(Code::SubjectNotFound, detail)
}
