//! Builds that are broken on purpose, so that the trust harnesses can show that they would notice.
//!
//! Without the `broken` feature every question here is answered by a constant, and nothing of it is in the
//! program. With it, the variable `TRUST_BROKEN` names the one mechanism that does not work:
//!
//! | name | what is broken |
//! |---|---|
//! | `ack` | a write is acknowledged before it is committed |
//! | `sync` | `synchronous = NORMAL`, in PostgreSQL `synchronous_commit = off`: a commit is not flushed |
//! | `seal` | records are neither sealed nor authenticated |
//! | `audit` | the tree over the log is one of empty lines |
//! | `fault` | a commit that failed is acknowledged |
//! | `destroy` | the log says that something was destroyed, and it stays |
//! | `keys` | a key that sealed something destroyed lives on |
//! | `scrub` | a database is not rewritten after records were destroyed in it |
//!
//! The engine has two more: with `coherence` what was derived from the forgotten lives on, with `audience` memories are
//! shown to everybody who names them.

/// Whether `mechanism` is broken in this run of this build.
pub(crate) fn is_broken(mechanism: &str) -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == mechanism)
}
