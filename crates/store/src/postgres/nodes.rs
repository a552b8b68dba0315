//! This node's lease: for ten seconds at a time the other nodes may rely on it to hold no destroyed key.
//!
//! A node renews its lease every two seconds, and reports with it which key rotation it has followed. A
//! node that can't renew drops its keys and serves nothing until it can again.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;
use vault::randomness::{Randomness, random_bytes};

use super::connection::{Transaction, TransactionMode};
use super::database::lock;
use super::statement::deployment;
use super::{Inner, Postgres};
use crate::audit::vault_error;
use crate::error::StoreError;
use crate::records::Stored;
use crate::sql::columns;

/// How long a lease lasts.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// How often a lease is renewed.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(2);

/// A cache of opened text that can be emptied.
pub trait Eviction: Send + Sync {
    /// Empties the cache. When it returns, no opened text is left in it.
    fn evict(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// This node's id, lease and caches to evict.
pub(super) struct Node {
    pub(super) id: Uuid,
    lease: Mutex<Option<Lease>>,
    evictions: Mutex<Vec<Weak<dyn Eviction>>>,
    /// Held while the lease is renewed, so that renewals never overtake each other.
    renewing: tokio::sync::Mutex<()>,
}

#[derive(Clone, Copy)]
struct Lease {
    until: Instant,
    generation: u64,
}

impl Node {
    pub(super) fn new(randomness: &dyn Randomness) -> Stored<Self> {
        let bytes = random_bytes(randomness).map_err(vault_error)?;
        Ok(Self {
            id: uuid::Builder::from_random_bytes(bytes).into_uuid(),
            lease: Mutex::default(),
            evictions: Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
        })
    }

    /// Refuses work while the lease has run out.
    pub(super) fn check_lease(&self) -> Stored<()> {
        let lease = *lock(&self.lease);
        if lease.is_some_and(|lease| Instant::now() < lease.until) {
            return Ok(());
        }
        let reason = "this node could not renew its lease, so it holds no keys".to_owned();
        Err(StoreError::Unavailable { reason })
    }

    fn generation(&self) -> Option<u64> {
        lock(&self.lease).map(|lease| lease.generation)
    }
}

impl Postgres {
    /// Registers a cache to be emptied whenever keys were destroyed on any node.
    pub fn evict_with(&self, eviction: &Arc<dyn Eviction>) {
        lock(&self.inner.node.evictions).push(Arc::downgrade(eviction));
    }

    /// Takes this node's first lease, and keeps renewing it as long as the store is open.
    pub(super) async fn take_lease(&self) -> Stored<()> {
        self.renew().await?;
        let store = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(RENEWAL_INTERVAL).await;
                let Some(store) = open(&store) else { return };
                if store.renew().await.is_err() && store.inner.node.check_lease().is_err() {
                    store.evict_all().await;
                }
            }
        });
        Ok(())
    }

    /// Renews the lease. If keys were destroyed since, every cache that may hold one is emptied first.
    pub(super) async fn renew(&self) -> Stored<()> {
        let renewed = self.renew_lease().await;
        self.inner.health.note(&renewed);
        renewed
    }

    /// Renews the lease for a request, with a time limit: emptying the caches waits for requests that use
    /// them, and the caller may be one of them.
    pub(super) async fn renew_soon(&self) -> Stored<()> {
        let late = || StoreError::Unavailable { reason: "its lease could not be renewed in time".to_owned() };
        tokio::time::timeout(RENEWAL_INTERVAL, self.renew()).await.unwrap_or_else(|_| Err(late()))
    }

    /// Ends the lease, so that no node waits for this one.
    pub(super) async fn end_lease(&self) -> Stored<()> {
        let transaction = self.begin_as_deployment().await?;
        let node = columns![self.inner.node.id];
        transaction.of_deployment().run(deployment::END_LEASE, node).await?;
        transaction.commit().await?;
        *lock(&self.inner.node.lease) = None;
        self.evict_all().await;
        Ok(())
    }

    async fn renew_lease(&self) -> Stored<()> {
        let node = &self.inner.node;
        let _renewing = node.renewing.lock().await;
        let asked_at = Instant::now();
        let transaction = self.begin_as_deployment().await?;
        let sql = transaction.of_deployment();
        let generation = sql.first(deployment::GENERATION, Vec::new(), |row| row.get(0)).await?;
        let generation: u64 = generation.unwrap_or(0);
        if node.generation() != Some(generation) {
            self.evict_all().await;
        }
        let row = columns![node.id, LEASE.as_secs_f64(), generation];
        sql.run(deployment::RENEW_LEASE, row).await?;
        sql.run(deployment::FORGET_EXPIRED, Vec::new()).await?;
        transaction.commit().await?;
        *lock(&node.lease) = Some(Lease { until: asked_at + LEASE, generation });
        Ok(())
    }

    /// Drops every key and every name, and empties every registered cache.
    async fn evict_all(&self) {
        self.inner.tools.keys.forget();
        for place in lock(&self.inner.places).values() {
            place.names.forget();
        }
        let evictions: Vec<Arc<dyn Eviction>> = {
            let mut known = self.inner.node.evictions.lock().unwrap_or_else(PoisonError::into_inner);
            known.retain(|eviction| eviction.strong_count() > 0);
            known.iter().filter_map(Weak::upgrade).collect()
        };
        for eviction in evictions {
            eviction.evict().await;
        }
    }

    pub(super) async fn begin_as_deployment(&self) -> Stored<Transaction> {
        Transaction::begin(&self.inner.connections, TransactionMode::Writing, None).await
    }
}

/// The store, if it is still in use and not closed.
pub(super) fn open(store: &Weak<Inner>) -> Option<Postgres> {
    let inner = store.upgrade()?;
    let closed = inner.closed.load(std::sync::atomic::Ordering::Acquire);
    (!closed).then_some(Postgres { inner })
}
