//! Builds that are broken on purpose, to show that the trust harnesses detect it.
//!
//! Without the `broken` feature the function here is a constant `false`, and the compiler removes every
//! use. With it, the variable `TRUST_BROKEN` names the one mechanism that does not work:
//!
//! | name | what is broken |
//! |---|---|
//! | `ack` | a write is acknowledged before it is committed |
//! | `sync` | `synchronous = NORMAL`, in PostgreSQL `synchronous_commit = off`: a commit is not flushed |
//! | `seal` | records are neither sealed nor authenticated |
//! | `audit` | the tree over the log is one of empty lines |
//! | `fault` | a commit that failed is acknowledged |
//! | `destroy` | the log says that a record was destroyed, but the record stays |
//! | `keys` | a key that sealed a destroyed record is not destroyed |
//! | `scrub` | a database is not rewritten after records were destroyed in it |
//!
//! The engine has three more: with `coherence` memories derived from forgotten ones are kept, with `audience`
//! memories are shown to every subject who names them, with `backup` a backup and a restored home get their names
//! before they are flushed.

/// Whether `mechanism` is broken in this run of this build.
pub(crate) fn is_broken(mechanism: &str) -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == mechanism)
}
