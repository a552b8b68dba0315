//! The routes of conversations, files and tools.

use super::Route;
use crate::key::KeyScope;
use crate::{exchange, file, schema, search, session, tool};

/// Conversations, files and tools.
pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "GET",
        "/sessions/search",
        "search_sessions",
        KeyScope::Read,
        "Searches conversations by words and meaning, grouped by day.",
    )
    .asks(schema::of::<search::SearchSessions>)
    .gives(200, schema::of::<search::SearchAnswer>),
    Route::new(
        "GET",
        "/files",
        "list_files",
        KeyScope::Read,
        "Lists the owner's files of a persona, with their tokens.",
    )
    .asks(schema::of::<file::OfPersona>)
    .gives(200, schema::of::<file::FileList>),
    Route::new("GET", "/files/{*name}", "read_file", KeyScope::Read, "Reads a file of a persona.")
        .asks(schema::of::<file::OfPersona>)
        .gives(200, schema::of::<file::FileAnswer>),
    Route::new(
        "PUT",
        "/files/{*name}",
        "write_file",
        KeyScope::Write,
        "Writes a file of a persona, if the given version is current.",
    )
    .asks(schema::of::<file::OfPersona>)
    .takes(schema::of::<file::WriteFile>)
    .gives(200, schema::of::<file::FileAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/sessions",
        "list_sessions",
        KeyScope::Read,
        "Lists the speaker's conversations, latest first.",
    )
    .asks(schema::of::<session::SessionFilter>)
    .gives(200, schema::of::<session::SessionPage>),
    Route::new(
        "GET",
        "/v1/personas/{p}/sessions/{sessionId}",
        "show_session",
        KeyScope::Read,
        "Shows a conversation with all its turns.",
    )
    .asks(schema::of::<session::HistoryFilter>)
    .gives(200, schema::of::<session::SessionHistory>),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}",
        "rename_session",
        KeyScope::Write,
        "Sets the title of a conversation.",
    )
    .takes(schema::of::<session::RenameSession>)
    .gives(200, schema::of::<session::SessionAnswer>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}",
        "delete_session",
        KeyScope::Write,
        "Destroys a conversation, and sets aside the memories formed from it.",
    )
    .asks(schema::of::<session::BySubject>)
    .gives_nothing(),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        "edit_turn",
        KeyScope::Write,
        "Replaces the text of a turn, and forms memories from the new text.",
    )
    .takes(schema::of::<session::EditTurn>)
    .gives(200, schema::of::<session::TurnAnswer>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        "delete_turn",
        KeyScope::Write,
        "Destroys a turn, and sets aside the memories formed from it.",
    )
    .asks(schema::of::<session::BySubject>)
    .gives_nothing(),
    Route::new(
        "POST",
        "/v1/personas/{p}/exchanges",
        "record_exchange",
        KeyScope::Write,
        "Records an exchange that took place elsewhere, and learns from it.",
    )
    .takes(schema::of::<exchange::RecordExchange>)
    .gives(201, schema::of::<exchange::ExchangeAnswer>),
    Route::new(
        "GET",
        "/v1/exchanges/{exchangeId}",
        "show_exchange",
        KeyScope::Read,
        "Shows what was learnt from an exchange, and what was not stored and why.",
    )
    .asks(schema::of::<session::BySubject>)
    .gives(200, schema::of::<exchange::ExchangeAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/tools",
        "list_tools",
        KeyScope::Read,
        "Lists the tools of a persona for the speaker.",
    )
    .gives(200, schema::of::<tool::ToolList>),
    Route::new(
        "POST",
        "/v1/personas/{p}/tools/{tool}",
        "use_tool",
        KeyScope::Write,
        "Runs a tool: reminders, scratch pad, tasks, schedule, search, remember, recall.",
    )
    .takes(schema::of::<tool::UseTool>)
    .gives(200, schema::of::<tool::ToolAnswer>),
];
