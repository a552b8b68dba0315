//! Maps errors of the lower crates to problems.

use domain::InvalidId;
use wire::{Code, Problem};

/// The problem for a path with an invalid id.
pub(crate) fn nothing_named(error: &InvalidId) -> Problem {
    Problem::new(Code::NotFound, error.to_string())
}

/// The problem when the system gives no random bytes.
pub(crate) fn no_randomness(error: &vault::randomness::RandomnessError) -> Problem {
    Problem::new(Code::Internal, format!("the system gave no random bytes: {error}"))
}
