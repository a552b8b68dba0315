//! What talk leaves behind: memories formed from turns, the consents they need, and knowledge drawn from repetition.

pub(crate) mod form;
pub(crate) mod show_exchange;
pub(crate) mod consents;
pub(crate) mod consolidate;
