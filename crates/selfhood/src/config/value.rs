//! The types of settings: how each is parsed, and how it is shown without its secrets.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use domain::{ConsentBasis, TenantName};
use engine::PersonaKey;

use crate::output::Mode;

/// An untyped value of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    /// A flag, a variable, or a string in the file.
    Text(String),
    /// An integer in the file.
    Number(i64),
    /// A float in the file, as written.
    Fraction(String),
    /// A boolean in the file.
    Switch(bool),
    /// A list in the file, with each string or number as written.
    List(Vec<String>),
}

impl Raw {
    /// The integer it is, or whose digits it contains.
    pub(super) fn whole_number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => u64::try_from(*number).ok(),
            Self::Text(text) => text.parse().ok(),
            Self::Fraction(_) | Self::Switch(_) | Self::List(_) => None,
        }
    }
}

/// A typed setting. Parsing fails with the rule that the value violates.
pub(super) trait Value: Sized {
    fn read(raw: &Raw) -> Result<Self, String>;
    fn shown(&self) -> String;

    /// The value relative to a file in `folder`; only a relative path changes.
    fn written_in(self, _folder: &Path) -> Self {
        self
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) u64);

impl Bytes {
    /// The default limit for documents and imports.
    pub(crate) const DOCUMENT: Self = Self(64 * 1024 * 1024);
}

/// A secret, which is never shown.
pub(crate) struct Secret(String);

impl Secret {
    /// The secret itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

/// Where memories are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreChoice {
    /// A file per persona inside the home.
    Home,
    /// A `PostgreSQL` server; the address may contain a password.
    Postgres(String),
}

/// On or off.
pub(super) struct Switch(pub(super) bool);

impl Value for Switch {
    fn read(raw: &Raw) -> Result<Self, String> {
        let switch = match raw {
            Raw::Switch(is_on) => Some(*is_on),
            Raw::Text(text) => text.parse().ok(),
            Raw::Number(_) | Raw::Fraction(_) | Raw::List(_) => None,
        };
        switch.map(Self).ok_or_else(|| "must be true or false".to_owned())
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

impl Value for PathBuf {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "a path").map(Self::from)
    }

    fn shown(&self) -> String {
        self.display().to_string()
    }

    fn written_in(self, folder: &Path) -> Self {
        folder.join(self)
    }
}

impl Value for Secret {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "a word").map(|word| Self(word.to_owned()))
    }

    fn shown(&self) -> String {
        "***".to_owned()
    }
}

impl Value for StoreChoice {
    fn read(raw: &Raw) -> Result<Self, String> {
        let place = text(raw, "`home` or a `postgres://` address")?;
        if place == "home" {
            Ok(Self::Home)
        } else if place.starts_with("postgres://") || place.starts_with("postgresql://") {
            Ok(Self::Postgres(place.to_owned()))
        } else {
            Err("must be `home` or a `postgres://` address".to_owned())
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Home => "home".to_owned(),
            Self::Postgres(address) => without_secrets(address),
        }
    }
}

impl Value for TenantName {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "a name")?.parse().map_err(|rule: domain::InvalidId| rule.to_string())
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for PersonaKey {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "a name or an id")?.parse().map_err(|rule: domain::InvalidId| rule.to_string())
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Value for Mode {
    fn read(raw: &Raw) -> Result<Self, String> {
        let known = Self::value_variants().iter().map(Value::shown).collect::<Vec<_>>().join(", ");
        let word = text(raw, "an output mode")?;
        <Self as ValueEnum>::from_str(word, false).map_err(|_| format!("must be one of {known}"))
    }

    fn shown(&self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

impl Value for Bytes {
    fn read(raw: &Raw) -> Result<Self, String> {
        raw.whole_number()
            .filter(|bytes| *bytes > 0)
            .map(Self)
            .ok_or_else(|| "must be a whole number of bytes above 0".to_owned())
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

impl Value for ConsentBasis {
    fn read(raw: &Raw) -> Result<Self, String> {
        text(raw, "a consent basis").map(Self::new)
    }

    fn shown(&self) -> String {
        self.as_str().to_owned()
    }
}

impl Value for Vec<ConsentBasis> {
    fn read(raw: &Raw) -> Result<Self, String> {
        let words: Vec<&str> = match raw {
            Raw::List(words) => words.iter().map(String::as_str).collect(),
            Raw::Text(words) => words.split(',').map(str::trim).filter(|word| !word.is_empty()).collect(),
            Raw::Number(_) | Raw::Fraction(_) | Raw::Switch(_) => {
                return Err("must be a list of words".to_owned());
            }
        };
        Ok(words.into_iter().map(ConsentBasis::new).collect())
    }

    fn shown(&self) -> String {
        self.iter().map(ConsentBasis::as_str).collect::<Vec<_>>().join(",")
    }
}

pub(super) fn text<'a>(raw: &'a Raw, expected: &str) -> Result<&'a str, String> {
    match raw {
        Raw::Text(text) => Ok(text),
        Raw::Number(_) | Raw::Fraction(_) | Raw::Switch(_) | Raw::List(_) => {
            Err(format!("must be {expected}, in quotes"))
        }
    }
}

/// The address without its password and its parameters: both may contain a secret.
fn without_secrets(address: &str) -> String {
    let (address, parameters) = match address.split_once('?') {
        Some((address, _)) => (address, "?***"),
        None => (address, ""),
    };
    let hidden = address.split_once("://").and_then(|(scheme, rest)| {
        let (login, place) = rest.rsplit_once('@')?;
        let (name, _) = login.split_once(':')?;
        Some(format!("{scheme}://{name}:***@{place}"))
    });
    hidden.unwrap_or_else(|| address.to_owned()) + parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        for (address, shown) in [
            ("postgres://ana:s3cret@db:5432/self", "postgres://ana:***@db:5432/self"),
            ("postgres://ana:p@ss:w@db/self?password=s3cret", "postgres://ana:***@db/self?***"),
            ("postgresql://db/self", "postgresql://db/self"),
        ] {
            assert_eq!(StoreChoice::read(&Raw::Text(address.to_owned())).unwrap().shown(), shown);
        }
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_answered_with_its_rule() {
        let rule = |parsed: Result<Bytes, String>| parsed.unwrap_err();
        assert_eq!(
            rule(Bytes::read(&Raw::Text("many".to_owned()))),
            "must be a whole number of bytes above 0"
        );
        assert_eq!(rule(Bytes::read(&Raw::Number(-1))), "must be a whole number of bytes above 0");
        assert_eq!(PathBuf::read(&Raw::Number(1)).unwrap_err(), "must be a path, in quotes");
        assert_eq!(
            StoreChoice::read(&Raw::Text("mysql://x".to_owned())).unwrap_err(),
            "must be `home` or a `postgres://` address"
        );
    }
}
