//! Telling the owner of something that happened by itself: a message to the channels of the tenant's
//! `channels.json`. What does not arrive is in the log, and nothing else depends on it.

use domain::{PersonaName, TenantName, Timestamp};
use notify::{Channels, Message, Retries, deliver};
use store::Documents;
use vault::randomness::random_bytes;

use crate::Engine;

/// Something to tell the owner.
pub(crate) struct Notice<'a> {
    pub(crate) tenant: &'a TenantName,
    pub(crate) persona: &'a PersonaName,
    /// What it is about, such as `distill.mid`.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// Where a notice goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// It is on its way to a channel.
    OnItsWay,
    /// There is no channel, or none that can be read.
    ByNobody,
}

impl Engine {
    /// Sends a notice on its way; how it fares is told in the log only.
    pub(crate) async fn notify(&self, notice: Notice<'_>, now: Timestamp) -> Heard {
        let channels = self.channels(notice.tenant).await;
        let nonces = channels.all.iter().map(|_| random_bytes(self.randomness.as_ref()));
        let nonces: Result<Vec<[u8; 32]>, _> = nonces.collect();
        let (Ok(nonces), Ok(id)) = (nonces, self.fresh_id(now)) else { return Heard::ByNobody };
        let mut heard = Heard::ByNobody;
        for (channel, nonce) in channels.all.into_iter().zip(nonces) {
            let message = Message {
                id: id.clone(),
                at_seconds: now.as_millis().div_euclid(1000),
                kind: notice.kind.to_owned(),
                persona: notice.persona.to_string(),
                text: notice.text.clone(),
                nonce,
            };
            heard = Heard::OnItsWay;
            self.talks.spawn(async move {
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
