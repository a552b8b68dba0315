//! The three digests of the record: what lately was said, what weeks came to, and what months came to.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Digest {
    /// The newest talk, as it was said.
    Short,
    /// What weeks of it came to.
    Mid,
    /// What is to be known for good.
    Long,
}

impl Digest {
    /// Every digest, the shortest-lived first.
    pub const ALL: [Self; 3] = [Self::Short, Self::Mid, Self::Long];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Mid => "mid",
            Self::Long => "long",
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
