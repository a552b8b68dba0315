//! `POST /v1/personas/{p}/memories`: creates a memory, or refuses it with a reason.

use domain::creation::{Circumstances, CreationRefusal, Room, admit};
use domain::derivation::inherit;
use domain::{
    Actor, Atom, ConsentsOnRecord, Detail, EventKind, MemoryId, MemoryPolicy, Provenance, RedactionStatus,
    Text, Timestamp, Trust,
};
use store::{Batch, Change, EventDraft, Expect, NewAtom, Records};
use wire::key::KeyScope;
use wire::memory::{MemoryAnswer, MemoryView, Remember};
use wire::{Code, Pointed, Problem};

use crate::access::law::{Act, authored};
use crate::call::{Call, PersonaKey};
use crate::memory::embedding;
use crate::memory::room::Occupancy;
use crate::persona::create::gone;
use crate::persona::open::OpenPersona;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

impl Engine {
    /// Creates a memory.
    #[boxed]
    pub async fn remember(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: Remember,
    ) -> Result<MemoryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let ticket = self.ticket(call)?;
        if let Some(ticket) = &ticket {
            let before = self.store.request(&persona.entry.scope(), ticket.tag()).await?;
            if let Some(id) = ticket.resource(before)? {
                return self.memory_again(call, &persona, &id).await;
            }
        }
        let (open, _) = self.view(&persona).await?;
        let id = self.new_memory_id(|id| open.cards().contains_key(&id))?;
        let mut atom = self.draft(call, &persona.loaded.document.memory_policy, id, asked)?;
        self.inherit_from_sources(call, &persona, &mut atom).await?;
        let atom = authored(call, &open, atom)?;
        check_words(&atom)?;
        check_minimum(&persona.loaded.document.memory_policy, &atom)?;
        let mut batch = Batch::at(call.now);
        if let Some(ticket) = &ticket {
            let answered = ticket.answered(201, atom.id.to_string(), call.now);
            batch = batch
                .expecting(Expect::RequestUnanswered(ticket.tag()))
                .with(Change::RecordRequest(answered));
        }
        self.keep(call, &persona, &open, atom.clone(), batch).await?;
        Ok(MemoryAnswer { memory: MemoryView::new(&atom, call.now) })
    }

    /// Admits `atom` under the persona's policy and commits it together with `batch`.
    pub(crate) async fn keep(
        &self,
        call: &Call,
        persona: &PersonaContext,
        open: &OpenPersona,
        atom: Atom,
        batch: Batch,
    ) -> Result<(), Problem> {
        let batch = match self.with_new(persona, open, atom, &call.caller.actor, batch).await? {
            Ok(batch) => batch,
            Err(refusal) => return Err(self.refused(call, persona, refusal).await),
        };
        self.commit(&persona.entry.scope(), batch).await?;
        Ok(())
    }

    /// Adds `atom` to `batch` if the persona's policy admits it, and evicts another memory if there is no
    /// room.
    pub(crate) async fn with_new(
        &self,
        persona: &PersonaContext,
        open: &OpenPersona,
        atom: Atom,
        actor: &Actor,
        batch: Batch,
    ) -> Result<Result<Batch, CreationRefusal>, Problem> {
        let pinned_atoms = if atom.pinned { open.pinned_of(atom.subject.as_ref()) } else { 0 };
        let consents = self.recorded_consents(&persona.entry.scope(), [&atom]).await?;
        let occupancy = Occupancy::after(open, &batch);
        let circumstances = self.circumstances(persona, &occupancy, &consents.on_record);
        let room = match admit(&atom, &Circumstances { pinned_atoms, ..circumstances }) {
            Ok(room) => room,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut batch = batch;
        batch.expect.extend(consents.expect);
        if room == Room::ArchiveLightest {
            let most = persona.loaded.document.memory_policy.max_atoms;
            batch = occupancy.archiving(open, batch, 1, most, actor);
        }
        let event = EventDraft::created(&atom, actor.clone());
        let vector = Some(embedding::packed(&atom));
        Ok(Ok(batch.with(Change::PutAtom(Box::new(NewAtom { atom, vector }))).with_event(event)))
    }

    /// The facts besides the atom that decide whether it may be created.
    pub(crate) fn circumstances<'c>(
        &'c self,
        persona: &'c PersonaContext,
        occupancy: &Occupancy,
        consents: &'c ConsentsOnRecord,
    ) -> Circumstances<'c> {
        Circumstances {
            persona: &persona.loaded.document,
            is_signed: persona.loaded.is_signed,
            added_bases: &self.consent.added,
            consents,
            // A new id can't be that of a tombstone; the store refuses it if it is.
            restores_forgotten: None,
            active_atoms: u32::try_from(occupancy.active).unwrap_or(u32::MAX),
            pinned_atoms: 0,
            can_archive: occupancy.can_archive,
        }
    }

    /// Records the refusal and its rule in the audit log; never the text.
    async fn refused(&self, call: &Call, persona: &PersonaContext, refusal: CreationRefusal) -> Problem {
        let event =
            EventDraft::new(EventKind::MemoryRefused, call.caller.actor.clone()).about(refusal.code());
        let written = self.store.commit(&persona.entry.scope(), Batch::at(call.now).with_event(event)).await;
        written.map_or_else(Problem::from, |_| refusal.into())
    }

    /// The atom that `asked` describes, with defaults filled in.
    pub(crate) fn draft(
        &self,
        call: &Call,
        policy: &MemoryPolicy,
        id: MemoryId,
        asked: Remember,
    ) -> Result<Atom, Problem> {
        let created_at = creation_time(call, asked.created_at)?;
        let provenance = match asked.provenance {
            Some(provenance) => provenance,
            None => self.default_provenance(call)?,
        };
        let detail = |new: wire::memory::NewDetail| Detail {
            content: new.content.trimmed(),
            brightness: new.brightness,
            brightened_at: None,
        };
        Ok(Atom {
            id,
            kind: asked.kind,
            created_at,
            last_rehearsed_at: created_at,
            rehearsal_count: 0,
            gist: asked.gist.trimmed(),
            details: asked.details.into_iter().map(detail).collect(),
            cues: asked.cues.iter().map(Text::trimmed).collect(),
            salience: asked.salience,
            emotional_valence: asked.emotional_valence,
            decay_profile: asked.decay_profile.unwrap_or_else(|| policy.decay_profile(asked.kind)),
            privacy_class: asked.privacy_class,
            consent_basis: asked.consent_basis,
            redaction_status: RedactionStatus::Active,
            provenance,
            tags: asked.tags,
            derived_from: asked.derived_from,
            subject: asked.subject,
            mentions: asked.mentions,
            trust: if asked.created_at.is_some() { Trust::Import } else { Trust::Operator },
            pinned: asked.pinned,
            pinned_at: asked.pinned.then_some(created_at),
            event_date: asked.event_date,
            language: asked.language,
            said_by: asked.said_by.map(|name| name.trimmed()),
            archived_at: None,
            revises: None,
            released_at: None,
            review: None,
            audit_hold: false,
            extensions: asked.extensions,
        })
    }

    /// A derived memory takes the strictest class of its sources and their subject.
    async fn inherit_from_sources(
        &self,
        call: &Call,
        persona: &PersonaContext,
        atom: &mut Atom,
    ) -> Result<(), Problem> {
        if atom.derived_from.is_empty() {
            return Ok(());
        }
        let mut sources: Vec<Atom> = Vec::with_capacity(atom.derived_from.len());
        for id in &atom.derived_from {
            sources.push(self.memory(call, persona, *id, Act::See).await?.atom);
        }
        let inherited = inherit(&sources).map_err(|refusal| {
            wire::read::invalid(vec![Pointed {
                pointer: "/derivedFrom".to_owned(),
                detail: refusal.to_string(),
            }])
        })?;
        atom.privacy_class = atom.privacy_class.max(inherited.privacy_class);
        atom.subject = inherited.subject.or_else(|| atom.subject.take());
        atom.mentions.extend(inherited.mentions);
        atom.trust = inherited.trust;
        Ok(())
    }

    /// The provenance of a memory whose caller gives none.
    pub(crate) fn default_provenance(&self, call: &Call) -> Result<Provenance, Problem> {
        let session = format!("sess:api-{}", self.new_uuid(call.now)?);
        let session_id = session
            .parse()
            .map_err(|error: domain::InvalidId| Problem::new(Code::Internal, error.to_string()))?;
        Ok(Provenance { session_id, turn_index: 0, deployment_did: self.deployment.clone() })
    }

    /// A memory as it is now, for a repeated request.
    #[boxed]
    pub async fn show_memory(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: MemoryId,
    ) -> Result<MemoryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        self.memory_again(call, &persona, &id.to_string()).await
    }

    async fn memory_again(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: &str,
    ) -> Result<MemoryAnswer, Problem> {
        let parsed: MemoryId = id.parse().map_err(|error| crate::error::nothing_named(&error))?;
        let stored =
            self.memory(call, persona, parsed, Act::See).await.map_err(|problem| gone(problem, id))?;
        Ok(MemoryAnswer { memory: MemoryView::new(&stored.atom, call.now) })
    }
}

pub(crate) fn memory_not_found(id: MemoryId) -> Problem {
    Problem::new(Code::MemoryNotFound, format!("no memory {id}; see `selfhood memory list`"))
}

/// Callers with the right scope may give a time in the past; nobody may give one in the future.
pub(crate) fn creation_time(call: &Call, asked: Option<Timestamp>) -> Result<Timestamp, Problem> {
    let at = asked.unwrap_or(call.now);
    if at > call.now {
        let detail = "must not be in the future".to_owned();
        return Err(wire::read::invalid(vec![Pointed { pointer: "/createdAt".to_owned(), detail }]));
    }
    if asked.is_some() && !call.caller.may(KeyScope::Admin) {
        let detail = "only a key with `admin` may set `createdAt`; leave it out";
        return Err(Problem::new(Code::Forbidden, detail));
    }
    Ok(at)
}

/// Text of only white space passes the schema and is refused here.
pub(crate) fn check_words(atom: &Atom) -> Result<(), Problem> {
    let details = atom.details.iter().enumerate();
    let details = details.map(|(n, detail)| (format!("/details/{n}/content"), &detail.content));
    let blank = std::iter::once(("/gist".to_owned(), &atom.gist))
        .chain(details)
        .chain(atom.cues.iter().enumerate().map(|(n, cue)| (format!("/cues/{n}"), cue)))
        .chain(atom.said_by.iter().map(|name| ("/saidBy".to_owned(), name)))
        .filter(|(_, text)| text.length() == 0);
    let errors: Vec<Pointed> = blank
        .map(|(pointer, _)| Pointed {
            pointer,
            detail: "must have at least 1 character that isn't a space".to_owned(),
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(wire::read::invalid(errors)) }
}

/// A memory is recalled until it is archived; a decay profile that says otherwise is refused.
pub(crate) fn check_minimum(policy: &MemoryPolicy, atom: &Atom) -> Result<(), Problem> {
    let problem = domain::validate::check_minimum(policy, atom);
    problem.map_or(Ok(()), |problem| Err(wire::read::invalid(vec![problem.into()])))
}
