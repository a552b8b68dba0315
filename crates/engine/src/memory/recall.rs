//! `POST /v1/personas/{p}/recall`: from a cue to text for a prompt; then the explanation, and the report
//! of what a reply used.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{
    Atom, Brightness, EventKind, Listener, MemoryId, RecallId, Rehearsal, RehearsalKind, RehearsalPolicy,
    SessionId, SubjectRef, Text, Timestamp,
};
use recall::{CueEncoder, Parts, Question, Recollection, Request, SessionSoFar, Shortlisted, recollect};
use store::{Batch, Deployment, EventDraft, PersonaEntry, Records, Trace};
use wire::recall::{
    Recall, RecallAnswer, RecallTrace, Recalled, RecalledAtom, RecalledEntry, RehearsedMemory, ScoreParts,
    Used, UsedAnswer,
};
use wire::{Code, Problem};

use crate::call::{Call, PersonaKey};
use crate::memory::read_shortlist::Reading;
use crate::memory::recall_sequence::{FinishedRecall, RecallRequest, Selection};
use crate::memory::rehearsal::PendingWrite;
use crate::memory::stored_trace::{RenderedMemories, StoredTrace, UnwrittenTrace};
use crate::persona::notices::of_memory;
use crate::persona::open::{OpenPersona, View};
use crate::persona::registry::PersonaContext;
use crate::talk::context::Record;
use crate::talk::session::SessionKey;
use crate::{Engine, boxed};

/// A recall in progress.
pub(crate) struct RecallContext<'a> {
    pub(crate) persona: &'a PersonaContext,
    pub(crate) open: &'a OpenPersona,
    pub(crate) view: &'a View,
    pub(crate) listener: Listener,
    pub(crate) now: Timestamp,
    /// Computes the sentence vectors of the cue, if an encoder is available.
    pub(crate) encoder: Option<&'a CueEncoder>,
}

/// A recall to be recorded.
pub(crate) struct NewRecall<'a> {
    pub(crate) id: RecallId,
    pub(crate) persona: &'a PersonaContext,
    pub(crate) open: &'a OpenPersona,
    pub(crate) listener: &'a Listener,
}

/// The turn of a conversation that a recall is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecallTurn {
    /// The next turn.
    Next,
    /// The latest turn, answered again: the memories it rendered are not in cooldown.
    Latest,
    /// The next turn, without cooldown: the built-in voice must not deny what was just said.
    WithoutCooldown,
}

/// The cue and its limits.
#[derive(Clone, Copy)]
pub(crate) struct CueWords<'a> {
    pub(crate) cue: &'a str,
    pub(crate) topics: &'a [Text],
    /// The greatest number of memories, if lower than the policy's.
    pub(crate) most: Option<u32>,
}

impl<'a> CueWords<'a> {
    /// A cue without other limits.
    pub(crate) const fn of(cue: &'a str) -> Self {
        Self { cue, topics: &[], most: None }
    }
}

/// The result of a recall, and what a model contributed.
#[derive(Clone)]
pub(crate) struct RecallResult {
    pub(crate) recollection: Recollection,
    /// How a model read the shortlist, if one did.
    pub(crate) reading: Option<Reading>,
}

impl std::ops::Deref for RecallResult {
    type Target = Recollection;

    fn deref(&self) -> &Recollection {
        &self.recollection
    }
}

impl Engine {
    /// What the persona remembers, as text for a prompt. While memory is off, only its timeline.
    #[boxed]
    pub async fn recall(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: Recall,
    ) -> Result<RecallAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let has_memory = persona.loaded.demand_memory().is_ok();
        let listener = self.speaker(call, &persona, asked.subject.clone(), asked.session_id.clone()).await?;
        let request = RecallRequest {
            persona: &persona,
            listener: &listener,
            turn: RecallTurn::Next,
            words: CueWords { cue: asked.cue.as_str(), topics: &asked.topics, most: asked.max_memories },
            as_of: asked.at,
            selection: Selection::ByModel,
        };
        let FinishedRecall { recalled, view: _, open, running: _running } =
            self.recall_memories(call, &request).await?;
        let recall_id = RecallId(self.new_uuid(call.now)?);
        let mut answer = answered(recall_id, &recalled);
        answer.degraded = answer.degraded.or_else(|| self.without_encoders());
        answer.notices = of_memory(&persona.loaded, &persona.entry.name).into_iter().collect();
        let record = call.caller.recorded(asked.off_record.into());
        // Recalls of another time, those off the record, and those without memory write nothing.
        if asked.at.is_none() && record == Record::On && has_memory {
            let new = NewRecall { id: recall_id, persona: &persona, open: &open, listener: &listener };
            self.record_recall(call, &new, Arc::new(recalled));
        }
        Ok(answer)
    }

    /// Why a recall returned what it did.
    #[boxed]
    pub async fn explain_recall(&self, call: &Call, id: RecallId) -> Result<RecallTrace, Problem> {
        let (persona, trace, kept) = self.stored_trace(call, id).await?;
        self.check_trace(call, &persona, &trace, || no_recall(id)).await?;
        let mut rehearsed_since = Vec::new();
        for memory in kept.rendered.details.keys() {
            let history = self.store.rehearsals(&persona.entry.scope(), *memory).await?;
            let since = history.into_iter().filter(|rehearsal| rehearsal.at >= trace.at);
            rehearsed_since.extend(since.map(|rehearsal| RehearsedMemory { id: *memory, rehearsal }));
        }
        let mut reasons = serde_json::to_value(&kept.reasons).unwrap_or_default();
        if let (Some(reading), Some(reasons)) = (&kept.reading, reasons.as_object_mut()) {
            reasons.insert("reading".to_owned(), serde_json::to_value(reading).unwrap_or_default());
            reasons.extend(reading.degraded().map(|degraded| ("degraded".to_owned(), degraded.into())));
        }
        Ok(RecallTrace { recall_id: id, at: trace.at, trace: reasons, rehearsed_since })
    }

    /// Reports which memories a reply used, so that they count as rehearsed.
    #[boxed]
    pub async fn report_used(&self, call: &Call, id: RecallId, asked: Used) -> Result<UsedAnswer, Problem> {
        let (persona, trace, kept) = self.stored_trace(call, id).await?;
        self.check_trace(call, &persona, &trace, || no_recall(id)).await?;
        self.rehearse_used(call, &persona, id, &kept.rendered, asked).await
    }

    /// Rehearses the memories that a reply used, of those that a recall rendered.
    pub(crate) async fn rehearse_used(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: RecallId,
        rendered: &RenderedMemories,
        asked: Used,
    ) -> Result<UsedAnswer, Problem> {
        // A memory is rehearsed by being rendered before it is rehearsed by being mentioned.
        self.flush_writes(&persona.entry.scope()).await?;
        let open = self.open(persona).await?;
        let mentioned = self.mentioned(persona, rendered, &asked, call.now).await?;
        let key = session_key(rendered.session.clone(), rendered.subject.clone(), id);
        let ids: Vec<MemoryId> = mentioned.keys().copied().collect();
        let rehearsed = open.sessions.first_rehearsals(&key, &ids, call.now);
        let first_mentions = open.sessions.first_mentions(&key, &ids, call.now);
        let policy = &persona.loaded.document.memory_policy;
        let mut batch = Batch::at(call.now);
        for (memory, spoken) in mentioned {
            let kind = match (rehearsed.contains(&memory), first_mentions.contains(&memory)) {
                (true, _) => RehearsalKind::Mentioned,
                // Rendering already rehearsed it; the details that the reply mentions brighten as well.
                (false, true) if !spoken.is_empty() => RehearsalKind::Spoken,
                (false, _) => continue,
            };
            let rehearsal = Rehearsal { at: call.now, kind, spoken };
            let rate = policy.audit_policy.log_rehearsal;
            batch = self.with_rehearsal(batch, memory, rehearsal, rate, &call.caller.actor);
        }
        if !batch.changes.is_empty() {
            self.store.commit(&persona.entry.scope(), batch).await?;
        }
        Ok(UsedAnswer { rehearsed })
    }

    /// Records a recall that is on the record; its trace and its rehearsals are written after the answer.
    pub(crate) fn record_recall(&self, call: &Call, new: &NewRecall<'_>, recalled: Arc<RecallResult>) {
        let policy = &new.persona.loaded.document.memory_policy;
        let Listener { session, subject, .. } = new.listener.clone();
        let key = session_key(session.clone(), subject.clone(), new.id);
        new.open.sessions.record_rendered(&key, &recalled, call.now);
        let shown: Vec<MemoryId> = recalled.memories.iter().map(|memory| memory.id).collect();
        let rehearsed = match policy.rehearsal_policy {
            RehearsalPolicy::Rendered => new.open.sessions.first_rehearsals(&key, &shown, call.now),
            RehearsalPolicy::Mentioned => Vec::new(),
        };
        let actor = &call.caller.actor;
        let mut batch = Batch::at(call.now);
        for memory in &rehearsed {
            // Being rendered into a prompt is no mention: no detail brightens by it.
            let rehearsal = Rehearsal { at: call.now, kind: RehearsalKind::Rendered, spoken: Vec::new() };
            batch = self.with_rehearsal(batch, *memory, rehearsal, policy.audit_policy.log_rehearsal, actor);
        }
        let id = new.id;
        for memory in
            shown.iter().filter(|m| self.is_logged(policy.audit_policy.log_retrieval, &format!("{id}{m}")))
        {
            batch =
                batch.with_event(EventDraft::new(EventKind::MemoryRetrieved, actor.clone()).about(memory));
        }
        let rendered = RenderedMemories::of(&recalled, session, subject);
        let trace = Box::new(UnwrittenTrace { recall: id, at: call.now, shown, rendered, recalled });
        let scope = new.persona.entry.scope();
        self.memory_state.recent_recalls.note(id, &scope);
        self.write_later(scope, PendingWrite { batch, trace });
    }

    /// The trace of a recall in any persona of the caller's tenant.
    async fn stored_trace(
        &self,
        call: &Call,
        id: RecallId,
    ) -> Result<(PersonaContext, Trace, StoredTrace), Problem> {
        if let Some(entry) = self.entry_of_recall(call, id).await?
            && let Some(stored) = self.trace_in(call, &entry, id).await?
        {
            return Ok(stored);
        }
        for entry in self.visible_with_records(call).await?.whole {
            if let Some(stored) = self.trace_in(call, &entry, id).await? {
                return Ok(stored);
            }
        }
        Err(no_recall(id))
    }

    /// The persona of a recall that was made a short time ago, if the caller may see it.
    async fn entry_of_recall(&self, call: &Call, id: RecallId) -> Result<Option<PersonaEntry>, Problem> {
        let tenant = &call.caller.tenant;
        let Some(scope) = self.memory_state.recent_recalls.scope(id).filter(|scope| scope.tenant == *tenant)
        else {
            return Ok(None);
        };
        let entry = self.store.persona_with_id(tenant, scope.persona).await?;
        Ok(entry.filter(|entry| call.caller.sees(entry.id)))
    }

    /// The trace of a recall, if it was made in this persona.
    async fn trace_in(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        id: RecallId,
    ) -> Result<Option<(PersonaContext, Trace, StoredTrace)>, Problem> {
        let scope = entry.scope();
        self.flush_writes(&scope).await?;
        let Some(trace) = self.store.trace(&scope, id).await? else { return Ok(None) };
        let damaged = || Problem::new(Code::RecordDamaged, format!("the trace of recall {id} can't be read"));
        let kept = StoredTrace::read(&trace).ok_or_else(damaged)?;
        let loaded = self.load_document(entry, call.now).await?;
        Ok(Some((PersonaContext { entry: entry.clone(), loaded }, trace, kept)))
    }

    /// Which of the rendered memories a reply mentioned, and which of their details.
    async fn mentioned(
        &self,
        persona: &PersonaContext,
        rendered: &RenderedMemories,
        asked: &Used,
        now: Timestamp,
    ) -> Result<BTreeMap<MemoryId, Vec<usize>>, Problem> {
        let named =
            asked.ids.iter().filter_map(|id| rendered.details.get(id).map(|spoken| (*id, spoken.clone())));
        let mut mentioned: BTreeMap<MemoryId, Vec<usize>> = named.collect();
        if let Some(reply) = &asked.reply {
            let shown: Vec<MemoryId> = rendered.details.keys().copied().collect();
            let language = &persona.loaded.document.identity.language;
            for stored in self.store.atoms(&persona.entry.scope(), &shown).await? {
                if let Some(mut spoken) = recall::mentions(&stored.atom, &shown, reply.as_str(), language) {
                    // A mention doesn't revive faded details; only learning them again does.
                    spoken.retain(|position| is_rendered(&stored.atom, *position, now));
                    mentioned.insert(stored.atom.id, spoken);
                }
            }
        }
        Ok(mentioned)
    }
}

impl RecallContext<'_> {
    /// The recall itself; it writes nothing. If `selected` is given, only these memories are rendered, in
    /// that order.
    pub(crate) fn recollect(
        &self,
        turn: RecallTurn,
        words: &CueWords<'_>,
        selected: Option<&[MemoryId]>,
    ) -> Recollection {
        self.with_request(turn, words, selected, recollect)
    }

    /// The best `most` memories that may be rendered in this turn, and the turn's number.
    pub(crate) fn shortlist(
        &self,
        turn: RecallTurn,
        words: &CueWords<'_>,
        most: u32,
    ) -> (Vec<Shortlisted>, u32) {
        self.with_request(turn, words, None, |request| {
            (recall::shortlist(request, most), request.session.turn)
        })
    }

    fn with_request<T>(
        &self,
        turn: RecallTurn,
        words: &CueWords<'_>,
        selected: Option<&[MemoryId]>,
        act: impl FnOnce(&Request<'_>) -> T,
    ) -> T {
        let document = &self.persona.loaded.document;
        act(&Request {
            question: Question {
                cue: words.cue,
                topics: words.topics,
                listener: &self.listener,
                policy: &document.memory_policy,
                now: self.now,
                encoder: self.encoder,
            },
            memories: &self.view.snapshot,
            life: &self.view.biography,
            session: &self.session(turn),
            most: words.most,
            window: document.bindings.runtime_config.context_window_tokens,
            about: document.bindings.runtime_config.remembers_about.as_str(),
            selected,
        })
    }

    /// The state of the conversation for `turn`.
    fn session(&self, turn: RecallTurn) -> SessionSoFar {
        let Listener { session, subject, .. } = &self.listener;
        let key = session
            .as_ref()
            .map(|session| SessionKey { session: session.to_string(), subject: subject.clone() });
        let sessions = &self.open.sessions;
        match turn {
            RecallTurn::Next => sessions.next_turn(key.as_ref()),
            RecallTurn::Latest => sessions.latest_turn(key.as_ref()),
            RecallTurn::WithoutCooldown => {
                SessionSoFar { rendered: BTreeMap::default(), ..sessions.next_turn(key.as_ref()) }
            }
        }
    }
}

fn is_rendered(atom: &Atom, position: usize, now: Timestamp) -> bool {
    let detail = atom.details.get(position);
    detail.is_some_and(|detail| atom.brightness_at(detail, now) >= Brightness::RENDERED)
}

fn no_recall(id: RecallId) -> Problem {
    let detail = format!("no recall {id}; traces are kept for 30 days, and none off the record");
    Problem::new(Code::NotFound, detail)
}

/// The conversation of a recall; one without a session is a conversation of its own.
fn session_key(session: Option<SessionId>, subject: Option<SubjectRef>, recall: RecallId) -> SessionKey {
    let session = session.map_or_else(|| recall.to_string(), |session| session.to_string());
    SessionKey { session, subject }
}

fn answered(recall_id: RecallId, recalled: &RecallResult) -> RecallAnswer {
    let atoms = recalled.memories.iter().map(|memory| {
        Recalled::Atom(RecalledAtom {
            id: memory.id,
            kind: memory.kind,
            vividness: memory.vividness,
            score: memory.score,
            parts: parts(memory.parts),
            gist: memory.gist.clone(),
            details: memory.details.iter().map(|detail| detail.content.clone()).collect(),
        })
    });
    let events = recalled.events.iter().map(|lived| {
        Recalled::Entry(RecalledEntry {
            id: lived.id,
            memory_type: lived.memory_type,
            vividness: lived.vividness,
            score: lived.score,
            parts: parts(lived.parts),
            gist: lived.label.clone(),
            details: lived.passages.clone(),
        })
    });
    RecallAnswer {
        recall_id,
        memories: atoms.chain(events).collect(),
        rendered: Text::new(recalled.rendered.clone()),
        degraded: recalled.reading.as_ref().and_then(Reading::degraded),
        notices: Vec::new(),
    }
}

fn parts(parts: Parts) -> ScoreParts {
    let Parts { salience, relevance, recency, topical } = parts;
    ScoreParts { salience, relevance, recency, topical }
}
