//! Memories.

use wire::memory::CurveSpan;
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::Remember, |context| remember(context)),
    verb_handler!(verb::ListMemories, |context| list(context)),
    verb_handler!(verb::InspectMemory, |context| inspect(context)),
    verb_handler!(verb::CorrectMemory, |context| correct(context)),
    verb_handler!(verb::DrawCurve, |context| curve(context)),
    verb_handler!(verb::RedactMemory, |context| redact(context)),
    verb_handler!(verb::PinMemory, |context| pin(context)),
    verb_handler!(verb::UnpinMemory, |context| unpin(context)),
    verb_handler!(verb::RestoreMemory, |context| restore(context)),
    verb_handler!(verb::VectorProgress, |context| vector_progress(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::Remember::NAME, RepeatPolicy::ByVerb),
    (verb::RedactMemory::NAME, RepeatPolicy::ByVerb),
    (verb::RestoreMemory::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
    (verb::PinMemory::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
];

async fn remember(context: VerbContext<verb::Remember>) -> HandlerResult {
    context.answer(&context.engine.remember(&context.call, &context.persona()?, context.body()?).await?)
}

async fn list(context: VerbContext<verb::ListMemories>) -> HandlerResult {
    context.answer(&context.engine.list_memories(&context.call, &context.persona()?, context.query()?).await?)
}

async fn inspect(context: VerbContext<verb::InspectMemory>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    let asked = context.query()?;
    context.answer(&context.engine.inspect_or_tombstone(&context.call, &persona, memory, asked).await?)
}

async fn correct(context: VerbContext<verb::CorrectMemory>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    context.answer(&context.engine.correct_memory(&context.call, &persona, memory, context.body()?).await?)
}

async fn curve(context: VerbContext<verb::DrawCurve>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    let CurveSpan { from, to } = context.query()?;
    context.answer(&context.engine.draw_curve(&context.call, &persona, memory, from, to).await?)
}

async fn redact(context: VerbContext<verb::RedactMemory>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    context.answer(&context.engine.redact_memory(&context.call, &persona, memory, context.body()?).await?)
}

async fn pin(context: VerbContext<verb::PinMemory>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    context.answer(&context.engine.pin_memory(&context.call, &persona, memory).await?)
}

async fn unpin(context: VerbContext<verb::UnpinMemory>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    context.answer(&context.engine.unpin_memory(&context.call, &persona, memory).await?)
}

async fn restore(context: VerbContext<verb::RestoreMemory>) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    context.answer(&context.engine.restore_memory(&context.call, &persona, memory).await?)
}

async fn vector_progress(context: VerbContext<verb::VectorProgress>) -> HandlerResult {
    context.answer(&context.engine.vector_progress(&context.call, &context.persona()?).await?)
}

async fn show(context: RequestContext) -> HandlerResult {
    let (persona, memory) = (context.persona()?, context.memory()?);
    Answer::json(&context.engine.show_memory(&context.call, &persona, memory).await?)
}
