//! The model that answers in talk.
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::ShowChatModel::NAME, |context| Box::pin(show(context))),
    (verb::ListConnectableModels::NAME, |context| Box::pin(list(context))),
    (verb::ConnectModel::NAME, |context| Box::pin(connect(context))),
    (verb::DisconnectModel::NAME, |context| Box::pin(disconnect(context))),
];

async fn show(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.show_chat_model(&context.call).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_connectable_models(&context.call, context.body()?).await?)
}

async fn connect(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.connect_model(&context.call, context.body()?).await?)
}

async fn disconnect(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.disconnect_model(&context.call).await?)
}
