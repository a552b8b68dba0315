//! Outages of a shared database: the server is lost and a standby is promoted, every connection is in use,
//! another server answers in its place, a copy into it is interrupted.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use store::{CopyProgress, Health, Postgres, Records, Scope, Store, StoreError, Upkeep, copy, dump};

use crate::places::write_canaries;
use crate::world::{Kind, World, atom, block_on, make_persona, open_node, remembering};
use testkit::cluster::{Cluster, Durability, own, sql};
use testkit::tally::{Tally, tries};

/// The number of connections of a node in these tests.
const CONNECTIONS: u64 = 4;

async fn remember(store: &Store, scope: &Scope, number: u64) -> Result<(), StoreError> {
    let batch = remembering(0, atom(number, Some("guest:holly"), &format!("memory {number}")));
    store.commit(scope, batch).await.map(drop)
}

async fn ids(store: &Store, scope: &Scope) -> Vec<u64> {
    store.load(scope).await.unwrap().atoms.iter().map(|stored| stored.atom.id.as_u64()).collect()
}

/// Waits until a node serves again.
async fn recovered(store: &Store) {
    for _ in 0..600 {
        if store.health().await == Health::Well {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("after half a minute: {:?}", store.health().await);
}

/// Writes memories until it is stopped, and returns the acknowledged ones.
async fn keep_writing(store: Store, scope: Scope, client: u64, done: Arc<AtomicBool>) -> Vec<u64> {
    let mut acknowledged = Vec::new();
    for number in client * 100_000.. {
        if done.load(Ordering::SeqCst) {
            break;
        }
        match remember(&store, &scope, number).await {
            Ok(()) => acknowledged.push(number),
            Err(StoreError::Unavailable { .. }) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(error) => panic!("{error}"),
        }
    }
    acknowledged
}

#[test]
fn a_synchronous_standby_that_takes_over_has_everything_that_was_acknowledged() {
    let mut tally = Tally::new("a server lost under load, its synchronous standby promoted", "sync");
    for number in tries(1) {
        let (acknowledged, wrong) = block_on(lose_a_server());
        tally.count(&format!("take-over {number}"), &wrong);
        tally.note(format!("{acknowledged} acknowledged"));
    }
    tally.close();
}

/// Loses a server under load and promotes its standby. Returns the number of acknowledged writes, and what
/// is wrong afterwards.
async fn lose_a_server() -> (usize, Vec<String>) {
    let primary = Cluster::start(Durability::Durable);
    let keys = tempfile::tempdir().unwrap();
    let database = primary.database().rsplit('/').next().unwrap().to_owned();
    let alone = open_node(keys.path(), &primary.address(&database)).await.unwrap();
    assert!(!alone.server_settings().await.unwrap().has_synchronous_standby, "the doctor warns of that");
    let scope = make_persona(&Store::Postgres(alone.clone()), "marriott", "inara", 1).await;
    let standby = primary.synchronous_standby();
    let (one, other) = (primary.address("x"), standby.address(&database));
    let hosts = format!("{},", one.rsplit_once('/').unwrap().0);
    let both = other.replace("postgres://selfhood@", &hosts) + "?target_session_attrs=read-write";
    let node = open_node(keys.path(), &both).await.unwrap();
    assert!(node.server_settings().await.unwrap().has_synchronous_standby);
    let (store, done) = (Store::Postgres(node), Arc::new(AtomicBool::new(false)));
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..8 {
        clients.spawn(keep_writing(store.clone(), scope.clone(), client, Arc::clone(&done)));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    primary.stop("immediate");
    standby.promote();
    recovered(&store).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    done.store(true, Ordering::SeqCst);
    let acknowledged: Vec<u64> = clients.join_all().await.into_iter().flatten().collect();
    assert!(acknowledged.len() > 16, "only {} were acknowledged", acknowledged.len());
    let found = ids(&store, &scope).await;
    let lost = acknowledged.iter().filter(|number| !found.contains(number)).count();
    let mut wrong = Vec::new();
    if lost > 0 {
        wrong.push(format!("{lost} of {} acknowledged are lost", acknowledged.len()));
    }
    if !store.integrity(&scope).await.unwrap().is_whole() {
        wrong.push("the records are not whole".to_owned());
    }
    (acknowledged.len(), wrong)
}

#[test]
fn while_every_connection_is_in_use_requests_are_refused_and_afterwards_served() {
    block_on(async {
        let world = World::new(Kind::Postgres).await;
        let (address, tenant) = (world.address.clone().unwrap(), world.scope.tenant.as_str());
        let mut scopes = vec![world.scope.clone()];
        for number in 2..=CONNECTIONS {
            let name = format!("persona-{number}");
            scopes.push(make_persona(&world.store, tenant, &name, u128::from(number)).await);
        }
        let held = "BEGIN; DO $$ BEGIN PERFORM 1 FROM selfhood.places FOR UPDATE; END $$; SELECT pg_sleep(9); COMMIT";
        let holding = tokio::task::spawn_blocking(move || sql(&address, held));
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut waiting = tokio::task::JoinSet::new();
        for scope in scopes {
            let store = world.store.clone();
            waiting.spawn(async move { remember(&store, &scope, 1).await });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let refused = world.store.load(&world.scope).await.unwrap_err();
        assert!(refused.to_string().contains("every connection to it is in use"), "{refused}");
        holding.await.unwrap();
        for answer in waiting.join_all().await {
            answer.unwrap();
        }
        recovered(&world.store).await;
        assert_eq!(ids(&world.store, &world.scope).await, [1]);
    });
}

/// The result of `work` if it finishes within `times` polls; otherwise it is dropped.
async fn broken_off<T>(times: usize, work: impl Future<Output = T>) -> Option<T> {
    let (mut work, mut left) = (pin!(work), times);
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        work.as_mut().poll(context).map(Some)
    })
    .await
}

#[test]
fn a_copy_that_breaks_off_anywhere_goes_on_with_what_is_missing() {
    block_on(async {
        let world = World::new(Kind::Sqlite).await;
        write_canaries(&world).await;
        let mut scopes = vec![world.scope.clone()];
        for number in 2..6 {
            let tenant = if number % 2 == 0 { "hilton" } else { "marriott" };
            let scope = make_persona(&world.store, tenant, &format!("persona-{number}"), number).await;
            remember(&world.store, &scope, 1).await.unwrap();
            scopes.push(scope);
        }
        let shared = Cluster::shared().database();
        let shared = Store::Postgres(open_node(world.directory.path(), &shared).await.unwrap());
        let (mut reported, mut interruptions) = (Vec::new(), 0);
        let report = loop {
            let report = |progress: CopyProgress| reported.push(progress);
            let times = 40 + 60 * interruptions;
            if let Some(report) = Box::pin(broken_off(times, copy(&world.store, &shared, report))).await {
                break report.unwrap();
            }
            interruptions += 1;
        };
        assert!(interruptions > 3, "{interruptions}");
        let copied = reported.iter().filter(|progress| !progress.was_there).count();
        assert!(copied <= scopes.len() && reported.len() > copied, "no persona is reported as copied twice");
        assert_eq!((report.tenants, report.personas), (2, 5));
        for scope in &scopes {
            let expected = dump(&world.store, scope).await.unwrap();
            assert_eq!(dump(&shared, scope).await.unwrap(), expected);
            assert!(shared.integrity(scope).await.unwrap().is_whole());
        }
        assert!(shared.deployment_integrity().await.unwrap().is_whole());
    });
}

/// A certificate authority, and the certificate and key it made for this machine.
struct Issued {
    authority: String,
    certificate: String,
    key: String,
}

fn issued() -> Issued {
    let authority_key = rcgen::KeyPair::generate().unwrap();
    let mut about = rcgen::CertificateParams::new(Vec::new()).unwrap();
    about.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority = about.self_signed(&authority_key).unwrap().pem();
    let issuer = rcgen::Issuer::new(about, authority_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let server = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = server.signed_by(&key, &issuer).unwrap().pem();
    Issued { authority, certificate, key: key.serialize_pem() }
}

/// Makes the server listen on this machine with a certificate, and returns the port.
fn encrypted(cluster: &Cluster, with: &Issued) -> u16 {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for (name, text) in [("server.crt", &with.certificate), ("server.key", &with.key)] {
        let file = cluster.data().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        own(&file);
    }
    for setting in ["ssl = on", "listen_addresses = '127.0.0.1'", &format!("port = {port}")] {
        cluster.set(setting);
    }
    cluster.stop("fast");
    cluster.resume();
    port
}

#[test]
fn a_server_is_believed_only_with_a_certificate_of_the_authority_that_was_named() {
    block_on(async {
        let (cluster, keys) = (Cluster::start(Durability::Careless), tempfile::tempdir().unwrap());
        let database = cluster.database().rsplit('/').next().unwrap().to_owned();
        let (ours, theirs) = (issued(), issued());
        let port = encrypted(&cluster, &ours);
        let file = |name: &str, text: &str| {
            let path = keys.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let (right, wrong) = (file("ours.pem", &ours.authority), file("theirs.pem", &theirs.authority));
        let open = async |host: &str, query: &str| {
            let address = format!("postgres://selfhood@{host}:{port}/{database}?{query}");
            open_node(keys.path(), &address).await
        };
        let node: Postgres =
            open("localhost", &format!("sslmode=verify-full&sslrootcert={right}")).await.unwrap();
        let store = Store::Postgres(node);
        let scope = make_persona(&store, "marriott", "inara", 1).await;
        remember(&store, &scope, 1).await.unwrap();
        let used = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'selfhood'";
        assert_eq!(sql(&format!("postgres://selfhood@127.0.0.1:{port}/{database}"), used), "t");
        for (host, query, why) in [
            ("localhost", format!("sslmode=verify-full&sslrootcert={wrong}"), "another authority"),
            ("localhost", "sslmode=verify-full".to_owned(), "an authority the system does not know"),
            ("localhost", "sslmode=prefer".to_owned(), "the same, though it was not asked to look"),
            ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={right}"), "a name it was not made for"),
        ] {
            let refused = open(host, &query).await.err();
            assert!(matches!(refused, Some(StoreError::Unavailable { .. })), "{why}: {refused:?}");
        }
        let nothing = open("localhost", &format!("sslrootcert={}", keys.path().display())).await.unwrap_err();
        assert!(nothing.to_string().contains("can't be used"), "{nothing}");
    });
}
