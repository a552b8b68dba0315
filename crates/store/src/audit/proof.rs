//! Verification of a log from its first line on.

use domain::AuditEvent;
use vault::audit::{Checkpoint, Frontier};
use vault::signature::PublicKey;

use super::{PrivatePart, leaf};
use crate::checkpoint::SignedCheckpoint;
use crate::freshness::{Cause, RecordKind, Unreadable};

/// One stored line.
pub(crate) struct LineRow {
    pub(crate) seq: u64,
    pub(crate) body: String,
    pub(crate) key: Option<i64>,
    pub(crate) part: Option<Vec<u8>>,
    pub(crate) about: Option<String>,
}

/// A line with its private part, or the reason why that can't be opened.
pub(crate) type ProvenLine = (LineRow, Option<Result<PrivatePart, Cause>>);

impl LineRow {
    /// The line's event, if its number is `place` and its columns agree with its body.
    pub(crate) fn event_at(&self, place: u64) -> Option<AuditEvent> {
        let event: Option<AuditEvent> = serde_json::from_str(&self.body).ok();
        event.filter(|event| event.seq == self.seq && self.seq == place && event.id == self.about)
    }
}

/// A verification in progress: every line at its number, every checkpoint signed for exactly the lines
/// before it, and every private part equal to what its line committed to.
pub(crate) struct LogProof {
    frontier: Frontier,
    pub(crate) broken: Vec<String>,
    pub(crate) unreadable: Vec<Unreadable>,
    pub(crate) opened: u64,
}

impl LogProof {
    /// Verifies `lines` against the signed checkpoints and the recorded end of the log.
    pub(crate) fn of(
        lines: &[ProvenLine],
        checkpoints: &[SignedCheckpoint],
        end: Option<&Frontier>,
        origin: &str,
        signers: &[PublicKey],
    ) -> Self {
        let mut proof =
            Self { frontier: Frontier::default(), broken: Vec::new(), unreadable: Vec::new(), opened: 0 };
        let mut due = checkpoints.iter().peekable();
        for (row, part) in lines {
            proof.prove_line(row, part.as_ref());
            proof.frontier.append(leaf(row.body.as_bytes()));
            if let Some(signed) = due.next_if(|signed| signed.size <= proof.frontier.size()) {
                proof.prove_checkpoint(signed, origin, signers);
            }
        }
        if let Some(signed) = due.next() {
            let said = format!("a checkpoint covers {} events, but the log has fewer", signed.size);
            proof.broken.push(said);
        }
        if end != Some(&proof.frontier) {
            proof.broken.push("the recorded end of the log does not match its lines".to_owned());
        }
        proof
    }

    pub(crate) fn events(&self) -> u64 {
        self.frontier.size()
    }

    fn prove_line(&mut self, row: &LineRow, part: Option<&Result<PrivatePart, Cause>>) {
        let place = self.frontier.size();
        let Some(event) = row.event_at(place) else {
            self.broken.push(format!("event {place} is missing or altered"));
            return;
        };
        match part {
            None => {}
            Some(Err(cause)) => self.unreadable.push(Unreadable {
                kind: RecordKind::Event,
                id: row.seq.to_string(),
                cause: *cause,
            }),
            Some(Ok(part)) if part.is_committed_by(&event) => self.opened += 1,
            Some(Ok(_)) => self.broken.push(format!("event {place} does not match its private part")),
        }
    }

    fn prove_checkpoint(&mut self, signed: &SignedCheckpoint, origin: &str, signers: &[PublicKey]) {
        let said = match Checkpoint::open(&signed.note, origin, signers) {
            Err(error) => Some(error.to_string()),
            Ok((checkpoint, _))
                if checkpoint.size != self.frontier.size() || checkpoint.root != self.frontier.root() =>
            {
                Some("it covers other events".to_owned())
            }
            Ok((checkpoint, _))
                if (checkpoint.size, checkpoint.keyring) != (signed.size, signed.keyring_counter) =>
            {
                Some("its note and its recorded columns disagree".to_owned())
            }
            Ok(_) => None,
        };
        self.broken.extend(said.map(|said| format!("the checkpoint over {} events: {said}", signed.size)));
    }
}
