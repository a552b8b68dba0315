//! Whose records: no call into the store goes without a tenant and a persona.

use domain::{PersonaId, TenantName};

/// One persona of one tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// Who owns the persona.
    pub tenant: TenantName,
    /// The persona, whatever its name is at the moment.
    pub persona: PersonaId,
}

impl Scope {
    /// The records of `persona`, which belongs to `tenant`.
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
