//! Memories.

use wire::memory::CurveSpan;
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::Remember::NAME, |context| Box::pin(remember(context))),
    (verb::ListMemories::NAME, |context| Box::pin(list(context))),
    (verb::InspectMemory::NAME, |context| Box::pin(inspect(context))),
    (verb::CorrectMemory::NAME, |context| Box::pin(correct(context))),
    (verb::DrawCurve::NAME, |context| Box::pin(curve(context))),
    (verb::RedactMemory::NAME, |context| Box::pin(redact(context))),
    (verb::PinMemory::NAME, |context| Box::pin(pin(context))),
    (verb::UnpinMemory::NAME, |context| Box::pin(unpin(context))),
    (verb::RestoreMemory::NAME, |context| Box::pin(restore(context))),
    (verb::VectorProgress::NAME, |context| Box::pin(vector_progress(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::Remember::NAME, RepeatPolicy::ByVerb),
    (verb::RedactMemory::NAME, RepeatPolicy::ByVerb),
    (verb::RestoreMemory::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
    (verb::PinMemory::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
];

async fn remember(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.remember(&context.call, &context.persona()?, context.body()?).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_memories(&context.call, &context.persona()?, context.query()?).await?)
}

async fn inspect(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    let asked = context.query()?;
    Answer::json(&context.engine.inspect_or_tombstone(&context.call, &persona, memory, asked).await?)
}

async fn correct(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.correct_memory(&context.call, &persona, memory, context.body()?).await?)
}

async fn curve(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    let CurveSpan { from, to } = context.query()?;
    Answer::json(&context.engine.draw_curve(&context.call, &persona, memory, from, to).await?)
}

async fn redact(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.redact_memory(&context.call, &persona, memory, context.body()?).await?)
}

async fn pin(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.pin_memory(&context.call, &persona, memory).await?)
}

async fn unpin(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.unpin_memory(&context.call, &persona, memory).await?)
}

async fn restore(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.restore_memory(&context.call, &persona, memory).await?)
}

async fn vector_progress(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.vector_progress(&context.call, &context.persona()?).await?)
}

async fn show(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.show_memory(&context.call, &persona, memory).await?)
}
