//! Numbers with a unit: each type has a range, and a value outside it can't be constructed.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A number outside the range of its unit, or not a number at all.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{unit} must be a number from {least} to {most}")]
pub struct OutOfRange {
    unit: &'static str,
    least: f64,
    most: f64,
}

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident, $least:expr, $most:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// The minimum.
            pub const LEAST: Self = Self($least);
            /// The maximum.
            pub const MOST: Self = Self($most);

            /// A value in range.
            pub fn new(value: f64) -> Result<Self, OutOfRange> {
                let out = OutOfRange { unit: stringify!($name), least: $least, most: $most };
                ($least..=$most).contains(&value).then_some(Self(value)).ok_or(out)
            }

            /// Clamps any number into range; NaN becomes the minimum.
            #[must_use]
            pub fn clamped(value: f64) -> Self {
                if value.is_nan() { Self::LEAST } else { Self(value.clamp($least, $most)) }
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = OutOfRange;

            fn try_from(value: f64) -> Result<Self, OutOfRange> {
                Self::new(value)
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.0
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "number", "minimum": $least, "maximum": $most })
            }
        }
    };
}

unit! {
    /// The weight of a memory atom.
    Salience, 0.0, 1.0
}
unit! {
    /// How clearly one detail of an atom is remembered.
    Brightness, 0.0, 1.0
}
unit! {
    /// Negative for aversive, zero for neutral, positive for cherished.
    Valence, -1.0, 1.0
}
unit! {
    /// How vividly a timeline entry is recalled; authored, not measured.
    Strength, 0.0, 100.0
}

impl Brightness {
    /// A detail below this brightness is stored but never rendered.
    pub const RENDERED: Self = Self(0.1);
}

/// A count of language-model tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tokens(pub u32);

impl Tokens {
    /// The estimated number of tokens of `characters` without a tokenizer: four characters each, rounded
    /// up.
    #[must_use]
    pub fn of_characters(characters: usize) -> Self {
        Self(u32::try_from(characters.div_ceil(4)).unwrap_or(u32::MAX))
    }
}

/// Inline, so that the bounds of each field are in the schema next to it.
impl JsonSchema for Tokens {
    fn schema_name() -> Cow<'static, str> {
        "Tokens".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
    }
}

/// How clearly a memory is remembered, in three levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Vividness {
    /// Below 0.40 (40): "faint" in prompts.
    Faded,
    /// From 0.40 (40).
    Moderate,
    /// From 0.75 (75).
    Vivid,
}

impl From<Salience> for Vividness {
    fn from(salience: Salience) -> Self {
        Strength(salience.0 * 100.0).into()
    }
}

impl From<Strength> for Vividness {
    fn from(strength: Strength) -> Self {
        if strength.0 >= 75.0 {
            Self::Vivid
        } else if strength.0 >= 40.0 {
            Self::Moderate
        } else {
            Self::Faded
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_out_of_range_cannot_be_made() {
        assert!(Salience::new(0.0).is_ok() && Salience::new(1.0).is_ok());
        for value in [-0.01, 1.01, f64::NAN, f64::INFINITY] {
            let message = Salience::new(value).unwrap_err().to_string();
            assert_eq!(message, "Salience must be a number from 0 to 1");
        }
        assert_eq!(Valence::clamped(f64::NEG_INFINITY), Valence::LEAST);
        assert_eq!(Strength::clamped(f64::NAN), Strength::LEAST);
    }

    #[test]
    fn vividness_changes_at_forty_and_seventy_five() {
        use Vividness::{Faded, Moderate, Vivid};
        for (strength, expected) in
            [(0.0, Faded), (39.9, Faded), (40.0, Moderate), (74.9, Moderate), (75.0, Vivid)]
        {
            assert_eq!(Vividness::from(Strength::clamped(strength)), expected, "strength {strength}");
            assert_eq!(
                Vividness::from(Salience::clamped(strength / 100.0)),
                expected,
                "salience of {strength}"
            );
        }
    }
}
