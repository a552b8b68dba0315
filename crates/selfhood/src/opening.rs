//! Opens a home: its lock, its keys, its store, and the engine.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::{Actor, DeploymentDid};
use engine::{Consent, Encoding, Engine, Parts};
use rustix::fs::{Access, access};
use rustix::process::geteuid;
use store::home::Owner;
use store::{Partitions, Postgres, PostgresOptions, Sqlite, SqliteOptions, Store, StoreError};
use vault::encoding::hex;
use vault::hash::{KeyedHash, sha256};
use vault::key_directory::KeyDirectory;
use vault::signature::SigningKey;
use wire::{Code, Problem};

use crate::config::{Settings, StoreChoice};
use crate::{clock, keys};

/// How many threads write for all personas together.
const WRITERS: usize = 2;
/// How many readers one persona's database has.
const READERS: usize = 4;
/// How many personas' databases stay open.
const OPEN_DATABASES: usize = 64;
/// How many connections a node keeps to a database that it shares.
const CONNECTIONS: usize = 16;
/// The memory budget for open personas, in bytes.
const OPEN_BYTES: usize = 512 * 1024 * 1024;
/// Longer paths don't fit into a socket address on every system.
const LONGEST_SOCKET: usize = 90;

/// An open home. The holder owns the home.
pub(crate) struct OpenHome {
    pub(crate) engine: Arc<Engine>,
    /// Our name in the audit log.
    pub(crate) actor: Actor,
    /// The home on disk and its lock, unless several nodes share a database.
    held: Option<(Sqlite, Owner)>,
}

/// Opens the home of `settings`, or creates it.
pub(crate) async fn open(settings: &Settings) -> Result<OpenHome, Problem> {
    let keys = keys::open(settings)?;
    let actor = Actor::operator(&keys.operator.public_key().to_string());
    let (store, held) = match &settings.store {
        StoreChoice::Home => {
            let (home, owner) = open_home(&settings.home, keys.directory, keys.log_signer).await?;
            (Store::Sqlite(home.clone()), Some((home, owner)))
        }
        StoreChoice::Postgres(url) => {
            let node = open_node(url, keys.directory, keys.log_signer, Partitions::default()).await?;
            (Store::Postgres(node), None)
        }
    };
    let engine = Engine::new(Parts {
        store,
        operator: keys.operator,
        signers: keys.signers,
        deployment: deployment(&keys.pepper)?,
        pepper: keys.pepper,
        randomness: Arc::new(clock::chance()),
        consent: Consent {
            added: settings.consent_bases.clone(),
            formation: settings.formation_basis.clone(),
        },
        open_bytes: OPEN_BYTES,
        roles: settings.models.answering()?,
        distillation: settings.distillation.clone(),
        encoders: engine::built_in_encoders(),
        encoding: Encoding::InBackground,
    });
    let engine = engine.looking_at(settings.local_servers.clone());
    let engine = Arc::new(engine.offering(settings.model_providers.clone()));
    engine.follow_other_nodes();
    Ok(OpenHome { engine, actor, held })
}

/// Opens a home on disk, and takes its lock.
pub(crate) async fn open_home(
    home: &Path,
    keys: KeyDirectory,
    signer: SigningKey,
) -> Result<(Sqlite, Owner), Problem> {
    // Another user's home has a message of its own.
    if fs::metadata(home).is_ok_and(|folder| folder.uid() == geteuid().as_raw()) {
        check_writable(home)?;
    }
    let owner = Owner { pid: std::process::id(), started_at: clock::now(), socket: None };
    let options = SqliteOptions {
        home: home.to_owned(),
        owner: owner.clone(),
        keys,
        signer,
        randomness: Arc::new(clock::chance()),
        writers: WRITERS,
        readers: READERS,
        open_personas: OPEN_DATABASES,
    };
    let store = Sqlite::open(options).await.map_err(not_opened)?;
    Ok((store, owner))
}

/// Refuses a folder in which this user may not write, or which lies on a file system that is mounted read-only.
pub(crate) fn check_writable(home: &Path) -> Result<(), Problem> {
    access(home, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
        let home = home.display();
        let detail = format!(
            "{home} can't be written: {error}; make it writable for the user who runs this (`chmod u+rwX {home}`), \
            or mount it for writing"
        );
        Problem::new(Code::HomeUnusable, detail)
    })
}

/// Opens a shared database.
pub(crate) async fn open_node(
    url: &str,
    keys: KeyDirectory,
    signer: SigningKey,
    partitions: Partitions,
) -> Result<Postgres, Problem> {
    let options = PostgresOptions {
        url: url.to_owned(),
        keys,
        signer,
        randomness: Arc::new(clock::chance()),
        connections: CONNECTIONS,
        partitions,
    };
    Postgres::open(options).await.map_err(not_opened)
}

impl OpenHome {
    /// Writes the socket into the home's lock, so that other processes send their requests there.
    pub(crate) fn take_requests_at(&self, socket: &Path) -> Result<(), Problem> {
        let Some((home, owner)) = &self.held else { return Ok(()) };
        let owner = Owner { socket: Some(socket.to_owned()), ..owner.clone() };
        home.name_owner(&owner).map_err(not_opened)
    }
}

/// The socket of the owner of `home`: in the home, unless its path is too long.
pub(crate) fn socket(home: &Path) -> PathBuf {
    let inside = std::path::absolute(home).unwrap_or_else(|_| home.to_owned()).join("selfhood.sock");
    if inside.as_os_str().len() <= LONGEST_SOCKET {
        return inside;
    }
    let name = hex(&sha256(&[inside.as_os_str().as_encoded_bytes()]));
    let short: String = name.chars().take(16).collect();
    std::env::temp_dir().join(format!("selfhood-{short}.sock"))
}

/// The deployment is named after its pepper: the name is as permanent as the keys, and reveals nothing about
/// them.
fn deployment(pepper: &KeyedHash) -> Result<DeploymentDid, Problem> {
    let tag = pepper.tag("deployment", &[]);
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(tag).for_each(|(own, byte)| *own = byte);
    let name = format!("did:selfhood:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid());
    name.parse().map_err(|rule: domain::InvalidId| Problem::new(Code::Internal, rule.to_string()))
}

/// A random name that nothing else has, such as an `Idempotency-Key`.
pub(crate) fn fresh_name() -> Result<String, Problem> {
    let bytes = vault::randomness::random_bytes(&clock::chance())
        .map_err(|error| Problem::new(Code::IoFailed, format!("the system gave no random bytes: {error}")))?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid().to_string())
}

/// The problem of a store that can't be opened.
pub(crate) fn not_opened(error: StoreError) -> Problem {
    if matches!(error, StoreError::ReadOnly { .. }) {
        Problem::new(Code::HomeUnusable, error.to_string())
    } else {
        error.into()
    }
}
