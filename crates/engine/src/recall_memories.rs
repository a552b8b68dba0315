//! `POST /v1/personas/{p}/recall`: from a cue to the words in a prompt; then why, and what was used of it.

use std::collections::BTreeMap;

use domain::{
    Atom, Brightness, EventKind, Listener, MemoryId, RecallId, Rehearsal, RehearsalKind, RehearsalPolicy,
    SessionId, SubjectRef, Text, Timestamp,
};
use recall::{Parts, Question, Recollection, Request, SessionSoFar, recollect};
use serde::{Deserialize, Serialize};
use store::{Batch, Change, Deployment, EventDraft, Records, Trace, WrittenJson};
use wire::recall::{
    Recall, RecallAnswer, RecallTrace, Recalled, RecalledAtom, RecalledEntry, RehearsedMemory, ScoreParts,
    Used, UsedAnswer,
};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::failure::told;
use crate::open::{OpenPersona, View};
use crate::personas::Found;
use crate::session::SessionKey;

pub(crate) use domain::OWNER;

/// What a trace keeps besides the reasons, so that a reply can be matched against it later.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    reasons: recall::Trace,
    session: Option<SessionId>,
    /// The details that were told, by memory.
    told: BTreeMap<MemoryId, Vec<usize>>,
}

/// One recall on its way.
pub(crate) struct Recalling<'a> {
    pub(crate) found: &'a Found,
    pub(crate) open: &'a OpenPersona,
    pub(crate) view: &'a View,
    pub(crate) listener: Listener,
    pub(crate) now: Timestamp,
}

impl Engine {
    /// What the persona remembers, as words for a prompt.
    pub async fn recall(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: Recall,
    ) -> Result<RecallAnswer, Problem> {
        let found = self.find(call, key).await?;
        found.standing.demand_memory()?;
        let open = self.open(&found).await?;
        let _on_its_way = open.recalling.read().await;
        let mut view = open.view(&self.store).await.map_err(told)?;
        let listener = self.speaker(call, &found, asked.subject.clone(), asked.session_id.clone()).await?;
        let now = asked.at.unwrap_or(call.now);
        if now < call.now {
            view = self.view_as_of(&found, &view, now).await?;
        }
        let recalling = Recalling { found: &found, open: &open, view: &view, listener, now };
        let came_back = recalling.recollect(asked.cue.as_str(), &asked.topics, asked.max_memories);
        let recall_id = RecallId(self.new_uuid(call.now)?);
        let answer = answered(recall_id, &came_back);
        // Looking at another time, and off the record, leave nothing behind.
        if asked.at.is_none() && !asked.off_record {
            self.note_recall(call, &recalling, recall_id, came_back);
        }
        Ok(answer)
    }

    /// Why a recall brought back what it did.
    pub async fn explain_recall(&self, call: &Call, id: RecallId) -> Result<RecallTrace, Problem> {
        let (found, trace, kept) = self.kept_trace(call, id).await?;
        self.check_trace(call, &found, &trace, || no_recall(id)).await?;
        let mut rehearsed_since = Vec::new();
        for memory in kept.told.keys() {
            let history = self.store.rehearsals(&found.entry.scope(), *memory).await.map_err(told)?;
            let since = history.into_iter().filter(|rehearsal| rehearsal.at >= trace.at);
            rehearsed_since.extend(since.map(|rehearsal| RehearsedMemory { id: *memory, rehearsal }));
        }
        let reasons = serde_json::to_value(&kept.reasons).unwrap_or_default();
        Ok(RecallTrace { recall_id: id, at: trace.at, trace: reasons, rehearsed_since })
    }

    /// Tells which memories a reply used, so that they count as told.
    pub async fn report_used(&self, call: &Call, id: RecallId, asked: Used) -> Result<UsedAnswer, Problem> {
        let (found, trace, _) = self.kept_trace(call, id).await?;
        self.check_trace(call, &found, &trace, || no_recall(id)).await?;
        self.rehearse_used(call, id, asked).await
    }

    /// Rehearses the memories that a reply used.
    pub(crate) async fn rehearse_used(
        &self,
        call: &Call,
        id: RecallId,
        asked: Used,
    ) -> Result<UsedAnswer, Problem> {
        let (found, trace, kept) = self.kept_trace(call, id).await?;
        let (open, _) = self.view(&found).await?;
        let mentioned = self.mentioned(&found, &kept, &asked, call.now).await?;
        let key = session_key(kept.session, trace.subject, id);
        let ids: Vec<MemoryId> = mentioned.keys().copied().collect();
        let rehearsed = open.sessions.first_rehearsals(&key, &ids, call.now);
        let policy = &found.standing.document.memory_policy;
        let mut batch = Batch::at(call.now);
        for memory in &rehearsed {
            let spoken = mentioned.get(memory).cloned().unwrap_or_default();
            let rehearsal = Rehearsal { at: call.now, kind: RehearsalKind::Mentioned, spoken };
            let rate = policy.audit_policy.log_rehearsal;
            batch = self.with_rehearsal(batch, *memory, rehearsal, rate, &call.caller.actor);
        }
        self.store.commit(&found.entry.scope(), batch).await.map_err(told)?;
        Ok(UsedAnswer { rehearsed })
    }

    /// What follows a recall that was on the record.
    pub(crate) fn note_recall(
        &self,
        call: &Call,
        recalling: &Recalling<'_>,
        id: RecallId,
        came_back: Recollection,
    ) {
        let policy = &recalling.found.standing.document.memory_policy;
        let Listener { session, subject, .. } = recalling.listener.clone();
        let key = session_key(session.clone(), subject.clone(), id);
        recalling.open.sessions.told(&key, &came_back, call.now);
        let shown: Vec<MemoryId> = came_back.memories.iter().map(|told| told.id).collect();
        let told: BTreeMap<MemoryId, Vec<usize>> = came_back
            .memories
            .iter()
            .map(|told| (told.id, told.details.iter().map(|detail| detail.position).collect()))
            .collect();
        let rehearsed = match policy.rehearsal_policy {
            RehearsalPolicy::Rendered => recalling.open.sessions.first_rehearsals(&key, &shown, call.now),
            RehearsalPolicy::Mentioned => Vec::new(),
        };
        let actor = &call.caller.actor;
        let mut batch = Batch::at(call.now);
        for memory in &rehearsed {
            let spoken = told.get(memory).cloned().unwrap_or_default();
            let rehearsal = Rehearsal { at: call.now, kind: RehearsalKind::Rendered, spoken };
            batch = self.with_rehearsal(batch, *memory, rehearsal, policy.audit_policy.log_rehearsal, actor);
        }
        for memory in
            shown.iter().filter(|m| self.is_logged(policy.audit_policy.log_retrieval, &format!("{id}{m}")))
        {
            batch = batch.saying(EventDraft::new(EventKind::MemoryRetrieved, actor.clone()).about(memory));
        }
        let kept = Kept { reasons: came_back.trace, session, told };
        // Writing our own types down can't fail: no map has keys that are not strings.
        let body = WrittenJson::of(&kept).unwrap_or_default();
        let trace = Trace { recall: id, at: call.now, subject, shown, body };
        self.afterwards(recalling.found.entry.scope(), batch.with(Change::PutTrace(Box::new(trace))));
    }

    /// A recall's trace, wherever in the caller's tenant it was made.
    async fn kept_trace(&self, call: &Call, id: RecallId) -> Result<(Found, Trace, Kept), Problem> {
        for entry in self.store.personas(&call.caller.tenant).await.map_err(told)? {
            let scope = entry.scope();
            self.settle(&scope).await?;
            if let Some(trace) = self.store.trace(&scope, id).await.map_err(told)? {
                let kept = trace.body.read().map_err(|_| {
                    Problem::new(Code::RecordDamaged, format!("the trace of recall {id} can't be read"))
                })?;
                let standing = self.standing(&entry, call.now).await?;
                return Ok((Found { entry, standing }, trace, kept));
            }
        }
        Err(no_recall(id))
    }

    /// Which of the shown memories a reply told, and which of their details.
    async fn mentioned(
        &self,
        found: &Found,
        kept: &Kept,
        asked: &Used,
        now: Timestamp,
    ) -> Result<BTreeMap<MemoryId, Vec<usize>>, Problem> {
        let named = asked.ids.iter().filter_map(|id| kept.told.get(id).map(|spoken| (*id, spoken.clone())));
        let mut mentioned: BTreeMap<MemoryId, Vec<usize>> = named.collect();
        if let Some(reply) = &asked.reply {
            let shown: Vec<MemoryId> = kept.told.keys().copied().collect();
            let language = &found.standing.document.identity.language;
            for stored in self.store.atoms(&found.entry.scope(), &shown).await.map_err(told)? {
                if let Some(mut spoken) = recall::mentions(&stored.atom, reply.as_str(), language) {
                    // Talk does not revive what has faded; only learning it anew does.
                    spoken.retain(|position| is_tellable(&stored.atom, *position, now));
                    mentioned.insert(stored.atom.id, spoken);
                }
            }
        }
        Ok(mentioned)
    }
}

impl Recalling<'_> {
    /// The recall itself: nothing is written.
    pub(crate) fn recollect(&self, cue: &str, topics: &[Text], most: Option<u32>) -> Recollection {
        self.recollect_in(&self.so_far(), cue, topics, most)
    }

    /// The same as the latest turn had it: for an answer that is given anew.
    pub(crate) fn recollect_anew(&self, cue: &str) -> Recollection {
        let Listener { session, subject, .. } = &self.listener;
        let key = session
            .as_ref()
            .map(|session| SessionKey { session: session.to_string(), subject: subject.clone() });
        self.recollect_in(&self.open.sessions.latest_turn(key.as_ref()), cue, &[], None)
    }

    /// The same, also of what was told a moment ago: for the built-in voice, which must not deny it.
    pub(crate) fn recollect_again(&self, cue: &str) -> Recollection {
        let session = SessionSoFar { rendered: BTreeMap::default(), ..self.so_far() };
        self.recollect_in(&session, cue, &[], None)
    }

    /// The conversation as this turn finds it.
    fn so_far(&self) -> SessionSoFar {
        let Listener { session, subject, .. } = &self.listener;
        let key = session
            .as_ref()
            .map(|session| SessionKey { session: session.to_string(), subject: subject.clone() });
        self.open.sessions.next_turn(key.as_ref())
    }

    fn recollect_in(
        &self,
        session: &SessionSoFar,
        cue: &str,
        topics: &[Text],
        most: Option<u32>,
    ) -> Recollection {
        let document = &self.found.standing.document;
        recollect(&Request {
            question: Question {
                cue,
                topics,
                listener: &self.listener,
                policy: &document.memory_policy,
                now: self.now,
            },
            memories: &self.view.snapshot,
            life: &self.view.biography,
            session,
            most,
            window: document.bindings.runtime_config.context_window_tokens,
            about: document.bindings.runtime_config.remembers_about.as_str(),
        })
    }
}

fn is_tellable(atom: &Atom, position: usize, now: Timestamp) -> bool {
    let detail = atom.details.get(position);
    detail.is_some_and(|detail| atom.brightness_at(detail, now) >= Brightness::TELLABLE)
}

fn no_recall(id: RecallId) -> Problem {
    let detail = format!("no recall {id}; traces are kept for 30 days, and none of what was off the record");
    Problem::new(Code::NotFound, detail)
}

/// The conversation a recall belongs to; one that names none is a conversation by itself.
fn session_key(session: Option<SessionId>, subject: Option<SubjectRef>, recall: RecallId) -> SessionKey {
    let session = session.map_or_else(|| recall.to_string(), |session| session.to_string());
    SessionKey { session, subject }
}

fn answered(recall_id: RecallId, came_back: &Recollection) -> RecallAnswer {
    let atoms = came_back.memories.iter().map(|told| {
        Recalled::Atom(RecalledAtom {
            id: told.id,
            kind: told.kind,
            vividness: told.vividness,
            score: told.score,
            parts: parts(told.parts),
            gist: told.gist.clone(),
            details: told.details.iter().map(|detail| detail.content.clone()).collect(),
        })
    });
    let events = came_back.events.iter().map(|lived| {
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
        rendered: Text::new(came_back.rendered.clone()),
        degraded: None,
    }
}

fn parts(parts: Parts) -> ScoreParts {
    let Parts { salience, relevance, recency, topical } = parts;
    ScoreParts { salience, relevance, recency, topical }
}
