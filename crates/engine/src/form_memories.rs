//! Turning what was said into memories, after the answer was given, and after a crash too.
//!
//! What is known already is not stored again: the memory there is learnt anew, with the details it did
//! not have. A turn is marked as formed in the same commit as what it left behind, so nothing is formed
//! twice and nothing is lost.

mod atom;
mod propose;
mod waiting;

use domain::creation::CreationRefusal;
use domain::{
    Actor, Atom, EventKind, Listener, MemoryId, MemoryPolicy, Ranking, Rehearsal, RehearsalKind, Salience,
    SessionId, SubjectRef, Text, Timestamp,
};
use formation::{Draft, Exchange, Formed, Known, Likeness, likeness};
use jiff::tz::TimeZone;
use recall::{Question, rank};
use store::{
    Batch, Change, Conflict, Deployment, EventDraft, Expect, Formation, PersonaEntry, Records, Scope,
    Session, Speaker, StoreError, Stored, StoredAtom, Turn, TurnId, TurnMark, TurnState,
};
use wire::Problem;

use crate::Engine;
use crate::failure::told;
use crate::open::OpenPersona;
use crate::personas::Found;
use crate::recall_memories::OWNER;
use crate::session::SessionKey;
use atom::{told_apart, with_details};
use propose::{By, Judgement};

pub(crate) use waiting::Waiting;

/// How many of the memories most like a new one are compared with it.
const NEAREST: usize = 12;

/// How often what a turn says is compared anew because another node wrote in between.
const ATTEMPTS: usize = 16;

/// One turn on its way into memory.
struct Forming<'a> {
    found: &'a Found,
    open: &'a OpenPersona,
    session: &'a Session,
    turn: &'a Turn,
    by: By,
    now: Timestamp,
}

/// What stood around a turn.
struct Around {
    before: Option<Text>,
    reminded: Vec<Text>,
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

    /// Forms memories from the turns that a model has delayed, once they have waited long enough.
    pub async fn form_delayed(&self, now: Timestamp) -> Result<(), Problem> {
        for persona in self.waiting.due(now) {
            self.form_memories(&persona, now).await?;
        }
        Ok(())
    }

    /// Forms memories from the turns of a persona that still wait for it.
    pub(crate) async fn form_memories(&self, persona: &PersonaEntry, now: Timestamp) -> Result<(), Problem> {
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
            if let Some(session) = self.store.session(&scope, &turn.session).await.map_err(told)? {
                self.form_turn(&found, &session, turn, now).await?;
            }
        }
        Ok(())
    }

    /// Forms one turn, unless somebody does already or the model has to be asked again later.
    async fn form_turn(
        &self,
        found: &Found,
        session: &Session,
        turn: &Turn,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let Some(claim) = self.waiting.claim(&found.entry, turn.id, now) else { return Ok(()) };
        // The model is asked before anybody is kept waiting: it may take minutes.
        let judgement = match turn.state {
            TurnState::Superseded => Ok(Judgement { formed: Vec::new(), by: By::Rules }),
            TurnState::Whole | TurnState::Interrupted => {
                let around = self.around(&found.entry.scope(), session, turn).await?;
                let reminded = around.reminded();
                let exchange = around.exchange(found, session, turn, &reminded);
                self.judgement(found, &exchange, claim.patience).await
            }
        };
        let Ok(judgement) = judgement else {
            claim.postpone(now);
            return Ok(());
        };
        // One after the other: two turns that say the same must not both find that it is new.
        let _alone = self.forming.lock(found.entry.id).await;
        for _ in 0..ATTEMPTS {
            match self.keep_formed(found, session, turn, (&judgement, now)).await? {
                Ok(()) => return Ok(()),
                // Another node wrote meanwhile, perhaps what this turn says, perhaps its very formation.
                Err(StoreError::Conflict(Conflict::RevisionMoved { .. })) => {}
                Err(error) => return Err(told(error)),
            }
        }
        claim.postpone(now);
        Ok(())
    }

    /// Keeps what a turn comes to, if it still waits. Where other nodes write too, only if nothing has changed since
    /// it was compared with what is known.
    async fn keep_formed(
        &self,
        found: &Found,
        session: &Session,
        turn: &Turn,
        (judgement, now): (&Judgement, Timestamp),
    ) -> Result<Stored<()>, Problem> {
        let scope = found.entry.scope();
        let revision = self.store.revision(&scope).await.map_err(told)?;
        let Some(still) = self.unformed(&scope, turn.id).await? else { return Ok(Ok(())) };
        let formed = if still.state == TurnState::Superseded { Vec::new() } else { judgement.formed.clone() };
        let (open, _) = self.view(found).await?;
        let forming = Forming { found, open: &open, session, turn, by: judgement.by.clone(), now };
        let mut batch = Batch::at(now).with(Change::MarkTurn(turn.id, TurnMark::Formation(Formation::Done)));
        if self.store.is_shared() {
            batch = batch.expecting(Expect::Revision(revision));
        }
        let batch = self.learning(&forming, batch, formed).await?;
        Ok(self.commit(&scope, batch).await.map(drop))
    }

    /// The turn, if it still waits: it may have been formed or deleted while a model was asked.
    async fn unformed(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, Problem> {
        let unformed = self.store.unformed_turns(scope).await.map_err(told)?;
        Ok(unformed.into_iter().find(|turn| turn.id == id))
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
        let _alone = self.forming.lock(found.entry.id).await;
        let scope = found.entry.scope();
        self.settle(&scope).await?;
        let (open, _) = self.view(found).await?;
        let (session, turn) = told_apart(subject, place, words, now);
        let around = self.around(&scope, &session, &turn).await?;
        let formed = formation::form(&around.exchange(found, &session, &turn, &around.reminded()));
        let forming = Forming { found, open: &open, session: &session, turn: &turn, by: By::Rules, now };
        let batch = self.learning(&forming, Batch::at(now), formed).await?;
        let is_kept = !batch.changes.is_empty();
        self.commit(&scope, batch).await.map_err(told)?;
        Ok(is_kept)
    }

    /// What the persona had said before a turn, and what it was reminded of when it answered.
    async fn around(&self, scope: &Scope, session: &Session, turn: &Turn) -> Result<Around, Problem> {
        let turns = self.store.turns(scope, &session.id).await.map_err(told)?;
        let said_before = |own: &&Turn| {
            own.speaker == Speaker::Persona && own.index < turn.index && own.state != TurnState::Superseded
        };
        let before = turns.iter().rev().find(said_before).map(|before| before.text.clone());
        let reply = turns.iter().find(|own| own.exchange == turn.exchange && own.speaker == Speaker::Persona);
        let reminded = match reply.and_then(|reply| reply.recall) {
            Some(recall) => self.reminded_of(scope, recall).await?,
            None => Vec::new(),
        };
        Ok(Around { before, reminded })
    }

    /// The gists that stood in the prompt of a recall.
    async fn reminded_of(&self, scope: &Scope, recall: domain::RecallId) -> Result<Vec<Text>, Problem> {
        let trace = self.store.trace(scope, recall).await.map_err(told)?;
        let shown = trace.map(|trace| trace.shown).unwrap_or_default();
        let atoms = self.store.atoms(scope, &shown).await.map_err(told)?;
        Ok(atoms.into_iter().map(|stored| stored.atom.gist).collect())
    }

    /// Adds what was formed: what may not be kept only as a refusal.
    async fn learning(
        &self,
        forming: &Forming<'_>,
        mut batch: Batch,
        formed: Vec<Formed>,
    ) -> Result<Batch, Problem> {
        let mut learnt = Vec::new();
        for formed in formed {
            batch = match formed {
                Formed::Refused(_) => batch.saying(refused(CreationRefusal::SensitiveForbidden)),
                Formed::Remember(draft) => self.learn(forming, batch, &draft, &mut learnt).await?,
            };
        }
        Ok(batch)
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
                ..Ranking::default()
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
            encoder: self.cue_encoder.as_ref(),
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
}

impl Around {
    fn reminded(&self) -> Vec<&str> {
        self.reminded.iter().map(Text::as_str).collect()
    }

    fn exchange<'a>(
        &'a self,
        found: &'a Found,
        session: &Session,
        turn: &'a Turn,
        reminded: &'a [&'a str],
    ) -> Exchange<'a> {
        let identity = &found.standing.document.identity;
        let zone = TimeZone::get(&identity.timezone).unwrap_or(TimeZone::UTC);
        Exchange {
            said: turn.text.as_str(),
            before: self.before.as_ref().map(Text::as_str),
            language: &identity.language,
            today: turn.at.to_jiff().to_zoned(zone).date(),
            speaker: if session.subject.as_str() == OWNER {
                formation::Speaker::Owner
            } else {
                formation::Speaker::Guest
            },
            reminded,
        }
    }
}

fn compared(atom: &Atom, draft: &Draft, language: &str) -> Likeness {
    let details: Vec<&str> = atom.details.iter().map(|detail| detail.content.as_str()).collect();
    likeness(&Known { gist: atom.gist.as_str(), details: &details }, draft, language)
}

fn refused(refusal: CreationRefusal) -> EventDraft {
    EventDraft::new(EventKind::MemoryRefused, Actor::engine()).about(refusal.code())
}
