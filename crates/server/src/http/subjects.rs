//! Subjects and sweeps.

use domain::SubjectRef;
use wire::sweep::{Sweep, SweepAnswer, SweepReport};
use wire::{Code, Problem};

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("list_subjects", |visit| Box::pin(list(visit))),
    ("show_subject", |visit| Box::pin(show(visit))),
    ("export_subject", |visit| Box::pin(export(visit))),
    ("merge_subjects", |visit| Box::pin(merge(visit))),
    ("add_alias", |visit| Box::pin(alias(visit))),
    ("withdraw_consent", |visit| Box::pin(withdraw(visit))),
    ("give_consent", |visit| Box::pin(give_consent(visit))),
    ("list_consents", |visit| Box::pin(list_consents(visit))),
    ("withdraw_consents", |visit| Box::pin(withdraw_consents(visit))),
    ("hold_subject", |visit| Box::pin(hold(visit))),
    ("sweep", |visit| Box::pin(sweep(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("merge_subjects", Repeated::Rendered(|visit| Box::pin(show(visit)))),
    ("add_alias", Repeated::Rendered(|visit| Box::pin(show(visit)))),
    ("withdraw_consent", Repeated::Rendered(|visit| Box::pin(withdrawn(visit)))),
    ("give_consent", Repeated::Rendered(|visit| Box::pin(list_consents(visit)))),
    ("hold_subject", Repeated::Rendered(|visit| Box::pin(show(visit)))),
    ("sweep", Repeated::Rendered(|visit| Box::pin(swept(visit)))),
];

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_subjects(&visit.call).await?)
}

async fn show(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.show_subject(&visit.call, &subject(&visit)?).await?)
}

async fn export(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.export_subject(&visit.call, &subject(&visit)?).await?)
}

async fn merge(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.merge_subjects(&visit.call, &subject(&visit)?, visit.body()?).await?)
}

async fn alias(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.add_alias(&visit.call, &subject(&visit)?, visit.body()?).await?)
}

async fn withdraw(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.withdraw_consent(&visit.call, &subject(&visit)?).await?)
}

async fn give_consent(visit: RequestContext) -> HandlerResult {
    let (persona, subject) = (visit.persona()?, subject(&visit)?);
    Answer::json(&visit.engine.give_consent(&visit.call, &persona, subject, visit.body()?).await?)
}

async fn list_consents(visit: RequestContext) -> HandlerResult {
    let (persona, subject) = (visit.persona()?, subject(&visit)?);
    Answer::json(&visit.engine.list_consents(&visit.call, &persona, subject).await?)
}

async fn withdraw_consents(visit: RequestContext) -> HandlerResult {
    let (persona, subject) = (visit.persona()?, subject(&visit)?);
    Answer::json(&visit.engine.withdraw_consents(&visit.call, &persona, subject).await?)
}

async fn hold(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.hold_subject(&visit.call, &subject(&visit)?, visit.body()?).await?)
}

async fn sweep(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.sweep(&visit.call, visit.body()?).await?)
}

/// The person the path names. A problem doesn't repeat the name: it may be a person's address.
fn subject(visit: &RequestContext) -> Result<SubjectRef, Problem> {
    visit
        .segment("s")
        .parse()
        .map_err(|rule| Problem::new(Code::SubjectNotFound, format!("the reference is invalid: {rule}")))
}

async fn withdrawn(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.show_withdrawal(&visit.call, &subject(&visit)?).await?)
}

/// A preview is computed again; a sweep is reported without its list.
async fn swept(visit: RequestContext) -> HandlerResult {
    if visit.body::<Sweep>()?.dry_run {
        return sweep(visit).await;
    }
    let done = "an earlier request with the same `Idempotency-Key` did the sweep; nothing was done now";
    let sweep = SweepReport {
        at: visit.call.now,
        dry_run: false,
        personas: Vec::new(),
        epoch: None,
        partial: false,
        warnings: vec![done.to_owned()],
    };
    Answer::json(&SweepAnswer { sweep })
}
