//! One part of a backup. Its path is parsed into checked names only, so a backup can't write anywhere else.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use domain::{PersonaName, TenantName};
use store::DocumentName;
use store::home::Paths;
use vault::seal::Address;

/// One part of a backup.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The deployment's database.
    Deployment,
    /// A tenant's keyring: data keys, wrapped by a key that is not in the backup.
    Keyring(TenantName),
    /// A tenant's `channels.json`, sealed.
    Channels(TenantName),
    /// A persona's database: sealed records.
    Records(TenantName, PersonaName),
    /// A persona's document, sealed.
    Document(TenantName, PersonaName, DocumentName),
}

impl Part {
    /// Its path in a home with this layout.
    #[must_use]
    pub fn place(&self, paths: &Paths) -> PathBuf {
        match self {
            Self::Deployment => paths.deployment(),
            Self::Keyring(tenant) => paths.keyring(tenant),
            Self::Channels(tenant) => paths.channels(tenant),
            Self::Records(tenant, name) => paths.records(tenant, name),
            Self::Document(tenant, name, document) => paths.document(tenant, name, *document),
        }
    }

    /// The tenant of a document that is sealed for the backup.
    #[must_use]
    pub fn sealed_for(&self) -> Option<&TenantName> {
        match self {
            Self::Channels(tenant) | Self::Document(tenant, _, _) => Some(tenant),
            Self::Deployment | Self::Keyring(_) | Self::Records(..) => None,
        }
    }

    /// The address for which a document of `tenant` is sealed: its own path.
    pub(super) fn address<'a>(tenant: &'a TenantName, path: &'a str) -> Address<'a> {
        Address { tenant: tenant.as_str(), persona: "", id: path, kind: "backup-document" }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deployment => f.write_str("deployment.db"),
            Self::Keyring(tenant) => write!(f, "{tenant}/keyring"),
            Self::Channels(tenant) => write!(f, "{tenant}/channels.json"),
            Self::Records(tenant, name) => write!(f, "{tenant}/persona/{name}/memory.db"),
            Self::Document(tenant, name, document) => write!(f, "{tenant}/persona/{name}/{document}"),
        }
    }
}

/// A path that no part of a backup has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it names a path that no home has")]
pub struct NotAPart;

impl FromStr for Part {
    type Err = NotAPart;

    fn from_str(path: &str) -> Result<Self, NotAPart> {
        let tenant = |name: &str| name.parse::<TenantName>().map_err(|_| NotAPart);
        let persona = |name: &str| name.parse::<PersonaName>().map_err(|_| NotAPart);
        let segments: Vec<&str> = path.split('/').collect();
        match segments.as_slice() {
            ["deployment.db"] => Ok(Self::Deployment),
            [owner, "keyring"] => Ok(Self::Keyring(tenant(owner)?)),
            [owner, "channels.json"] => Ok(Self::Channels(tenant(owner)?)),
            [owner, "persona", name, "memory.db"] => Ok(Self::Records(tenant(owner)?, persona(name)?)),
            [owner, "persona", name, document] => {
                let document = document.parse().map_err(|_| NotAPart)?;
                Ok(Self::Document(tenant(owner)?, persona(name)?, document))
            }
            _ => Err(NotAPart),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_reads_as_it_is_written() {
        for path in [
            "deployment.db",
            "scott/keyring",
            "scott/channels.json",
            "scott/persona/inara/memory.db",
            "scott/persona/inara/IDENTITY.md",
            "scott/persona/inara/MEMORY_LONG.md.bak2",
        ] {
            assert_eq!(path.parse::<Part>().unwrap().to_string(), path);
        }
    }

    #[test]
    fn no_path_leads_out_of_the_home_or_to_anything_else() {
        for path in [
            "",
            "/etc/passwd",
            "../deployment.db",
            "scott/../holly/keyring",
            "scott/persona/../keyring",
            "scott/persona/inara/../../keyring",
            "scott/persona/inara/sessions/2026-04-22.md",
            "scott/persona/inara/run.sh",
            "selfhood.lock",
            "Scott/keyring",
        ] {
            assert_eq!(path.parse::<Part>(), Err(NotAPart), "{path}");
        }
    }
}
