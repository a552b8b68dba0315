//! Looking at everything and saying what is wrong, with the way out.
//!
//! What needs no open home (folders, key files, space) is looked at by [`premises`], which also works
//! when the home does not open. The rest is asked of an engine.

mod decay;
mod inside;
pub mod premises;
mod records;
mod server;

pub use records::examine_records;
