//! Subjects and sweeps.

use domain::SubjectRef;
use wire::sweep::{Sweep, SweepAnswer, SweepReport};
use wire::verb::{self, Verb};
use wire::{Code, Problem};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::ListSubjects::NAME, |context| Box::pin(list(context))),
    (verb::ShowSubject::NAME, |context| Box::pin(show(context))),
    (verb::ExportSubject::NAME, |context| Box::pin(export(context))),
    (verb::MergeSubjects::NAME, |context| Box::pin(merge(context))),
    (verb::AddAlias::NAME, |context| Box::pin(alias(context))),
    (verb::WithdrawConsent::NAME, |context| Box::pin(withdraw(context))),
    (verb::GiveConsent::NAME, |context| Box::pin(give_consent(context))),
    (verb::ListConsents::NAME, |context| Box::pin(list_consents(context))),
    (verb::WithdrawConsents::NAME, |context| Box::pin(withdraw_consents(context))),
    (verb::HoldSubject::NAME, |context| Box::pin(hold(context))),
    (verb::Sweep::NAME, |context| Box::pin(sweep(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::MergeSubjects::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
    (verb::AddAlias::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
    (verb::WithdrawConsent::NAME, RepeatPolicy::Rendered(|context| Box::pin(withdrawn(context)))),
    (verb::GiveConsent::NAME, RepeatPolicy::Rendered(|context| Box::pin(list_consents(context)))),
    (verb::HoldSubject::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
    (verb::Sweep::NAME, RepeatPolicy::Rendered(|context| Box::pin(swept(context)))),
];

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_subjects(&context.call).await?)
}

async fn show(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.show_subject(&context.call, &subject(&context)?).await?)
}

async fn export(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.export_subject(&context.call, &subject(&context)?).await?)
}

async fn merge(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.merge_subjects(&context.call, &subject(&context)?, context.body()?).await?)
}

async fn alias(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.add_alias(&context.call, &subject(&context)?, context.body()?).await?)
}

async fn withdraw(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.withdraw_consent(&context.call, &subject(&context)?).await?)
}

async fn give_consent(context: RequestContext) -> HandlerResult {
    let (persona, subject) = (context.persona()?, subject(&context)?);
    Answer::json(&context.engine.give_consent(&context.call, &persona, subject, context.body()?).await?)
}

async fn list_consents(context: RequestContext) -> HandlerResult {
    let (persona, subject) = (context.persona()?, subject(&context)?);
    Answer::json(&context.engine.list_consents(&context.call, &persona, subject).await?)
}

async fn withdraw_consents(context: RequestContext) -> HandlerResult {
    let (persona, subject) = (context.persona()?, subject(&context)?);
    Answer::json(&context.engine.withdraw_consents(&context.call, &persona, subject).await?)
}

async fn hold(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.hold_subject(&context.call, &subject(&context)?, context.body()?).await?)
}

async fn sweep(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.sweep(&context.call, context.body()?).await?)
}

/// The person the path names. A problem doesn't repeat the name: it may be a person's address.
fn subject(context: &RequestContext) -> Result<SubjectRef, Problem> {
    context
        .segment("s")
        .parse()
        .map_err(|rule| Problem::new(Code::SubjectNotFound, format!("the reference is invalid: {rule}")))
}

async fn withdrawn(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.show_withdrawal(&context.call, &subject(&context)?).await?)
}

/// A preview is computed again; a sweep is reported without its list.
async fn swept(context: RequestContext) -> HandlerResult {
    if context.body::<Sweep>()?.dry_run {
        return sweep(context).await;
    }
    let done = "an earlier request with the same `Idempotency-Key` did the sweep; nothing was done now";
    let sweep = SweepReport {
        at: context.call.now,
        dry_run: false,
        personas: Vec::new(),
        epoch: None,
        partial: false,
        warnings: vec![done.to_owned()],
    };
    Answer::json(&SweepAnswer { sweep })
}
