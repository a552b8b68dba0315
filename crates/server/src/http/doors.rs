//! Which function answers which verb. The list of routes and this one name the same verbs; a test
//! demands it.

use super::visit::{Visit, Work};
use super::{
    audit, chat, clockwork, completions, erasures, events, files, keys, markdown, memories, operators,
    personas, recalls, sessions, sign_in, subjects, timeline, tools, transfers, upkeep,
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
        sessions::DOORS,
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

/// The function of `verb`.
pub(crate) fn handler(verb: &str) -> Option<Handler> {
    all().find(|(own, _)| *own == verb).map(|(_, handler)| handler)
}
