//! The keys of a tenant: their state, rotation to the next epoch, and the copies of the key directory.

use std::path::Path;

use domain::Timestamp;
use store::{KeyStatus, Upkeep, key_problem};
use vault::key_directory::{KeyDirectory, KeyDirectoryError, KeyProtection};
use wire::vault::{MirrorList, MirrorPath, MirrorView, VaultAnswer, VaultView};
use wire::{Code, Problem};

use crate::call::Call;
use crate::{Engine, boxed};

impl Engine {
    /// The state of the keys of the caller's tenant.
    #[boxed]
    pub async fn show_vault(&self, call: &Call) -> Result<VaultAnswer, Problem> {
        let status = self.store.keys(&call.caller.tenant).await?;
        Ok(VaultAnswer { vault: self.vault_view(call, &status)? })
    }

    /// Rotates to the next key epoch of the caller's tenant. Copies of the keys that could not be reached are
    /// in the answer, and may still have the old key.
    #[boxed]
    pub async fn rotate_keys(&self, call: &Call) -> Result<VaultAnswer, Problem> {
        self.key_directory()?;
        let status = self.rewrite_and_rotate(call, &[]).await?;
        Ok(VaultAnswer { vault: self.vault_view(call, &status)? })
    }

    /// The registered copies of the key directory.
    pub fn list_mirrors(&self, call: &Call) -> Result<MirrorList, Problem> {
        call.demand_operator()?;
        Ok(MirrorList { mirrors: mirrors(self.key_directory()?).map_err(key_problem)? })
    }

    /// How many registered copies of the key directory there are, and how many of them may hold an old key.
    #[must_use]
    pub fn mirror_counts(&self) -> (usize, usize) {
        let mirrors = self.key_directory().ok().and_then(|keys| mirrors(keys).ok()).unwrap_or_default();
        (mirrors.len(), mirrors.iter().filter(|mirror| mirror.behind.is_some()).count())
    }

    /// Registers a copy of the key directory and fills it.
    pub fn add_mirror(&self, call: &Call, asked: &MirrorPath) -> Result<MirrorList, Problem> {
        call.demand_operator()?;
        let path = self.outside(&asked.path)?;
        self.key_directory()?.add_mirror(&path, call.now.as_millis()).map_err(key_problem)?;
        self.list_mirrors(call)
    }

    /// Removes a copy from the list. The copy itself stays, and no rotation reaches it any more.
    pub fn remove_mirror(&self, call: &Call, asked: &MirrorPath) -> Result<MirrorList, Problem> {
        call.demand_operator()?;
        let keys = self.key_directory()?;
        let path = Path::new(&asked.path);
        if !keys.mirrors().map_err(key_problem)?.all().iter().any(|mirror| mirror.path == path) {
            let detail =
                format!("no mirror {} is registered; see `selfhood vault mirror list`", path.display());
            return Err(Problem::new(Code::NotFound, detail));
        }
        keys.remove_mirror(path).map_err(key_problem)?;
        self.list_mirrors(call)
    }

    fn vault_view(&self, call: &Call, status: &KeyStatus) -> Result<VaultView, Problem> {
        let (keys, tenant) = (self.key_directory()?, call.caller.tenant.clone());
        let protection = keys.kek_protection(tenant.as_str(), status.epoch).map_err(key_problem)?;
        let mirrors = mirrors(keys).map_err(key_problem)?;
        Ok(VaultView {
            tenant,
            epoch: status.epoch,
            counter: status.counter,
            living: status.living,
            destroyed: status.destroyed,
            wrapped: protection == KeyProtection::Wrapped,
            mirrors: if call.is_operator() { mirrors } else { nameless(mirrors) },
        })
    }
}

/// The same without paths and reasons, which are not for a tenant's key.
fn nameless(mirrors: Vec<MirrorView>) -> Vec<MirrorView> {
    let nameless = |(number, mirror): (usize, MirrorView)| MirrorView {
        path: format!("mirror {}", number + 1),
        behind: mirror.behind.map(|_| "it doesn't have the current keys".to_owned()),
        ..mirror
    };
    mirrors.into_iter().enumerate().map(nameless).collect()
}

/// Every registered copy, and whether it has exactly the current keys.
pub(crate) fn mirrors(keys: &KeyDirectory) -> Result<Vec<MirrorView>, KeyDirectoryError> {
    let view = |mirror: &vault::key_directory::Mirror| MirrorView {
        path: mirror.path.display().to_string(),
        added_at: Timestamp::from_millis(mirror.added_at),
        behind: match keys.mirror_is_current(&mirror.path) {
            Ok(true) => None,
            Ok(false) => {
                Some("it doesn't have the current keys; `selfhood vault rotate` updates it".to_owned())
            }
            Err(error) => Some(error.to_string()),
        },
    };
    Ok(keys.mirrors()?.all().iter().map(view).collect())
}
