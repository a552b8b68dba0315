//! Recording exchanges from elsewhere, and what was learnt from an exchange.

use wire::session::BySubject;
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::RecordExchange, |context| record(context)),
    verb_handler!(verb::ShowExchange, |context| show(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(
    verb::RecordExchange::NAME,
    RepeatPolicy::Made("/exchangeId", |context, id| Box::pin(recorded(context, id))),
)];

async fn record(context: VerbContext<verb::RecordExchange>) -> HandlerResult {
    let persona = context.persona()?;
    let recorded = context.engine.record_exchange(&context.call, &persona, context.body()?).await?;
    Ok(context.answer(&recorded)?.with_notices(&recorded.notices))
}

async fn recorded(context: RequestContext, id: String) -> HandlerResult {
    let asked: wire::exchange::RecordExchange = context.body()?;
    Answer::json(&context.engine.show_exchange(&context.call, &id, asked.subject).await?)
}

async fn show(context: VerbContext<verb::ShowExchange>) -> HandlerResult {
    let BySubject { subject } = context.query()?;
    context
        .answer(&context.engine.show_exchange(&context.call, context.segment("exchangeId"), subject).await?)
}
