//! A strict JSON parser for documents that are signed or verified.
//!
//! Ordinary parsers disagree about repeated keys and about numbers that don't fit a double, so two parties
//! could verify one signature over two different documents. This one refuses both, and reports the
//! position.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::MAX_SAFE_INTEGER;

/// Where and why a text is not strict JSON. It never quotes the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column} (byte {offset}): {reason}")]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// The byte within the line, counted from 1; 0 when the error is at the end of the line before.
    pub column: usize,
    /// The byte within the text, counted from 0, just after the refused part.
    pub offset: usize,
    /// A description of the error.
    pub reason: String,
}

/// Parses one JSON value, refusing repeated keys, numbers beyond ±(2^53 − 1), lone surrogates, invalid
/// UTF-8, nesting deeper than 128 and anything after the value.
pub fn parse_strict(text: &[u8]) -> Result<Value, ParseError> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    Strict
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| located(text, &error))
}

fn located(text: &[u8], error: &serde_json::Error) -> ParseError {
    let (line, column) = (error.line(), error.column());
    let before: usize =
        text.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    let message = error.to_string();
    let position = format!(" at line {line} column {column}");
    let reason = message.strip_suffix(&position).unwrap_or(&message).to_owned();
    ParseError { line, column, offset: (before + column).min(text.len()), reason }
}

#[derive(Clone, Copy)]
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        if value > MAX_SAFE_INTEGER { Err(too_large()) } else { Ok(Value::from(value)) }
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        if value.unsigned_abs() > MAX_SAFE_INTEGER { Err(too_large()) } else { Ok(Value::from(value)) }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        #[expect(clippy::cast_precision_loss, reason = "2^53 − 1 is exact in a double")]
        let limit = MAX_SAFE_INTEGER as f64;
        if value.abs() > limit {
            return Err(too_large());
        }
        Number::from_f64(value).map(Value::Number).ok_or_else(too_large)
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom("a key is repeated within one object"));
            }
            let value = members.next_value_seed(self)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

fn too_large<E: serde::de::Error>() -> E {
    E::custom("a number lies beyond ±(2^53 − 1)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_json_reads_as_it_stands_and_in_its_order() {
        let text = r#"{"b":[1,-2,0.5,true,null],"a":{"é":"\ud83d\ude00"},"max":9007199254740991}"#;
        let value = parse_strict(text.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), text.replace(r"\ud83d\ude00", "😀"));
    }

    #[test]
    fn what_readers_disagree_about_is_refused_with_its_place() {
        let cases: [(&[u8], usize, &str); 14] = [
            (br#"{"a":1,"a":2}"#, 1, "a key is repeated"),
            (b"{\"x\":{\"a\":1,\n\"\\u0061\":2}}", 2, "a key is repeated"),
            (b"[9007199254740992]", 1, "beyond"),
            (b"[-9007199254740992]", 1, "beyond"),
            (b"[9007199254740993.0]", 1, "beyond"),
            (b"\n\n[1e30]", 3, "beyond"),
            (b"[1e400]", 1, "out of range"),
            (b"[12345678901234567890123]", 1, "beyond"),
            (br#"["\ud83d"]"#, 1, "hex escape"),
            (br#"["\ude00"]"#, 1, "surrogate"),
            (b"[NaN]", 1, "expected value"),
            (b"[\"\xff\"]", 1, "unicode"),
            (b"{} {}", 1, "trailing"),
            (b"\xef\xbb\xbf{}", 1, "expected value"),
        ];
        for (text, line, reason) in cases {
            let error = parse_strict(text).unwrap_err();
            assert!(error.line == line && error.reason.contains(reason), "{error} for {text:?}");
            assert!(error.offset <= text.len());
        }
    }

    #[test]
    fn the_place_is_the_byte_after_what_was_refused() {
        let error = parse_strict(b"{\"ok\":1,\n \"no\": 9007199254740992}").unwrap_err();
        assert_eq!((error.line, error.column, error.offset), (2, 23, 32));
    }

    #[test]
    fn nesting_without_end_is_an_error_and_not_a_crash() {
        assert!(parse_strict("[".repeat(100_000).as_bytes()).is_err());
    }
}
