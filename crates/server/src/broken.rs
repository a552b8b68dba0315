//! Switches a limit off, so that the load test can show that it would notice. Never on in the product:
//! without the cargo feature `broken` the answer is no at compile time.

/// Whether `mechanism` is switched off in this run.
pub(crate) fn is(mechanism: &str) -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == mechanism)
}
