//! What a key opens, and for whom its holder speaks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// See personas, lives and memories; recall.
    Read,
    /// Make and change them.
    Write,
    /// Forget for good.
    Erase,
    /// See the audit log.
    Audit,
    /// Manage keys and tenants, and import the past.
    Admin,
    /// Hear what is meant for staff.
    Staff,
}

impl KeyScope {
    /// Every scope.
    pub const ALL: [Self; 6] = [Self::Read, Self::Write, Self::Erase, Self::Audit, Self::Admin, Self::Staff];

    /// The name used on every door.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Erase => "erase",
            Self::Audit => "audit",
            Self::Admin => "admin",
            Self::Staff => "staff",
        }
    }
}

/// For whom a key speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Speaks {
    /// The tenant's own person.
    Owner,
    /// Whoever each request names; nobody known when it names none.
    #[default]
    Forwarded,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_doors() {
        for scope in KeyScope::ALL {
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.as_str());
        }
    }
}
