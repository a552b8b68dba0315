//! Subjects and sweeps.

use domain::SubjectRef;
use wire::sweep::{Sweep, SweepAnswer, SweepReport};
use wire::verb::{self, Verb};
use wire::{Code, Problem};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::ListSubjects, |context| list(context)),
    verb_handler!(verb::ShowSubject, |context| show(context)),
    verb_handler!(verb::ExportSubject, |context| export(context)),
    verb_handler!(verb::MergeSubjects, |context| merge(context)),
    verb_handler!(verb::AddAlias, |context| alias(context)),
    verb_handler!(verb::WithdrawConsent, |context| withdraw(context)),
    verb_handler!(verb::GiveConsent, |context| give_consent(context)),
    verb_handler!(verb::ListConsents, |context| list_consents(context)),
    verb_handler!(verb::WithdrawConsents, |context| withdraw_consents(context)),
    verb_handler!(verb::HoldSubject, |context| hold(context)),
    verb_handler!(verb::Sweep, |context| sweep(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::MergeSubjects::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context.of_verb())))),
    (verb::AddAlias::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context.of_verb())))),
    (verb::WithdrawConsent::NAME, RepeatPolicy::Rendered(|context| Box::pin(withdrawn(context)))),
    (verb::GiveConsent::NAME, RepeatPolicy::Rendered(|context| Box::pin(list_consents(context.of_verb())))),
    (verb::HoldSubject::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context.of_verb())))),
    (verb::Sweep::NAME, RepeatPolicy::Rendered(|context| Box::pin(swept(context)))),
];

async fn list(context: VerbContext<verb::ListSubjects>) -> HandlerResult {
    context.answer(&context.engine.list_subjects(&context.call).await?)
}

async fn show(context: VerbContext<verb::ShowSubject>) -> HandlerResult {
    context.answer(&context.engine.show_subject(&context.call, &subject(&context)?).await?)
}

async fn export(context: VerbContext<verb::ExportSubject>) -> HandlerResult {
    context.answer(&context.engine.export_subject(&context.call, &subject(&context)?).await?)
}

async fn merge(context: VerbContext<verb::MergeSubjects>) -> HandlerResult {
    context.answer(&context.engine.merge_subjects(&context.call, &subject(&context)?, context.body()?).await?)
}

async fn alias(context: VerbContext<verb::AddAlias>) -> HandlerResult {
    context.answer(&context.engine.add_alias(&context.call, &subject(&context)?, context.body()?).await?)
}

async fn withdraw(context: VerbContext<verb::WithdrawConsent>) -> HandlerResult {
    context.answer(&context.engine.withdraw_consent(&context.call, &subject(&context)?).await?)
}

async fn give_consent(context: VerbContext<verb::GiveConsent>) -> HandlerResult {
    let (persona, subject) = (context.persona()?, subject(&context)?);
    context.answer(&context.engine.give_consent(&context.call, &persona, subject, context.body()?).await?)
}

async fn list_consents(context: VerbContext<verb::ListConsents>) -> HandlerResult {
    let (persona, subject) = (context.persona()?, subject(&context)?);
    context.answer(&context.engine.list_consents(&context.call, &persona, subject).await?)
}

async fn withdraw_consents(context: VerbContext<verb::WithdrawConsents>) -> HandlerResult {
    let (persona, subject) = (context.persona()?, subject(&context)?);
    context.answer(&context.engine.withdraw_consents(&context.call, &persona, subject).await?)
}

async fn hold(context: VerbContext<verb::HoldSubject>) -> HandlerResult {
    context.answer(&context.engine.hold_subject(&context.call, &subject(&context)?, context.body()?).await?)
}

async fn sweep(context: VerbContext<verb::Sweep>) -> HandlerResult {
    context.answer(&context.engine.sweep(&context.call, context.body()?).await?)
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
        return sweep(context.of_verb()).await;
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
