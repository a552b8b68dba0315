//! The routes of what was said, and of what people and personas write down together.

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
        "Finds what was said, by words and meaning, grouped by day.",
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
    Route::new("GET", "/files/{*name}", "read_file", KeyScope::Read, "Reads a file of a persona's home.")
        .asks(schema::of::<file::OfPersona>)
        .gives(200, schema::of::<file::FileAnswer>),
    Route::new(
        "PUT",
        "/files/{*name}",
        "write_file",
        KeyScope::Write,
        "Writes a file of a persona's home over what was seen of it.",
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
        "Shows a conversation with everything said in it.",
    )
    .asks(schema::of::<session::HistoryFilter>)
    .gives(200, schema::of::<session::SessionHistory>),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}",
        "rename_session",
        KeyScope::Write,
        "Gives a conversation a title.",
    )
    .takes(schema::of::<session::RenameSession>)
    .gives(200, schema::of::<session::SessionAnswer>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}",
        "delete_session",
        KeyScope::Write,
        "Destroys a conversation, and sets aside what was learnt from it.",
    )
    .asks(schema::of::<session::BySubject>)
    .gives_nothing(),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        "edit_turn",
        KeyScope::Write,
        "Replaces the words of a turn, and learns from the new ones.",
    )
    .takes(schema::of::<session::EditTurn>)
    .gives(200, schema::of::<session::TurnAnswer>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/sessions/{sessionId}/turns/{turnId}",
        "delete_turn",
        KeyScope::Write,
        "Destroys a turn, and sets aside what was learnt from it.",
    )
    .asks(schema::of::<session::BySubject>)
    .gives_nothing(),
    Route::new(
        "POST",
        "/v1/personas/{p}/exchanges",
        "record_exchange",
        KeyScope::Write,
        "Records what was said and answered elsewhere, and learns from it.",
    )
    .takes(schema::of::<exchange::RecordExchange>)
    .gives(201, schema::of::<exchange::ExchangeAnswer>),
    Route::new(
        "GET",
        "/v1/exchanges/{exchangeId}",
        "show_exchange",
        KeyScope::Read,
        "Shows what was remembered of something said, and what was not kept and why.",
    )
    .asks(schema::of::<session::BySubject>)
    .gives(200, schema::of::<exchange::ExchangeAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/tools",
        "list_tools",
        KeyScope::Read,
        "Lists what can be done on behalf of whoever talks with a persona.",
    )
    .gives(200, schema::of::<tool::ToolList>),
    Route::new(
        "POST",
        "/v1/personas/{p}/tools/{tool}",
        "use_tool",
        KeyScope::Write,
        "Does one of these things: reminders, scratch pad, tasks, schedule, search, remember, recall.",
    )
    .takes(schema::of::<tool::UseTool>)
    .gives(200, schema::of::<tool::ToolAnswer>),
];
