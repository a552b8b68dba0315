//! Digests and scheduled jobs.

use domain::Digest;
use wire::cues::WriteCues;
use wire::distill::{Distill, DistillAnswer};
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::DistillShort::NAME, |context| Box::pin(distill(context, Digest::Short))),
    (verb::DistillMid::NAME, |context| Box::pin(distill(context, Digest::Mid))),
    (verb::DistillLong::NAME, |context| Box::pin(distill(context, Digest::Long))),
    (verb::WriteCues::NAME, |context| Box::pin(write_cues(context))),
    (verb::DistillStatus::NAME, |context| Box::pin(status(context))),
    (verb::ListJobs::NAME, |context| Box::pin(list_jobs(context))),
    (verb::PauseJob::NAME, |context| Box::pin(pause_job(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::DistillShort::NAME, RepeatPolicy::Rendered(|context| Box::pin(distilled(context, Digest::Short)))),
    (verb::DistillMid::NAME, RepeatPolicy::Rendered(|context| Box::pin(distilled(context, Digest::Mid)))),
    (verb::DistillLong::NAME, RepeatPolicy::Rendered(|context| Box::pin(distilled(context, Digest::Long)))),
    (verb::WriteCues::NAME, RepeatPolicy::Rendered(|context| Box::pin(cues_left(context)))),
];

async fn distill(context: RequestContext, digest: Digest) -> HandlerResult {
    Answer::json(&context.engine.distill(&context.call, digest, context.body_or_default()?).await?)
}

async fn write_cues(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.write_cues(&context.call, context.body_or_default()?).await?)
}

/// What is left to do; no model is asked again.
async fn cues_left(context: RequestContext) -> HandlerResult {
    let asked = WriteCues { dry_run: true, ..context.body_or_default()? };
    Answer::json(&context.engine.write_cues(&context.call, asked).await?)
}

async fn status(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.distill_status(&context.call).await?)
}

async fn list_jobs(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_jobs(&context.call).await?)
}

async fn pause_job(context: RequestContext) -> HandlerResult {
    let (persona, job) = (context.persona()?, context.segment("job"));
    Answer::json(&context.engine.pause_job(&context.call, &persona, job, &context.body()?).await?)
}

/// A preview is computed again; otherwise no digest is made.
async fn distilled(context: RequestContext, digest: Digest) -> HandlerResult {
    if context.body_or_default::<Distill>()?.dry_run {
        return distill(context, digest).await;
    }
    Answer::json(&DistillAnswer { distilled: Vec::new(), broken: Vec::new() })
}
