//! The stores the suite runs on, with their subjects and memories.

use std::path::Path;
use std::sync::Arc;

use domain::{Actor, Atom, EventKind, MemoryId, PersonaId, Rehearsal, RehearsalKind, SubjectRef, example};
use store::{
    Batch, Change, Deployment, EventDraft, ExchangeId, Formation, Memory, NewAtom, NewPersona, Partitions,
    PersonaEntry, Postgres, PostgresOptions, Scope, Session, Speaker, Sqlite, SqliteOptions, Store,
    StoreError, Turn, TurnId, TurnState, Vector, home::Owner,
};
use tempfile::TempDir;
use testkit::cluster::Cluster;
use uuid::Uuid;
use vault::key::Secret;
use vault::key_directory::KeyDirectory;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;

/// A store with one persona in it, and the directory of its home.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) scope: Scope,
    pub(crate) directory: Arc<TempDir>,
    /// The address of the database, if it is PostgreSQL.
    pub(crate) address: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Memory,
    Sqlite,
    Postgres,
}

/// Runs `story` on a store of each kind, one after the other.
pub(crate) fn in_every_world<F: Future<Output = ()>>(story: impl Fn(World) -> F) {
    for kind in [Kind::Memory, Kind::Sqlite, Kind::Postgres] {
        eprintln!("in {kind:?}");
        block_on(in_world(kind, &story));
    }
}

/// Runs `story` on a home on disk.
pub(crate) fn in_a_home<F: Future<Output = ()>>(story: impl FnOnce(World) -> F) {
    block_on(in_world(Kind::Sqlite, story));
}

/// The directory is kept until the story has ended, even if the story does not use it.
async fn in_world<F: Future<Output = ()>>(kind: Kind, story: impl FnOnce(World) -> F) {
    let world = World::new(kind).await;
    let _directory = Arc::clone(&world.directory);
    story(world).await;
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Shared by many stores: one database and one key directory for all of them, in a memory file system.
pub(crate) struct Ground {
    directory: Arc<TempDir>,
    address: String,
}

impl Ground {
    pub(crate) fn new() -> Self {
        Self { directory: Arc::new(in_memory()), address: Cluster::shared().database() }
    }

    /// A store whose persona belongs to a tenant that no other store here has.
    pub(crate) async fn world(&self, kind: Kind, tenant: &str) -> World {
        let (directory, address) = match kind {
            Kind::Postgres => (Arc::clone(&self.directory), Some(self.address.clone())),
            Kind::Memory | Kind::Sqlite => (Arc::new(in_memory()), None),
        };
        World::at(kind, directory, address, tenant).await
    }
}

/// A directory in a memory file system, if the machine has one: nothing there waits for a disk.
fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

impl World {
    pub(crate) async fn new(kind: Kind) -> Self {
        let directory = Arc::new(tempfile::tempdir().unwrap());
        let address = (kind == Kind::Postgres).then(|| Cluster::shared().database());
        Self::at(kind, directory, address, "marriott").await
    }

    async fn at(kind: Kind, directory: Arc<TempDir>, address: Option<String>, tenant: &str) -> Self {
        let store = match (kind, &address) {
            (Kind::Sqlite, _) => Store::Sqlite(open_home(directory.path()).await.unwrap()),
            (Kind::Postgres, Some(address)) => {
                Store::Postgres(open_node(directory.path(), address).await.unwrap())
            }
            (Kind::Memory | Kind::Postgres, _) => {
                Store::Memory(Memory::new(signer(), Arc::new(OsRandomness)))
            }
        };
        let scope = make_persona(&store, tenant, "inara", 1).await;
        Self { store, scope, directory, address }
    }

    /// Closes the store and opens it again. The reference is kept as it is, because it stores nothing.
    pub(crate) async fn reopened(self) -> Self {
        let Self { store, scope, directory, address } = self;
        let store = match store {
            Store::Memory(kept) => Store::Memory(kept),
            Store::Sqlite(ended) => {
                drop(ended);
                Store::Sqlite(open_again(directory.path()).await)
            }
            Store::Postgres(ended) => {
                drop(ended);
                let address = address.as_deref().unwrap();
                Store::Postgres(open_node(directory.path(), address).await.unwrap())
            }
        };
        Self { store, scope, directory, address }
    }
}

/// Opens a home whose previous owner is about to end.
pub(crate) async fn open_again(directory: &Path) -> Sqlite {
    for _ in 0..500 {
        match open_home(directory).await {
            Err(StoreError::Home(store::home::HomeError::Owned { .. })) => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            opened => return opened.unwrap(),
        }
    }
    panic!("the former owner never released the home");
}

pub(crate) async fn open_home(directory: &Path) -> Result<Sqlite, StoreError> {
    let keys = KeyDirectory::open_or_create(&directory.join("keys"), None)?;
    let options = SqliteOptions {
        home: directory.join("home"),
        owner: Owner { pid: std::process::id(), started_at: example::day(0), socket: None },
        keys,
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        writers: 2,
        readers: 4,
        open_personas: 16,
    };
    Sqlite::open(options).await
}

/// Opens the database at `address` as one more node, with the keys in `directory`.
pub(crate) async fn open_node(directory: &Path, address: &str) -> Result<Postgres, StoreError> {
    let keys = KeyDirectory::open_or_create(&directory.join("keys"), None)?;
    let options = PostgresOptions {
        url: address.to_owned(),
        keys,
        signer: signer(),
        randomness: Arc::new(OsRandomness),
        connections: 4,
        partitions: Partitions::default(),
    };
    Postgres::open(options).await
}

pub(crate) fn signer() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([7; 32]))
}

pub(crate) async fn make_persona(store: &Store, tenant: &str, name: &str, number: u128) -> Scope {
    let entry = PersonaEntry {
        tenant: tenant.parse().unwrap(),
        id: PersonaId(Uuid::from_u128(0x0198_c0de_0000_7000_9000_0000_0000_0000 + number)),
        name: name.parse().unwrap(),
        created_at: example::day(-30),
    };
    let scope = entry.scope();
    let events = vec![EventDraft::new(EventKind::PersonaCreated, Actor::engine()).about(entry.id)];
    store.create_persona(NewPersona { entry, documents: Vec::new(), events }).await.unwrap();
    scope
}

pub(crate) fn subject(name: &str) -> SubjectRef {
    name.parse().unwrap()
}

/// An event about something.
pub(crate) fn event(kind: EventKind, about: impl std::fmt::Display) -> EventDraft {
    EventDraft::new(kind, Actor::engine()).about(about)
}

/// Memory number `n`: about the guest `of`, or about no subject.
pub(crate) fn atom(n: u64, of: Option<&str>, gist: &str) -> Atom {
    let id = example::memory_id(n);
    match of {
        Some(name) => {
            let details = [("a blue scarf", 0.4), ("rain outside", 0.2)];
            Atom { id, subject: Some(subject(name)), ..example::atom(gist, &details) }
        }
        None => Atom { id, ..example::plain_atom(gist) },
    }
}

pub(crate) fn vector(n: u8) -> Vector {
    Vector { embedder: "built-in".to_owned(), bytes: vec![n; 8] }
}

/// A batch on day `day` that stores `atom` and logs it.
pub(crate) fn remembering(day: i64, atom: Atom) -> Batch {
    let logged = event(EventKind::MemoryCreated, atom.id);
    let new = NewAtom { atom, vector: Some(vector(3)) };
    Batch::at(example::day(day)).with(Change::PutAtom(Box::new(new))).with_event(logged)
}

pub(crate) fn rehearsing(id: MemoryId, day: i64, spoken: &[usize]) -> Change {
    let kind = RehearsalKind::Mentioned;
    Change::Rehearse(id, Rehearsal { at: example::day(day), kind, spoken: spoken.to_vec() })
}

pub(crate) fn session(id: &str, of: &str, day: i64) -> Session {
    Session {
        id: id.parse().unwrap(),
        subject: subject(of),
        started_at: example::day(day),
        last_at: example::day(day),
        title: Some("about the seafood".into()),
        checkpoint: None,
        state: serde_json::json!({ "told": { "mem:000000000001": 3 } }).into(),
    }
}

pub(crate) fn turn(number: u32, session: &str, text: &str) -> Turn {
    Turn {
        id: TurnId(Uuid::from_u128(0x0198_c0de_0000_7000_a000_0000_0000_0000 + u128::from(number))),
        session: session.parse().unwrap(),
        exchange: ExchangeId(format!("exchange-{number}")),
        parent: number.checked_sub(1).map(|before| ExchangeId(format!("exchange-{before}"))),
        index: number,
        speaker: if number.is_multiple_of(2) { Speaker::Subject } else { Speaker::Persona },
        at: example::day(i64::from(number)),
        text: text.into(),
        state: TurnState::Whole,
        formation: Formation::Pending,
        recall: None,
        model: None,
        formed: None,
    }
}
