//! The certificate of an erasure, made from the job and the audit logs.

use std::collections::BTreeMap;

use domain::{ErasureId, ErasureStatus, ReasonCode, Timestamp};
use serde_json::Value;
use store::residue::Form;
use store::{Deployment, Due, LoggedEvent, Records, SignedCheckpoint, Tombstone, Upkeep};
use vault::audit::{consistency_proof, leaf_of};
use vault::certificate::{
    Certificate, Derived, Keys, Kind, LogHeads, Mirror, Outcome, Request, SubjectHash, Tombstones, VERSION,
};
use vault::encoding::hex;
use wire::erasure::CertificateAnswer;
use wire::{Code, Problem};

use super::job::{Head, Job};
use super::verify::Scanned;
use crate::call::Call;
use crate::upkeep::key_epochs::mirrors;
use crate::{Engine, boxed};

const GROUND: &str = "GDPR Art. 17(1)";
const MILLIS_PER_DAY: i64 = 86_400_000;
impl Engine {
    /// The certificate of an executed erasure.
    #[boxed]
    pub async fn erasure_certificate(
        &self,
        call: &Call,
        id: ErasureId,
    ) -> Result<CertificateAnswer, Problem> {
        let mut job = self.job(&call.caller.tenant, id).await?;
        match job.status {
            ErasureStatus::Done | ErasureStatus::Partial => {
                Ok(CertificateAnswer { certificate: self.certify(call, &mut job).await? })
            }
            ErasureStatus::Received
            | ErasureStatus::Acknowledged
            | ErasureStatus::Gathered
            | ErasureStatus::Signed
            | ErasureStatus::Executing
            | ErasureStatus::Verifying => {
                let detail =
                    format!("the erasure {id} is {}; there is no certificate yet", job.status.as_str());
                Err(Problem::new(Code::Conflict, detail))
            }
            ErasureStatus::Withdrawn => Err(job.over()),
        }
    }

    /// The job's certificate, issued at the first request.
    pub(super) async fn certify(&self, call: &Call, job: &mut Job) -> Result<Value, Problem> {
        if let Some(certificate) = &job.progress.certificate {
            return Ok(certificate.clone());
        }
        let certificate = self.certificate(call, job).await?;
        let signed = certificate.sign(&self.operator, call.now.as_millis());
        let signed = signed.map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        job.progress.certificate = Some(signed.clone());
        self.keep_job(job, call.now, &[], &call.caller.actor, Vec::new()).await?;
        Ok(signed)
    }

    async fn certificate(&self, call: &Call, job: &Job) -> Result<Certificate, Problem> {
        let progress = &job.progress;
        let scanned: Option<Scanned> =
            progress.scan.clone().and_then(|scanned| serde_json::from_value(scanned).ok());
        let (tombstones, audit) = self.tombstones_and_logs(call, job).await?;
        let deadlines = job.deadlines;
        let millis = |at: Option<Timestamp>| at.unwrap_or(call.now).as_millis();
        Ok(Certificate {
            kind: Kind::ErasureCertificate,
            v: VERSION,
            id: self.new_uuid(call.now)?.to_string(),
            tenant: job.tenant.to_string(),
            outcome: outcome(job.status, &audit),
            request: Request {
                id: job.id.to_string(),
                reason: serde_json::to_value(progress.reason)
                    .ok()
                    .and_then(|reason| reason.as_str().map(str::to_owned))
                    .unwrap_or_default(),
                ground: GROUND.to_owned(),
                received_at: deadlines.received_at.as_millis(),
                acknowledged_at: millis(progress.acknowledged_at),
                acknowledge_by: deadlines.acknowledge_by.as_millis(),
                completed_at: millis(progress.completed_at),
                complete_by: deadlines.complete_by.as_millis(),
            },
            subject: SubjectHash { hash: progress.subject_hash.clone() },
            operator: self.operator.public_key(),
            places: self.certified_places(job, scanned.as_ref()),
            tombstones,
            derived: Derived { rederived: progress.derived.rederived, redacted: progress.derived.redacted },
            keys: self.keys_of(job).await?,
            scan: scan(scanned.as_ref(), call.now),
            unreached: self.unreached(job, scanned.as_ref()),
            audit,
            verify: "selfhood verify CERTIFICATE".to_owned(),
        })
    }

    /// Counts the tombstones of the job, from the records themselves.
    pub(super) async fn count_tombstones(&self, job: &mut Job) -> Result<(), Problem> {
        let (mut set, mut derived) = (0, 0);
        for persona in self.personas_with_records(&job.tenant).await?.whole {
            let (_, tombstones) = self.store.timeline(&persona.scope()).await?;
            let ours = || tombstones.iter().filter(|tombstone| is_of(tombstone, job));
            set += ours().count() as u64;
            derived += ours().filter(|tombstone| is_derived(tombstone)).count() as u64;
        }
        job.progress.counts.tombstones = set;
        job.progress.derived.redacted = derived.saturating_sub(job.progress.derived.rederived);
        Ok(())
    }

    async fn keys_of(&self, job: &Job) -> Result<Keys, Problem> {
        let status = self.store.keys(&job.tenant).await?;
        let before = job.progress.before.as_ref();
        let listed = match self.store.key_directory() {
            Some(keys) => mirrors(keys).map_err(store::key_problem)?,
            None => Vec::new(),
        };
        // Outsiders don't need to know the location of a copy.
        let mirror = |(number, path): (usize, String)| Mirror {
            mirror: format!("mirror {}", number + 1),
            current: !job.progress.stale_mirrors.contains(&path),
        };
        Ok(Keys {
            epoch_before: before.map_or(0, |before| before.epoch),
            epoch_after: job.progress.epoch_after.unwrap_or(status.epoch),
            destroyed: (status.destroyed as u64)
                .saturating_sub(before.map_or(0, |before| before.destroyed_keys)),
            mirrors: listed.into_iter().map(|mirror| mirror.path).enumerate().map(mirror).collect(),
        })
    }

    /// The tombstones of an erasure, and the states of all logs before and after it.
    async fn tombstones_and_logs(
        &self,
        call: &Call,
        job: &Job,
    ) -> Result<(Tombstones, Vec<LogHeads>), Problem> {
        let (mut ids, mut audit, mut days) = (Vec::new(), Vec::new(), 0);
        let no_logs = BTreeMap::new();
        let before = job.progress.before.as_ref().map_or(&no_logs, |before| &before.logs);
        for persona in self.personas_with_records(&job.tenant).await?.whole {
            let scope = persona.scope();
            // A persona with an unreadable document is not swept, and reports that itself.
            let own = self.load_document(&persona, call.now).await;
            let sla = own.map(|own| own.document.memory_policy.right_to_be_forgotten_sla).unwrap_or_default();
            days = days.max(sla.tombstone_retention_days);
            let (_, tombstones) = self.store.timeline(&scope).await?;
            ids.extend(
                tombstones
                    .iter()
                    .filter(|tombstone| is_of(tombstone, job))
                    .map(|tombstone| tombstone.id().to_string()),
            );
            let origin = store::log_origin(Some(&scope));
            let Some(old) = before.get(&origin) else { continue };
            self.store.checkpoint(&scope, call.now, Due::AtOnce).await?;
            let last = self.store.checkpoints(&scope).await?.pop();
            let events = self.store.events(&scope, 0..u64::MAX).await?;
            audit.extend(last.map(|last| heads(origin, old, &last, &events, job)));
        }
        self.store.checkpoint_deployment(call.now).await?;
        let last = self.store.deployment_checkpoints().await?.pop();
        let events = self.store.deployment_events(0..u64::MAX).await?;
        let origin = store::log_origin(None);
        if let (Some(old), Some(last)) = (before.get(&origin), last) {
            audit.push(heads(origin, old, &last, &events, job));
        }
        let until = job.progress.executing_at.map(|at| at.as_millis() + i64::from(days) * MILLIS_PER_DAY);
        Ok((Tombstones { ids, until }, audit))
    }
}

/// Whether this job set a tombstone.
fn is_of(tombstone: &Tombstone, job: &Job) -> bool {
    let at = match tombstone {
        Tombstone::Atom(tombstone) => tombstone.at,
        Tombstone::Entry(tombstone) => tombstone.at,
    };
    Some(at) == job.progress.executing_at
}

/// Whether a tombstone is for a memory derived from forgotten ones.
fn is_derived(tombstone: &Tombstone) -> bool {
    let reason = match tombstone {
        Tombstone::Atom(tombstone) => tombstone.reason_code,
        Tombstone::Entry(tombstone) => tombstone.reason_code,
    };
    reason == ReasonCode::SourceForgotten
}

/// A log without proof that it was only appended to makes the outcome partial.
fn outcome(status: ErasureStatus, audit: &[LogHeads]) -> Outcome {
    let is_proven = audit.iter().all(|heads| heads.consistency.is_some());
    if status == ErasureStatus::Done && is_proven { Outcome::Done } else { Outcome::Partial }
}

/// One log before and after, with the proof that it was only appended to.
fn heads(
    origin: String,
    before: &Head,
    after: &SignedCheckpoint,
    events: &[LoggedEvent],
    job: &Job,
) -> LogHeads {
    let batch = job.id.to_string();
    let ours = events.iter().filter(|logged| logged.event.batch.as_ref() == Some(&batch));
    let numbers = ours.map(|logged| logged.event.seq).filter(|seq| *seq < after.size).collect();
    let leaves = events.iter().filter(|logged| logged.event.seq < after.size);
    let leaves: Option<Vec<_>> = leaves.map(|logged| leaf_of(&logged.event).ok()).collect();
    let proof = leaves.and_then(|leaves| consistency_proof(&leaves, before.size));
    let consistency = proof.map(|proof| proof.iter().map(|hash| hex(hash)).collect());
    LogHeads { origin, before: before.note.clone(), after: after.note.clone(), consistency, events: numbers }
}

fn scan(scanned: Option<&Scanned>, now: Timestamp) -> vault::certificate::Scan {
    let forms = Form::OF_WORDS.into_iter().chain([Form::Word]).map(|form| form.as_str().to_owned()).collect();
    let residue = scanned.map(|scanned| &scanned.residue);
    let sum = |of: fn(&store::residue::PlaceResidue) -> u64| {
        residue.map_or(0, |residue| residue.places.values().map(of).sum())
    };
    vault::certificate::Scan {
        at: scanned.map_or(now, |scanned| scanned.at).as_millis(),
        identifiers: scanned.map_or(0, |scanned| scanned.identifiers),
        forms,
        files: sum(|place| place.files),
        bytes: sum(|place| place.bytes),
        hits: sum(|place| place.hits),
        unread: residue.map_or(0, |residue| residue.unread.len() as u64),
        canaries_planted: residue.map_or(0, |residue| residue.self_test.planted as u64),
        canaries_found: residue.map_or(0, |residue| residue.self_test.found as u64),
    }
}
