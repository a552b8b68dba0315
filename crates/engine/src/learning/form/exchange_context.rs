//! The context of an exchange for formation: the turns before, the reply, the speaker's name, and related
//! memories.

use domain::creation::permits_sensitive;
use domain::{MemoryId, RecallId, Text, Timestamp};
use formation::{Author, Exchange, Line};
use jiff::tz::TimeZone;
use recall::sentences::Encoders;
use store::{Records, Scope, Session, Speaker, Turn, TurnState};
use wire::Problem;

use crate::Engine;
use crate::learning::form::TurnInSession;
use crate::memory::card::Card;
use crate::persona::registry::PersonaContext;

/// How many earlier turns are read.
const EARLIER_TURNS: usize = 10;

/// The context of an exchange.
pub(super) struct ExchangeContext {
    /// The active earlier turns of the same conversation, oldest first.
    earlier: Vec<(Author, Text)>,
    /// The persona's reply.
    pub(super) reply: Option<Turn>,
    /// The name the speaker goes by.
    pub(super) name: Option<String>,
    /// The memories in the prompt of the reply.
    reminded: Vec<KnownMemory>,
    /// The memories of the same subject most similar to the message.
    nearest: Vec<KnownMemory>,
    /// The sentence encoders, if they can be used.
    encoders: Option<Encoders>,
    /// Whether the built-in voice answered: it only repeats memories, and promises nothing.
    is_looked_up: bool,
    /// Whether the persona's own words are read. A persona with confidential memories may repeat them, even
    /// deleted ones, so nothing is formed from its words.
    hears_persona: bool,
    /// Whether the policy permits sensitive memories and the speaker's consent is recorded.
    may_keep_sensitive: bool,
}

/// A stored memory.
pub(super) struct KnownMemory {
    pub(super) id: MemoryId,
    pub(super) gist: Text,
}

impl Engine {
    pub(super) async fn exchange_context(
        &self,
        persona: &PersonaContext,
        said: TurnInSession<'_>,
        now: Timestamp,
    ) -> Result<ExchangeContext, Problem> {
        self.context_with(persona, said, None, now).await
    }

    /// The same before the reply is stored, which names what it was reminded of: `recall` does instead.
    pub(super) async fn context_with(
        &self,
        persona: &PersonaContext,
        TurnInSession { session, turn }: TurnInSession<'_>,
        recall: Option<RecallId>,
        now: Timestamp,
    ) -> Result<ExchangeContext, Problem> {
        let scope = persona.entry.scope();
        let turns = self.store.turns(&scope, &session.id).await?;
        let stands = |other: &&Turn| other.state != TurnState::Superseded;
        let is_reply = |own: &&Turn| own.exchange == turn.exchange && own.speaker == Speaker::Persona;
        let reply = turns.iter().rev().filter(stands).find(is_reply).cloned();
        let before: Vec<&Turn> =
            turns.iter().filter(stands).filter(|other| other.index < turn.index).collect();
        let first = before.len().saturating_sub(EARLIER_TURNS);
        let earlier: Vec<(Author, Text)> = before.iter().skip(first).map(|turn| spoken(turn)).collect();
        let reminded = match reply.as_ref().and_then(|reply| reply.recall).or(recall) {
            Some(recall) => self.reminded_of(&scope, recall).await?,
            None => Vec::new(),
        };
        // Only a model is shown similar memories; the rules compare their drafts later.
        let nearest = if self.is_formed_by_model(&persona.entry.tenant).await? {
            self.nearest(persona, session, turn.text.as_str(), now).await?
        } else {
            Vec::new()
        };
        let nearest =
            nearest.into_iter().map(|it| KnownMemory { id: it.atom.id, gist: it.atom.gist }).collect();
        let name = self.speaker_name(persona, session, &before, now).await?;
        let encoders = self.cue_encoder().map(|encoder| encoder.encoders().clone());
        let is_looked_up = !self.roles_of(&persona.entry.tenant).await?.has_model();
        let hears_persona = !self.knows_confidential(persona).await?;
        let may_keep_sensitive = permits_sensitive(&persona.loaded.document)
            && self.has_consented_to_sensitive(&scope, &session.subject).await?;
        Ok(ExchangeContext {
            earlier,
            reply,
            name,
            reminded,
            nearest,
            encoders,
            is_looked_up,
            hears_persona,
            may_keep_sensitive,
        })
    }

    /// Whether the persona has memories for staff only, including those that were set aside.
    async fn knows_confidential(&self, persona: &PersonaContext) -> Result<bool, Problem> {
        let (open, _) = self.view(persona).await?;
        Ok(open.cards().values().any(Card::is_confidential))
    }

    /// The memories in the prompt of a recall.
    async fn reminded_of(&self, scope: &Scope, recall: RecallId) -> Result<Vec<KnownMemory>, Problem> {
        let trace = self.store.trace(scope, recall).await?;
        let shown = trace.map(|trace| trace.shown).unwrap_or_default();
        let atoms = self.store.atoms(scope, &shown).await?;
        Ok(atoms
            .into_iter()
            .map(|stored| KnownMemory { id: stored.atom.id, gist: stored.atom.gist })
            .collect())
    }
}

impl ExchangeContext {
    /// The earlier turns in the form that formation reads.
    pub(super) fn lines(&self) -> Vec<Line<'_>> {
        let heard =
            self.earlier.iter().filter(|(author, _)| self.hears_persona || *author == Author::Speaker);
        heard.map(|(author, text)| Line { author: *author, text: text.as_str() }).collect()
    }

    /// The gists that were in the prompt.
    pub(super) fn reminded(&self) -> Vec<&str> {
        self.reminded.iter().map(|known| known.gist.as_str()).collect()
    }

    /// The memories shown to a model, most similar first, none twice.
    pub(super) fn shown(&self) -> Vec<&KnownMemory> {
        let is_new = |known: &&KnownMemory| self.nearest.iter().all(|near| near.id != known.id);
        self.nearest.iter().chain(self.reminded.iter().filter(is_new)).collect()
    }

    /// The memories that a model may replace: the shown ones of the same subject.
    pub(super) fn replaceable(&self) -> Vec<MemoryId> {
        self.nearest.iter().map(|known| known.id).collect()
    }

    /// The reply, if it may contain what the persona did or promised.
    fn promising_reply(&self) -> Option<&str> {
        let is_heard = self.hears_persona && !self.is_looked_up;
        self.reply.as_ref().filter(|_| is_heard).map(|reply| reply.text.as_str())
    }

    /// The exchange of `turn`. `lines` and `reminded` come from this context.
    pub(super) fn exchange<'a>(
        &'a self,
        persona: &'a PersonaContext,
        turn: &'a Turn,
        speaker: formation::Speaker,
        lines: &'a [Line<'a>],
        reminded: &'a [&'a str],
    ) -> Exchange<'a> {
        let identity = &persona.loaded.document.identity;
        let zone = TimeZone::get(&identity.timezone).unwrap_or(TimeZone::UTC);
        let before = self.earlier.iter().rev().find(|(author, _)| *author == Author::Persona);
        // The built-in voice asks nothing, and what it says adds nothing to an answer.
        let before = before.filter(|_| self.hears_persona && !self.is_looked_up);
        Exchange {
            said: turn.text.as_str(),
            before: before.map(|(_, text)| text.as_str()),
            earlier: lines,
            reply: self.promising_reply(),
            name: self.name.as_deref(),
            language: &identity.language,
            today: turn.at.to_jiff().to_zoned(zone).date(),
            speaker,
            reminded,
            may_keep_sensitive: self.may_keep_sensitive,
            encoders: self.encoders.as_ref(),
        }
    }
}

/// Who speaks with the persona in a conversation.
pub(super) fn speaker_of(session: &Session) -> formation::Speaker {
    if session.subject.is_owner() { formation::Speaker::Owner } else { formation::Speaker::Guest }
}

fn spoken(turn: &Turn) -> (Author, Text) {
    let author = match turn.speaker {
        Speaker::Subject => Author::Speaker,
        Speaker::Persona => Author::Persona,
    };
    (author, turn.text.clone())
}
