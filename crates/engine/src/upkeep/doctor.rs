//! Health checks: what is wrong, with the way out.
//!
//! What needs no open home (folders, key files, space) is checked by [`outside`], which also works when the
//! home does not open. The engine checks the rest.

mod decay;
mod inside;
pub mod outside;
mod records;
mod server;

pub use records::examine_records;
