//! RFC 8785 canonical JSON: one sequence of bytes for one value, in every implementation.
//!
//! Signatures, content hashes and audit leaves are all computed over these bytes. Numbers follow
//! ECMAScript, keys are sorted by UTF-16 code units, and only what JSON demands is escaped.

mod number;
mod strict;

use serde::Serialize;
use serde_json::{Map, Number, Value};

pub use strict::{ParseError, parse_strict};

/// The largest integer that every JSON parser keeps exactly: 2^53 − 1.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Why a value has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// RFC 8785 would round the integer to a double, and two different values would have the same
    /// signature.
    #[error("the integer {0} lies beyond ±(2^53 − 1) and has no exact canonical form; write it as a string")]
    UnsafeInteger(String),
    /// The type's `Serialize` produced something JSON can't represent, such as a key that is not a string.
    #[error("the value can't be written as JSON: {0}")]
    NotJson(String),
}

/// Writes `value` as canonical JSON.
pub fn canonicalize(value: &Value) -> Result<Vec<u8>, CanonicalError> {
    let mut out = Vec::with_capacity(256);
    write_value(&mut out, value)?;
    Ok(out)
}

/// Writes anything serialisable as canonical JSON.
pub fn canonicalize_serializable<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    let value = serde_json::to_value(value).map_err(|error| CanonicalError::NotJson(error.to_string()))?;
    canonicalize(&value)
}

/// Writes the object as canonical JSON without the members named in `without`.
pub(crate) fn canonicalize_without(
    object: &Map<String, Value>,
    without: &[&str],
) -> Result<Vec<u8>, CanonicalError> {
    let mut out = Vec::with_capacity(1024);
    write_members(&mut out, object.iter().filter(|(key, _)| !without.contains(&key.as_str())))?;
    Ok(out)
}

fn write_value(out: &mut Vec<u8>, value: &Value) -> Result<(), CanonicalError> {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => write_number(out, number)?,
        Value::String(text) => write_string(out, text),
        Value::Array(items) => write_items(out, items)?,
        Value::Object(object) => write_members(out, object.iter())?,
    }
    Ok(())
}

fn write_number(out: &mut Vec<u8>, number: &Number) -> Result<(), CanonicalError> {
    let unsafe_integer = || CanonicalError::UnsafeInteger(number.to_string());
    if number.is_f64() {
        let double = number.as_f64().ok_or_else(unsafe_integer)?;
        number::write_double(out, double);
        return Ok(());
    }
    let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
    if magnitude.is_none_or(|magnitude| magnitude > MAX_SAFE_INTEGER) {
        return Err(unsafe_integer());
    }
    out.extend_from_slice(number.to_string().as_bytes());
    Ok(())
}

fn write_items(out: &mut Vec<u8>, items: &[Value]) -> Result<(), CanonicalError> {
    out.push(b'[');
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write_value(out, item)?;
    }
    out.push(b']');
    Ok(())
}

fn write_members<'a>(
    out: &mut Vec<u8>,
    members: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Result<(), CanonicalError> {
    let mut members: Vec<_> = members.collect();
    members.sort_unstable_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
    out.push(b'{');
    for (position, (key, value)) in members.into_iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write_string(out, key);
        out.push(b':');
        write_value(out, value)?;
    }
    out.push(b'}');
    Ok(())
}

fn write_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    let special = |byte: &u8| matches!(byte, 0x00..=0x1f | b'"' | b'\\');
    while let Some((plain, [byte, after @ ..])) =
        rest.iter().position(special).and_then(|position| rest.split_at_checked(position))
    {
        out.extend_from_slice(plain);
        write_escape(out, *byte);
        rest = after;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

fn write_escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => out.extend_from_slice(br#"\""#),
        b'\\' => out.extend_from_slice(br"\\"),
        0x08 => out.extend_from_slice(br"\b"),
        b'\t' => out.extend_from_slice(br"\t"),
        b'\n' => out.extend_from_slice(br"\n"),
        0x0c => out.extend_from_slice(br"\f"),
        b'\r' => out.extend_from_slice(br"\r"),
        control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn canonical(text: &str) -> String {
        let value: Value = serde_json::from_str(text).unwrap();
        String::from_utf8(canonicalize(&value).unwrap()).unwrap()
    }

    #[test]
    fn the_examples_of_rfc_8785_come_out_byte_for_byte() {
        let cases = [
            (
                r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#,
                "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}",
            ),
            (
                r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#,
                "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}",
            ),
            (
                r#"[56,{"d":true,"10":null,"1":[]}, "\u0001\u001f\u007f\b\f\t"]"#,
                "[56,{\"1\":[],\"10\":null,\"d\":true},\"\\u0001\\u001f\u{7f}\\b\\f\\t\"]",
            ),
            (r#" { "b" : -0 , "a" : -0.0 , "" : 1.0 } "#, r#"{"":1,"a":0,"b":0}"#),
        ];
        for (input, expected) in cases {
            assert_eq!(canonical(input), expected);
        }
    }

    #[test]
    fn canonical_text_read_again_is_the_same_text() {
        let once = canonical(r#"{"z":[1e21,1e-7,0.1,123456789012],"a":{"y":"\u2028","x":"é"}}"#);
        assert_eq!(canonical(&once), once);
    }

    #[test]
    fn integers_that_would_be_rounded_are_refused() {
        for exact in [json!(MAX_SAFE_INTEGER), json!(-9_007_199_254_740_991_i64), json!(1.0e300)] {
            assert!(canonicalize(&exact).is_ok(), "{exact}");
        }
        for rounded in [json!(MAX_SAFE_INTEGER + 1), json!(i64::MIN), json!(u64::MAX)] {
            let error = canonicalize(&json!({ "a": [rounded] })).unwrap_err();
            assert_eq!(error, CanonicalError::UnsafeInteger(rounded.to_string()));
        }
    }

    #[test]
    fn members_left_out_leave_no_trace() {
        let object = json!({"b": 1, "signature": {"x": 2}, "a": 3});
        let bytes = canonicalize_without(object.as_object().unwrap(), &["signature", "memory"]).unwrap();
        assert_eq!(bytes, br#"{"a":3,"b":1}"#);
    }
}
