//! After the destruction: scans for residue, destroys the keys with the epoch, and closes the job.

use domain::identifier::found_in;
use domain::{ErasureStatus, EventKind, Identifier, Text};
use serde::{Deserialize, Serialize};
use store::residue::{Residue, ScanRoots, SearchTarget, Verdict, scan};
use store::{Decision, Deployment, DeploymentChange, EventDraft, Upkeep};
use wire::note::{Note, NoteCode};
use wire::{Code, Problem};

use super::item::{Claim, Item};
use super::job::{Job, JobSecrets};
use crate::Engine;
use crate::call::Call;
use crate::upkeep::key_epochs::mirrors;

/// The result of the scan as stored in the job: places and counts, never text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scanned {
    pub(super) at: domain::Timestamp,
    pub(super) identifiers: u64,
    /// Identifiers that were not searched for, because the operator assigned matches of them to others.
    pub(super) left: u64,
    pub(super) verdict: Verdict,
    pub(super) residue: Residue,
}

/// Why nothing could be proven although everything is destroyed.
const NOTHING_SOUGHT: &str = "every identifier also matches other people, so nothing could be searched for; \
    request it again with one that is the subject's alone";

impl Engine {
    /// Scans for residue, destroys the keys, and closes the job.
    pub(super) async fn prove(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        if job.private.is_some() {
            self.look_for_residue(call, job).await?;
        }
        if job.progress.epoch_after.is_none() {
            self.destroy_keys(call, job).await?;
        }
        let broken = self.personas_with_records(&job.tenant).await?.broken;
        job.note_left_out(&broken);
        let is_clean = job.private.is_none() && job.progress.stale_mirrors.is_empty() && broken.is_empty();
        let (status, kind) = if is_clean {
            (ErasureStatus::Done, EventKind::ErasureCompleted)
        } else {
            (ErasureStatus::Partial, EventKind::ErasurePartial)
        };
        (job.status, job.progress.completed_at) = (status, Some(call.now));
        self.count_tombstones(job).await?;
        job.progress.certificate = None;
        self.keep_job(job, call.now, &[kind], &call.caller.actor, Vec::new()).await?;
        self.certify(call, job).await.map(drop)
    }

    /// Scans every place. Only a clean scan drops the job's secrets; otherwise a person must look, and the
    /// scan is repeated.
    async fn look_for_residue(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        let private = job.private()?;
        let (mut sought, left) = sought(private);
        let identifiers = sought.len() as u64;
        sought.extend(private.vectors.iter().cloned().map(SearchTarget::Codes));
        let mut residue = self.scan_for(sought.clone()).await?;
        self.search_documents(job, &sought, &mut residue).await?;
        let verdict = residue.verdict();
        let tags = self.bars(private);
        job.progress.counts.residue = Some(residue.hits());
        job.progress.notes.extend(findings(&residue));
        if identifiers == 0 {
            job.progress.notes.push(Note::new(NoteCode::NothingSought, NOTHING_SOUGHT));
        }
        job.progress.notes.sort_unstable();
        job.progress.notes.dedup();
        let scanned = Scanned { at: call.now, identifiers, left: left as u64, verdict, residue };
        let scanned = serde_json::to_value(scanned);
        job.progress.scan = Some(scanned.map_err(|error| Problem::new(Code::Internal, error.to_string()))?);
        let is_everywhere = self.personas_with_records(&job.tenant).await?.broken.is_empty();
        if verdict == Verdict::Clean && is_everywhere {
            job.private = None;
            job.progress.epoch_after = None;
        } else if verdict != Verdict::Clean {
            tracing::error!(erasure = %job.id, hits = job.progress.counts.residue, "an erasure left \
                something behind");
        }
        let change = vec![DeploymentChange::PutErasedTags(tags)];
        self.keep_job(job, call.now, &[], &call.caller.actor, change).await?;
        self.store.scrub_deployment().await.map_err(Problem::from)
    }

    /// Moves to the next key epoch: the keys of the subject, of other affected people and of the job are
    /// unreadable in every copy from now on.
    async fn destroy_keys(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        let status = self.store.rotate(&job.tenant, call.now).await?;
        let rotated = EventDraft {
            batch: Some(job.id.to_string()),
            ..EventDraft::new(EventKind::EpochRotated, call.caller.actor.clone()).about(status.epoch)
        };
        let decision = Decision {
            now: call.now,
            tenant: job.tenant.clone(),
            changes: Vec::new(),
            events: vec![rotated],
        };
        self.store.decide(decision).await?;
        job.progress.stale_mirrors = match self.store.key_directory() {
            None => status.stale_mirrors,
            Some(keys) => {
                let all = mirrors(keys).map_err(store::key_problem)?;
                all.into_iter().filter(|mirror| mirror.behind.is_some()).map(|mirror| mirror.path).collect()
            }
        };
        job.progress.epoch_after = Some(status.epoch);
        self.keep_job(job, call.now, &[], &call.caller.actor, Vec::new()).await
    }

    async fn scan_for(&self, sought: Vec<SearchTarget>) -> Result<Residue, Problem> {
        let Some(keys) = self.store.key_directory().filter(|_| !sought.is_empty()) else {
            return Ok(Residue::default());
        };
        // Data in PostgreSQL is proven by keys; the scan covers this node's own disk.
        let grounds = match self.home() {
            Ok(home) => ScanRoots::of_home(home.paths().home(), keys.path()),
            Err(_) => ScanRoots::of_keys(keys.path()),
        };
        let mut grounds = grounds.and_temp(&std::env::temp_dir());
        for mirror in keys.mirrors().map_err(store::key_problem)?.all() {
            grounds = grounds.and_mirror(&mirror.path);
        }
        let randomness = std::sync::Arc::clone(&self.randomness);
        let scanning =
            tokio::task::spawn_blocking(move || scan(&grounds, &sought, randomness.as_ref(), |_| ()));
        let broke_off = |_| Problem::new(Code::Internal, "the residue scan failed");
        scanning.await.map_err(broke_off)?.map_err(|error| Problem::new(Code::IoFailed, error.to_string()))
    }
}

/// What is searched for, and how many identifiers are not: an operator who rejected a match of one has said
/// that it doesn't mean this subject alone.
fn sought(private: &JobSecrets) -> (Vec<SearchTarget>, usize) {
    let left: Vec<&str> = private.items.iter().filter_map(|item| excerpt_left(private, item)).collect();
    let all = private.sought();
    let is_left = |identifier: &&Identifier| {
        left.iter().any(|excerpt| !found_in(std::slice::from_ref(*identifier), excerpt).is_empty())
    };
    let (left, sought): (Vec<&Identifier>, Vec<&Identifier>) = all.iter().partition(is_left);
    (
        sought.iter().map(|identifier| SearchTarget::Words(Text::new(identifier.as_str()))).collect(),
        left.len(),
    )
}

fn excerpt_left<'p>(private: &JobSecrets, item: &'p Item) -> Option<&'p str> {
    match &item.claim {
        Claim::Proposed { excerpt, .. } if !private.taken.contains(&item.number) => Some(excerpt.as_str()),
        Claim::Proposed { .. } | Claim::Own => None,
    }
}

/// Where residue is left, for the person who has to look.
fn findings(residue: &Residue) -> Vec<Note> {
    let found = residue.places.values().flat_map(|place| &place.found_in).map(|file| {
        let (path, hits) = (file.path.display(), file.hits);
        let text = format!("{path} still names the subject {hits} times");
        Note::new(NoteCode::StillNamed, text).about(&path).counting(hits)
    });
    let unread = residue.unread.iter().map(|unread| {
        let path = unread.path.display();
        let text = format!("{path} could not be read and was not searched: {}", unread.why);
        Note::new(NoteCode::NotSearched, text).about(&path)
    });
    found.chain(unread).collect()
}
