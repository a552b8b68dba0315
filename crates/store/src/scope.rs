//! The scope of a call: every call into the store names a tenant and a persona.

use domain::{PersonaId, TenantName};

/// One persona of one tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// The tenant that owns the persona.
    pub tenant: TenantName,
    /// The persona's id, which stays the same when its name changes.
    pub persona: PersonaId,
}

impl Scope {
    /// The scope of `persona`, which belongs to `tenant`.
    #[must_use]
    pub fn new(tenant: TenantName, persona: PersonaId) -> Self {
        Self { tenant, persona }
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.tenant, self.persona)
    }
}
