//! Answered requests, recorded so that a client may safely repeat one.

use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// An answered request: enough to find the same resource again, and none of its text.
///
/// It is committed together with the change it belongs to, so a change is never made twice and a request is
/// never recorded without its change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredRequest {
    /// The client's key, as a keyed hash.
    pub tag: RequestTag,
    /// The body, as a keyed hash: another body under the same key is a different request.
    pub fingerprint: RequestTag,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The resource that was created or changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// When it was answered.
    pub at: Timestamp,
}

/// A keyed hash of what a client sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestTag(pub [u8; 32]);

impl std::fmt::Debug for RequestTag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&vault::encoding::hex(&self.0))
    }
}

impl Serialize for RequestTag {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&vault::encoding::hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for RequestTag {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        vault::encoding::from_hex(&text)
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("not 64 hexadecimal digits"))
    }
}
