//! Personas: create, show, update and delete; their documents, and the ones held open in memory.

pub(crate) mod create;
pub(crate) mod show;
pub(crate) mod update;
pub(crate) mod delete;
pub(crate) mod adopt;
pub(crate) mod document;
pub(crate) mod document_cache;
pub(crate) mod registry;
pub(crate) mod open;
pub(crate) mod as_of;
pub(crate) mod templates;
pub(crate) mod copy;
pub(crate) mod each;
pub(crate) mod face;
pub(crate) mod notices;
pub(crate) mod validate;
pub(crate) mod import;
pub(crate) mod import_card;
pub(crate) mod export_card;
