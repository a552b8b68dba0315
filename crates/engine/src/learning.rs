//! Learning from conversations: memories formed from turns, the consents they need, and facts derived from
//! repeated episodes.

pub(crate) mod form;
pub(crate) mod show_exchange;
pub(crate) mod consents;
pub(crate) mod consolidate;
