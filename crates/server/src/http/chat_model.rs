//! The model that answers in talk.
use wire::verb;

use super::handlers::{Handler, verb_handler};
use super::request_context::{HandlerResult, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::ShowChatModel, |context| show(context)),
    verb_handler!(verb::ListConnectableModels, |context| list(context)),
    verb_handler!(verb::ConnectModel, |context| connect(context)),
    verb_handler!(verb::DisconnectModel, |context| disconnect(context)),
];

async fn show(context: VerbContext<verb::ShowChatModel>) -> HandlerResult {
    context.answer(&context.engine.show_chat_model(&context.call).await?)
}

async fn list(context: VerbContext<verb::ListConnectableModels>) -> HandlerResult {
    context.answer(&context.engine.list_connectable_models(&context.call, context.body()?).await?)
}

async fn connect(context: VerbContext<verb::ConnectModel>) -> HandlerResult {
    context.answer(&context.engine.connect_model(&context.call, context.body()?).await?)
}

async fn disconnect(context: VerbContext<verb::DisconnectModel>) -> HandlerResult {
    context.answer(&context.engine.disconnect_model(&context.call).await?)
}
