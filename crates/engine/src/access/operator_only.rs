//! What only the operator may do, because it reaches beyond one tenant.

use std::path::{Path, PathBuf};

use domain::TenantName;
use store::{Deployment, Sqlite, Store};
use vault::key_directory::KeyDirectory;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::Call;

/// Operators are named by the `did:key` of their signing key; API keys are not.
const OPERATOR: &str = "did:key:";

impl Call {
    /// Whether the caller is an operator, who holds the home and its keys, and not a key of one tenant.
    pub(crate) fn is_operator(&self) -> bool {
        self.caller.actor.as_str().starts_with(OPERATOR)
    }

    /// Refuses callers who are not operators.
    pub(crate) fn demand_operator(&self) -> Result<(), Problem> {
        if self.is_operator() {
            return Ok(());
        }
        let detail = "API keys can't do this; use the command line on the machine of the home";
        Err(Problem::new(Code::Forbidden, detail))
    }
}

impl Engine {
    /// The home on disk, for operations that need one.
    pub(crate) fn home(&self) -> Result<&Sqlite, Problem> {
        match &self.store {
            Store::Sqlite(home) => Ok(home),
            Store::Postgres(_) => Err(Problem::new(
                Code::HomeUnusable,
                "only a home on disk has files for this; with PostgreSQL use its own tools, or `selfhood \
                store copy`",
            )),
            Store::Memory(_) => Err(Problem::new(
                Code::HomeUnusable,
                "this store has neither files nor keys; open a home on disk",
            )),
        }
    }

    /// The directory of the keys.
    pub(crate) fn key_directory(&self) -> Result<&KeyDirectory, Problem> {
        let none = || Problem::new(Code::HomeUnusable, "this store has no keys; open a home on disk");
        self.store.key_directory().ok_or_else(none)
    }

    /// The requested path, if it is absolute and lies neither in the home nor in the key directory.
    pub(crate) fn outside(&self, asked: &str) -> Result<PathBuf, Problem> {
        let (keys, path) = (self.key_directory()?, PathBuf::from(asked));
        let home = self.home().map(|home| home.paths().home().to_owned());
        let invalid = |detail: String| Err(Problem::new(Code::ValidationFailed, detail));
        if !path.is_absolute() {
            return invalid(format!("`{asked}` is not an absolute path; start it with `/`"));
        }
        let holds = |place: &Path| std::path::absolute(place).is_ok_and(|place| path.starts_with(place));
        if home.is_ok_and(|home| holds(&home)) || holds(keys.path()) {
            return invalid(format!("{asked} is inside the home or the key directory; use another disk"));
        }
        Ok(path)
    }

    /// The tenants a caller may inspect: all of them for an operator, else the caller's own.
    pub(crate) async fn tenants_of(&self, call: &Call) -> Result<Vec<TenantName>, Problem> {
        let known = self.store.tenants().await?.into_iter().map(|tenant| tenant.name);
        Ok(known.filter(|name| call.is_operator() || *name == call.caller.tenant).collect())
    }
}
