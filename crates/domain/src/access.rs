//! API key scopes, and the subject a key acts for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A permission of an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// Read personas, timelines and memories; recall.
    Read,
    /// Create and change them.
    Write,
    /// Erase permanently.
    Erase,
    /// Read the audit log.
    Audit,
    /// Manage keys and tenants, and import data.
    Admin,
    /// Read memories restricted to staff.
    Staff,
}

impl KeyScope {
    /// Every scope.
    pub const ALL: [Self; 6] = [Self::Read, Self::Write, Self::Erase, Self::Audit, Self::Admin, Self::Staff];

    /// The name used in every interface.
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

/// The subject that an API key acts for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Speaks {
    /// The tenant's owner.
    Owner,
    /// The subject named in each request; an unknown one if the request names none.
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
