//! Times in milliseconds UTC as printed in documents: `2026-04-22T14:18:42.000Z`.

use jiff::Timestamp;

/// The printed time; `None` outside the years −9999 to 9999.
pub(crate) fn printed(milliseconds: i64) -> Option<String> {
    Timestamp::from_millisecond(milliseconds).ok().map(|time| format!("{time:.3}"))
}

/// Parses an RFC 3339 time.
pub(crate) fn read(time: &str) -> Option<i64> {
    time.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
}

/// For `#[serde(with)]`: a time in milliseconds that is printed in JSON.
pub(crate) mod required {
    use serde::{Deserialize, Deserializer, Serializer, de, ser};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub(crate) fn serialize<S: Serializer>(time: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        let text = super::printed(*time).ok_or_else(|| ser::Error::custom("a time out of range"))?;
        serializer.serialize_str(&text)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        let text = String::deserialize(deserializer)?;
        super::read(&text).ok_or_else(|| de::Error::custom("not an RFC 3339 time"))
    }
}

/// For `#[serde(with)]`: as [`required`], but it may be absent.
pub(crate) mod optional {
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::ref_option, reason = "the signature is serde's")]
    pub(crate) fn serialize<S: Serializer>(time: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::required::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let read = |text: String| super::read(&text).ok_or_else(|| de::Error::custom("not an RFC 3339 time"));
        text.map(read).transpose()
    }
}
