//! Notices: nodes notify each other of changes, so that the next request finds its cache up to date.
//!
//! Correctness does not depend on notices: caches are checked against the persona's revision, and keys
//! against the node's lease. A notice only makes both faster. So notices are sent separately from the
//! commits they announce, and a lost one does no harm.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::PersonaId;
use tokio_postgres::AsyncMessage;
use uuid::Uuid;

use super::Postgres;
use super::database::lock;
use super::key_table::KeyOwner;
use super::nodes::open;
use crate::records::Stored;

/// How long notices are collected before they are sent together.
const COLLECTION_TIME: Duration = Duration::from_millis(50);
/// The delay before reconnecting after a lost connection.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);
const LISTEN: &str = "LISTEN selfhood";
const SEND: &str = "SELECT pg_notify('selfhood', $1)";
const ROTATED: &str = "rotated";

/// The notices this node has to send.
#[derive(Default)]
pub(super) struct Notices {
    changed: Mutex<BTreeSet<KeyOwner>>,
    rotated: std::sync::atomic::AtomicBool,
    waiting: tokio::sync::Notify,
}

impl Notices {
    /// Notifies the other nodes that a persona's records changed.
    pub(super) fn changed(&self, owner: &KeyOwner) {
        lock(&self.changed).insert(owner.clone());
        self.waiting.notify_one();
    }

    /// Notifies the other nodes that keys were destroyed.
    pub(super) fn rotated(&self) {
        self.rotated.store(true, std::sync::atomic::Ordering::Release);
        self.waiting.notify_one();
    }

    fn take(&self, node: Uuid) -> Vec<String> {
        let rotated = self.rotated.swap(false, std::sync::atomic::Ordering::AcqRel);
        let changed = std::mem::take(&mut *lock(&self.changed));
        let payloads = changed.into_iter().map(|owner| format!("{node} {} {}", owner.tenant, owner.id()));
        rotated.then(|| format!("{node} {ROTATED}")).into_iter().chain(payloads).collect()
    }
}

/// A notice of another node.
#[derive(Debug, PartialEq, Eq)]
enum Notice {
    Rotated,
    Changed(KeyOwner),
}

/// Parses a notice, unless it is this node's own.
fn parse(payload: &str, node: Uuid) -> Option<Notice> {
    let mut words = payload.split(' ');
    let from: Uuid = words.next()?.parse().ok()?;
    if from == node {
        return None;
    }
    match (words.next()?, words.next()) {
        (ROTATED, None) => Some(Notice::Rotated),
        (tenant, Some(persona)) => {
            let persona = Some(PersonaId(persona.parse().ok()?)).filter(|persona| !persona.0.is_nil());
            Some(Notice::Changed(KeyOwner { tenant: tenant.parse().ok()?, persona }))
        }
        (_, None) => None,
    }
}

impl Postgres {
    /// Listens to the other nodes and sends them notices, as long as the store is open and in use.
    pub(super) fn listen(&self) {
        let store = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            while let Some(store) = open(&store) {
                // Whatever ended the connection, a new one is opened.
                let _ = store.exchange_notices().await;
                drop(store);
                tokio::time::sleep(RECONNECT_DELAY).await;
            }
        });
    }

    async fn exchange_notices(&self) -> Stored<()> {
        let (client, mut driver) = self.inner.address.connect().await?;
        let (sender, mut received) = tokio::sync::mpsc::unbounded_channel();
        let driving = tokio::spawn(async move {
            while let Some(message) = driver.next().await {
                if let AsyncMessage::Notification(notice) = message {
                    let _ = sender.send(notice.payload().to_owned());
                }
            }
        });
        let _ending = AbortOnDrop(driving);
        client.batch_execute(LISTEN).await.map_err(|error| self.inner.address.refused(error))?;
        loop {
            tokio::select! {
                payload = received.recv() => match payload {
                    None => return Ok(()),
                    Some(payload) => self.handle(&payload).await,
                },
                () = self.inner.notices.waiting.notified() => {
                    tokio::time::sleep(COLLECTION_TIME).await;
                    for payload in self.inner.notices.take(self.inner.node.id) {
                        let sent = client.execute(SEND, &[&payload]).await;
                        sent.map_err(|error| self.inner.address.refused(error))?;
                    }
                }
                () = tokio::time::sleep(RECONNECT_DELAY) => {}
            }
            let is_over = self.inner.closed.load(std::sync::atomic::Ordering::Acquire)
                || Arc::strong_count(&self.inner) == 1;
            if is_over {
                return Ok(());
            }
        }
    }

    async fn handle(&self, payload: &str) {
        match parse(payload, self.inner.node.id) {
            Some(Notice::Rotated) => {
                // If this fails, the lease runs out by itself.
                let _ = self.renew().await;
            }
            Some(Notice::Changed(owner)) if lock(&self.inner.places).contains_key(&owner) => {
                if let Ok(snapshot) = self.snapshot_of(owner).await {
                    let _ = snapshot.end();
                }
            }
            Some(Notice::Changed(_)) | None => {}
        }
    }
}

struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_parses_as_it_was_written_and_a_node_ignores_its_own() {
        let [us, them, persona] = [1, 2, 3].map(Uuid::from_u128);
        let owner = KeyOwner { tenant: "marriott".parse().unwrap(), persona: Some(PersonaId(persona)) };
        let notices = Notices::default();
        notices.changed(&owner);
        notices.changed(&owner);
        notices.rotated();
        let payloads = notices.take(them);
        let read_by = |node| payloads.iter().map(|payload| parse(payload, node)).collect::<Vec<_>>();
        assert_eq!(read_by(us), [Some(Notice::Rotated), Some(Notice::Changed(owner))]);
        assert_eq!(read_by(them), [None, None]);
        assert!(notices.take(them).is_empty());
        for nonsense in ["", "x", "x rotated", "00000000-0000-0000-0000-000000000002"] {
            assert_eq!(parse(nonsense, us), None, "{nonsense}");
        }
    }
}
