//! Which function answers which verb. The list of routes and this one name the same verbs; a test
//! demands it.

use super::idempotency::Repeated;
use super::visit::{Visit, Work};
use super::{
    audit, chat, clockwork, completions, erasures, events, exchanges, files, keys, markdown, memories,
    operators, personas, recalls, responses, sessions, sign_in, subjects, timeline, tools, transfers, upkeep,
};

/// The function of a verb.
pub(crate) type Handler = fn(Visit) -> Work;

/// Every verb with its function.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, Handler)> {
    let groups = [
        personas::DOORS,
        timeline::DOORS,
        memories::DOORS,
        recalls::DOORS,
        subjects::DOORS,
        chat::DOORS,
        completions::DOORS,
        responses::DOORS,
        sessions::DOORS,
        exchanges::DOORS,
        files::DOORS,
        tools::DOORS,
        transfers::DOORS,
        keys::DOORS,
        operators::DOORS,
        erasures::DOORS,
        clockwork::DOORS,
        upkeep::DOORS,
        audit::DOORS,
        sign_in::DOORS,
        events::DOORS,
        markdown::DOORS,
    ];
    groups.into_iter().flatten().copied()
}

/// Every POST that changes something, with how it is answered when it is repeated.
pub(crate) fn all_repeated() -> impl Iterator<Item = (&'static str, Repeated)> {
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
        clockwork::REPEATED,
        upkeep::REPEATED,
        sign_in::REPEATED,
    ];
    groups.into_iter().flatten().copied()
}

/// How `verb` is answered when it is repeated.
pub(crate) fn repeated(verb: &str) -> Option<Repeated> {
    all_repeated().find(|(own, _)| *own == verb).map(|(_, repeated)| repeated)
}

/// The function of `verb`.
pub(crate) fn handler(verb: &str) -> Option<Handler> {
    all().find(|(own, _)| *own == verb).map(|(_, handler)| handler)
}
