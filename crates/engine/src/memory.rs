//! Memories: remember, recall, list, correct, pin, redact, import and export; and the vectors behind them.

pub(crate) mod remember;
pub(crate) mod classify;
pub(crate) mod recall;
pub(crate) mod stored_trace;
pub(crate) mod recent_recalls;
pub(crate) mod read_shortlist;
pub(crate) mod rehearsal;
pub(crate) mod list;
pub(crate) mod inspect;
pub(crate) mod correct;
pub(crate) mod undo_supersession;
pub(crate) mod pin;
pub(crate) mod redact;
pub(crate) mod retention;
pub(crate) mod import;
pub(crate) mod undo_import;
pub(crate) mod export;
pub(crate) mod card;
pub(crate) mod embedding;
pub(crate) mod cues;
pub(crate) mod vectors;
pub(crate) mod unencoded;
