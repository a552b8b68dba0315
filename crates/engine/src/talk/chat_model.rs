//! The model that answers in talk: the owner of a tenant connects one without a restart, and it stays connected.
//!
//! Which addresses may be connected is for the operator to say: the providers of the configuration, and the ports of
//! this machine where model servers are searched for. An owner chooses among them, so no request can make the server
//! call another address.

mod examine;
mod permitted_address;
mod stored;
mod tenant_roles;

use domain::EventKind;
use llm::{ApiKey, Backend, Complete as _, Model, Provider, Reason};
use store::{Decision, Deployment as _, DeploymentChange, EventDraft};
use wire::chat_model::{
    AnsweringModel, ChatModel, ConnectModel, ListModels, ListedModels, ModelOrigin, ModelProvider,
};
use wire::key::{KeyScope, Speaks};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, CallerBounds};
use crate::talk::local_models::{local_models, talking_first};
use crate::{Engine, boxed};
use permitted_address::PermittedAddress;
use stored::{SETTING, StoredConnection};
pub(crate) use tenant_roles::TenantRoles;

impl Engine {
    /// The same engine, with these providers to be connected.
    #[must_use]
    pub fn offering(mut self, model_providers: Vec<Provider>) -> Self {
        self.talk_state.model_providers = model_providers;
        self
    }

    /// The model that answers in talk, and the ones that could.
    #[boxed]
    pub async fn show_chat_model(&self, call: &Call) -> Result<ChatModel, Problem> {
        let servers = if self.is_whole_house(call).await? {
            Some(local_models(&self.talk_state.local_servers).await)
        } else {
            None
        };
        let providers = self.talk_state.model_providers.iter().map(|provider| ModelProvider {
            id: provider.id.clone(),
            name: provider.name.clone(),
            base_url: provider.base_url.to_string(),
        });
        Ok(ChatModel {
            model: self.answering_model(call).await?,
            may_connect: demand_owner(call).is_ok(),
            servers,
            providers: providers.collect(),
        })
    }

    /// The models of a server that may be connected.
    #[boxed]
    pub async fn list_connectable_models(
        &self,
        call: &Call,
        asked: ListModels,
    ) -> Result<ListedModels, Problem> {
        demand_owner(call)?;
        let permitted = self.permitted(call, &asked.base_url).await?;
        let key = self.key_for(call, &permitted, asked.api_key.as_ref()).await?;
        let listed = listed(&self.probe(&permitted, "any", key.as_ref())?).await?;
        Ok(ListedModels { models: talking_first(listed) })
    }

    /// Has a model answer from now on, in talk and wherever the model that talks answered.
    #[boxed]
    pub async fn connect_model(&self, call: &Call, asked: ConnectModel) -> Result<ChatModel, Problem> {
        demand_owner(call)?;
        let permitted = self.permitted(call, &asked.base_url).await?;
        let key = self.key_for(call, &permitted, asked.api_key.as_ref()).await?;
        let models = listed(&self.probe(&permitted, &asked.model, key.as_ref())?).await?;
        check_listed(&models, &asked.model)?;
        let tenant = &call.caller.tenant;
        let stored = StoredConnection {
            base_url: permitted.base_url.to_string(),
            model: asked.model,
            sealed_key: match &key {
                Some(key) => Some(self.seal_model_key(tenant, &permitted.base_url, key)?),
                None => None,
            },
        };
        let value = serde_json::to_string(&stored)
            .map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        self.put_connection(call, value, EventKind::ModelConnected, &stored.base_url).await?;
        self.show_chat_model(call).await
    }

    /// Has the model of the configuration answer again, or none. The stored API key is deleted.
    #[boxed]
    pub async fn disconnect_model(&self, call: &Call) -> Result<ChatModel, Problem> {
        demand_owner(call)?;
        if let Some(stored) = self.stored_connection(&call.caller.tenant).await? {
            let event = EventKind::ModelDisconnected;
            self.put_connection(call, String::new(), event, &stored.base_url).await?;
        }
        self.show_chat_model(call).await
    }

    async fn put_connection(
        &self,
        call: &Call,
        value: String,
        event: EventKind,
        base_url: &str,
    ) -> Result<(), Problem> {
        let tenant = call.caller.tenant.clone();
        let decision = Decision {
            now: call.now,
            tenant: tenant.clone(),
            changes: vec![DeploymentChange::PutSetting(SETTING.to_owned(), value)],
            events: vec![EventDraft::new(event, call.caller.actor.clone()).about(base_url)],
        };
        let decided = self.store.decide(decision).await.map_err(Problem::from);
        self.talk_state.tenant_roles.forget(&tenant);
        decided.map(drop)
    }

    async fn answering_model(&self, call: &Call) -> Result<Option<AnsweringModel>, Problem> {
        let tenant = &call.caller.tenant;
        if let Some(stored) = self.stored_connection(tenant).await? {
            let unusable = self.connected_backend(tenant, &stored).err();
            return Ok(Some(AnsweringModel {
                name: stored.model,
                origin: ModelOrigin::Connected,
                base_url: Some(stored.base_url),
                has_api_key: stored.sealed_key.is_some(),
                unusable: unusable.map(|problem| problem.detail),
            }));
        }
        let chat = self.role(tenant, None).await?;
        Ok(match chat.backend.as_ref() {
            Backend::Offline => None,
            Backend::Model(_) => Some(AnsweringModel {
                name: chat.model_name,
                origin: ModelOrigin::Configuration,
                base_url: None,
                has_api_key: false,
                unusable: None,
            }),
        })
    }

    /// The key that was sent, or the one stored for the same address.
    async fn key_for(
        &self,
        call: &Call,
        permitted: &PermittedAddress,
        sent: Option<&domain::Text>,
    ) -> Result<Option<ApiKey>, Problem> {
        if let Some(sent) = sent {
            return Ok(Some(ApiKey::new(sent.as_str())));
        }
        let tenant = &call.caller.tenant;
        let stored = self.stored_connection(tenant).await?;
        match stored.filter(|stored| stored.base_url == permitted.base_url.to_string()) {
            Some(stored) => self.open_model_key(tenant, &permitted.base_url, &stored),
            None => Ok(None),
        }
    }
}

/// Only the owner decides where what people say is sent, and only for the owner's own tenant.
fn demand_owner(call: &Call) -> Result<(), Problem> {
    let caller = &call.caller;
    if caller.speaks == Speaks::Owner
        && caller.bound == CallerBounds::default()
        && caller.may(KeyScope::Admin)
    {
        return Ok(());
    }
    let detail = "only a key with `admin` that speaks for the owner may connect a model; make one with \
                  `selfhood key new --scope admin --speaks owner`";
    Err(Problem::new(Code::Forbidden, detail))
}

/// Asks for the list of models, which costs nothing and needs the key.
async fn listed(model: &Model) -> Result<Vec<String>, Problem> {
    model.models().await.map_err(|error| {
        if matches!(error.reason, Reason::KeyRefused { .. }) {
            let detail = "the server refused the API key, or wants one; check the key and connect again";
            return Problem::new(Code::ModelKeyRefused, detail);
        }
        Problem::new(Code::ModelFailed, error.to_string())
    })
}

fn check_listed(models: &[String], model: &str) -> Result<(), Problem> {
    // Ollama lists `name:latest` and answers to `name`.
    let is_same = |listed: &String| listed == model || listed.strip_suffix(":latest") == Some(model);
    if models.is_empty() || models.iter().any(is_same) {
        return Ok(());
    }
    let few = models.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    let detail = format!("the server has no such model; it has {few}");
    let place = Pointed { pointer: "/model".to_owned(), detail: detail.clone() };
    Err(Problem::new(Code::ValidationFailed, format!("/model: {detail}")).pointing_at(vec![place]))
}
