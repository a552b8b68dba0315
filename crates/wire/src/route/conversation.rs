//! The routes of conversations, files and tools.

use super::Route;
use crate::key::KeyScope;
use crate::{exchange, file, schema, search, session, tool, verb};

/// Conversations, files and tools.
pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::SearchSessions>(
        "GET",
        "/sessions/search",
        KeyScope::Read,
        "Searches conversations by words and meaning, grouped by day.",
    )
    .asks(schema::of::<search::SearchSessions>),
    Route::of::<verb::ListFiles>(
        "GET",
        "/files",
        KeyScope::Read,
        "Lists the owner's files of a persona, with their tokens.",
    )
    .asks(schema::of::<file::OfPersona>),
    Route::of::<verb::ReadFile>("GET", "/files/{*name}", KeyScope::Read, "Reads a file of a persona.")
        .asks(schema::of::<file::OfPersona>),
    Route::of::<verb::WriteFile>(
        "PUT",
        "/files/{*name}",
        KeyScope::Write,
        "Writes a file of a persona, if the given version is current.",
    )
    .asks(schema::of::<file::OfPersona>)
    .takes(schema::of::<file::WriteFile>),
    Route::of::<verb::ListSessions>(
        "GET",
        "/v1/personas/{p}/sessions",
        KeyScope::Read,
        "Lists the speaker's conversations, latest first.",
    )
    .asks(schema::of::<session::SessionFilter>),
    Route::of::<verb::ShowSession>(
        "GET",
        "/v1/personas/{p}/sessions/{sessionId}",
        KeyScope::Read,
        "Shows a conversation with all its turns.",
    )
    .asks(schema::of::<session::HistoryFilter>),
    Route::of::<verb::RenameSession>(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}",
        KeyScope::Write,
        "Sets the title of a conversation.",
    )
    .by_speaker()
    .takes(schema::of::<session::RenameSession>),
    Route::of::<verb::DeleteSession>(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}",
        KeyScope::Write,
        "Destroys a conversation, and sets aside the memories formed from it.",
    )
    .by_speaker()
    .asks(schema::of::<session::BySubject>)
    .gives_nothing(),
    Route::of::<verb::EditTurn>(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        KeyScope::Write,
        "Replaces the text of a turn, and forms memories from the new text.",
    )
    .by_speaker()
    .takes(schema::of::<session::EditTurn>),
    Route::of::<verb::DeleteTurn>(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        KeyScope::Write,
        "Destroys a turn, and sets aside the memories formed from it.",
    )
    .by_speaker()
    .asks(schema::of::<session::BySubject>)
    .gives_nothing(),
    Route::of::<verb::RecordExchange>(
        "POST",
        "/v1/personas/{p}/exchanges",
        KeyScope::Write,
        "Records an exchange that took place elsewhere, and learns from it.",
    )
    .by_speaker()
    .takes(schema::of::<exchange::RecordExchange>)
    .gives(201),
    Route::of::<verb::ShowExchange>(
        "GET",
        "/v1/exchanges/{exchangeId}",
        KeyScope::Read,
        "Shows what was learnt from an exchange, and what was not stored and why.",
    )
    .asks(schema::of::<session::BySubject>),
    Route::of::<verb::ListTools>(
        "GET",
        "/v1/personas/{p}/tools",
        KeyScope::Read,
        "Lists the tools of a persona for the speaker.",
    ),
    Route::of::<verb::UseTool>(
        "POST",
        "/v1/personas/{p}/tools/{tool}",
        KeyScope::Write,
        "Runs a tool: reminders, scratch pad, tasks, schedule, search, remember, recall.",
    )
    .by_speaker()
    .takes(schema::of::<tool::UseTool>)
    .off_record(),
];
