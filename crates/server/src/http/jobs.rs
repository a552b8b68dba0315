//! Digests and scheduled jobs.

use domain::Digest;
use wire::cues::WriteCues;
use wire::distill::{Distill, DistillAnswer};
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::DistillShort, |context| distill(context, Digest::Short)),
    verb_handler!(verb::DistillMid, |context| distill(context, Digest::Mid)),
    verb_handler!(verb::DistillLong, |context| distill(context, Digest::Long)),
    verb_handler!(verb::WriteCues, |context| write_cues(context)),
    verb_handler!(verb::DistillStatus, |context| status(context)),
    verb_handler!(verb::ListJobs, |context| list_jobs(context)),
    verb_handler!(verb::PauseJob, |context| pause_job(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (
        verb::DistillShort::NAME,
        RepeatPolicy::Rendered(|context| Box::pin(distilled::<verb::DistillShort>(context, Digest::Short))),
    ),
    (
        verb::DistillMid::NAME,
        RepeatPolicy::Rendered(|context| Box::pin(distilled::<verb::DistillMid>(context, Digest::Mid))),
    ),
    (
        verb::DistillLong::NAME,
        RepeatPolicy::Rendered(|context| Box::pin(distilled::<verb::DistillLong>(context, Digest::Long))),
    ),
    (verb::WriteCues::NAME, RepeatPolicy::Rendered(|context| Box::pin(cues_left(context)))),
];

/// A verb that makes a digest.
trait DistillVerb: Verb<Request = Distill, Answer = DistillAnswer> {}
impl<V: Verb<Request = Distill, Answer = DistillAnswer>> DistillVerb for V {}

async fn distill<V: DistillVerb>(context: VerbContext<V>, digest: Digest) -> HandlerResult {
    context.answer(&context.engine.distill(&context.call, digest, context.body_or_default()?).await?)
}

async fn write_cues(context: VerbContext<verb::WriteCues>) -> HandlerResult {
    context.answer(&context.engine.write_cues(&context.call, context.body_or_default()?).await?)
}

/// What is left to do; no model is asked again.
async fn cues_left(context: RequestContext) -> HandlerResult {
    let asked = WriteCues { dry_run: true, ..context.body_or_default()? };
    Answer::json(&context.engine.write_cues(&context.call, asked).await?)
}

async fn status(context: VerbContext<verb::DistillStatus>) -> HandlerResult {
    context.answer(&context.engine.distill_status(&context.call).await?)
}

async fn list_jobs(context: VerbContext<verb::ListJobs>) -> HandlerResult {
    context.answer(&context.engine.list_jobs(&context.call).await?)
}

async fn pause_job(context: VerbContext<verb::PauseJob>) -> HandlerResult {
    let (persona, job) = (context.persona()?, context.segment("job"));
    context.answer(&context.engine.pause_job(&context.call, &persona, job, &context.body()?).await?)
}

/// A preview is computed again; otherwise no digest is made.
async fn distilled<V: DistillVerb>(context: RequestContext, digest: Digest) -> HandlerResult {
    if context.body_or_default::<Distill>()?.dry_run {
        return distill::<V>(context.of_verb(), digest).await;
    }
    Answer::json(&DistillAnswer { distilled: Vec::new(), broken: Vec::new() })
}
