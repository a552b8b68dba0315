//! A connection as it is stored: a setting of the tenant, with its API key sealed.
//!
//! The key that seals it is derived from the deployment's secret in the key directory, so neither a backup nor a copy of
//! the database opens it. It is sealed for one tenant and one address: moved to another row it does not open, and it is
//! never sent to another server.

use domain::TenantName;
use llm::{ApiKey, BaseUrl};
use serde::{Deserialize, Serialize};
use store::Deployment as _;
use vault::encoding::{base64url, from_base64url};
use vault::key::{Dek, Secret};
use vault::seal::{Address, open, seal};
use wire::{Code, Problem};

use crate::Engine;

/// The name of the setting; an empty value is no connection.
pub(super) const SETTING: &str = "chatModel";
/// Separates the sealing key from everything else derived from the same secret.
const PURPOSE: &str = "model-api-key";

/// A connected model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredConnection {
    pub(super) base_url: String,
    pub(super) model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sealed_key: Option<String>,
}

impl StoredConnection {
    pub(super) fn read(value: &str) -> Result<Self, Problem> {
        serde_json::from_str(value).map_err(|_| {
            Problem::new(Code::RecordDamaged, "the connected model can't be read; connect it again")
        })
    }
}

impl Engine {
    /// The value of the setting, if a model is connected.
    pub(super) async fn connection_value(&self, tenant: &TenantName) -> Result<Option<String>, Problem> {
        let value = self.store.setting(tenant, SETTING).await?;
        Ok(value.filter(|value| !value.is_empty()))
    }

    pub(super) async fn stored_connection(
        &self,
        tenant: &TenantName,
    ) -> Result<Option<StoredConnection>, Problem> {
        self.connection_value(tenant).await?.map(|value| StoredConnection::read(&value)).transpose()
    }

    pub(super) fn seal_model_key(
        &self,
        tenant: &TenantName,
        base_url: &BaseUrl,
        key: &ApiKey,
    ) -> Result<String, Problem> {
        let (dek, id) = (self.model_key_dek(tenant), base_url.to_string());
        let sealed =
            key.with_bytes(|bytes| seal(&dek, &address(tenant, &id), bytes, self.randomness.as_ref()));
        let sealed = sealed.map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        Ok(base64url(&sealed))
    }

    pub(super) fn open_model_key(
        &self,
        tenant: &TenantName,
        base_url: &BaseUrl,
        stored: &StoredConnection,
    ) -> Result<Option<ApiKey>, Problem> {
        let Some(sealed) = &stored.sealed_key else { return Ok(None) };
        let (dek, id) = (self.model_key_dek(tenant), base_url.to_string());
        let opened = from_base64url(sealed).and_then(|blob| open(&dek, &address(tenant, &id), &blob).ok());
        let key = opened.and_then(|plain| std::str::from_utf8(&plain).ok().map(ApiKey::new));
        key.map(Some).ok_or_else(|| {
            let detail = "the API key of the connected model can't be opened with the keys of this deployment; connect \
                          the model again";
            Problem::new(Code::KeyMissing, detail)
        })
    }

    fn model_key_dek(&self, tenant: &TenantName) -> Dek {
        Dek::new(Secret::from_bytes(self.pepper.tag(PURPOSE, &[tenant.as_str().as_bytes()])))
    }
}

fn address<'a>(tenant: &'a TenantName, base_url: &'a str) -> Address<'a> {
    Address { tenant: tenant.as_str(), persona: "", id: base_url, kind: PURPOSE }
}
