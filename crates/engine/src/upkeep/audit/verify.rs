//! `POST /v1/audit/verify`: verifies every log from its first event, the way an outsider verifies its export.

use vault::audit::{Checkpoint, ExportError, ExportReport, ExportVerifier};
use vault::encoding::hex;
use vault::signature::PublicKey;
use wire::audit::{AuditProof, LogProof, VerifyAudit};
use wire::{Code, Problem};

use super::Log;
use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// Verifies the logs, and that one of them continues a checkpoint stored elsewhere.
    #[boxed]
    pub async fn verify_audit(&self, call: &Call, asked: VerifyAudit) -> Result<AuditProof, Problem> {
        let signers = self.log_signers()?;
        let logs = self.logs(call, asked.persona.as_deref()).await?;
        let kept = asked.against.as_deref().map(|note| kept(note, &logs, &signers)).transpose()?;
        let mut proofs = Vec::new();
        for log in &logs {
            self.sign_the_end(call, log).await?;
            let lines = self.lines(log, 0..u64::MAX).await?;
            let origin = log.origin();
            let own = kept.clone().filter(|kept| kept.origin == origin);
            proofs.push(proof(log, lines.len(), verified(&origin, &lines, &signers, own)));
        }
        if asked.persona.is_none() {
            let broken = self.visible_with_records(call).await?.broken;
            proofs.extend(broken.iter().map(|persona| LogProof {
                origin: String::new(),
                name: persona.persona.to_string(),
                events: 0,
                checkpoints: 0,
                root: None,
                broken: Some(persona.detail.clone()),
            }));
        }
        Ok(AuditProof { logs: proofs })
    }
}

fn verified(
    origin: &str,
    lines: &[Vec<u8>],
    signers: &[PublicKey],
    kept: Option<Checkpoint>,
) -> Result<ExportReport, ExportError> {
    let mut verifier = ExportVerifier::new(origin, signers);
    if let Some(kept) = kept {
        verifier = verifier.against(kept);
    }
    lines.iter().try_for_each(|line| verifier.line(line))?;
    verifier.finish()
}

fn proof(log: &Log, lines: usize, judged: Result<ExportReport, ExportError>) -> LogProof {
    let (origin, name) = (log.origin(), log.name());
    match judged {
        Ok(report) => LogProof {
            origin,
            name,
            events: report.size,
            checkpoints: report.checkpoints,
            root: Some(hex(&report.root)),
            broken: None,
        },
        // An empty log has nothing to sign.
        Err(ExportError::Uncovered(0)) if lines == 0 => {
            LogProof { origin, name, events: 0, checkpoints: 0, root: None, broken: None }
        }
        Err(error) => {
            let broken = Some(error.to_string());
            LogProof { origin, name, events: lines as u64, checkpoints: 0, root: None, broken }
        }
    }
}

/// The checkpoint in `note`, which must belong to one of `logs`.
fn kept(note: &str, logs: &[Log], signers: &[PublicKey]) -> Result<Checkpoint, Problem> {
    let origin = note.lines().next().unwrap_or_default();
    if !logs.iter().any(|log| log.origin() == origin) {
        let detail = format!(
            "the checkpoint is of the log `{origin}`, which is not here; see `selfhood memory audit`"
        );
        return Err(Problem::new(Code::NotFound, detail));
    }
    let opened = Checkpoint::open(note, origin, signers);
    let forged = |error: vault::audit::CheckpointError| {
        Problem::new(Code::SignatureInvalid, format!("the checkpoint is invalid: {error}"))
    };
    opened.map(|(checkpoint, _)| checkpoint).map_err(forged)
}
