//! Tracks open connections, and closes one when another needs its place.
//!
//! A connection is in use while a request is being answered on it, or a stream sent, but not while a head or
//! a body is waited for. Unused ones stay open as long as there is room; then the least recently used is
//! closed, first those that never showed a key. So idle connections block nobody, and what tenants use is
//! bounded per tenant. When every connection is in use, a few reserved places answer probes only.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::broken;
use crate::network::Network;

/// Reserved places in which only probes are answered.
const PROBE_PLACES: usize = 32;

/// The open connections of a server.
#[derive(Clone)]
pub(crate) struct Connections {
    most: usize,
    most_per_address: usize,
    table: Arc<Mutex<Table>>,
}

#[derive(Default)]
struct Table {
    open: HashMap<u64, Arc<Open>>,
    next: u64,
}

/// One connection.
struct Open {
    /// Its network; `None` for a trusted proxy, which has many clients.
    from: Option<Network>,
    lane: Lane,
    /// Its requests and streams in progress.
    held: AtomicUsize,
    is_known: AtomicBool,
    used_at: AtomicU64,
    evicted: CancellationToken,
}

/// What a connection may request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Anything.
    General,
    /// Probes only.
    Probes,
}

/// A connection's place; released when it is dropped.
pub(crate) struct Connection {
    id: u64,
    open: Arc<Open>,
    connections: Connections,
}

/// A connection as its requests see it.
#[derive(Clone)]
pub(crate) struct ConnectionUse {
    open: Arc<Open>,
    connections: Connections,
}

/// Keeps a connection from being closed for another.
pub(crate) struct HeldConnection(ConnectionUse);

/// Allows a connection to be closed while part of its request is waited for.
pub(crate) struct WaitingConnection<'c>(&'c ConnectionUse);

impl Connections {
    pub(crate) fn new(most: usize, most_per_address: usize) -> Self {
        Self { most: most.max(1), most_per_address: most_per_address.max(1), table: Arc::default() }
    }

    /// A place for a new connection; another one is closed if necessary.
    pub(crate) async fn admit(&self, from: Option<Network>) -> Connection {
        while broken::is("caps") && self.table().open.len() >= self.most {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let mut table = self.table();
        let lane = if table.make_room(from, self) { Lane::General } else { Lane::Probes };
        if lane == Lane::Probes && table.count(|open| open.lane == Lane::Probes) >= PROBE_PLACES {
            table.evict(|open| open.lane == Lane::Probes);
        }
        table.insert(from, lane, self.clone())
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) -> u64 {
        let mut table = self.table();
        table.next += 1;
        table.next
    }
}

impl Table {
    /// Makes room for one more connection from an address; false if all are in use.
    fn make_room(&mut self, from: Option<Network>, limits: &Connections) -> bool {
        let general = |open: &Open| open.lane == Lane::General;
        let is_near = |open: &Open| general(open) && from.is_some() && open.from == from;
        let near = self.count(is_near) >= limits.most_per_address && !broken::is("caps");
        if near && !self.evict(|open| is_near(open) && open.is_evictable()) {
            return false;
        }
        self.count(general) < limits.most || self.evict(|open| general(open) && open.is_evictable())
    }

    fn count(&self, which: impl Fn(&Open) -> bool) -> usize {
        self.open.values().filter(|open| which(open)).count()
    }

    /// Closes the least recently used of `which`, those without a key first.
    fn evict(&mut self, which: impl Fn(&Open) -> bool) -> bool {
        let rank =
            |open: &Open| (open.is_known.load(Ordering::Relaxed), open.used_at.load(Ordering::Relaxed));
        let candidates = self.open.iter().filter(|(_, open)| which(open));
        let Some(id) = candidates.min_by_key(|(_, open)| rank(open)).map(|(id, _)| *id) else { return false };
        if let Some(open) = self.open.remove(&id) {
            open.evicted.cancel();
        }
        true
    }

    fn insert(&mut self, from: Option<Network>, lane: Lane, connections: Connections) -> Connection {
        self.next += 1;
        let id = self.next;
        let open = Arc::new(Open {
            from,
            lane,
            held: AtomicUsize::new(0),
            is_known: AtomicBool::new(false),
            used_at: AtomicU64::new(id),
            evicted: CancellationToken::new(),
        });
        self.open.insert(id, Arc::clone(&open));
        Connection { id, open, connections }
    }
}

impl Open {
    fn is_evictable(&self) -> bool {
        self.held.load(Ordering::Acquire) == 0
    }
}

impl Connection {
    /// The handle for its requests.
    pub(crate) fn for_requests(&self) -> ConnectionUse {
        ConnectionUse { open: Arc::clone(&self.open), connections: self.connections.clone() }
    }

    /// Resolves when the connection has to be closed for another.
    pub(crate) async fn evicted(&self) {
        self.open.evicted.cancelled().await;
    }

    /// Whether it works on a request that began before it was asked to close.
    pub(crate) fn is_held(&self) -> bool {
        !self.open.is_evictable()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.table().open.remove(&self.id);
    }
}

impl ConnectionUse {
    /// What may be requested here.
    pub(crate) fn lane(&self) -> Lane {
        self.open.lane
    }

    /// Keeps it open as long as the result exists.
    pub(crate) fn hold(&self) -> HeldConnection {
        self.open.held.fetch_add(1, Ordering::AcqRel);
        self.open.used_at.store(self.connections.tick(), Ordering::Relaxed);
        HeldConnection(self.clone())
    }

    /// Allows it to be closed as long as the result exists, although a request uses it.
    pub(crate) fn wait(&self) -> WaitingConnection<'_> {
        self.open.held.fetch_sub(1, Ordering::AcqRel);
        WaitingConnection(self)
    }

    /// Marks it as used with a key.
    pub(crate) fn is_known(&self) {
        self.open.is_known.store(true, Ordering::Relaxed);
    }
}

impl Drop for WaitingConnection<'_> {
    fn drop(&mut self) {
        self.0.open.held.fetch_add(1, Ordering::AcqRel);
    }
}

impl Drop for HeldConnection {
    fn drop(&mut self) {
        let Self(ConnectionUse { open, connections }) = self;
        open.used_at.store(connections.tick(), Ordering::Relaxed);
        open.held.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn from(last: u8) -> Network {
        Network::from(std::net::IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)))
    }

    fn is_evicted(connection: &Connection) -> bool {
        connection.open.evicted.is_cancelled()
    }

    #[tokio::test]
    async fn the_one_unused_for_longest_goes_and_of_those_without_a_key_first() {
        let connections = Connections::new(3, 3);
        let known = connections.admit(Some(from(1))).await;
        drop(known.for_requests().hold());
        known.for_requests().is_known();
        let (first, second) =
            (connections.admit(Some(from(2))).await, connections.admit(Some(from(2))).await);
        let third = connections.admit(Some(from(3))).await;
        assert!(is_evicted(&first) && !is_evicted(&second) && !is_evicted(&known));
        let _fourth = connections.admit(Some(from(3))).await;
        assert!(is_evicted(&second) && !is_evicted(&third) && !is_evicted(&known));
    }

    #[tokio::test]
    async fn an_address_that_has_all_it_may_closes_its_own_and_nobody_elses() {
        let connections = Connections::new(10, 2);
        let other = connections.admit(Some(from(1))).await;
        let first = connections.admit(Some(from(2))).await;
        let (_second, third) =
            (connections.admit(Some(from(2))).await, connections.admit(Some(from(2))).await);
        assert!(is_evicted(&first) && !is_evicted(&other));
        assert_eq!(third.for_requests().lane(), Lane::General);
        let proxied: Vec<Connection> =
            vec![connections.admit(None).await, connections.admit(None).await, connections.admit(None).await];
        assert!(proxied.iter().all(|it| !is_evicted(it)), "a trusted proxy speaks for many");
    }

    #[tokio::test]
    async fn when_everything_is_held_only_probes_get_in_and_there_is_always_a_place_for_the_next() {
        let connections = Connections::new(2, 2);
        let held: Vec<_> =
            vec![connections.admit(Some(from(1))).await, connections.admit(Some(from(2))).await];
        let _holds: Vec<_> = held.iter().map(|it| it.for_requests().hold()).collect();
        let mut probes = Vec::new();
        for _ in 0..=PROBE_PLACES {
            probes.push(connections.admit(Some(from(3))).await);
        }
        assert!(probes.iter().all(|it| it.for_requests().lane() == Lane::Probes));
        assert_eq!(probes.iter().filter(|it| is_evicted(it)).count(), 1, "the oldest probe made room");
        assert!(held.iter().all(|it| !is_evicted(it)));
        drop(held);
        assert_eq!(connections.admit(Some(from(3))).await.for_requests().lane(), Lane::General);
    }
}
