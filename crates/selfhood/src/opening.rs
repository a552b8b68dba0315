//! Opening a home: its lock, its keys, its store, and the engine over all of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::{Actor, ConsentBasis, DeploymentDid};
use engine::{Consent, Engine, Parts};
use store::home::{HomeError, Owner};
use store::{Sqlite, SqliteOptions, Store, StoreError};
use vault::encoding::hex;
use vault::hash::{KeyedHash, sha256};
use wire::{Code, Problem};

use crate::config::{Settings, StoreChoice};
use crate::{clock, keys};

/// How many threads write for all personas together.
const WRITERS: usize = 2;
/// How many may read one persona's database side by side.
const READERS: usize = 4;
/// How many personas' databases stay open.
const OPEN_DATABASES: usize = 64;
/// How many bytes of personas are kept ready to recall.
const OPEN_BYTES: usize = 512 * 1024 * 1024;
/// Longer paths don't fit into the address of a socket on every system.
const LONGEST_SOCKET: usize = 90;

/// An open home. Whoever holds it owns the home.
pub(crate) struct House {
    /// All verbs.
    pub(crate) engine: Arc<Engine>,
    /// The name the audit log knows us by.
    pub(crate) actor: Actor,
    store: Sqlite,
    owner: Owner,
}

/// Opens the home of `settings`, or makes it.
pub(crate) async fn open(settings: &Settings) -> Result<House, Problem> {
    if let StoreChoice::Postgres(_) = settings.store {
        let detail = "this version keeps memories in the home only; leave --store out";
        return Err(Problem::new(Code::ConfigInvalid, detail));
    }
    let owner = Owner { pid: std::process::id(), started_at: clock::now(), socket: None };
    let keys = keys::open(settings)?;
    let actor = Actor::operator(&keys.operator.public_key().to_string());
    let options = SqliteOptions {
        home: settings.home.clone(),
        owner: owner.clone(),
        keys: keys.directory,
        signer: keys.log_signer,
        randomness: Arc::new(clock::chance()),
        writers: WRITERS,
        readers: READERS,
        open_personas: OPEN_DATABASES,
    };
    let store = Sqlite::open(options).await.map_err(|error| refused(&error))?;
    let engine = Engine::new(Parts {
        store: Store::Sqlite(store.clone()),
        operator: keys.operator,
        signers: keys.signers,
        deployment: deployment(&keys.pepper)?,
        pepper: keys.pepper,
        randomness: Arc::new(clock::chance()),
        consent: Consent {
            added: settings.consent_bases.clone(),
            formation: ConsentBasis::service_delivery(),
        },
        open_bytes: OPEN_BYTES,
        roles: settings.models.answering()?,
        distillation: settings.distillation.clone(),
    });
    Ok(House { engine: Arc::new(engine), actor, store, owner })
}

impl House {
    /// Says in the home's lock where requests are taken, so that other processes send theirs there.
    pub(crate) fn take_requests_at(&self, socket: &Path) -> Result<(), Problem> {
        let owner = Owner { socket: Some(socket.to_owned()), ..self.owner.clone() };
        self.store.name_owner(&owner).map_err(|error| refused(&error))
    }
}

/// Where the owner of `home` takes requests: in the home, unless its path is too long for a socket.
pub(crate) fn socket(home: &Path) -> PathBuf {
    let inside = std::path::absolute(home).unwrap_or_else(|_| home.to_owned()).join("selfhood.sock");
    if inside.as_os_str().len() <= LONGEST_SOCKET {
        return inside;
    }
    let name = hex(&sha256(&[inside.as_os_str().as_encoded_bytes()]));
    let short: String = name.chars().take(16).collect();
    std::env::temp_dir().join(format!("selfhood-{short}.sock"))
}

/// The deployment is named after its pepper: the name is as lasting as the keys, and tells nothing about them.
fn deployment(pepper: &KeyedHash) -> Result<DeploymentDid, Problem> {
    let tag = pepper.tag("deployment", &[]);
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(tag).for_each(|(own, byte)| *own = byte);
    let name = format!("did:selfhood:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid());
    name.parse().map_err(|rule: domain::InvalidId| Problem::new(Code::Internal, rule.to_string()))
}

/// A new name for something that must be done only once.
pub(crate) fn fresh_name() -> Result<String, Problem> {
    let bytes = vault::randomness::random_bytes(&clock::chance())
        .map_err(|error| Problem::new(Code::IoFailed, format!("the system gave no random bytes: {error}")))?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid().to_string())
}

fn refused(error: &StoreError) -> Problem {
    let code = match error {
        StoreError::Home(HomeError::Owned { .. }) => Code::HomeLocked,
        StoreError::Home(HomeError::Io { .. })
        | StoreError::Io { .. }
        | StoreError::Database { .. }
        | StoreError::NotKept(_) => Code::IoFailed,
        StoreError::Keys(_) | StoreError::Keyring(_) | StoreError::Rotation(_) => Code::KeyMissing,
        StoreError::Unreadable { .. } | StoreError::Malformed { .. } => Code::RecordDamaged,
        StoreError::Home(
            HomeError::ForeignOwner { .. }
            | HomeError::NetworkFileSystem { .. }
            | HomeError::WritableByAll { .. },
        )
        | StoreError::Newer { .. }
        | StoreError::ReadOnly { .. } => Code::HomeUnusable,
        StoreError::NoPersona(_)
        | StoreError::NoTenant(_)
        | StoreError::NotFound { .. }
        | StoreError::Conflict(_)
        | StoreError::Closed
        | StoreError::Document { .. }
        | StoreError::Unaudited { .. }
        | StoreError::Vault(_) => Code::Internal,
    };
    Problem::new(code, error.to_string())
}
