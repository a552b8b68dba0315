//! Conversations: from a message to a recorded reply, with the context, rules and tools given to a model.

pub mod converse;
pub(crate) mod context;
pub(crate) mod chat_model;
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
