//! The model that answers in talk.

use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("show_chat_model", |visit| Box::pin(show(visit))),
    ("list_connectable_models", |visit| Box::pin(list(visit))),
    ("connect_model", |visit| Box::pin(connect(visit))),
    ("disconnect_model", |visit| Box::pin(disconnect(visit))),
];

async fn show(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.show_chat_model(&visit.call).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_connectable_models(&visit.call, visit.body()?).await?)
}

async fn connect(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.connect_model(&visit.call, visit.body()?).await?)
}

async fn disconnect(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.disconnect_model(&visit.call).await?)
}
