//! Lines of an audit log: from an event draft to the bytes that are hashed.

pub(crate) mod proof;

use domain::{AuditEvent, PersonaId, TenantName, Timestamp};
use serde::{Deserialize, Serialize};
use vault::audit::{Checkpoint, Frontier, TreeHash, commitment, leaf_of_bytes};
use vault::canonical::canonicalize_serializable;
use vault::encoding::{from_hex, hex};
use vault::key::Secret;
use vault::randomness::{Randomness, random_bytes};
use vault::signature::SigningKey;

use crate::batch::EventDraft;
use crate::broken::is_broken;
use crate::checkpoint::SignedCheckpoint;
use crate::error::StoreError;
use crate::private::PrivateJson;
use crate::records::Stored;
use crate::scope::Scope;

const EVENTS_PER_CHECKPOINT: u64 = 1000;
const MILLIS_PER_HOUR: i64 = 3_600_000;

/// The name under which a log is signed: a persona's, or the deployment's own.
#[must_use]
pub fn log_origin(scope: Option<&Scope>) -> String {
    match scope {
        Some(Scope { tenant, persona }) => format!("selfhood/{tenant}/{persona}"),
        None => "selfhood/deployment".to_owned(),
    }
}

/// The log that the lines of one batch are written to, and the time they are written at.
pub(crate) struct LogTarget<'a> {
    pub(crate) tenant: &'a TenantName,
    pub(crate) persona: Option<PersonaId>,
    pub(crate) now: Timestamp,
    pub(crate) randomness: &'a dyn Randomness,
}

/// A line ready to be written.
pub(crate) struct Line {
    pub(crate) event: AuditEvent,
    /// The event as canonical JSON; the leaf is its hash.
    pub(crate) body: Vec<u8>,
    pub(crate) leaf: TreeHash,
    /// The private part, to be sealed. A line without a private part drops its salt and commits to nothing.
    pub(crate) sealed: Option<PrivatePart>,
}

/// The private part a line commits to, with the salt that keeps the commitment from being guessed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PrivatePart {
    salt: String,
    pub(crate) private: PrivateJson,
}

impl PrivatePart {
    /// Whether `event` commits to exactly this private part.
    pub(crate) fn is_committed_by(&self, event: &AuditEvent) -> bool {
        let salt = from_hex(&self.salt).map(Secret::from_bytes);
        let commit = salt.and_then(|salt| commitment(&salt, &self.private).ok());
        commit.is_some_and(|commit| hex(&commit) == event.commit)
    }
}

/// Writes `draft` as line `seq` of the log at `place`.
pub(crate) fn line(draft: &EventDraft, seq: u64, place: &LogTarget<'_>) -> Stored<Line> {
    let salt = random_bytes(place.randomness).map_err(vault_error)?;
    let private = draft.private.clone().unwrap_or_default();
    let commit = commitment(&Secret::from_bytes(salt), &private).map_err(vault_error)?;
    let event = AuditEvent {
        v: AuditEvent::VERSION,
        seq,
        ts: place.now.as_millis(),
        kind: draft.kind,
        id: draft.id.clone(),
        class: draft.class,
        reason: draft.reason,
        batch: draft.batch.clone(),
        actor: draft.actor.clone(),
        tenant: place.tenant.clone(),
        persona: place.persona,
        commit: hex(&commit),
    };
    let body = canonicalize_serializable(&event).map_err(vault_error)?;
    let leaf = leaf(&body);
    let sealed = draft.private.is_some().then(|| PrivatePart { salt: hex(&salt), private });
    Ok(Line { event, body, leaf, sealed })
}

/// The leaf hash of a stored line.
pub(crate) fn leaf(body: &[u8]) -> TreeHash {
    if is_broken("audit") { leaf_of_bytes(&[]) } else { leaf_of_bytes(body) }
}

/// Whether a checkpoint is due: the first one immediately, then after a thousand events or an hour.
pub(crate) fn checkpoint_is_due(last: Option<(u64, Timestamp)>, size: u64, now: Timestamp) -> bool {
    let Some((covered, at)) = last else { return size > 0 };
    let hour_is_over = now.as_millis().saturating_sub(at.as_millis()) >= MILLIS_PER_HOUR;
    size >= covered + EVENTS_PER_CHECKPOINT || (size > covered && hour_is_over)
}

/// Signs the state of the log `origin`.
pub(crate) fn sign_checkpoint(
    frontier: &Frontier,
    origin: String,
    keyring_counter: Option<u64>,
    signer: &SigningKey,
    at: Timestamp,
) -> Stored<SignedCheckpoint> {
    let size = frontier.size();
    let checkpoint = Checkpoint { origin, size, root: frontier.root(), keyring: keyring_counter };
    let note = checkpoint.sign(signer).map_err(vault_error)?;
    Ok(SignedCheckpoint { size, at, keyring_counter, note })
}

pub(crate) fn vault_error(error: impl std::fmt::Display) -> StoreError {
    StoreError::Vault(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Actor, EventKind, example};
    use serde_json::json;
    use vault::randomness::SeededRandomness;

    #[test]
    fn a_line_commits_to_its_private_part_and_does_not_show_it() {
        let tenant = "marriott".parse().unwrap();
        let randomness = SeededRandomness::new(1);
        let place =
            LogTarget { tenant: &tenant, persona: None, now: example::day(0), randomness: &randomness };
        let draft = EventDraft::new(EventKind::KeyCreated, Actor::engine());
        let draft_with_part = draft.clone().privately(None, json!({"why": "the blue scarf"}).into());
        let written = line(&draft_with_part, 7, &place).unwrap();
        assert_eq!((written.event.seq, written.event.kind), (7, EventKind::KeyCreated));
        assert!(!String::from_utf8(written.body).unwrap().contains("scarf"));
        let mut part = written.sealed.unwrap();
        assert!(part.is_committed_by(&written.event));
        part.private = json!({"why": "the red scarf"}).into();
        assert!(!part.is_committed_by(&written.event));
        assert!(line(&draft, 8, &place).unwrap().sealed.is_none());
    }

    #[test]
    fn checkpoints_come_at_first_then_by_count_and_by_the_hour() {
        let (start, hour) = (example::day(0), 3_600_000);
        let later = |millis| Timestamp::from_millis(start.as_millis() + millis);
        for (last, size, now, due) in [
            (None, 0, start, false),
            (None, 1, start, true),
            (Some(1), 1, later(2 * hour), false),
            (Some(1), 2, later(hour - 1), false),
            (Some(1), 2, later(hour), true),
            (Some(1), 1000, start, false),
            (Some(1), 1001, start, true),
        ] {
            let last = last.map(|size| (size, start));
            assert_eq!(checkpoint_is_due(last, size, now), due, "{last:?} {size} {now}");
        }
    }
}
