//! The only module that reads the system clock and random source; everything else takes them as arguments.

use domain::Timestamp;
use vault::randomness::OsRandomness;

/// The time now.
#[expect(clippy::disallowed_methods, reason = "this is the place the lint sends everyone else to")]
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond())
}

/// Random bytes from the system.
pub(crate) fn chance() -> OsRandomness {
    OsRandomness
}
