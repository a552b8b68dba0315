//! Ids and names: every id has its own type, and only a checked name can become part of a path.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The text is not a valid id or name; contains the rule it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a {what}: {rule}")]
pub struct InvalidId {
    what: &'static str,
    rule: &'static str,
}

/// A memory atom: `mem:` and twelve hexadecimal digits, unique within its persona.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryId(u64);

impl MemoryId {
    const RULE: InvalidId =
        InvalidId { what: "memory id", rule: "`mem:` followed by 12 lower-case hex digits" };
    /// The pattern of every id of this kind.
    pub const PATTERN: &'static str = "^mem:[0-9a-f]{12}$";

    /// An id from six random bytes. The caller must retry if the persona already has it.
    #[must_use]
    pub fn from_random(bytes: [u8; 6]) -> Self {
        Self(bytes.iter().fold(0, |id, byte| id << 8 | u64::from(*byte)))
    }

    /// The id as a 48-bit number, for compact indexes and stable ordering.
    #[must_use]
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// The id from its number; bits above the 48th are dropped.
    #[must_use]
    pub const fn from_u64(number: u64) -> Self {
        Self(number & 0xffff_ffff_ffff)
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mem:{:012x}", self.0)
    }
}

impl FromStr for MemoryId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let digits = text.strip_prefix("mem:").ok_or(Self::RULE)?;
        let lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 12 || !digits.bytes().all(lower_hex) {
            return Err(Self::RULE);
        }
        u64::from_str_radix(digits, 16).map(Self).map_err(|_| Self::RULE)
    }
}

impl JsonSchema for MemoryId {
    fn schema_name() -> Cow<'static, str> {
        "MemoryId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": Self::PATTERN })
    }
}

/// Ids and names that are serialised as strings: parsed once, printed unchanged.
macro_rules! through_strings {
    ($name:ident) => {
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidId;

            fn try_from(text: String) -> Result<Self, InvalidId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }
    };
}

through_strings!(MemoryId);

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let rule = InvalidId { what: "UUID", rule: "for example `0198c0de-0000-7000-8000-000000000000`" };
                Uuid::try_parse(text).map(Self).map_err(|_| rule)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": "uuid" })
            }
        }
    };
}

uuid_id! {
    /// A persona's id, which stays the same when its name changes.
    PersonaId
}
uuid_id! {
    /// One event of a persona's own life.
    TimelineId
}
uuid_id! {
    /// The id of a recall, by which its trace can be requested.
    RecallId
}
uuid_id! {
    /// The id of an erasure request.
    ErasureId
}
uuid_id! {
    /// The id of one message in any conversation.
    TurnId
}
uuid_id! {
    /// One import, by which it can be undone as a whole.
    ImportId
}

macro_rules! checked_name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $pattern:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The name as written.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let check: fn(&str) -> bool = $check;
                let rule = InvalidId { what: $what, rule: $rule };
                check(text).then(|| Self(text.to_owned())).ok_or(rule)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern })
            }
        }

        through_strings!($name);
    };
}

checked_name! {
    /// A persona's name, and the only text that may become the name of its folder.
    PersonaName, "persona name", "^[a-z_][a-z0-9_-]{0,31}$",
    "1 to 32 characters: lower-case letters, digits, `_` and `-`, starting with a letter or `_`",
    |text| plain(text, 32) && !text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
}
checked_name! {
    /// A tenant's name, and the only text that may become the name of its folder; a UUID is valid too.
    TenantName, "tenant name", "^[a-z0-9_][a-z0-9_-]{0,63}$",
    "1 to 64 characters: lower-case letters, digits, `_` and `-`, not starting with `-`",
    |text| plain(text, 64) && !text.starts_with('-')
}
checked_name! {
    /// The deployment a memory was formed in.
    DeploymentDid, "deployment DID", "^did:[a-z0-9]+:[A-Za-z0-9._:%-]{1,200}$",
    "a DID such as `did:gosum:marriott:property-cluj-001`",
    |text| did(text).is_some()
}
checked_name! {
    /// The id of a session, chosen by its client.
    SessionId, "session id", r"^[!-~]{1,200}$",
    "1 to 200 printable ASCII characters without spaces",
    |text| (1..=200).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl SessionId {
    /// Whether a stranger can't guess this id. It is all that identifies an unnamed speaker.
    #[must_use]
    pub fn is_unguessable(&self) -> bool {
        is_random_id(self.as_str().strip_prefix("sess:").unwrap_or(self.as_str()))
    }
}

/// Whether `text` looks random: a UUID of version 4, or 32 hexadecimal digits, with at least eight different ones.
#[must_use]
pub fn is_random_id(text: &str) -> bool {
    const FEWEST_DIFFERENT: usize = 8;
    let is_plain = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_random = match Uuid::try_parse(text) {
        Ok(parsed) if text.contains('-') => parsed.get_version() == Some(uuid::Version::Random),
        Ok(_) => true,
        Err(_) => false,
    };
    let different: BTreeSet<char> =
        text.chars().filter(char::is_ascii_hexdigit).map(|digit| digit.to_ascii_lowercase()).collect();
    is_plain && is_random && different.len() >= FEWEST_DIFFERENT
}

/// Whether `text` has 1 to `most` characters of the small alphabet that is safe in any path.
fn plain(text: &str, most: usize) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=most).contains(&text.len()) && text.bytes().all(allowed)
}

fn did(text: &str) -> Option<()> {
    let (method, rest) = text.strip_prefix("did:")?.split_once(':')?;
    let method_fits =
        !method.is_empty() && method.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:%-".contains(&byte);
    (method_fits && (1..=200).contains(&rest.len()) && rest.bytes().all(allowed)).then_some(())
}

/// The person a memory came from or a conversation is with.
///
/// It may be an e-mail address or a name, so it is kept out of logs like other personal data.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SubjectRef(String);

/// A reference with more letters is no name.
const LONGEST_NAME: usize = 24;

/// What the reference of an unnamed speaker begins with; the id of the session follows.
const UNNAMED: &str = "anonymous:";

impl SubjectRef {
    /// The reference of the tenant's owner.
    pub const OWNER: &'static str = "owner";

    /// The tenant's own person.
    #[must_use]
    pub fn owner() -> Self {
        Self(Self::OWNER.to_owned())
    }

    /// The reference as a name, if it looks like one: `ana` gives Ana, `guest-17` gives none.
    #[must_use]
    pub fn plain_name(&self) -> Option<String> {
        let is_name = self.0.chars().all(char::is_alphabetic)
            && !self.is_owner()
            && (2..=LONGEST_NAME).contains(&self.0.chars().count());
        let mut letters = self.0.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        is_name.then(|| format!("{first}{}", letters.as_str()))
    }

    /// The reference of the unnamed speaker of `session`, who is known by that session only.
    pub fn unnamed_speaker_of(session: &SessionId) -> Result<Self, InvalidId> {
        format!("{UNNAMED}{session}").parse()
    }

    /// The reference as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the unnamed speaker of some session.
    #[must_use]
    pub fn is_unnamed_speaker(&self) -> bool {
        self.0.starts_with(UNNAMED)
    }

    /// Whether it is the unnamed speaker of `session`.
    #[must_use]
    pub fn is_unnamed_speaker_of(&self, session: &SessionId) -> bool {
        self.0.strip_prefix(UNNAMED) == Some(session.as_str())
    }

    /// Whether it is the tenant's owner.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.0 == Self::OWNER
    }
}

impl fmt::Debug for SubjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubjectRef({} characters)", self.0.chars().count())
    }
}

impl FromStr for SubjectRef {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let rule = InvalidId {
            what: "subject",
            rule: "1 to 256 characters, no control characters, no space at either end",
        };
        let fits = (1..=256).contains(&text.chars().count());
        let clean = text.trim() == text && !text.chars().any(char::is_control);
        (fits && clean).then(|| Self(text.to_owned())).ok_or(rule)
    }
}

impl TryFrom<String> for SubjectRef {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        text.parse()
    }
}

impl From<SubjectRef> for String {
    fn from(subject: SubjectRef) -> Self {
        subject.0
    }
}

impl JsonSchema for SubjectRef {
    fn schema_name() -> Cow<'static, str> {
        "SubjectRef".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 256, "pattern": r"^\S(.*\S)?$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_id_is_mem_and_twelve_lower_case_hex_digits() {
        let id = MemoryId::from_random([0x7f, 0x3a, 0x8b, 0x2c, 0x0d, 0x3e]);
        assert_eq!(id.to_string(), "mem:7f3a8b2c0d3e");
        assert_eq!(id.to_string().parse(), Ok(id));
        for wrong in
            ["7f3a8b2c0d3e", "mem:7F3A8B2C0D3E", "mem:7f3a8b2c0d3", "mem:7f3a8b2c0d3e0", "mem:+f3a8b2c0d3e"]
        {
            assert!(wrong.parse::<MemoryId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_a_plain_name_can_become_a_path() {
        for name in ["inara", "_x", "a-2", "wintermute"] {
            assert!(name.parse::<PersonaName>().is_ok(), "{name}");
        }
        for name in ["", "..", ".", "a/b", "a\\b", "Inara", "-a", "2a", "ină", "a\0", "con:", &"a".repeat(33)]
        {
            assert!(name.parse::<PersonaName>().is_err(), "{name}");
        }
        for tenant in ["scott", "0198c0de-0000-7000-8000-000000000000"] {
            assert!(tenant.parse::<TenantName>().is_ok(), "{tenant}");
        }
        for tenant in ["..", "a/b", "-a", &"a".repeat(65)] {
            assert!(tenant.parse::<TenantName>().is_err(), "{tenant}");
        }
    }

    #[test]
    fn a_subject_is_not_printed_by_debug() {
        let guest: SubjectRef = "ana@example.org".parse().unwrap();
        assert_eq!(format!("{guest:?}"), "SubjectRef(15 characters)");
        for wrong in ["", " ana", "ana\n", "a\u{7}b"] {
            assert!(wrong.parse::<SubjectRef>().is_err());
        }
    }

    #[test]
    fn the_published_patterns_agree_with_the_checks() {
        let agrees = |pattern: &str, text: &str, accepted: bool| {
            assert_eq!(regex_lite::Regex::new(pattern).unwrap().is_match(text), accepted, "{text}");
        };
        for text in [
            "did:gosum:marriott:property-cluj-001",
            "did:key:z6Mk",
            "did::x",
            "did:gosum:",
            "gosum:x",
            "did:a:b c",
        ] {
            agrees("^did:[a-z0-9]+:[A-Za-z0-9._:%-]{1,200}$", text, text.parse::<DeploymentDid>().is_ok());
        }
        for text in ["sess:bonvoy-2026-04-22-uuid", "", "a b", "é", "~"] {
            agrees(r"^[!-~]{1,200}$", text, text.parse::<SessionId>().is_ok());
        }
    }

    #[test]
    fn only_random_session_ids_are_unguessable() {
        for (id, expected) in [
            ("sess:0123456789abcdef0123456789abcdef", true),
            ("3f2b1c9a-8d47-4e0b-9a57-1c2d3e4f5a6b", true),
            ("0198c0de-0000-7000-9000-000000000000", false),
            ("00000000-0000-4000-8000-000000000000", false),
            ("deadbeefdeadbeefdeadbeefdeadbeef", false),
            ("{3f2b1c9a-8d47-4e0b-9a57-1c2d3e4f5a6b}", false),
            ("s1", false),
            ("chat-1", false),
        ] {
            assert_eq!(id.parse::<SessionId>().unwrap().is_unguessable(), expected, "{id}");
        }
    }
}
