//! The paths of a home. Only checked names become parts of a path.

use std::path::{Path, PathBuf};

use domain::{PersonaName, TenantName};

use crate::document::DocumentName;

/// The layout of a home.
///
/// ```text
/// home/selfhood.lock                        who owns the home
/// home/restored                             there until the API keys of a restored backup were checked
/// home/deployment.db                        tenants, personas, API keys, the deployment's log
/// home/{tenant}/keyring                     the tenant's data keys, wrapped
/// home/{tenant}/channels.json               where notices go; an operator's file
/// home/{tenant}/persona/{name}/memory.db    sealed records
/// home/{tenant}/persona/{name}/IDENTITY.md  and the other documents people edit
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    home: PathBuf,
}

impl Paths {
    /// The layout of the home at `home`.
    #[must_use]
    pub fn new(home: &Path) -> Self {
        Self { home: home.to_owned() }
    }

    /// The home itself.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The lock file.
    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.home.join("selfhood.lock")
    }

    /// The marker file of a home restored from a backup whose API keys are still to be checked.
    #[must_use]
    pub fn restored(&self) -> PathBuf {
        self.home.join("restored")
    }

    /// The deployment's database.
    #[must_use]
    pub fn deployment(&self) -> PathBuf {
        self.home.join("deployment.db")
    }

    /// A tenant's folder.
    #[must_use]
    pub fn tenant(&self, tenant: &TenantName) -> PathBuf {
        self.home.join(tenant.as_str())
    }

    /// A tenant's keyring.
    #[must_use]
    pub fn keyring(&self, tenant: &TenantName) -> PathBuf {
        self.tenant(tenant).join("keyring")
    }

    /// A tenant's channels.
    #[must_use]
    pub fn channels(&self, tenant: &TenantName) -> PathBuf {
        self.tenant(tenant).join("channels.json")
    }

    /// The folder of a tenant's personas.
    #[must_use]
    pub fn personas(&self, tenant: &TenantName) -> PathBuf {
        self.tenant(tenant).join("persona")
    }

    /// A persona's folder.
    #[must_use]
    pub fn persona(&self, tenant: &TenantName, name: &PersonaName) -> PathBuf {
        self.personas(tenant).join(name.as_str())
    }

    /// A persona's database.
    #[must_use]
    pub fn records(&self, tenant: &TenantName, name: &PersonaName) -> PathBuf {
        self.persona(tenant, name).join("memory.db")
    }

    /// One of a persona's documents.
    #[must_use]
    pub fn document(&self, tenant: &TenantName, name: &PersonaName, document: DocumentName) -> PathBuf {
        self.persona(tenant, name).join(document.to_string())
    }
}
