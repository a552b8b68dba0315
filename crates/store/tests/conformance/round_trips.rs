//! How many round trips a write costs: a proxy between a node and its database counts them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use store::{Records, Store};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

use crate::world::{atom, make_persona, open_node, remembering};
use testkit::cluster::Cluster;

/// The name of the socket in its directory.
const SOCKET: &str = ".s.PGSQL.5432";
/// A durable append, at most.
const MOST: u64 = 4;

/// Passes connections on, and counts how often a client sends after the server has answered.
fn counted(directory: &Path, server: std::path::PathBuf) -> Arc<AtomicU64> {
    let trips = Arc::new(AtomicU64::new(0));
    let listener = UnixListener::bind(directory.join(SOCKET)).unwrap();
    let counter = Arc::clone(&trips);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = UnixStream::connect(&server).await.unwrap();
            tokio::spawn(pass_on(client, server, Arc::clone(&counter)));
        }
    });
    trips
}

async fn pass_on(client: UnixStream, server: UnixStream, trips: Arc<AtomicU64>) {
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.into_split(), server.into_split());
    let has_answered = AtomicBool::new(true);
    let asking = async {
        let mut bytes = vec![0; 65_536];
        while let Ok(length) = from_client.read(&mut bytes).await
            && length > 0
        {
            if has_answered.swap(false, Ordering::SeqCst) {
                trips.fetch_add(1, Ordering::SeqCst);
            }
            to_server.write_all(&bytes[..length]).await.unwrap();
        }
    };
    let answering = async {
        let mut bytes = vec![0; 65_536];
        while let Ok(length) = from_server.read(&mut bytes).await
            && length > 0
        {
            has_answered.store(true, Ordering::SeqCst);
            if to_client.write_all(&bytes[..length]).await.is_err() {
                break;
            }
        }
    };
    tokio::select! { () = asking => {}, () = answering => {} }
}

/// One thread, so that everything a node sends at once is sent before the proxy passes it on.
#[tokio::test(flavor = "current_thread")]
async fn an_append_to_postgres_costs_a_few_round_trips() {
    let (keys, directory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cluster = Cluster::shared();
    let trips = counted(directory.path(), cluster.directory().join(SOCKET));
    let address = cluster.database();
    let through = |directory: &Path| directory.display().to_string().replace('/', "%2F");
    let address = address.replace(&through(cluster.directory()), &through(directory.path()));
    let store = Store::Postgres(open_node(keys.path(), &address).await.unwrap());
    let scope = make_persona(&store, "marriott", "inara", 1).await;
    let mut counts = Vec::new();
    for number in 0..40 {
        let before = trips.load(Ordering::SeqCst);
        let batch = remembering(0, atom(number, Some("guest:holly"), &format!("memory {number}")));
        store.commit(&scope, batch).await.unwrap();
        counts.push(trips.load(Ordering::SeqCst) - before);
    }
    // The first ones prepare their statements, and a lease is renewed now and then.
    counts.sort_unstable();
    assert!(counts[20] <= MOST, "round trips of an append: {counts:?}");
}
