//! Memories.

use wire::memory::{AsOf, CurveSpan};

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("remember", |visit| Box::pin(remember(visit))),
    ("list_memories", |visit| Box::pin(list(visit))),
    ("inspect_memory", |visit| Box::pin(inspect(visit))),
    ("correct_memory", |visit| Box::pin(correct(visit))),
    ("draw_curve", |visit| Box::pin(curve(visit))),
    ("redact_memory", |visit| Box::pin(redact(visit))),
    ("pin_memory", |visit| Box::pin(pin(visit))),
    ("unpin_memory", |visit| Box::pin(unpin(visit))),
    ("restore_memory", |visit| Box::pin(restore(visit))),
    ("vector_progress", |visit| Box::pin(vector_progress(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("remember", Repeated::ByVerb),
    ("redact_memory", Repeated::ByVerb),
    ("restore_memory", Repeated::Rendered(|visit| Box::pin(show(visit)))),
    ("pin_memory", Repeated::Rendered(|visit| Box::pin(show(visit)))),
];

async fn remember(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.remember(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_memories(&visit.call, &visit.persona()?, visit.query()?).await?)
}

async fn inspect(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    let AsOf { at } = visit.query()?;
    Answer::json(&visit.engine.inspect_memory(&visit.call, &persona, memory, at).await?)
}

async fn correct(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    Answer::json(&visit.engine.correct_memory(&visit.call, &persona, memory, visit.body()?).await?)
}

async fn curve(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    let CurveSpan { from, to } = visit.query()?;
    Answer::json(&visit.engine.draw_curve(&visit.call, &persona, memory, from, to).await?)
}

async fn redact(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    Answer::json(&visit.engine.redact_memory(&visit.call, &persona, memory, visit.body()?).await?)
}

async fn pin(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    Answer::json(&visit.engine.pin_memory(&visit.call, &persona, memory).await?)
}

async fn unpin(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    Answer::json(&visit.engine.unpin_memory(&visit.call, &persona, memory).await?)
}

async fn restore(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    Answer::json(&visit.engine.restore_memory(&visit.call, &persona, memory).await?)
}

async fn vector_progress(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.vector_progress(&visit.call, &visit.persona()?).await?)
}

async fn show(visit: RequestContext) -> HandlerResult {
    let (persona, memory) = (visit.persona()?, visit.memory()?);
    Answer::json(&visit.engine.show_memory(&visit.call, &persona, memory).await?)
}
