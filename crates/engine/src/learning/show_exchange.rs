//! `GET /v1/exchanges/{exchangeId}`: what was remembered of a message, and what was not stored and why.
//!
//! The record stores ids and codes only. The text of the memories is read on request, so an answer shows no
//! memory that was destroyed, set aside or belongs to another person.

use std::collections::BTreeMap;

use domain::creation::CreationRefusal;
use domain::{Access, MemoryId, Reach, RedactionStatus, SubjectRef, Timestamp};
use store::{ExchangeId, Formation, PersonaEntry, Records, Session, Speaker, StoredAtom, Turn};
use wire::exchange::{ExchangeAnswer, FormationReport, FormationState, NotKept, RememberedMemory};
use wire::{Code, Problem};

use crate::access::law::is_visible;
use crate::call::Call;
use crate::learning::form::TurnInSession;
use crate::persona::notices::of_memory;
use crate::persona::registry::PersonaContext;
use crate::talk::sessions::stands;
use crate::{Engine, boxed};

impl Engine {
    /// What was learnt from an exchange. Another subject's exchange is not found.
    #[boxed]
    pub async fn show_exchange(
        &self,
        call: &Call,
        id: &str,
        named: Option<SubjectRef>,
    ) -> Result<ExchangeAnswer, Problem> {
        let id = ExchangeId(id.to_owned());
        for entry in self.visible_personas(call).await? {
            // One unreadable persona must not block the others.
            let Ok(persona) = self.persona_context(call, &entry).await else { continue };
            let access = self.access(call, &persona, named.clone()).await?;
            for session in self.sessions_within(&persona, &access).await? {
                if let Some(answer) = self.exchange_in(&persona, &access, &session, &id, call.now).await? {
                    return Ok(answer);
                }
            }
        }
        Err(no_exchange(&id))
    }

    /// The exchanges whose formation a model has completed since `number`, as far as the caller may see them,
    /// and the number for the next call.
    #[boxed]
    pub async fn formed_since(&self, call: &Call, number: u64) -> (Vec<ExchangeAnswer>, u64) {
        let (formed, next) = self.learning_state.formed_exchanges.since(number);
        let mut answers = Vec::new();
        for one in formed.into_iter().filter(|one| one.persona.tenant == call.caller.tenant) {
            let answer = self.formed_answer(call, &one.persona, &one.session, &one.exchange).await;
            answers.extend(answer.ok().flatten());
        }
        (answers, next)
    }

    /// The number from which to follow completed formations.
    #[must_use]
    pub fn next_formed(&self) -> u64 {
        self.learning_state.formed_exchanges.next()
    }

    async fn formed_answer(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        session: &domain::SessionId,
        exchange: &ExchangeId,
    ) -> Result<Option<ExchangeAnswer>, Problem> {
        let persona = self.persona_context(call, entry).await?;
        let access = self.access(call, &persona, None).await?;
        let session = self.store.session(&entry.scope(), session).await?;
        match session.filter(|session| is_within(session, &access)) {
            Some(session) => self.exchange_in(&persona, &access, &session, exchange, call.now).await,
            None => Ok(None),
        }
    }

    /// The conversations the caller may see, latest first.
    async fn sessions_within(
        &self,
        persona: &PersonaContext,
        access: &Access,
    ) -> Result<Vec<Session>, Problem> {
        let subject = match access.reach {
            Reach::Owner | Reach::Admin => None,
            Reach::Subject => match &access.listener.subject {
                Some(subject) => Some(subject),
                None => return Ok(Vec::new()),
            },
        };
        self.store.sessions(&persona.entry.scope(), subject).await.map_err(Problem::from)
    }

    async fn exchange_in(
        &self,
        persona: &PersonaContext,
        access: &Access,
        session: &Session,
        id: &ExchangeId,
        now: Timestamp,
    ) -> Result<Option<ExchangeAnswer>, Problem> {
        let turns = self.store.turns(&persona.entry.scope(), &session.id).await?;
        let Some(turn) = person_turn(&turns, id) else { return Ok(None) };
        Ok(Some(ExchangeAnswer {
            exchange_id: id.0.clone(),
            session_id: session.id.clone(),
            persona: persona.entry.name.clone(),
            report: self.formation_report(persona, access, turn, now).await?,
            notices: self.notices(persona).await,
        }))
    }

    /// The formation report of the exchange `id`.
    pub(crate) async fn report_of_exchange(
        &self,
        persona: &PersonaContext,
        access: &Access,
        session: &domain::SessionId,
        id: &ExchangeId,
        now: Timestamp,
    ) -> Result<Option<FormationReport>, Problem> {
        let turns = self.store.turns(&persona.entry.scope(), session).await?;
        match person_turn(&turns, id) {
            Some(turn) => self.formation_report(persona, access, turn, now).await.map(Some),
            None => Ok(None),
        }
    }

    async fn formation_report(
        &self,
        persona: &PersonaContext,
        access: &Access,
        turn: &Turn,
        now: Timestamp,
    ) -> Result<FormationReport, Problem> {
        let reports = self.formation_reports(persona, access, &[turn], now).await?;
        let nothing =
            FormationReport { formation: FormationState::None, remembered: Vec::new(), not_kept: Vec::new() };
        let mut report = reports.into_iter().flatten().next().unwrap_or(nothing);
        report.not_kept.extend(self.lost_without_memory(persona, turn, now).await?);
        Ok(report)
    }

    /// What is not remembered of a turn because memory is off, if there was something to remember.
    async fn lost_without_memory(
        &self,
        persona: &PersonaContext,
        turn: &Turn,
        now: Timestamp,
    ) -> Result<Option<NotKept>, Problem> {
        let (Formation::NotDue, Err(refused)) = (turn.formation, persona.loaded.demand_memory()) else {
            return Ok(None);
        };
        let session = self.store.session(&persona.entry.scope(), &turn.session).await?;
        let Some(session) = session else { return Ok(None) };
        let forecast = self.forecast(persona, TurnInSession { session: &session, turn }, None, now).await?;
        let way_out = of_memory(&persona.loaded, &persona.entry.name).map(|notice| notice.text);
        let lost = NotKept { reason: refused.code.to_string(), category: None, record_until: None, way_out };
        Ok(forecast.finds_something().then_some(lost))
    }

    /// The formation report of each of `turns`; none for the persona's own.
    pub(crate) async fn formation_reports(
        &self,
        persona: &PersonaContext,
        access: &Access,
        turns: &[&Turn],
        now: Timestamp,
    ) -> Result<Vec<Option<FormationReport>>, Problem> {
        let open = self.open(persona).await?;
        let expired = self.expired(persona, &open, now).await?.memories;
        let formed = turns.iter().filter_map(|turn| turn.formed.as_ref());
        let ids: Vec<MemoryId> = formed.flat_map(|result| result.remembered.iter().copied()).collect();
        let atoms = self.store.atoms(&persona.entry.scope(), &ids).await?;
        let is_shown = |stored: &&StoredAtom| {
            let atom = &stored.atom;
            let is_active = atom.redaction_status == RedactionStatus::Active && atom.archived_at.is_none();
            is_active && !expired.contains(&atom.id) && is_visible(persona, access, atom)
        };
        let shown: BTreeMap<MemoryId, &StoredAtom> =
            atoms.iter().filter(is_shown).map(|stored| (stored.atom.id, stored)).collect();
        let mut reports = Vec::with_capacity(turns.len());
        for turn in turns {
            reports.push(match turn.speaker {
                Speaker::Persona => None,
                Speaker::Subject => Some(self.report_of(persona, turn, &shown).await?),
            });
        }
        Ok(reports)
    }

    async fn report_of(
        &self,
        persona: &PersonaContext,
        turn: &Turn,
        shown: &BTreeMap<MemoryId, &StoredAtom>,
    ) -> Result<FormationReport, Problem> {
        let result = turn.formed.clone().unwrap_or_default();
        let remembered = result.remembered.iter().filter_map(|id| shown.get(id)).map(|stored| {
            let atom = &stored.atom;
            RememberedMemory { id: atom.id, gist: atom.gist.clone(), revises: atom.revises }
        });
        let session = if result.not_kept.iter().any(store::NotKept::is_sensitive) {
            self.store.session(&persona.entry.scope(), &turn.session).await?
        } else {
            None
        };
        let way_out = session.as_ref().map(|session| way_to_consent(persona, session));
        let retention = &persona.loaded.document.memory_policy.retention_policy;
        let record_until = session.and_then(|session| retention.record_ends(&session.subject, turn.at));
        Ok(FormationReport {
            formation: match turn.formation {
                Formation::NotDue => FormationState::None,
                Formation::Pending => FormationState::Pending,
                Formation::Done => FormationState::Done,
            },
            remembered: remembered.collect(),
            not_kept: result
                .not_kept
                .into_iter()
                .map(|refused| NotKept {
                    way_out: way_out.clone().filter(|_| is_for_want_of_consent(&refused)),
                    record_until: record_until.filter(|_| refused.is_sensitive()),
                    reason: refused.reason,
                    category: refused.category,
                })
                .collect(),
        })
    }
}

/// How the person of `session` can consent to having sensitive details kept.
fn way_to_consent(persona: &PersonaContext, session: &Session) -> String {
    let (persona, subject) = (&persona.entry.name, session.subject.as_str());
    format!(
        "it can be kept once consent is on record: say \"you may remember my health details\" and confirm it, or \
         `POST /v1/personas/{persona}/subjects/{subject}/consents`, or `selfhood consent give {persona} {subject} \
         --class sensitive-pii`"
    )
}

fn is_for_want_of_consent(refused: &store::NotKept) -> bool {
    refused.reason == CreationRefusal::ConsentNotOnRecord.code()
}

fn is_within(session: &Session, access: &Access) -> bool {
    match access.reach {
        Reach::Owner | Reach::Admin => true,
        Reach::Subject => access.listener.subject.as_ref() == Some(&session.subject),
    }
}

/// The person's turn of an exchange; the active one, if there are several.
fn person_turn<'t>(turns: &'t [Turn], id: &ExchangeId) -> Option<&'t Turn> {
    let own = || turns.iter().filter(|turn| turn.exchange == *id && turn.speaker == Speaker::Subject);
    own().find(|turn| stands(turn)).or_else(|| own().next_back())
}

fn no_exchange(id: &ExchangeId) -> Problem {
    let detail = format!(
        "no exchange {} of yours; answers name theirs in `X-Exchange-Id`, and off the record there is none",
        id.0
    );
    Problem::new(Code::NotFound, detail)
}
