//! The routes of conversations, files and tools.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

/// Conversations, files and tools.
pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::SearchSessions>(
        "GET",
        "/sessions/search",
        KeyScope::Read,
        "Searches conversations by words and meaning, grouped by day.",
    ),
    Route::of::<verb::ListFiles>(
        "GET",
        "/files",
        KeyScope::Read,
        "Lists the owner's files of a persona, with their tokens.",
    ),
    Route::of::<verb::ReadFile>("GET", "/files/{*name}", KeyScope::Read, "Reads a file of a persona."),
    Route::of::<verb::WriteFile>(
        "PUT",
        "/files/{*name}",
        KeyScope::Write,
        "Writes a file of a persona, if the given version is current.",
    ),
    Route::of::<verb::ListSessions>(
        "GET",
        "/v1/personas/{p}/sessions",
        KeyScope::Read,
        "Lists the speaker's conversations, latest first.",
    ),
    Route::of::<verb::ShowSession>(
        "GET",
        "/v1/personas/{p}/sessions/{sessionId}",
        KeyScope::Read,
        "Shows a conversation with all its turns.",
    ),
    Route::of::<verb::RenameSession>(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}",
        KeyScope::Write,
        "Sets the title of a conversation.",
    )
    .by_speaker(),
    Route::of::<verb::DeleteSession>(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}",
        KeyScope::Write,
        "Destroys a conversation, and sets aside the memories formed from it.",
    )
    .by_speaker()
    .gives_nothing(),
    Route::of::<verb::EditTurn>(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        KeyScope::Write,
        "Replaces the text of a turn, and forms memories from the new text.",
    )
    .by_speaker(),
    Route::of::<verb::DeleteTurn>(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        KeyScope::Write,
        "Destroys a turn, and sets aside the memories formed from it.",
    )
    .by_speaker()
    .gives_nothing(),
    Route::of::<verb::RecordExchange>(
        "POST",
        "/v1/personas/{p}/exchanges",
        KeyScope::Write,
        "Records an exchange that took place elsewhere, and learns from it.",
    )
    .by_speaker()
    .gives(201),
    Route::of::<verb::ShowExchange>(
        "GET",
        "/v1/exchanges/{exchangeId}",
        KeyScope::Read,
        "Shows what was learnt from an exchange, and what was not stored and why.",
    ),
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
    .off_record(),
];
