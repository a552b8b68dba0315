//! Verifies a whole exported log, line by line, without the store and without holding it in memory.
//!
//! Every line has exactly one encoding, every event its number, and every checkpoint comes directly after
//! the last event it covers. So a changed byte, and an event that was dropped, repeated or moved, is
//! detected at the next checkpoint at the latest. A log alone can't show that its end was cut off at a
//! checkpoint: for that, compare it with a checkpoint stored elsewhere ([`ExportVerifier::against`]).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::tree::{Frontier, TreeHash, leaf_of_bytes};
use crate::canonical::{CanonicalError, ParseError, canonicalize, canonicalize_serializable, parse_strict};
use crate::encoding::{from_hex, hex};
use crate::signature::PublicKey;

/// One line of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExportLine {
    /// An event.
    Event(Value),
    /// A pruned event: only its leaf, in hex.
    Leaf(String),
    /// A signed checkpoint over everything before it.
    Checkpoint(String),
}

/// Why an export is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The line is not JSON.
    #[error("line {line} is not an export line: {reason}")]
    Unreadable {
        /// The line number, counted from 1.
        line: u64,
        /// The parse error.
        reason: ParseError,
    },
    /// The line is JSON, but not in the export's canonical encoding.
    #[error("line {0} is not in the canonical form of an export")]
    NotCanonical(u64),
    /// The event's number is not the next one.
    #[error("line {line} should hold event {expected}; events were dropped, repeated or moved")]
    Sequence {
        /// The line number.
        line: u64,
        /// The expected `seq`.
        expected: u64,
    },
    /// The checkpoint is not valid.
    #[error("line {line}: {reason}")]
    Checkpoint {
        /// The line number.
        line: u64,
        /// The reason.
        reason: CheckpointError,
    },
    /// The checkpoint does not come directly after the last event it covers.
    #[error("line {line}: a checkpoint over {stated} events comes after {found}")]
    Size {
        /// The line number.
        line: u64,
        /// The number of events it covers.
        stated: u64,
        /// The number of events before it.
        found: u64,
    },
    /// The events differ from those that were signed.
    #[error("the first {size} events are not those of the signed checkpoint{at}", at = at_line(*line))]
    Root {
        /// The line number; `None` for a checkpoint stored elsewhere.
        line: Option<u64>,
        /// The number of events the checkpoint covers.
        size: u64,
    },
    /// A later checkpoint has a lower keyring counter.
    #[error("line {0}: the keyring's counter fell; an older keyring was used")]
    KeyringRolledBack(u64),
    /// Events after the last checkpoint.
    #[error("the last {0} events are not covered by a checkpoint; the end of the export is missing")]
    Uncovered(u64),
    /// The log is shorter than a checkpoint stored elsewhere says.
    #[error(
        "the log has {found} events, but a checkpoint kept elsewhere covers {stated}; its end was cut off"
    )]
    CutOff {
        /// The minimum number of events.
        stated: u64,
        /// The number of events found.
        found: u64,
    },
}

/// The log that the lines of an export are of, as its first checkpoint names it. It is proven by nothing until the lines
/// are verified.
#[must_use]
pub fn origin_of_export(lines: &[&[u8]]) -> Option<String> {
    let checkpoint = lines.iter().find(|line| line.starts_with(b"{\"checkpoint\""))?;
    let value: Value = serde_json::from_slice(checkpoint).ok()?;
    value.get("checkpoint")?.as_str()?.lines().next().map(ToOwned::to_owned)
}

/// The contents of a valid export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportReport {
    /// The number of events, including pruned ones.
    pub size: u64,
    /// The root over them.
    pub root: TreeHash,
    /// The number of pruned events.
    pub pruned: u64,
    /// The number of verified checkpoints.
    pub checkpoints: u64,
    /// The highest keyring counter in a checkpoint.
    pub keyring: Option<u64>,
}

/// Verifies an export, line by line.
#[derive(Debug)]
pub struct ExportVerifier<'a> {
    origin: &'a str,
    signers: &'a [PublicKey],
    against: Option<Checkpoint>,
    frontier: Frontier,
    line: u64,
    covered: u64,
    pruned: u64,
    checkpoints: u64,
    keyring: Option<u64>,
}

impl ExportLine {
    /// The line as written to an export, without its newline.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CanonicalError> {
        canonicalize_serializable(self)
    }

    /// The line of an event whose body was pruned.
    #[must_use]
    pub fn pruned(leaf: &TreeHash) -> Self {
        Self::Leaf(hex(leaf))
    }
}

impl<'a> ExportVerifier<'a> {
    /// Verifies the log `origin`, whose checkpoints are signed by one of `signers`.
    #[must_use]
    pub fn new(origin: &'a str, signers: &'a [PublicKey]) -> Self {
        let frontier = Frontier::default();
        Self {
            origin,
            signers,
            against: None,
            frontier,
            line: 0,
            covered: 0,
            pruned: 0,
            checkpoints: 0,
            keyring: None,
        }
    }

    /// Requires that the log continues `checkpoint`, which was stored elsewhere.
    #[must_use]
    pub fn against(self, checkpoint: Checkpoint) -> Self {
        Self { against: Some(checkpoint), ..self }
    }

    /// Processes the next line, without its newline.
    pub fn line(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.line += 1;
        let line = self.line;
        let value = parse_strict(bytes).map_err(|reason| ExportError::Unreadable { line, reason })?;
        if canonicalize(&value).ok().as_deref() != Some(bytes) {
            return Err(ExportError::NotCanonical(line));
        }
        match ExportLine::deserialize(value).map_err(|_| ExportError::NotCanonical(line))? {
            ExportLine::Event(event) => self.event(&event, bytes),
            ExportLine::Leaf(leaf) => {
                self.pruned += 1;
                self.append(from_hex(&leaf).ok_or(ExportError::NotCanonical(line))?)
            }
            ExportLine::Checkpoint(note) => self.checkpoint(&note),
        }
    }

    /// Ends the verification: every event must be covered by a checkpoint.
    pub fn finish(self) -> Result<ExportReport, ExportError> {
        let found = self.frontier.size();
        if let Some(kept) = self.against.filter(|kept| kept.size > found) {
            return Err(ExportError::CutOff { stated: kept.size, found });
        }
        if self.covered < found || self.checkpoints == 0 {
            return Err(ExportError::Uncovered(found - self.covered));
        }
        let Self { frontier, pruned, checkpoints, keyring, .. } = self;
        Ok(ExportReport { size: found, root: frontier.root(), pruned, checkpoints, keyring })
    }

    fn event(&mut self, event: &Value, line: &[u8]) -> Result<(), ExportError> {
        let expected = self.frontier.size();
        if event.get("seq").and_then(Value::as_u64) != Some(expected) {
            return Err(ExportError::Sequence { line: self.line, expected });
        }
        // The line is canonical, so the part inside it is the canonical event.
        let inside = line.strip_prefix(br#"{"event":"#).and_then(|rest| rest.strip_suffix(b"}"));
        self.append(leaf_of_bytes(inside.ok_or(ExportError::NotCanonical(self.line))?))
    }

    fn append(&mut self, leaf: TreeHash) -> Result<(), ExportError> {
        self.frontier.append(leaf);
        let size = self.frontier.size();
        match &self.against {
            Some(kept) if kept.size == size && kept.root != self.frontier.root() => {
                Err(ExportError::Root { line: None, size })
            }
            _ => Ok(()),
        }
    }

    fn checkpoint(&mut self, note: &str) -> Result<(), ExportError> {
        let (line, found) = (self.line, self.frontier.size());
        let (checkpoint, _) = Checkpoint::open(note, self.origin, self.signers)
            .map_err(|reason| ExportError::Checkpoint { line, reason })?;
        if checkpoint.size != found {
            return Err(ExportError::Size { line, stated: checkpoint.size, found });
        }
        if checkpoint.root != self.frontier.root() {
            return Err(ExportError::Root { line: Some(line), size: found });
        }
        if checkpoint.keyring < self.keyring {
            return Err(ExportError::KeyringRolledBack(line));
        }
        (self.covered, self.keyring) = (found, checkpoint.keyring);
        self.checkpoints += 1;
        Ok(())
    }
}

fn at_line(line: Option<u64>) -> String {
    line.map_or_else(|| " that was kept elsewhere".to_owned(), |line| format!(" in line {line}"))
}
