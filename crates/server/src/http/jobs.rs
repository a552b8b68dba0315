//! Digests and scheduled jobs.

use domain::Digest;
use wire::cues::WriteCues;
use wire::distill::{Distill, DistillAnswer};

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("distill_short", |visit| Box::pin(distill(visit, Digest::Short))),
    ("distill_mid", |visit| Box::pin(distill(visit, Digest::Mid))),
    ("distill_long", |visit| Box::pin(distill(visit, Digest::Long))),
    ("write_cues", |visit| Box::pin(write_cues(visit))),
    ("distill_status", |visit| Box::pin(status(visit))),
    ("list_jobs", |visit| Box::pin(list_jobs(visit))),
    ("pause_job", |visit| Box::pin(pause_job(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("distill_short", Repeated::Rendered(|visit| Box::pin(distilled(visit, Digest::Short)))),
    ("distill_mid", Repeated::Rendered(|visit| Box::pin(distilled(visit, Digest::Mid)))),
    ("distill_long", Repeated::Rendered(|visit| Box::pin(distilled(visit, Digest::Long)))),
    ("write_cues", Repeated::Rendered(|visit| Box::pin(cues_left(visit)))),
];

async fn distill(visit: RequestContext, digest: Digest) -> HandlerResult {
    Answer::json(&visit.engine.distill(&visit.call, digest, visit.body_or_default()?).await?)
}

async fn write_cues(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.write_cues(&visit.call, visit.body_or_default()?).await?)
}

/// What is left to do; no model is asked again.
async fn cues_left(visit: RequestContext) -> HandlerResult {
    let asked = WriteCues { dry_run: true, ..visit.body_or_default()? };
    Answer::json(&visit.engine.write_cues(&visit.call, asked).await?)
}

async fn status(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.distill_status(&visit.call).await?)
}

async fn list_jobs(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_jobs(&visit.call).await?)
}

async fn pause_job(visit: RequestContext) -> HandlerResult {
    let (persona, job) = (visit.persona()?, visit.segment("job"));
    Answer::json(&visit.engine.pause_job(&visit.call, &persona, job, &visit.body()?).await?)
}

/// A preview is computed again; otherwise no digest is made.
async fn distilled(visit: RequestContext, digest: Digest) -> HandlerResult {
    if visit.body_or_default::<Distill>()?.dry_run {
        return distill(visit, digest).await;
    }
    Answer::json(&DistillAnswer { distilled: Vec::new(), broken: Vec::new() })
}
