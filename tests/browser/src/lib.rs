//! Nothing but tests: see `tests/page`.
