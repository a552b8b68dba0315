//! The function of each verb. The list of routes and this one name the same verbs; a test checks it.

use super::idempotency::RepeatPolicy;
use super::request_context::{HandlerFuture, RequestContext};
use super::{
    agents, audit, chat, chat_model, completions, erasures, events, exchanges, files, jobs, keys, markdown,
    memories, operators, personas, recalls, responses, sessions, sign_in, subjects, timeline, tools,
    transfers, upkeep,
};

/// The function of a verb.
pub(crate) type Handler = fn(RequestContext) -> HandlerFuture;

/// The entry of a verb in a list of handlers: its name, and its function with the verb's own types.
macro_rules! verb_handler {
    ($verb:ty, |$context:ident| $answer:expr) => {
        (<$verb as wire::verb::Verb>::NAME, |context| {
            let $context: super::request_context::VerbContext<$verb> = context.of_verb();
            Box::pin($answer)
        })
    };
}
pub(crate) use verb_handler;

/// Every verb with its function.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, Handler)> {
    let groups = [
        personas::HANDLERS,
        timeline::HANDLERS,
        memories::HANDLERS,
        recalls::HANDLERS,
        subjects::HANDLERS,
        chat::HANDLERS,
        chat_model::HANDLERS,
        completions::HANDLERS,
        responses::HANDLERS,
        sessions::HANDLERS,
        exchanges::HANDLERS,
        files::HANDLERS,
        tools::HANDLERS,
        transfers::HANDLERS,
        keys::HANDLERS,
        agents::HANDLERS,
        operators::HANDLERS,
        erasures::HANDLERS,
        jobs::HANDLERS,
        upkeep::HANDLERS,
        audit::HANDLERS,
        sign_in::HANDLERS,
        events::HANDLERS,
        markdown::HANDLERS,
    ];
    groups.into_iter().flatten().copied()
}

/// Every POST that changes something, with its answer to a repeated request.
pub(crate) fn all_repeated() -> impl Iterator<Item = (&'static str, RepeatPolicy)> {
    let groups = [
        personas::REPEATED,
        timeline::REPEATED,
        memories::REPEATED,
        recalls::REPEATED,
        subjects::REPEATED,
        chat::REPEATED,
        completions::REPEATED,
        responses::REPEATED,
        exchanges::REPEATED,
        tools::REPEATED,
        transfers::REPEATED,
        keys::REPEATED,
        operators::REPEATED,
        erasures::REPEATED,
        jobs::REPEATED,
        upkeep::REPEATED,
        sign_in::REPEATED,
    ];
    groups.into_iter().flatten().copied()
}

/// The answer of `verb` to a repeated request.
pub(crate) fn repeated(verb: &str) -> Option<RepeatPolicy> {
    all_repeated().find(|(own, _)| *own == verb).map(|(_, repeated)| repeated)
}

/// The function of `verb`.
pub(crate) fn handler(verb: &str) -> Option<Handler> {
    all().find(|(own, _)| *own == verb).map(|(_, handler)| handler)
}
