//! The addresses that may be connected: the operator's providers, and model servers found on this machine.

use std::time::Duration;

use llm::{ApiKey, BaseUrl, Endpoint, Jitter, Model, Protocol, Provider, Retries, Timeouts, detect};
use vault::randomness::random_bytes;
use wire::{Code, Pointed, Problem};

use crate::Engine;
use crate::call::Call;

/// A server that lists its models answers soon, or is not worth connecting.
const LISTING: Duration = Duration::from_secs(15);

/// An address that may be connected, and how its server is spoken to.
pub(super) struct PermittedAddress {
    pub(super) base_url: BaseUrl,
    pub(super) protocol: Protocol,
}

impl Engine {
    /// The address, if it may be connected now: a server on this machine has to answer there.
    pub(super) async fn permitted(&self, call: &Call, address: &str) -> Result<PermittedAddress, Problem> {
        let permitted = self.permitted_address(address)?;
        if self.provider_at(&permitted.base_url).is_some() {
            return Ok(permitted);
        }
        // What runs on a machine that tenants share is no tenant's business.
        if !self.is_whole_house(call).await? {
            return Err(not_permitted());
        }
        let port = permitted.base_url.local_port();
        let local: Vec<_> =
            self.talk_state.local_servers.iter().filter(|local| Some(local.port) == port).copied().collect();
        if detect(&local).await.is_empty() {
            let detail = format!("no model server answers at {}", permitted.base_url);
            return Err(Problem::new(Code::ModelFailed, detail));
        }
        Ok(permitted)
    }

    /// The address, if the configuration permits it. Nothing is asked.
    pub(super) fn permitted_address(&self, address: &str) -> Result<PermittedAddress, Problem> {
        let base_url: BaseUrl = address.parse().map_err(|_| not_permitted())?;
        if let Some(provider) = self.provider_at(&base_url) {
            return Ok(PermittedAddress { base_url, protocol: provider.protocol });
        }
        // A server is found at one spelling of its address only, so no other name can lead elsewhere.
        let is_found_there = |port: u16| base_url.to_string() == format!("http://127.0.0.1:{port}/v1");
        if self.talk_state.local_servers.iter().any(|local| is_found_there(local.port)) {
            return Ok(PermittedAddress { base_url, protocol: Protocol::OpenAi });
        }
        Err(not_permitted())
    }

    fn provider_at(&self, base_url: &BaseUrl) -> Option<&Provider> {
        self.talk_state.model_providers.iter().find(|provider| provider.base_url == *base_url)
    }

    /// A client that gives up soon, for the list of models.
    pub(super) fn probe(
        &self,
        permitted: &PermittedAddress,
        model: &str,
        key: Option<&ApiKey>,
    ) -> Result<Model, Problem> {
        let timeouts = Timeouts { whole: LISTING, first_byte: LISTING, ..Timeouts::default() };
        let retries = Retries { attempts: 1, ..Retries::default() };
        self.model_client(permitted, model, key, timeouts, retries)
    }

    pub(super) fn model_client(
        &self,
        permitted: &PermittedAddress,
        model: &str,
        key: Option<&ApiKey>,
        timeouts: Timeouts,
        retries: Retries,
    ) -> Result<Model, Problem> {
        let randomness = self.randomness.clone();
        let endpoint = Endpoint {
            name: "connected".to_owned(),
            base_url: permitted.base_url.clone(),
            model: model.to_owned(),
            api_key: key.cloned(),
            timeouts,
            retries,
            jitter: Jitter::new(move || {
                let bytes: [u8; 4] = random_bytes(randomness.as_ref()).unwrap_or_default();
                f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
            }),
        };
        let client = permitted.protocol.client(&endpoint);
        client.map_err(|error| Problem::new(Code::ModelFailed, error.to_string()))
    }
}

fn not_permitted() -> Problem {
    let detail = "not the address of a known provider, nor of a model server found on this machine; an operator may add \
                  it to `server.model_providers`";
    let place = Pointed { pointer: "/baseUrl".to_owned(), detail: detail.to_owned() };
    Problem::new(Code::ValidationFailed, format!("/baseUrl: {detail}")).pointing_at(vec![place])
}
