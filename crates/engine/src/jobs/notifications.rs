//! Notifies the owner of background events: a message to the channels in the tenant's `channels.json`. A
//! failed delivery is logged, and nothing else depends on it.

use domain::{PersonaName, TenantName, Timestamp};
use notify::{Channels, Message, Retries, deliver};
use store::Documents;
use vault::randomness::random_bytes;

use crate::Engine;

/// A notification for the owner.
pub(crate) struct Notice<'a> {
    pub(crate) tenant: &'a TenantName,
    pub(crate) persona: &'a PersonaName,
    /// Its kind, such as `distill.mid`.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// Whether a notification is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// It is being sent to a channel.
    Sending,
    /// There is no channel, or none that can be read.
    NoChannel,
}

impl Engine {
    /// Sends a notification; the outcome is only logged.
    pub(crate) async fn notify(&self, notice: Notice<'_>, now: Timestamp) -> Delivery {
        let channels = self.channels(notice.tenant).await;
        let nonces = channels.all.iter().map(|_| random_bytes(self.randomness.as_ref()));
        let nonces: Result<Vec<[u8; 32]>, _> = nonces.collect();
        let (Ok(nonces), Ok(id)) = (nonces, self.fresh_id(now)) else { return Delivery::NoChannel };
        let mut heard = Delivery::NoChannel;
        for (channel, nonce) in channels.all.into_iter().zip(nonces) {
            let message = Message {
                id: id.clone(),
                at_seconds: now.as_millis().div_euclid(1000),
                kind: notice.kind.to_owned(),
                persona: notice.persona.to_string(),
                text: notice.text.clone(),
                nonce,
            };
            heard = Delivery::Sending;
            self.talk_state.spawn(async move {
                if let Err(error) = deliver(&channel, &message, Retries::default()).await {
                    tracing::warn!(channel = channel.kind(), kind = message.kind, %error, "a notification did not arrive");
                }
            });
        }
        heard
    }

    async fn channels(&self, tenant: &TenantName) -> Channels {
        let text = match self.store.channels(tenant).await {
            Ok(Some(document)) => document.content,
            Ok(None) => return Channels::default(),
            Err(error) => {
                tracing::warn!(%error, "the channels of a tenant can't be read");
                return Channels::default();
            }
        };
        Channels::read(text.as_str()).unwrap_or_else(|error| {
            tracing::warn!(%error, "the channels of a tenant can't be read");
            Channels::default()
        })
    }
}
