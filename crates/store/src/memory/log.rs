//! An audit log in a list.

use domain::{SubjectRef, Timestamp};
use vault::audit::Frontier;

use super::Tools;
use crate::audit::{self, LogTarget, PrivatePart};
use crate::batch::EventDraft;
use crate::checkpoint::SignedCheckpoint;
use crate::records::{LoggedEvent, Stored};
use crate::upkeep::Due;

#[derive(Clone, Default)]
pub(super) struct Log {
    lines: Vec<Line>,
    frontier: Frontier,
    pub(super) checkpoints: Vec<SignedCheckpoint>,
}

#[derive(Clone)]
struct Line {
    event: domain::AuditEvent,
    body: Vec<u8>,
    owner: Option<SubjectRef>,
    part: Option<PrivatePart>,
}

impl Log {
    /// Appends `drafts` and returns their numbers.
    pub(super) fn append(&mut self, drafts: &[EventDraft], place: &LogTarget<'_>) -> Stored<Vec<u64>> {
        drafts.iter().map(|draft| self.append_one(draft, place)).collect()
    }

    fn append_one(&mut self, draft: &EventDraft, place: &LogTarget<'_>) -> Stored<u64> {
        let seq = self.frontier.size();
        let line = audit::line(draft, seq, place)?;
        self.frontier.append(line.leaf);
        let (event, body, part) = (line.event, line.body, line.sealed);
        self.lines.push(Line { event, body, owner: draft.subject.clone(), part });
        Ok(seq)
    }

    /// Signs the current state if a checkpoint is due.
    pub(super) fn checkpoint(
        &mut self,
        origin: String,
        tools: &Tools,
        now: Timestamp,
        due: Due,
    ) -> Stored<Option<SignedCheckpoint>> {
        let last = self.checkpoints.last().map(|checkpoint| (checkpoint.size, checkpoint.at));
        let size = self.frontier.size();
        let is_due = match due {
            Due::Regularly => audit::checkpoint_is_due(last, size, now),
            Due::AtOnce => size > last.map_or(0, |(size, _)| size),
        };
        if !is_due {
            return Ok(None);
        }
        let signed = audit::sign_checkpoint(&self.frontier, origin, None, &tools.signer, now)?;
        self.checkpoints.push(signed.clone());
        Ok(Some(signed))
    }

    pub(super) fn events(&self, numbers: std::ops::Range<u64>) -> Vec<LoggedEvent> {
        let wanted = self.lines.iter().filter(|line| numbers.contains(&line.event.seq));
        wanted.map(Line::logged).collect()
    }

    pub(super) fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Whether the lines still hash to the root.
    pub(super) fn proves_itself(&self) -> bool {
        let mut frontier = Frontier::default();
        self.lines.iter().for_each(|line| frontier.append(vault::audit::leaf_of_bytes(&line.body)));
        let kept = |line: &Line| line.part.as_ref().is_none_or(|part| part.is_committed_by(&line.event));
        frontier == self.frontier && self.lines.iter().all(kept)
    }

    /// Drops the private parts of lines about one of `ids`, or sealed for one of `subjects`.
    pub(super) fn drop_private_parts(&mut self, ids: &[String], subjects: &[SubjectRef]) {
        for line in &mut self.lines {
            let about = line.event.id.as_ref().is_some_and(|id| ids.contains(id));
            if about || line.owner.as_ref().is_some_and(|owner| subjects.contains(owner)) {
                line.part = None;
            }
        }
    }

    pub(super) fn change_owner(&mut self, from: &SubjectRef, into: &SubjectRef) {
        let owned = self.lines.iter_mut().filter(|line| line.owner.as_ref() == Some(from));
        owned.for_each(|line| line.owner = Some(into.clone()));
    }
}

impl Line {
    fn logged(&self) -> LoggedEvent {
        let private = self.part.as_ref().map(|part| part.private.clone());
        LoggedEvent { event: self.event.clone(), private }
    }
}
