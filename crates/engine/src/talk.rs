//! Conversations: from a message to a reply and its record, with the context, rules and tools a model gets.

pub mod converse;
pub(crate) mod context;
pub(crate) mod preview_context;
pub(crate) mod guard;
pub(crate) mod tools;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod search;
pub(crate) mod compact;
pub(crate) mod edit_turns;
pub(crate) mod files;
pub(crate) mod day_log;
pub(crate) mod prompt_jobs;
pub(crate) mod export_conversations;
