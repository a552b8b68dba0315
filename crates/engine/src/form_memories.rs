//! Turning what was said into memories, after the answer was given, and after a crash too.
//!
//! What is known already is not stored again: the memory there is learnt anew, with the details it did
//! not have. A turn is marked as formed in the same commit as what it left behind, so nothing is formed
//! twice and nothing is lost.

use domain::creation::CreationRefusal;
use domain::{
    Actor, Atom, Brightness, Detail, EventKind, Listener, MemoryId, MemoryPolicy, Provenance, Ranking,
    RedactionStatus, Rehearsal, RehearsalKind, Salience, SessionId, SubjectRef, Text, Timestamp, Trust,
};
use formation::{Draft, Exchange, Formed, Known, Likeness, form, likeness};
use recall::{Question, rank};
use store::{
    Batch, Change, Deployment, EventDraft, ExchangeId, Formation, PersonaEntry, Records, Rewording, Session,
    Speaker, StoredAtom, Turn, TurnId, TurnMark, TurnState,
};
use wire::Problem;

use crate::failure::told;
use crate::open::OpenPersona;
use crate::personas::Found;
use crate::recall_memories::OWNER;
use crate::session::SessionKey;
use crate::{Engine, meaning};

/// How many of the memories most like a new one are compared with it.
const NEAREST: usize = 12;
/// How bright a detail is that was just learnt.
const FRESH: f64 = 0.8;

/// One turn on its way into memory.
struct Forming<'a> {
    found: &'a Found,
    open: &'a OpenPersona,
    session: &'a Session,
    turn: &'a Turn,
    now: Timestamp,
}

impl Engine {
    /// Forms memories from every turn of every persona that still waits for it.
    pub async fn form_pending(&self, now: Timestamp) -> Result<(), Problem> {
        for tenant in self.store.tenants().await.map_err(told)? {
            for persona in self.store.personas(&tenant.name).await.map_err(told)? {
                self.form_memories(&persona, now).await?;
            }
        }
        Ok(())
    }

    /// Forms memories from the turns of a persona that still wait for it.
    pub(crate) async fn form_memories(&self, persona: &PersonaEntry, now: Timestamp) -> Result<(), Problem> {
        // One after the other: two turns that say the same must not both find that it is new.
        let _alone = self.forming.lock().await;
        let scope = persona.scope();
        let turns = self.store.unformed_turns(&scope).await.map_err(told)?;
        if turns.is_empty() {
            return Ok(());
        }
        let standing = self.standing(persona, now).await?;
        let found = Found { entry: persona.clone(), standing };
        if found.standing.demand_memory().is_err() {
            return Ok(());
        }
        self.settle(&scope).await?;
        for turn in &turns {
            let Some(session) = self.store.session(&scope, &turn.session).await.map_err(told)? else {
                continue;
            };
            let (open, _) = self.view(&found).await?;
            self.form_from(&Forming { found: &found, open: &open, session: &session, turn, now }).await?;
        }
        Ok(())
    }

    async fn form_from(&self, forming: &Forming<'_>) -> Result<(), Problem> {
        let Forming { found, turn, now, .. } = forming;
        let done = Change::MarkTurn(turn.id, TurnMark::Formation(Formation::Done));
        let mut batch = Batch::at(*now).with(done);
        if turn.state != TurnState::Superseded {
            let mut learnt = Vec::new();
            for formed in self.formed(forming).await? {
                batch = match formed {
                    Formed::Refused(_) => batch.saying(refused(CreationRefusal::SensitiveForbidden)),
                    Formed::Remember(draft) => self.learn(forming, batch, &draft, &mut learnt).await?,
                };
            }
        }
        self.store.commit(&found.entry.scope(), batch).await.map_err(told)?;
        Ok(())
    }

    /// Learns from words that stand in no turn, as if the person had said "remember that". Whether
    /// anything was learnt, or was known already.
    pub(crate) async fn learn_words(
        &self,
        found: &Found,
        subject: &SubjectRef,
        place: (SessionId, u32),
        words: &Text,
        now: Timestamp,
    ) -> Result<bool, Problem> {
        let _alone = self.forming.lock().await;
        let scope = found.entry.scope();
        self.settle(&scope).await?;
        let (open, _) = self.view(found).await?;
        let (session, turn) = told_apart(subject, place, words, now);
        let forming = Forming { found, open: &open, session: &session, turn: &turn, now };
        let (mut batch, mut learnt) = (Batch::at(now), Vec::new());
        for formed in self.formed(&forming).await? {
            batch = match formed {
                Formed::Refused(_) => batch.saying(refused(CreationRefusal::SensitiveForbidden)),
                Formed::Remember(draft) => self.learn(&forming, batch, &draft, &mut learnt).await?,
            };
        }
        let is_kept = !batch.changes.is_empty();
        self.store.commit(&scope, batch).await.map_err(told)?;
        Ok(is_kept)
    }

    /// What the turn leaves behind by the rules.
    async fn formed(&self, forming: &Forming<'_>) -> Result<Vec<Formed>, Problem> {
        let Forming { found, session, turn, .. } = forming;
        let scope = found.entry.scope();
        let turns = self.store.turns(&scope, &session.id).await.map_err(told)?;
        let said_before = |own: &&Turn| {
            own.speaker == Speaker::Persona && own.index < turn.index && own.state != TurnState::Superseded
        };
        let before = turns.iter().rev().find(said_before);
        let reply = turns.iter().find(|own| own.exchange == turn.exchange && own.speaker == Speaker::Persona);
        let reminded = match reply.and_then(|reply| reply.recall) {
            Some(recall) => self.reminded_of(&scope, recall).await?,
            None => Vec::new(),
        };
        let reminded: Vec<&str> = reminded.iter().map(Text::as_str).collect();
        let identity = &found.standing.document.identity;
        let zone = jiff::tz::TimeZone::get(&identity.timezone).unwrap_or(jiff::tz::TimeZone::UTC);
        Ok(form(&Exchange {
            said: turn.text.as_str(),
            before: before.map(|before| before.text.as_str()),
            language: &identity.language,
            today: turn.at.to_jiff().to_zoned(zone).date(),
            speaker: if session.subject.as_str() == OWNER {
                formation::Speaker::Owner
            } else {
                formation::Speaker::Guest
            },
            reminded: &reminded,
        }))
    }

    /// The gists that stood in the prompt of a recall.
    async fn reminded_of(
        &self,
        scope: &store::Scope,
        recall: domain::RecallId,
    ) -> Result<Vec<Text>, Problem> {
        let trace = self.store.trace(scope, recall).await.map_err(told)?;
        let shown = trace.map(|trace| trace.shown).unwrap_or_default();
        let atoms = self.store.atoms(scope, &shown).await.map_err(told)?;
        Ok(atoms.into_iter().map(|stored| stored.atom.gist).collect())
    }

    /// Adds what `draft` comes to: a new memory, or one that is learnt anew.
    async fn learn(
        &self,
        forming: &Forming<'_>,
        batch: Batch,
        draft: &Draft,
        learnt: &mut Vec<Atom>,
    ) -> Result<Batch, Problem> {
        let language = &forming.found.standing.document.identity.language;
        let is_known = |atom: &Atom| compared(atom, draft, language) != Likeness::Different;
        if learnt.iter().any(is_known) {
            return Ok(batch);
        }
        for stored in self.nearest(forming, draft).await? {
            match compared(&stored.atom, draft, language) {
                Likeness::Different => {}
                Likeness::Same => return Ok(self.again(forming, batch, stored.atom.id)),
                Likeness::Adds(details) => {
                    let batch = self.again(forming, batch, stored.atom.id);
                    return Ok(batch.with(Change::RewordAtom(Box::new(with_details(
                        &stored,
                        details,
                        forming.now,
                    )))));
                }
            }
        }
        let atom = self.new_atom(forming, draft)?;
        match self.with_new(forming.found, forming.open, atom.clone(), &Actor::engine(), batch.clone()) {
            Ok(batch) => {
                learnt.push(atom);
                Ok(batch)
            }
            Err(refusal) => Ok(batch.saying(refused(refusal))),
        }
    }

    /// The memories that `draft` might repeat, of the same person, however faded.
    async fn nearest(&self, forming: &Forming<'_>, draft: &Draft) -> Result<Vec<StoredAtom>, Problem> {
        let Forming { found, session, now, .. } = forming;
        let (_, view) = self.view(found).await?;
        let policy = MemoryPolicy {
            retrieval_threshold: Salience::clamped(0.0),
            ranking: Ranking {
                salience_weight: 0.0,
                relevance_weight: 1.0,
                recency_weight: 0.0,
                topical_weight: 0.0,
                min_relevance: 0.0,
            },
            ..found.standing.document.memory_policy.clone()
        };
        let listener = Listener {
            subject: Some(session.subject.clone()),
            session: Some(session.id.clone()),
            staff: true,
        };
        let question = Question {
            cue: draft.gist.as_str(),
            topics: &[],
            listener: &listener,
            policy: &policy,
            now: *now,
        };
        let ids: Vec<MemoryId> =
            rank(&view.snapshot, &question).best.iter().take(NEAREST).map(|scored| scored.id).collect();
        let atoms = self.store.atoms(&found.entry.scope(), &ids).await.map_err(told)?;
        Ok(atoms
            .into_iter()
            .filter(|stored| stored.atom.subject.as_ref() == Some(&session.subject))
            .collect())
    }

    /// Learns a memory anew, once in a conversation.
    fn again(&self, forming: &Forming<'_>, batch: Batch, id: MemoryId) -> Batch {
        let Forming { found, open, session, now, .. } = forming;
        let key = SessionKey { session: session.id.to_string(), subject: Some(session.subject.clone()) };
        if open.sessions.first_rehearsals(&key, &[id], *now).is_empty() {
            return batch;
        }
        let rehearsal = Rehearsal { at: *now, kind: RehearsalKind::Reencoded, spoken: Vec::new() };
        let rate = found.standing.document.memory_policy.audit_policy.log_rehearsal;
        self.with_rehearsal(batch, id, rehearsal, rate, &Actor::engine())
    }

    fn new_atom(&self, forming: &Forming<'_>, draft: &Draft) -> Result<Atom, Problem> {
        let Forming { open, session, turn, now, .. } = forming;
        let id = self.new_memory_id(|id| open.cards().contains_key(&id))?;
        let detail = |(content, brightness): &(Text, Brightness)| Detail {
            content: content.clone(),
            brightness: *brightness,
            brightened_at: None,
        };
        let consent_basis = if draft.privacy_class.is_pii() {
            self.consent.formation.clone()
        } else {
            domain::ConsentBasis::not_applicable()
        };
        Ok(Atom {
            id,
            kind: draft.kind,
            created_at: *now,
            last_rehearsed_at: *now,
            rehearsal_count: 0,
            gist: draft.gist.clone(),
            details: draft.details.iter().map(detail).collect(),
            salience: draft.salience,
            emotional_valence: draft.valence,
            decay_profile: domain::DecayProfile::default(),
            privacy_class: draft.privacy_class,
            consent_basis,
            redaction_status: RedactionStatus::Active,
            provenance: Provenance {
                session_id: session.id.clone(),
                turn_index: turn.index,
                deployment_did: self.deployment.clone(),
            },
            tags: draft.tags.clone(),
            derived_from: Vec::new(),
            subject: Some(session.subject.clone()),
            mentions: Vec::new(),
            trust: Trust::User,
            archived_at: None,
            revises: None,
            released_at: None,
            review: None,
            audit_hold: false,
            extensions: domain::Extensions::default(),
        })
    }
}

/// A turn that is in no record, for words that were told apart from any.
fn told_apart(
    subject: &SubjectRef,
    (session, index): (SessionId, u32),
    words: &Text,
    now: Timestamp,
) -> (Session, Turn) {
    let turn = Turn {
        id: TurnId(uuid::Uuid::nil()),
        session: session.clone(),
        exchange: ExchangeId(String::new()),
        parent: None,
        index,
        speaker: Speaker::Subject,
        at: now,
        text: Text::new(format!("Remember that {}", words.as_str().trim())),
        state: TurnState::Whole,
        formation: Formation::NotDue,
        recall: None,
    };
    let session = Session {
        id: session,
        subject: subject.clone(),
        started_at: now,
        last_at: now,
        title: None,
        checkpoint: None,
        state: serde_json::Value::Null.into(),
    };
    (session, turn)
}

fn compared(atom: &Atom, draft: &Draft, language: &str) -> Likeness {
    let details: Vec<&str> = atom.details.iter().map(|detail| detail.content.as_str()).collect();
    likeness(&Known { gist: atom.gist.as_str(), details: &details }, draft, language)
}

/// The memory with what it did not have; its old details keep their places and their brightness.
fn with_details(stored: &StoredAtom, added: Vec<Text>, now: Timestamp) -> Rewording {
    let fresh =
        |content| Detail { content, brightness: Brightness::clamped(FRESH), brightened_at: Some(now) };
    let details = stored.atom.details.iter().cloned().chain(added.into_iter().map(fresh)).collect();
    let atom = Atom { details, ..stored.atom.clone() };
    Rewording {
        id: atom.id,
        vector: Some(meaning::packed(&atom)),
        gist: atom.gist,
        details: atom.details,
        tags: atom.tags,
    }
}

fn refused(refusal: CreationRefusal) -> EventDraft {
    EventDraft::new(EventKind::MemoryRefused, Actor::engine()).about(refusal.code())
}
