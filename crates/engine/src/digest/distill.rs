//! `POST /distill/{short,mid,long}`: condenses the record into short, mid and long memory, separately for
//! each person.
//!
//! A new digest is checked before it is written: one that loses more than it keeps is refused and the old one
//! stays. The sources of a digest must still exist when it is stored, so that nothing deleted meanwhile comes
//! back in other words.

mod digest_request;
mod by_hand;
mod corrected;
mod extract;
mod keep;
mod make;
mod new_digest;
mod short;
mod sources;
mod talk;

use std::collections::{BTreeMap, BTreeSet};

use domain::{Digest, SubjectRef, Tokens};
use jiff::tz::TimeZone;
use store::{Deployment, PersonaEntry, Records, Session, StoreError};
use wire::Problem;
use wire::distill::{DigestStatus, Distill, DistillAnswer, DistillOutcome, DistillStatus, Distilled};
use wire::key::Speaks;
use wire::persona::BrokenPersona;

use crate::call::{Call, PersonaKey};
use crate::jobs::scheduler::JobWork;
use crate::memory::cues::CueWriting;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};
use keep::StoredDigest;
use make::{DigestInput, NoDigest, guarded};
use new_digest::{NewDigest, difference};
use talk::Talk;

/// Settings for digests.
#[derive(Clone, Debug)]
pub struct Distillation {
    /// The digests that are made automatically.
    pub auto: BTreeSet<Digest>,
    /// The token budget of each in a prompt; others have a default.
    pub budgets: BTreeMap<Digest, Tokens>,
    /// Settings for cues.
    pub cues: CueWriting,
}

/// The long digest is off until a person has approved the first one.
impl Default for Distillation {
    fn default() -> Self {
        Self {
            auto: BTreeSet::from([Digest::Short, Digest::Mid]),
            budgets: BTreeMap::new(),
            cues: CueWriting::default(),
        }
    }
}

impl Distillation {
    /// The token budget of a digest in a prompt.
    #[must_use]
    pub fn budget(&self, digest: Digest) -> Tokens {
        self.budgets.get(&digest).copied().unwrap_or_else(|| digest.budget())
    }
}

/// Whether digests are written or only shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Preview,
}

impl Engine {
    /// Makes digests of the caller's tenant: of one persona or all, of one person or all.
    #[boxed]
    pub async fn distill(
        &self,
        call: &Call,
        digest: Digest,
        asked: Distill,
    ) -> Result<DistillAnswer, Problem> {
        if let Some(user) = &asked.user {
            self.check_tenant(call, user).await?;
        }
        let mode = if asked.dry_run { Mode::Preview } else { Mode::Write };
        let (mut distilled, mut broken) = (Vec::new(), Vec::new());
        for entry in self.chosen_personas(call, asked.persona.as_ref()).await? {
            match self.distill_chosen(call, &entry, digest, asked.subject.as_ref(), mode).await {
                Ok(results) => distilled.extend(results),
                // A named persona's problem is the answer; with all personas, it is reported and the others
                // continue.
                Err(problem) if asked.persona.is_some() => return Err(problem),
                Err(problem) => broken.push(BrokenPersona::new(&entry.name, &problem)),
            }
        }
        if call.caller.speaks != Speaks::Owner {
            for digest in &mut distilled {
                digest.diff.clear();
            }
        }
        Ok(DistillAnswer { distilled, broken })
    }

    /// Makes the digests of one persona, as its job does unless only a part or a preview is requested.
    async fn distill_chosen(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        digest: Digest,
        subject: Option<&SubjectRef>,
        mode: Mode,
    ) -> Result<Vec<Distilled>, Problem> {
        if mode == Mode::Preview || subject.is_some() {
            let persona = self.persona_context(call, entry).await?;
            let distilled = self.distill_persona(call, &persona, digest, subject, mode).await?;
            if mode == Mode::Write {
                self.notify_of_digests(entry, digest, &distilled, call.now).await;
            }
            return Ok(distilled);
        }
        Ok(self.run_by_hand(call, entry, JobWork::Distill(digest)).await?.distilled)
    }

    /// The state of the digests of the caller's tenant.
    #[boxed]
    pub async fn distill_status(&self, call: &Call) -> Result<DistillStatus, Problem> {
        let jobs = self.store.jobs(&call.caller.tenant).await?;
        let mut digests = Vec::new();
        for entry in self.visible_personas(call).await? {
            let zone = self.zone(&entry, call.now).await;
            for digest in Digest::ALL {
                let name = JobWork::Distill(digest).name();
                let job =
                    jobs.iter().find(|job| job.key.persona == entry.id && job.key.name.as_str() == name);
                let paused_at = job.and_then(|job| job.paused_at);
                let auto = self.distillation.auto.contains(&digest);
                let is_next = auto && paused_at.is_none();
                digests.push(DigestStatus {
                    persona: entry.name.clone(),
                    digest,
                    auto,
                    paused_at,
                    budget: self.distillation.budget(digest),
                    model: self.distiller(&entry, digest).await?.map_or_else(none, |role| role.model_name),
                    next_at: digest.recurrence().next(call.now, &zone).filter(|_| is_next),
                    last: job.and_then(|job| job.last.as_ref()).map(crate::jobs::list::run_view),
                });
            }
        }
        Ok(DistillStatus { digests })
    }

    /// Makes the digests of everyone who talked with a persona, or of one of them.
    pub(crate) async fn distill_persona(
        &self,
        call: &Call,
        persona: &PersonaContext,
        digest: Digest,
        only: Option<&SubjectRef>,
        mode: Mode,
    ) -> Result<Vec<Distilled>, Problem> {
        let mut by_person: BTreeMap<SubjectRef, Vec<Session>> = BTreeMap::new();
        for session in self.store.sessions(&persona.entry.scope(), only).await? {
            by_person.entry(session.subject.clone()).or_default().push(session);
        }
        let owner = SubjectRef::owner();
        if only.is_none_or(|only| *only == owner) && !by_person.contains_key(&owner) {
            // A home written by hand has digests before it has conversations.
            let short = self.kept_digest(&persona.entry.scope(), &owner, Digest::Short).await?;
            if !short.text().trim().is_empty() {
                by_person.insert(owner, Vec::new());
            }
        }
        let zone = TimeZone::get(&persona.loaded.document.identity.timezone).unwrap_or(TimeZone::UTC);
        let mut distilled = Vec::new();
        for (subject, sessions) in by_person {
            let talk = Talk { persona, subject: &subject, zone: zone.clone(), sessions };
            distilled.push(self.distill_one(call, &talk, digest, mode).await?);
        }
        Ok(distilled)
    }

    async fn distill_one(
        &self,
        call: &Call,
        talk: &Talk<'_>,
        digest: Digest,
        mode: Mode,
    ) -> Result<Distilled, Problem> {
        let scope = talk.persona.entry.scope();
        let old = self.kept_digest(&scope, talk.subject, digest).await?;
        let new = match talk.persona.loaded.without_memory() {
            None => self.new_digest(call, talk, digest, &old).await?,
            Some(reason) => Err(NoDigest::Refused(reason)),
        };
        let new = new.and_then(|(new, ground)| guarded(digest, &old, new).map(|new| (new, ground)));
        let (outcome, reason) = match (&new, mode) {
            (Err(NoDigest::Nothing), _) => (DistillOutcome::Unchanged, None),
            (Err(NoDigest::Refused(reason)), _) => (DistillOutcome::Refused, Some(*reason)),
            (Err(NoDigest::Failed(reason)), _) => (DistillOutcome::Failed, Some(*reason)),
            (Ok(_), Mode::Preview) => (DistillOutcome::Previewed, None),
            (Ok((new, ground)), Mode::Write) => {
                if self.store_if_current(call, talk, digest, &old, new, ground).await? {
                    (DistillOutcome::Written, None)
                } else {
                    (DistillOutcome::Failed, Some("changed-meanwhile"))
                }
            }
        };
        let text = new.as_ref().map_or(old.text(), |(new, _)| new.text.as_str());
        Ok(Distilled {
            persona: talk.persona.entry.name.clone(),
            subject: talk.subject.clone(),
            digest,
            outcome,
            reason: reason.map(str::to_owned),
            model: new.as_ref().ok().and_then(|(new, _)| new.model.clone()).unwrap_or_else(none),
            tokens: Tokens::of_characters(text.chars().count()),
            diff: difference(old.text(), text),
        })
    }

    /// Stores the digest, unless one of its sources was deleted or changed meanwhile.
    async fn store_if_current(
        &self,
        call: &Call,
        talk: &Talk<'_>,
        digest: Digest,
        old: &StoredDigest,
        made: &NewDigest,
        ground: &DigestInput,
    ) -> Result<bool, Problem> {
        // Erasure of a person takes the same lock.
        let _alone = self.learning_state.lock(talk.persona.entry.id).await;
        let scope = talk.persona.entry.scope();
        if let Some(mid) = &ground.mid {
            let now = self.kept_digest(&scope, talk.subject, Digest::Mid).await?;
            if now.text() != mid.text() {
                return Ok(false);
            }
        }
        let mut known_turns = BTreeSet::new();
        for session in talk.sessions.iter().filter(|_| !ground.turns.is_empty()) {
            if known_turns.len() >= ground.turns.len() && ground.turns.is_subset(&known_turns) {
                break;
            }
            let turns = self.store.turns(&scope, &session.id).await?;
            known_turns
                .extend(turns.iter().filter(|turn| crate::talk::sessions::stands(turn)).map(|turn| turn.id));
        }
        if !ground.turns.is_subset(&known_turns) {
            return Ok(false);
        }
        match self.keep_digest(&scope, talk.subject, digest, old, made, call.now).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The personas of the caller's tenant, or the named one.
    pub(crate) async fn chosen_personas(
        &self,
        call: &Call,
        named: Option<&domain::PersonaName>,
    ) -> Result<Vec<PersonaEntry>, Problem> {
        let mut all = self.visible_personas(call).await?;
        let Some(named) = named else { return Ok(all) };
        all.retain(|entry| entry.name == *named);
        if all.is_empty() {
            return Err(self.unknown_persona(call, &PersonaKey::Name(named.clone())).await);
        }
        Ok(all)
    }
}

fn none() -> String {
    "none".to_owned()
}
