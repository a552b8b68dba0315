//! The limits of the server: sizes, rates and durations.
//!
//! They apply to callers with a key, not to the operator.

use std::time::Duration;

use server::Limits;
use wire::Problem;

use super::catalogue::{self, Entry};
use super::layers::Layers;
use super::value::{Bytes, Raw, Value};

/// A greater limit would limit nothing.
const MOST: u32 = 1_000_000;
/// The longest time limit, in seconds.
const LONGEST: u64 = 3600;

/// Reads `[limits]`.
pub(super) fn take(layers: &mut Layers<'_>) -> Result<Limits, Problem> {
    let usual = Limits::default();
    Ok(Limits {
        body_bytes: size(layers, &catalogue::BODY_BYTES, usual.body_bytes)?,
        import_bytes: size(layers, &catalogue::IMPORT_BYTES, usual.import_bytes)?,
        requests_per_second: count(layers, &catalogue::REQUESTS_PER_SECOND, usual.requests_per_second)?,
        burst: count(layers, &catalogue::BURST, usual.burst)?,
        wrong_keys: count(layers, &catalogue::WRONG_KEYS, usual.wrong_keys)?,
        requests_at_once: count(layers, &catalogue::REQUESTS_AT_ONCE, usual.requests_at_once)?,
        streams_at_once: count(layers, &catalogue::STREAMS_AT_ONCE, usual.streams_at_once)?,
        body_bytes_at_once: size(layers, &catalogue::BODY_BYTES_AT_ONCE, usual.body_bytes_at_once)?,
        connections: count(layers, &catalogue::CONNECTIONS, usual.connections)?,
        connections_per_address: count(
            layers,
            &catalogue::CONNECTIONS_PER_ADDRESS,
            usual.connections_per_address,
        )?,
        head: layers.take_or(&catalogue::HEAD_SECONDS, usual.head)?,
        body: layers.take_or(&catalogue::BODY_SECONDS, usual.body)?,
        answer: layers.take_or(&catalogue::ANSWER_SECONDS, usual.answer)?,
        drain: layers.take_or(&catalogue::DRAIN_SECONDS, usual.drain)?,
    })
}

fn size(layers: &mut Layers<'_>, entry: &Entry, usual: usize) -> Result<usize, Problem> {
    let bytes = layers.take_or(entry, Bytes(usual as u64))?;
    Ok(usize::try_from(bytes.0).unwrap_or(usize::MAX))
}

fn count(layers: &mut Layers<'_>, entry: &Entry, usual: u32) -> Result<u32, Problem> {
    layers.take_or(entry, Count(usual)).map(|count| count.0)
}

/// A number of something.
struct Count(u32);

impl Value for Count {
    fn read(raw: &Raw) -> Result<Self, String> {
        let number = raw.whole_number().and_then(|number| u32::try_from(number).ok());
        number
            .filter(|count| (1..=MOST).contains(count))
            .map(Self)
            .ok_or_else(|| format!("must be a whole number from 1 to {MOST}"))
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

impl Value for Duration {
    fn read(raw: &Raw) -> Result<Self, String> {
        raw.whole_number()
            .filter(|seconds| (1..=LONGEST).contains(seconds))
            .map(Self::from_secs)
            .ok_or_else(|| format!("must be a whole number of seconds from 1 to {LONGEST}"))
    }

    fn shown(&self) -> String {
        self.as_secs().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_would_let_nothing_or_anything_pass_is_answered_with_its_rule() {
        for (raw, count, seconds) in [
            (Raw::Number(0), None, None),
            (Raw::Number(-1), None, None),
            (Raw::Number(1), Some(1), Some(1)),
            (Raw::Text("3600".to_owned()), Some(3600), Some(3600)),
            (Raw::Number(3601), Some(3601), None),
            (Raw::Number(1_000_001), None, None),
            (Raw::Text("many".to_owned()), None, None),
            (Raw::List(vec!["1".to_owned()]), None, None),
        ] {
            assert_eq!(Count::read(&raw).ok().map(|count| count.0), count, "{raw:?}");
            assert_eq!(Duration::read(&raw).ok().map(|time| time.as_secs()), seconds, "{raw:?}");
        }
        assert_eq!(
            Duration::read(&Raw::Number(0)).unwrap_err(),
            "must be a whole number of seconds from 1 to 3600"
        );
    }
}
