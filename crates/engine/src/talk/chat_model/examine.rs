//! Whether the connected model answers, for the doctor.

use domain::TenantName;
use llm::Complete as _;
use wire::Problem;
use wire::doctor::Check;

use super::stored::StoredConnection;
use crate::Engine;

const CHECK: &str = "model";
const WAY_OUT: &str = "personas can't answer with it until it does; start its server, or choose another one with \
                       `selfhood model connect`";

impl Engine {
    /// Asks the connected model's server for its list of models; nothing is said where none is connected.
    pub(crate) async fn examine_connected_model(&self, tenant: &TenantName) -> Option<Check> {
        match self.stored_connection(tenant).await {
            Ok(None) => None,
            Ok(Some(stored)) => Some(
                self.examine_connection(tenant, &stored)
                    .await
                    .unwrap_or_else(|problem| Check::fail(CHECK, problem.detail, WAY_OUT)),
            ),
            Err(problem) => Some(Check::fail(CHECK, problem.detail, WAY_OUT)),
        }
    }

    async fn examine_connection(
        &self,
        tenant: &TenantName,
        stored: &StoredConnection,
    ) -> Result<Check, Problem> {
        let permitted = self.permitted_address(&stored.base_url)?;
        let key = self.open_model_key(tenant, &permitted.base_url, stored)?;
        let model = self.probe(&permitted, &stored.model, key.as_ref())?;
        let StoredConnection { model: name, base_url, .. } = stored;
        Ok(match model.models().await {
            Ok(_) => Check::ok(CHECK, format!("`{name}` at {base_url} answers")),
            Err(error) => Check::warn(CHECK, error.to_string(), WAY_OUT),
        })
    }
}
