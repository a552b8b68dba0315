//! The only place that asks the machine for the time and for chance; everything else takes them as arguments.

use domain::Timestamp;
use vault::randomness::OsRandomness;

/// The time now.
#[expect(clippy::disallowed_methods, reason = "this is the place the lint sends everyone else to")]
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
}

/// Bytes nobody can foresee.
pub(crate) fn chance() -> OsRandomness {
    OsRandomness
}
