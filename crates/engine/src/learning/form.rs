//! Forms memories from turns: by the built-in rules before the answer is complete, by a model after it, and
//! after a crash too.
//!
//! What is already known is not stored again: the existing memory is rehearsed, and gets the details it
//! lacked. What has changed supersedes the existing memory. A turn is marked as formed in the same commit as
//! its memories, so nothing is formed twice and nothing is lost.

mod atom;
mod compared_memories;
mod confidential_sources;
mod exchange_context;
mod formed_exchanges;
mod learn;
mod propose;
mod revised;
mod speaker_name;
mod backlog;

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::{RecallId, SessionId, SubjectRef, TenantName, Text, Timestamp};
use formation::{Author, Formed, Verdict, spoken_language};
use llm::Backend;
use store::{
    Batch, Change, Conflict, Deployment, Expect, Formation, FormationResult, PersonaEntry, Records, Scope,
    Session, StoreError, Stored, Turn, TurnId, TurnMark, TurnState, Withheld,
};
use wire::Problem;

use crate::cpu_pool::{Cancellation, CpuOwner};
use crate::persona::open::OpenPersona;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};
use atom::detached_turn;
use exchange_context::{ExchangeContext, speaker_of};
use propose::{FormedBy, Judgement};

pub(crate) use backlog::FormationBacklog;
pub(crate) use compared_memories::ComparedMemories;
pub(crate) use formed_exchanges::FormedExchanges;

/// How often a turn is compared again because another node wrote in between.
const ATTEMPTS: usize = 16;

/// One turn being formed.
struct Forming<'a> {
    persona: &'a PersonaContext,
    open: &'a OpenPersona,
    session: &'a Session,
    turn: &'a Turn,
    /// The number of the persona's reply in the conversation.
    reply_index: Option<u32>,
    /// The language of the conversation, if it isn't the persona's.
    foreign_language: Option<String>,
    by: FormedBy,
    now: Timestamp,
}

impl Forming<'_> {
    /// The language of the talk.
    fn language(&self) -> String {
        let own = &self.persona.loaded.document.identity.language;
        text::primary_tag(self.foreign_language.as_ref().unwrap_or(own))
    }

    /// The number of the turn of `author`.
    fn turn_index(&self, author: Author) -> u32 {
        match author {
            Author::Speaker => self.turn.index,
            Author::Persona => self.reply_index.unwrap_or(self.turn.index),
        }
    }
}

impl Engine {
    /// Forms memories from all pending turns of all personas.
    #[boxed]
    pub async fn form_pending(&self, now: Timestamp) -> Result<(), Problem> {
        for tenant in self.store.tenants().await? {
            for persona in self.store.personas(&tenant.name).await? {
                // One unreadable persona must not stop the others.
                if let Err(problem) = self.form_memories(&persona, now).await {
                    tracing::error!(code = %problem.code, persona = %persona.id, "can't form memories of a persona");
                }
            }
        }
        Ok(())
    }

    /// Forms memories from the turns that wait for a model, once their pause is over.
    #[boxed]
    pub async fn form_delayed(&self, now: Timestamp) -> Result<(), Problem> {
        for persona in self.learning_state.waiting.take_due(now) {
            self.form_memories(&persona, now).await?;
        }
        Ok(())
    }

    /// Forms memories from the pending turns of a persona.
    pub(crate) async fn form_memories(&self, entry: &PersonaEntry, now: Timestamp) -> Result<(), Problem> {
        let scope = entry.scope();
        let turns = self.store.unformed_turns(&scope).await?;
        if turns.is_empty() {
            return Ok(());
        }
        let loaded = self.load_document(entry, now).await?;
        let persona = PersonaContext { entry: entry.clone(), loaded };
        if persona.loaded.demand_memory().is_err() {
            return Ok(());
        }
        self.flush_writes(&scope).await?;
        for turn in &turns {
            if let Some(session) = self.store.session(&scope, &turn.session).await? {
                self.form_turn(&persona, &session, turn, now).await?;
            }
        }
        Ok(())
    }

    /// Forms memories from one turn at once if the rules do it; a model takes too long for that.
    pub(crate) async fn form_by_rules(
        &self,
        persona: &PersonaContext,
        id: TurnId,
        now: Timestamp,
    ) -> Result<(), Problem> {
        if self.is_formed_by_model(&persona.entry.tenant).await? {
            return Ok(());
        }
        self.form_at_once(persona, id, now).await
    }

    async fn form_at_once(
        &self,
        persona: &PersonaContext,
        id: TurnId,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let scope = persona.entry.scope();
        let Some(turn) = self.unformed(&scope, id).await? else { return Ok(()) };
        self.flush_writes(&scope).await?;
        match self.store.session(&scope, &turn.session).await? {
            Some(session) => self.form_turn(persona, &session, &turn, now).await,
            None => Ok(()),
        }
    }

    /// Forms memories from one pending turn: at once if the rules do it, and with the next round of
    /// `form_delayed` if a model does.
    pub(crate) async fn form_or_schedule(
        &self,
        persona: &PersonaContext,
        id: TurnId,
        now: Timestamp,
    ) -> Result<(), Problem> {
        if self.is_formed_by_model(&persona.entry.tenant).await? {
            self.learning_state.waiting.schedule(&persona.entry, id, now);
            return Ok(());
        }
        self.form_at_once(persona, id, now).await
    }

    /// Whether a model proposes the memories.
    pub(crate) async fn is_formed_by_model(&self, tenant: &TenantName) -> Result<bool, Problem> {
        Ok(match self.roles_of(tenant).await?.forming().backend.as_ref() {
            Backend::Offline => false,
            Backend::Model(_) => true,
        })
    }

    /// Forms one turn, unless it is being formed already or the model has to be asked again later.
    async fn form_turn(
        &self,
        persona: &PersonaContext,
        session: &Session,
        turn: &Turn,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let Some(claim) = self.learning_state.waiting.claim(&persona.entry, turn.id, now) else {
            return Ok(());
        };
        // The model is asked before a lock is taken: it may take minutes.
        let judgement = match turn.state {
            TurnState::Superseded => Judgement::nothing(),
            TurnState::Whole | TurnState::Interrupted => {
                let context =
                    Arc::new(self.exchange_context(persona, TurnInSession { session, turn }, now).await?);
                match self.judgement(persona, session, turn, &context, claim.failures).await? {
                    Ok(judgement) => judgement,
                    Err(unanswered) => {
                        claim.postpone(unanswered, now);
                        return Ok(());
                    }
                }
            }
        };
        // One at a time: two turns that say the same must not both count as new.
        let _alone = self.learning_state.lock(persona.entry.id).await;
        for _ in 0..ATTEMPTS {
            match self.keep_formed(persona, turn, &judgement, now).await? {
                Ok(()) => return Ok(()),
                // Another node wrote meanwhile, perhaps the same memory or the formation of this turn.
                Err(StoreError::Conflict(Conflict::RevisionMoved { .. } | Conflict::DocumentChanged(_))) => {}
                Err(error) => return Err(error.into()),
            }
        }
        claim.postpone(propose::ModelFailure::ONCE, now);
        Ok(())
    }

    /// Stores what a turn leads to, if it is still pending. With several nodes, only if nothing has changed
    /// since it was compared with the known memories.
    async fn keep_formed(
        &self,
        persona: &PersonaContext,
        turn: &Turn,
        judgement: &Judgement,
        now: Timestamp,
    ) -> Result<Stored<()>, Problem> {
        let scope = persona.entry.scope();
        let revision = self.store.revision(&scope).await?;
        let Some(still) = self.unformed(&scope, turn.id).await? else { return Ok(Ok(())) };
        // Its person may have been merged into another while a model was asked.
        let Some(session) = self.store.session(&scope, &turn.session).await? else { return Ok(Ok(())) };
        let verdicts =
            if still.state == TurnState::Superseded { Vec::new() } else { judgement.verdicts.clone() };
        let (open, _) = self.view(persona).await?;
        let forming = Forming {
            persona,
            open: &open,
            session: &session,
            turn,
            reply_index: judgement.reply_index,
            foreign_language: judgement.foreign_language.clone(),
            by: judgement.by.clone(),
            now,
        };
        let mut batch = Batch::at(now);
        if self.store.is_shared() {
            batch = batch.expecting(Expect::Revision(revision));
        }
        let learning = self.learn_all(&forming, batch, verdicts).await?;
        let is_withheld = learning.result.withheld != Withheld::Nothing;
        let mark = Change::MarkTurn(turn.id, TurnMark::Formed(learning.result));
        let stored = self.commit(&scope, learning.batch.with(mark)).await;
        if stored.is_ok() {
            forming.mark_rehearsed(&learning.rehearsed);
        }
        if stored.is_ok() && is_withheld {
            let gone = BTreeSet::from([turn.id]);
            self.remove_from_digests_of(&scope, &session.subject, &gone, now).await?;
        }
        if stored.is_ok() && self.is_formed_by_model(&persona.entry.tenant).await? {
            self.learning_state.formed_exchanges.announce(&persona.entry, turn.exchange.clone(), &session.id);
        }
        Ok(stored.map(drop))
    }

    /// The turn, if it is still pending: it may have been formed or deleted while a model was asked.
    async fn unformed(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, Problem> {
        let turn = self.store.turn(scope, id).await?;
        Ok(turn.filter(|turn| turn.formation == Formation::Pending))
    }

    /// Learns from text outside of any turn, as if the person had said "remember that". Returns a report.
    pub(crate) async fn learn_words(
        &self,
        persona: &PersonaContext,
        subject: &SubjectRef,
        session: SessionId,
        index: u32,
        words: &Text,
        now: Timestamp,
    ) -> Result<FormationResult, Problem> {
        let _alone = self.learning_state.lock(persona.entry.id).await;
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        let (open, _) = self.view(persona).await?;
        let (session, turn) = detached_turn(subject, session, index, words, now);
        let context = Arc::new(
            self.exchange_context(persona, TurnInSession { session: &session, turn: &turn }, now).await?,
        );
        let (verdicts, foreign_language) = self.ruled(persona, &session, &turn, &context).await?;
        let forming = Forming {
            persona,
            open: &open,
            session: &session,
            turn: &turn,
            reply_index: None,
            foreign_language,
            by: FormedBy::Rules,
            now,
        };
        let learning = self.learn_all(&forming, Batch::at(now), verdicts).await?;
        self.commit(&scope, learning.batch).await?;
        forming.mark_rehearsed(&learning.rehearsed);
        Ok(learning.result)
    }
}

impl Engine {
    /// What the rules make of an exchange, and its language if that isn't the persona's. They use the
    /// sentence encoders, so they run off the async workers.
    async fn ruled(
        &self,
        persona: &PersonaContext,
        session: &Session,
        turn: &Turn,
        context: &Arc<ExchangeContext>,
    ) -> Result<(Vec<Verdict>, Option<String>), Problem> {
        self.with_exchange(persona, turn, context, speaker_of(session), move |persona, exchange| {
            let formed = formation::form(exchange).into_iter().map(Verdict::Formed).collect();
            (formed, foreign_language(persona, spoken_language(exchange)))
        })
        .await
    }

    /// Runs `work` on an exchange, off the async workers.
    async fn with_exchange<T: Send + 'static>(
        &self,
        persona: &PersonaContext,
        turn: &Turn,
        context: &Arc<ExchangeContext>,
        speaker: formation::Speaker,
        work: impl FnOnce(&PersonaContext, &formation::Exchange<'_>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let owner = CpuOwner { tenant: persona.entry.tenant.clone(), persona: None };
        let persona = PersonaContext { entry: persona.entry.clone(), loaded: Arc::clone(&persona.loaded) };
        let (turn, context) = (turn.clone(), Arc::clone(context));
        let run = move |_: &Cancellation| {
            let (lines, reminded) = (context.lines(), context.reminded());
            work(&persona, &context.exchange(&persona, &turn, speaker, &lines, &reminded))
        };
        Ok(self.cpu.run(owner, run).await?)
    }

    /// What forming a message would lead to: it is formed and compared with what is known, and nothing is stored.
    /// `recall` is what the reply was reminded of.
    pub(crate) async fn forecast(
        &self,
        persona: &PersonaContext,
        said: TurnInSession<'_>,
        recall: Option<RecallId>,
        now: Timestamp,
    ) -> Result<FormationForecast, Problem> {
        let TurnInSession { session, turn } = said;
        self.flush_writes(&persona.entry.scope()).await?;
        let context = Arc::new(self.context_with(persona, said, recall, now).await?);
        let (verdicts, foreign_language) = self.ruled(persona, session, turn, &context).await?;
        let mut foreseen = FormationForecast::of(&verdicts);
        if !foreseen.remembers || persona.loaded.demand_memory().is_err() {
            return Ok(foreseen);
        }
        let (open, _) = self.view(persona).await?;
        let forming = Forming {
            persona,
            open: &open,
            session,
            turn,
            reply_index: None,
            foreign_language,
            by: FormedBy::Rules,
            now,
        };
        foreseen.remembers = self.learn_all(&forming, Batch::at(now), verdicts).await?.knows_something();
        Ok(foreseen)
    }
}

/// A turn, and the conversation that it was said in.
#[derive(Clone, Copy)]
pub(crate) struct TurnInSession<'a> {
    pub(crate) session: &'a Session,
    pub(crate) turn: &'a Turn,
}

/// What will be stored of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormationForecast {
    /// Something is remembered, or known already.
    pub(crate) remembers: bool,
    /// Something is remembered because the person asked for it.
    pub(crate) is_asked_for: bool,
    /// Something belongs to a special category and is not stored.
    pub(crate) refuses_sensitive: bool,
}

impl FormationForecast {
    /// What `verdicts` lead to, if nothing else speaks against it.
    fn of(verdicts: &[Verdict]) -> Self {
        let mut foreseen = Self::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Formed(Formed::Remember(draft)) => {
                    foreseen.remembers = true;
                    foreseen.is_asked_for |= draft.is_asked_for;
                }
                Verdict::Formed(Formed::Refused { .. }) => foreseen.refuses_sensitive = true,
                Verdict::Formed(Formed::Dropped(_)) | Verdict::Refused(_) => {}
            }
        }
        foreseen
    }

    /// Whether the message has something to remember, whether or not it may be stored.
    pub(crate) const fn finds_something(self) -> bool {
        self.remembers || self.refuses_sensitive
    }
}

fn foreign_language(persona: &PersonaContext, spoken: &str) -> Option<String> {
    let own = &persona.loaded.document.identity.language;
    (!text::primary_tag(own).eq_ignore_ascii_case(spoken)).then(|| spoken.to_owned())
}

#[cfg(test)]
mod tests;
