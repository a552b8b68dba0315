//! Makes a backup while the home is in use.
//!
//! Databases are copied before keyrings: a key is durable before its first record, so the keyring copied last
//! has every key the copies need. If personas are created or deleted, or the keys rotate in between, the
//! copies would not fit together, and everything is copied again.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use domain::{TenantName, Timestamp};
use store::home::Paths;
use store::{Deployment, DocumentName, Documents, PersonaEntry, Sqlite, StoreError, Upkeep};
use vault::backup::document_key;
use vault::key::Dek;
use vault::key_directory::KeyDirectoryError;
use vault::keyring::KeyringFile;
use vault::seal::seal;
use wire::backup::{BackUp, BackedUpTenant, BackupAnswer, BackupView};
use wire::{Code, Problem};

use super::failure::{BackupError, io_error};
use super::file::{BackupFile, measure, refuse_taken, sign, write};
use super::manifest::{Manifest, ManifestTenant};
use super::part::Part;
use crate::call::Call;
use crate::{Engine, boxed};

/// How often everything is copied again after such a change.
const ATTEMPTS: usize = 5;

/// What was copied into a folder until it is packed.
#[derive(Default)]
struct StagedBackup {
    tenants: Vec<ManifestTenant>,
    parts: Vec<Part>,
}

/// A folder that is removed when it is dropped.
struct Scratch(PathBuf);

impl Engine {
    /// Copies everything but the keys into one new file.
    #[boxed]
    pub async fn back_up(&self, call: &Call, asked: BackUp) -> Result<BackupAnswer, Problem> {
        call.demand_operator()?;
        let to = self.outside(&asked.to)?;
        let backup = self.write_backup(&to, call.now).await?;
        Ok(BackupAnswer { backup })
    }

    /// The backup made by an earlier request.
    pub fn backup_again(&self, call: &Call, asked: &BackUp) -> Result<BackupAnswer, Problem> {
        call.demand_operator()?;
        let path = self.outside(&asked.to)?;
        let bytes = fs::metadata(&path)
            .map_err(|_| Problem::new(Code::NotFound, format!("{} no longer exists", path.display())))?;
        let file = BackupFile::open(&path)?;
        Ok(BackupAnswer { backup: view(&path, file.manifest(), bytes.len()) })
    }

    pub(super) async fn write_backup(&self, to: &Path, now: Timestamp) -> Result<BackupView, Problem> {
        refuse_taken(to)?;
        for _ in 0..ATTEMPTS {
            let scratch = Scratch::beside(to)?;
            let paths = Paths::new(&scratch.0);
            if let Some(staged) = self.stage(&paths).await? {
                return self.pack(to, now, staged, scratch).await;
            }
        }
        let detail = "personas or keys kept changing while they were copied; try again";
        Err(Problem::new(Code::Conflict, detail))
    }

    /// Copies everything into `to`; `None` if the copies would not fit together.
    async fn stage(&self, to: &Paths) -> Result<Option<StagedBackup>, Problem> {
        let home = self.home()?;
        let tenants = self.store.tenants().await?;
        let personas = self.all_personas().await?;
        self.store.copy_deployment(&to.deployment()).await?;
        if personas != self.all_personas().await? {
            return Ok(None);
        }
        let mut staged = StagedBackup { parts: vec![Part::Deployment], ..StagedBackup::default() };
        for persona in &personas {
            self.flush_writes(&persona.scope()).await?;
            make_folder(&to.persona(&persona.tenant, &persona.name))?;
            match self.store.copy_records(&persona.scope(), &to.records(&persona.tenant, &persona.name)).await
            {
                Err(StoreError::NoPersona(_)) => return Ok(None),
                copied => copied?,
            }
            staged.parts.push(Part::Records(persona.tenant.clone(), persona.name.clone()));
        }
        for tenant in tenants {
            make_folder(&to.tenant(&tenant.name))?;
            let epoch = self.store.keys(&tenant.name).await?.epoch;
            let kek = match home.key_directory().kek(tenant.name.as_str(), epoch) {
                Err(KeyDirectoryError::MissingEpoch { present, .. }) if present.last() > Some(&epoch) => {
                    return Ok(None);
                }
                kek => kek.map_err(BackupError::from)?,
            };
            let key = document_key(&kek, tenant.name.as_str());
            let own = personas.iter().filter(|persona| persona.tenant == tenant.name);
            staged.parts.extend(self.seal_documents(&tenant.name, own, &key, to).await?);
            let Some(counter) = copy_keyring(home, &tenant.name, epoch, to)? else { return Ok(None) };
            staged.parts.push(Part::Keyring(tenant.name.clone()));
            staged.tenants.push(ManifestTenant { name: tenant.name, epoch, counter });
        }
        staged.parts.sort_unstable();
        Ok(Some(staged))
    }

    async fn all_personas(&self) -> Result<Vec<PersonaEntry>, Problem> {
        let mut all = Vec::new();
        for tenant in self.store.tenants().await? {
            all.extend(self.store.personas(&tenant.name).await?);
        }
        Ok(all)
    }

    /// Seals a tenant's documents into `to`, except for day logs.
    async fn seal_documents(
        &self,
        tenant: &TenantName,
        personas: impl Iterator<Item = &PersonaEntry>,
        key: &Dek,
        to: &Paths,
    ) -> Result<Vec<Part>, Problem> {
        let mut parts = Vec::new();
        if let Some(channels) = self.store.channels(tenant).await? {
            parts.push(self.seal_part(Part::Channels(tenant.clone()), channels.content.as_str(), key, to)?);
        }
        for persona in personas {
            let names = self.store.list(&persona.scope()).await?;
            for name in names.into_iter().filter(|name| !matches!(name, DocumentName::DayLog(_))) {
                let read = self.store.read(&persona.scope(), name).await?;
                if let Some(document) = read {
                    let part = Part::Document(tenant.clone(), persona.name.clone(), name);
                    parts.push(self.seal_part(part, document.content.as_str(), key, to)?);
                }
            }
        }
        Ok(parts)
    }

    fn seal_part(&self, part: Part, content: &str, key: &Dek, to: &Paths) -> Result<Part, Problem> {
        let path = part.to_string();
        let internal = |error: vault::seal::SealError| Problem::new(Code::Internal, error.to_string());
        if let Some(tenant) = part.sealed_for() {
            let address = Part::address(tenant, &path);
            let sealed = seal(key, &address, content.as_bytes(), &*self.randomness).map_err(internal)?;
            write_private(&part.place(to), &sealed)?;
        }
        Ok(part)
    }

    async fn pack(
        &self,
        to: &Path,
        now: Timestamp,
        staged: StagedBackup,
        scratch: Scratch,
    ) -> Result<BackupView, Problem> {
        let stopped = |_| Problem::new(Code::Internal, "packing the backup failed");
        let StagedBackup { tenants, parts } = staged;
        let paths = Paths::new(&scratch.0);
        let (path, measured) = (to.to_owned(), paths.clone());
        let parts =
            tokio::task::spawn_blocking(move || measure(&measured, parts)).await.map_err(stopped)??;
        let manifest = Manifest { created_at: now, tenants, parts };
        let note = sign(&manifest, &self.operator).map_err(|error| Problem::new(Code::Internal, error))?;
        let packed = manifest.clone();
        let packing = tokio::task::spawn_blocking(move || {
            let _scratch = scratch;
            write(&path, &packed, &note, &paths)
        });
        let bytes = packing.await.map_err(stopped)??;
        Ok(view(to, &manifest, bytes))
    }
}

/// Copies a keyring and returns its change counter; `None` if its epoch has changed.
fn copy_keyring(
    home: &Sqlite,
    tenant: &TenantName,
    epoch: u64,
    to: &Paths,
) -> Result<Option<u64>, BackupError> {
    let (from, to) = (home.paths().keyring(tenant), to.keyring(tenant));
    let bytes = fs::read(&from).map_err(io_error("read", &from))?;
    write_private(&to, &bytes)?;
    if KeyringFile::peek(&to)?.epoch != epoch {
        return Ok(None);
    }
    let kek = home.key_directory().kek(tenant.as_str(), epoch)?;
    Ok(Some(KeyringFile::open(&to, tenant.as_str(), kek, 0)?.keyring().counter()))
}

/// The contents of a backup as the API shows them.
pub(super) fn view(path: &Path, manifest: &Manifest, bytes: u64) -> BackupView {
    let tenant = |known: &ManifestTenant| {
        let own = |part: &&Part| part.sealed_for() == Some(&known.name);
        let parts = || manifest.parts.iter().map(|part| &part.path);
        let records = |part: &&Part| matches!(part, Part::Records(tenant, _) if *tenant == known.name);
        BackedUpTenant {
            tenant: known.name.clone(),
            epoch: known.epoch,
            counter: known.counter,
            personas: parts().filter(records).count(),
            documents: parts().filter(own).count(),
        }
    };
    BackupView {
        path: path.display().to_string(),
        bytes,
        created_at: manifest.created_at,
        tenants: manifest.tenants.iter().map(tenant).collect(),
    }
}

fn write_private(path: &Path, bytes: &[u8]) -> Result<(), BackupError> {
    let mut options = OpenOptions::new();
    let written = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(bytes));
    written.map_err(io_error("write", path))
}

fn make_folder(path: &Path) -> Result<(), BackupError> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(io_error("create", path))
}

impl Scratch {
    /// A new folder beside `to`, so that it is on the same disk. Leftovers of a crash are removed.
    fn beside(to: &Path) -> Result<Self, BackupError> {
        if let Some(folder) = to.parent().filter(|folder| !folder.is_dir()) {
            return Err(BackupError::NoFolder(folder.to_owned()));
        }
        let path = PathBuf::from(format!("{}.parts", to.display()));
        if path.is_dir() {
            fs::remove_dir_all(&path).map_err(io_error("clear", &path))?;
        }
        DirBuilder::new().mode(0o700).create(&path).map_err(io_error("create", &path))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is sealed, and the next backup of this name removes it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
