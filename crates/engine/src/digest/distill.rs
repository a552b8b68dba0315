//! `POST /distill/{short,mid,long}`: condenses the record into short, mid and long memory, separately for
//! each person.
//!
//! A new digest is checked before it is written: one that loses more than it keeps is refused and the old one
//! stays. The sources of a digest must still exist when it is stored, so that nothing deleted meanwhile comes
//! back in other words.

mod asked;
mod by_hand;
mod corrected;
mod extract;
mod keep;
mod made;
mod short;
mod sources;
mod talk;

use std::collections::{BTreeMap, BTreeSet};

use domain::digest::{DigestRefusal, check, fitting};
use domain::{Digest, SubjectRef, Tokens, TurnId};
use jiff::tz::TimeZone;
use llm::Backend;
use store::{Deployment, PersonaEntry, Records, Session, StoreError, Turn};
use wire::Problem;
use wire::distill::{DigestStatus, Distill, DistillAnswer, DistillOutcome, DistillStatus, Distilled};
use wire::key::Speaks;
use wire::persona::BrokenPersona;

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::error::store_problem;
use crate::jobs::scheduler::JobWork;
use crate::memory::cues::CueWriting;
use crate::persona::registry::PersonaContext;
use crate::talk::converse::Role;
use asked::DigestRequest;
use by_hand::ByHand;
use corrected::correct;
use extract::Extract;
use keep::StoredDigest;
use made::{NewDigest, difference};
use sources::Sources;
use talk::{Line, Talk};

/// The most of a record that is read for an extract, in characters.
const MOST_READ: usize = 1_000_000;

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

/// Why there is no new digest.
enum NoDigest {
    /// There is nothing to make one from, or nothing new.
    Nothing,
    /// A check refused it.
    Refused(&'static str),
    /// An error.
    Failed(&'static str),
}

/// The input of a digest besides the previous one.
struct DigestInput {
    turns: BTreeSet<TurnId>,
    mid: Option<StoredDigest>,
}

impl Engine {
    /// Makes digests of the caller's tenant: of one persona or all, of one person or all.
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
            match self.distill_chosen(call, &entry, (digest, asked.subject.as_ref()), mode).await {
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
        (digest, subject): (Digest, Option<&SubjectRef>),
        mode: Mode,
    ) -> Result<Vec<Distilled>, Problem> {
        if mode == Mode::Preview || subject.is_some() {
            let found = self.found(call, entry).await?;
            let distilled = self.distill_persona(call, &found, (digest, subject), mode).await?;
            if mode == Mode::Write {
                self.notify_of_digests(entry, digest, &distilled, call.now).await;
            }
            return Ok(distilled);
        }
        Ok(self.run_by_hand(call, entry, JobWork::Distill(digest)).await?.distilled)
    }

    /// The state of the digests of the caller's tenant.
    pub async fn distill_status(&self, call: &Call) -> Result<DistillStatus, Problem> {
        let jobs = self.store.jobs(&call.caller.tenant).await.map_err(store_problem)?;
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
        found: &PersonaContext,
        (digest, only): (Digest, Option<&SubjectRef>),
        mode: Mode,
    ) -> Result<Vec<Distilled>, Problem> {
        let mut by_person: BTreeMap<SubjectRef, Vec<Session>> = BTreeMap::new();
        for session in self.store.sessions(&found.entry.scope(), only).await.map_err(store_problem)? {
            by_person.entry(session.subject.clone()).or_default().push(session);
        }
        let owner = SubjectRef::owner();
        if only.is_none_or(|only| *only == owner) && !by_person.contains_key(&owner) {
            // A home written by hand has digests before it has conversations.
            let short = self.kept_digest(&found.entry.scope(), &owner, Digest::Short).await?;
            if !short.text().trim().is_empty() {
                by_person.insert(owner, Vec::new());
            }
        }
        let zone = TimeZone::get(&found.standing.document.identity.timezone).unwrap_or(TimeZone::UTC);
        let mut distilled = Vec::new();
        for (subject, sessions) in by_person {
            let talk = Talk { found, subject: &subject, zone: zone.clone(), sessions };
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
        let scope = talk.found.entry.scope();
        let old = self.kept_digest(&scope, talk.subject, digest).await?;
        let new = match talk.found.standing.without_memory() {
            None => self.made(call, talk, digest, &old).await?,
            Some(reason) => Err(NoDigest::Refused(reason)),
        };
        let new = new.and_then(|(new, ground)| guarded(digest, &old, new).map(|new| (new, ground)));
        let (outcome, reason) = match (&new, mode) {
            (Err(NoDigest::Nothing), _) => (DistillOutcome::Unchanged, None),
            (Err(NoDigest::Refused(reason)), _) => (DistillOutcome::Refused, Some(*reason)),
            (Err(NoDigest::Failed(reason)), _) => (DistillOutcome::Failed, Some(*reason)),
            (Ok(_), Mode::Preview) => (DistillOutcome::Previewed, None),
            (Ok((new, ground)), Mode::Write) => {
                if self.keep_if_standing(call, talk, digest, (&old, new, ground)).await? {
                    (DistillOutcome::Written, None)
                } else {
                    (DistillOutcome::Failed, Some("changed-meanwhile"))
                }
            }
        };
        let text = new.as_ref().map_or(old.text(), |(new, _)| new.text.as_str());
        Ok(Distilled {
            persona: talk.found.entry.name.clone(),
            subject: talk.subject.clone(),
            digest,
            outcome,
            reason: reason.map(str::to_owned),
            model: new.as_ref().ok().and_then(|(new, _)| new.model.clone()).unwrap_or_else(none),
            tokens: Tokens::of_characters(text.chars().count()),
            diff: difference(old.text(), text),
        })
    }

    /// A new digest, or why there is none.
    async fn made(
        &self,
        call: &Call,
        talk: &Talk<'_>,
        digest: Digest,
        old: &StoredDigest,
    ) -> Result<Result<(NewDigest, DigestInput), NoDigest>, Problem> {
        match digest {
            Digest::Short => {
                let budget = self.distillation.budget(digest);
                let room = (budget.0 as usize).saturating_mul(4);
                let mut turns = self.told_turns(talk, old, None, room).await?;
                correct(&mut turns, old.text(), talk);
                // Without conversations there is nothing to add to a digest written by hand.
                if turns.is_empty() && (old.paper.is_none() || old.sources.turns().is_empty()) {
                    return Ok(Err(NoDigest::Nothing));
                }
                let by_hand = ByHand::of(old.text(), &old.sources);
                Ok(Ok((short::short(talk, &turns, budget, &by_hand), ground(&turns))))
            }
            Digest::Mid => self.made_mid(call, talk, old).await,
            Digest::Long => self.made_long(call, talk, old).await,
        }
    }

    async fn made_mid(
        &self,
        call: &Call,
        talk: &Talk<'_>,
        old: &StoredDigest,
    ) -> Result<Result<(NewDigest, DigestInput), NoDigest>, Problem> {
        // If a digest was deleted, it is made from the whole record again.
        let since = old.paper.as_ref().and(old.sources.through);
        let role = self.distiller(&talk.found.entry, Digest::Mid).await?;
        let room = match &role {
            Some(_) => reading_room(talk),
            None => MOST_READ,
        };
        let mut turns = self.told_turns(talk, old, since, room).await?;
        let short = self.kept_digest(&talk.found.entry.scope(), talk.subject, Digest::Short).await?;
        correct(&mut turns, short.text(), talk);
        let by_hand = short_by_hand(&short, old);
        let through = turns.last().map(|turn| turn.at).or(old.sources.through);
        if turns.is_empty() && by_hand.prose.is_empty() {
            return Ok(Err(NoDigest::Nothing));
        }
        let made = match role {
            None => {
                let extract = self.extract(call, talk, Digest::Mid, old);
                extract.mid((old.text(), &old.sources), &turns, &by_hand)
            }
            Some(role) => {
                let by_hand = by_hand.sentences().map(|said| Line {
                    text: format!("- {}", recall::on_one_line(said)),
                    turns: BTreeSet::new(),
                });
                let new = by_hand.chain(turns.iter().map(|turn| talk.line(turn))).collect();
                match self.ask(talk, Digest::Mid, (&role, lines(old)), new).await {
                    Ok(made) => NewDigest { sources: Sources { through, ..made.sources }, ..made },
                    Err(reason) => return Ok(Err(NoDigest::Failed(reason))),
                }
            }
        };
        Ok(Ok((made, ground(&turns))))
    }

    async fn made_long(
        &self,
        call: &Call,
        talk: &Talk<'_>,
        old: &StoredDigest,
    ) -> Result<Result<(NewDigest, DigestInput), NoDigest>, Problem> {
        let mid = self.kept_digest(&talk.found.entry.scope(), talk.subject, Digest::Mid).await?;
        if mid.text().trim().is_empty() {
            return Ok(Err(NoDigest::Nothing));
        }
        let made = match self.distiller(&talk.found.entry, Digest::Long).await? {
            None => self
                .extract(call, talk, Digest::Long, old)
                .long((old.text(), &old.sources), (mid.text(), &mid.sources)),
            Some(role) => match self.ask(talk, Digest::Long, (&role, lines(old)), lines(&mid)).await {
                Ok(made) => made,
                Err(reason) => return Ok(Err(NoDigest::Failed(reason))),
            },
        };
        Ok(Ok((made, DigestInput { turns: BTreeSet::new(), mid: Some(mid) })))
    }

    async fn ask(
        &self,
        talk: &Talk<'_>,
        digest: Digest,
        (role, old): (&Role, Vec<Line>),
        new: Vec<Line>,
    ) -> Result<NewDigest, &'static str> {
        let identity = &talk.found.standing.document.identity;
        let Backend::Model(model) = role.backend.as_ref() else { return Err("no-model") };
        let budget = self.distillation.budget(digest);
        let (name, language) = (&identity.display_name, &identity.language);
        DigestRequest { digest, name, language, budget, old, new }.condensed(model, role).await
    }

    fn extract<'a>(
        &self,
        call: &Call,
        talk: &'a Talk<'a>,
        digest: Digest,
        old: &StoredDigest,
    ) -> Extract<'a> {
        let budget = (self.distillation.budget(digest).0 as usize).saturating_mul(4);
        let by_hand = ByHand::of(old.text(), &old.sources);
        let most = *fitting(old.text().trim().chars().count()).end();
        let room = if by_hand.prose.is_empty() { budget.min(most) } else { budget };
        Extract { talk, digest, today: talk.day(call.now), room, by_hand }
    }

    /// The turns that a digest may contain.
    async fn told_turns(
        &self,
        talk: &Talk<'_>,
        old: &StoredDigest,
        since: Option<domain::Timestamp>,
        room: usize,
    ) -> Result<Vec<Turn>, Problem> {
        let mut turns = self.newest_turns(talk, since, room).await?;
        turns.retain(|turn| !old.sources.omitted.contains(&turn.id));
        Ok(turns)
    }

    /// Stores the digest, unless one of its sources was deleted or changed meanwhile.
    async fn keep_if_standing(
        &self,
        call: &Call,
        talk: &Talk<'_>,
        digest: Digest,
        (old, made, ground): (&StoredDigest, &NewDigest, &DigestInput),
    ) -> Result<bool, Problem> {
        // Erasure of a person takes the same lock.
        let _alone = self.learning_state.lock(talk.found.entry.id).await;
        let scope = talk.found.entry.scope();
        if let Some(mid) = &ground.mid {
            let now = self.kept_digest(&scope, talk.subject, Digest::Mid).await?;
            if now.text() != mid.text() {
                return Ok(false);
            }
        }
        let mut standing = BTreeSet::new();
        for session in talk.sessions.iter().filter(|_| !ground.turns.is_empty()) {
            if standing.len() >= ground.turns.len() && ground.turns.is_subset(&standing) {
                break;
            }
            let turns = self.store.turns(&scope, &session.id).await.map_err(store_problem)?;
            standing
                .extend(turns.iter().filter(|turn| crate::talk::sessions::stands(turn)).map(|turn| turn.id));
        }
        if !ground.turns.is_subset(&standing) {
            return Ok(false);
        }
        match self.keep_digest((&scope, talk.subject, digest), old, made, call.now).await {
            Ok(()) => Ok(true),
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(store_problem(error)),
        }
    }

    /// The role that writes a digest, if a model does.
    async fn distiller(&self, entry: &PersonaEntry, digest: Digest) -> Result<Option<Role>, Problem> {
        let named = match digest {
            Digest::Short => return Ok(None),
            Digest::Mid => "distill_mid",
            Digest::Long => "distill_long",
        };
        let roles = self.roles_of(&entry.tenant).await?;
        let role = roles.get(Some(named)).or_else(|| roles.get(None));
        Ok(role.filter(|role| matches!(role.backend.as_ref(), Backend::Model(_))).cloned())
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

/// A digest that changes something and passes the checks. The short one is the conversation itself and needs
/// no check.
fn guarded(digest: Digest, old: &StoredDigest, made: NewDigest) -> Result<NewDigest, NoDigest> {
    let tells = made.text.lines().any(|line| line.starts_with("- "));
    if made.text.trim() == old.text().trim() || (made.model.is_none() && digest != Digest::Short && !tells) {
        return Err(NoDigest::Nothing);
    }
    let checked = match check(old.text().trim().chars().count(), &made.text) {
        // An extract keeps to its budget by itself; text written by hand may be shorter than its heading.
        Err(DigestRefusal::Grown) if made.model.is_none() => Ok(()),
        checked => checked,
    };
    match (digest, checked) {
        (Digest::Short, _) | (_, Ok(())) => Ok(made),
        (_, Err(refusal)) => Err(NoDigest::Refused(refusal.code())),
    }
}

/// How much of a record is given to a model: half of its window.
fn reading_room(talk: &Talk<'_>) -> usize {
    let window = talk.found.standing.document.bindings.runtime_config.context_window_tokens;
    (window.0 as usize).saturating_mul(2)
}

fn ground(turns: &[Turn]) -> DigestInput {
    DigestInput { turns: turns.iter().map(|turn| turn.id).collect(), mid: None }
}

/// The lines of a digest, each with its sources.
fn lines(kept: &StoredDigest) -> Vec<Line> {
    let lines = kept.text().lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| Line { text: line.to_owned(), turns: kept.sources.of(line) }).collect()
}

fn none() -> String {
    "none".to_owned()
}
/// What people wrote into the short digest and is not in the mid one yet.
fn short_by_hand(short: &StoredDigest, mid: &StoredDigest) -> ByHand {
    let by_hand = ByHand::of(short.text(), &short.sources);
    let is_new = by_hand.sentences().any(|said| !mid.text().contains(recall::on_one_line(said).as_str()))
        || by_hand.tables().iter().any(|table| !mid.text().contains(table));
    if is_new { by_hand } else { ByHand::default() }
}
