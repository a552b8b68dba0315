//! Makes one new digest from the record: the short one from the latest turns, the others by a model or as an
//! extract.

use std::collections::BTreeSet;

use domain::digest::{DigestRefusal, check, fitting};
use domain::{Digest, TurnId};
use llm::Backend;
use store::{PersonaEntry, Turn};
use wire::Problem;

use super::by_hand::ByHand;
use super::corrected::correct;
use super::digest_request::DigestRequest;
use super::extract::Extract;
use super::keep::StoredDigest;
use super::new_digest::NewDigest;
use super::short;
use super::sources::Sources;
use super::talk::{Line, Talk};
use crate::Engine;
use crate::call::Call;
use crate::talk::converse::Role;

/// The most of a record that is read for an extract, in characters.
const MOST_READ: usize = 1_000_000;

/// Why there is no new digest.
pub(super) enum NoDigest {
    /// There is nothing to make one from, or nothing new.
    Nothing,
    /// A check refused it.
    Refused(&'static str),
    /// An error.
    Failed(&'static str),
}

/// The input of a digest besides the previous one.
pub(super) struct DigestInput {
    pub(super) turns: BTreeSet<TurnId>,
    pub(super) mid: Option<StoredDigest>,
}

impl Engine {
    /// A new digest, or why there is none.
    pub(super) async fn new_digest(
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
                let mut turns = self.included_turns(talk, old, None, room).await?;
                correct(&mut turns, old.text(), talk);
                // Without conversations there is nothing to add to a digest written by hand.
                if turns.is_empty() && (old.document.is_none() || old.sources.turns().is_empty()) {
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
        let since = old.document.as_ref().and(old.sources.through);
        let role = self.distiller(&talk.persona.entry, Digest::Mid).await?;
        let room = match &role {
            Some(_) => reading_room(talk),
            None => MOST_READ,
        };
        let mut turns = self.included_turns(talk, old, since, room).await?;
        let short = self.kept_digest(&talk.persona.entry.scope(), talk.subject, Digest::Short).await?;
        correct(&mut turns, short.text(), talk);
        let by_hand = short_by_hand(&short, old);
        let through = turns.last().map(|turn| turn.at).or(old.sources.through);
        if turns.is_empty() && by_hand.prose.is_empty() {
            return Ok(Err(NoDigest::Nothing));
        }
        let made = match role {
            None => {
                let extract = self.extract(call, talk, Digest::Mid, old);
                extract.mid(old, &turns, &by_hand)
            }
            Some(role) => {
                let by_hand = by_hand.sentences().map(|said| Line {
                    text: format!("- {}", recall::on_one_line(said)),
                    turns: BTreeSet::new(),
                });
                let new = by_hand.chain(turns.iter().map(|turn| talk.line(turn))).collect();
                match self.ask(talk, Digest::Mid, &role, lines(old), new).await {
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
        let mid = self.kept_digest(&talk.persona.entry.scope(), talk.subject, Digest::Mid).await?;
        if mid.text().trim().is_empty() {
            return Ok(Err(NoDigest::Nothing));
        }
        let made = match self.distiller(&talk.persona.entry, Digest::Long).await? {
            None => self.extract(call, talk, Digest::Long, old).long(old, &mid),
            Some(role) => match self.ask(talk, Digest::Long, &role, lines(old), lines(&mid)).await {
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
        role: &Role,
        old: Vec<Line>,
        new: Vec<Line>,
    ) -> Result<NewDigest, &'static str> {
        let identity = &talk.persona.loaded.document.identity;
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
    async fn included_turns(
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

    /// The role that writes a digest, if a model does.
    pub(super) async fn distiller(
        &self,
        entry: &PersonaEntry,
        digest: Digest,
    ) -> Result<Option<Role>, Problem> {
        let named = match digest {
            Digest::Short => return Ok(None),
            Digest::Mid => "distill_mid",
            Digest::Long => "distill_long",
        };
        let roles = self.roles_of(&entry.tenant).await?;
        let role = roles.get(Some(named)).or_else(|| roles.get(None));
        Ok(role.filter(|role| matches!(role.backend.as_ref(), Backend::Model(_))).cloned())
    }
}

/// How much of a record is given to a model: half of its window.
fn reading_room(talk: &Talk<'_>) -> usize {
    let window = talk.persona.loaded.document.bindings.runtime_config.context_window_tokens;
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

/// What people wrote into the short digest and is not in the mid one yet.
fn short_by_hand(short: &StoredDigest, mid: &StoredDigest) -> ByHand {
    let by_hand = ByHand::of(short.text(), &short.sources);
    let is_new = by_hand.sentences().any(|said| !mid.text().contains(recall::on_one_line(said).as_str()))
        || by_hand.tables().iter().any(|table| !mid.text().contains(table));
    if is_new { by_hand } else { ByHand::default() }
}

/// A digest that changes something and passes the checks. The short one is the conversation itself and needs
/// no check.
pub(super) fn guarded(digest: Digest, old: &StoredDigest, made: NewDigest) -> Result<NewDigest, NoDigest> {
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
