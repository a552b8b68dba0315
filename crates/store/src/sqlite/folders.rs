//! Folders that people made, copied or renamed with their own tools, before a persona is registered for them.

use std::fs;
use std::path::{Path, PathBuf};

use domain::{PersonaId, PersonaName, TenantName, Text};
use rusqlite::params;
use serde_json::Value;

use super::connection::{Sql, open_reader};
use super::statement::{deployment, records};
use super::{Sqlite, documents};
use crate::batch::{EventDraft, Receipt};
use crate::deployment::PersonaEntry;
use crate::document::DocumentName;
use crate::error::StoreError;
use crate::home::Paths;
use crate::records::Stored;
use crate::scope::Scope;

/// How the name of a database begins that came into a folder with a copy of it. No persona opens it.
pub(crate) const SET_ASIDE: &str = "memory.db.copied";
/// What SQLite keeps beside a database.
const SIDE_FILES: [&str; 3] = ["", "-wal", "-shm"];

/// What lies in a folder that no persona was registered for.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Its `persona.json`, if it has one.
    pub document: Option<Text>,
    /// Whose records its database says it holds; none without a database, or if that can't be read.
    pub records_of: Option<(TenantName, PersonaId)>,
    /// The files in it that are about the owner, and the database, by name.
    pub owners_files: Vec<String>,
}

/// A folder that becomes a persona.
#[derive(Debug)]
pub struct Adoption {
    /// Its line in the register.
    pub entry: PersonaEntry,
    /// What its `persona.json` says from now on; `None` leaves the file as it is.
    pub document: Option<Text>,
    /// What the deployment's log says about it.
    pub events: Vec<EventDraft>,
}

impl Sqlite {
    /// Looks into a folder, whether or not a persona is registered for it.
    pub async fn look_into(&self, tenant: &TenantName, name: &PersonaName) -> Stored<Folder> {
        let (paths, tenant, name) = (self.inner.paths.clone(), tenant.clone(), name.clone());
        self.blocking(move || {
            let path = paths.document(&tenant, &name, DocumentName::Persona);
            let document = documents::read_file(&path, DocumentName::Persona)?.map(|read| read.content);
            let records = paths.records(&tenant, &name);
            Ok(Folder {
                document,
                records_of: owner_of(&records),
                owners_files: owners_files(&paths, &tenant, &name)?,
            })
        })
        .await
    }

    /// The persona registered under `id` in any tenant, if its folder is still there and still says so.
    pub async fn registered_elsewhere(&self, id: PersonaId) -> Stored<Option<(PersonaEntry, FolderState)>> {
        let Some(entry) = self.inner.registry.with_id(id) else { return Ok(None) };
        let (paths, known) = (self.inner.paths.clone(), entry.clone());
        let state = self.blocking(move || Ok(state_of(&paths, &known))).await?;
        Ok(Some((entry, state)))
    }

    /// Registers a folder. A database in it that holds another persona's records is set aside.
    pub async fn adopt_folder(&self, adoption: Adoption) -> Stored<Receipt> {
        let _registering = self.inner.registering.lock().await;
        let Adoption { entry, document, events } = adoption;
        self.check_free(&entry)?;
        self.tenant_keys_or_new(&entry.tenant, entry.created_at).await?;
        self.set_aside_foreign(&entry).await?;
        if let Some(document) = document {
            let path = self.inner.paths.document(&entry.tenant, &entry.name, DocumentName::Persona);
            self.inner.shared.health.admit()?;
            self.blocking(move || documents::replace(&path, &document)).await?;
        }
        self.register(entry, events).await
    }

    /// Moves a persona's line in the register to the name its folder has now.
    pub async fn follow_rename(
        &self,
        scope: &Scope,
        name: &PersonaName,
        now: domain::Timestamp,
        events: Vec<EventDraft>,
    ) -> Stored<PersonaEntry> {
        let _registering = self.inner.registering.lock().await;
        let old = self.inner.registry.entry(scope).ok_or_else(|| StoreError::NoPersona(scope.clone()))?;
        if let Some(database) = self.inner.registry.take(scope) {
            self.blocking(move || {
                database.close();
                Ok(())
            })
            .await?;
        }
        let entry = PersonaEntry { name: name.clone(), ..old };
        let (place, renamed) = (scope.clone(), name.clone());
        self.log_deployment(scope.tenant.clone(), now, events, move |writer| {
            let row = params![place.tenant.as_str(), place.persona.0.as_bytes(), renamed.as_str()];
            writer.sql.run(deployment::RENAME_PERSONA, row).map(drop)
        })
        .await?;
        self.inner.registry.add(entry.clone());
        Ok(entry)
    }

    /// Sets the database of a registered folder aside if it holds another persona's records, and says whether it did.
    pub async fn set_aside_foreign(&self, entry: &PersonaEntry) -> Stored<bool> {
        let path = self.inner.paths.records(&entry.tenant, &entry.name);
        let own = (entry.tenant.clone(), entry.id);
        self.blocking(move || match owner_of(&path) {
            Some(owner) if owner != own => set_aside(&path).map(|()| true),
            Some(_) | None => Ok(false),
        })
        .await
    }

    /// The names of databases that were set aside in a persona's folder.
    pub async fn set_aside_in(&self, entry: &PersonaEntry) -> Stored<Vec<String>> {
        let folder = self.inner.paths.persona(&entry.tenant, &entry.name);
        self.blocking(move || {
            let names = documents::names_in(&folder)?;
            Ok(names.into_iter().filter(|name| is_database_set_aside(name)).collect())
        })
        .await
    }
}

/// How the folder of a registered persona stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderState {
    /// It is there.
    There,
    /// It is gone, or holds another persona.
    Gone,
}

fn state_of(paths: &Paths, entry: &PersonaEntry) -> FolderState {
    let document = paths.document(&entry.tenant, &entry.name, DocumentName::Persona);
    let records = paths.records(&entry.tenant, &entry.name);
    let said = fs::read_to_string(document).ok().and_then(|text| said_id(&text));
    let is_there = match said {
        Some(id) => id == entry.id.to_string(),
        None => records.exists(),
    };
    if is_there { FolderState::There } else { FolderState::Gone }
}

fn said_id(text: &str) -> Option<String> {
    let document: Value = serde_json::from_str(text).ok()?;
    document.pointer("/identity/id")?.as_str().map(str::to_lowercase)
}

/// Whose records a database says it holds.
fn owner_of(path: &Path) -> Option<(TenantName, PersonaId)> {
    if !path.exists() {
        return None;
    }
    let connection = open_reader(path).ok()?;
    let sql = Sql { connection: &connection, path };
    let owner = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let (tenant, persona) = sql.first(records::META, [], owner).ok()??;
    Some((tenant.parse().ok()?, persona.parse().ok()?))
}

fn owners_files(paths: &Paths, tenant: &TenantName, name: &PersonaName) -> Stored<Vec<String>> {
    let folder = paths.persona(tenant, name);
    let logs =
        documents::names_in(&folder.join("sessions"))?.into_iter().map(|log| format!("sessions/{log}"));
    let is_owners = |file: &String| {
        file.starts_with("memory.db") || file.parse().is_ok_and(|name: DocumentName| name.is_owners())
    };
    let mut files: Vec<String> =
        documents::names_in(&folder)?.into_iter().chain(logs).filter(is_owners).collect();
    files.sort_unstable();
    Ok(files)
}

/// Gives a database and what SQLite keeps beside it another name, under which nothing opens it.
fn set_aside(path: &Path) -> Stored<()> {
    let free = (1..=10_000).map(|number| numbered(path, number)).find(|name| !name.exists());
    let target = free.unwrap_or_else(|| numbered(path, 1));
    for side in SIDE_FILES {
        let from = beside(path, side);
        if from.exists() {
            let io = |source| StoreError::Io { action: "set aside", path: from.clone(), source };
            fs::rename(&from, beside(&target, side)).map_err(io)?;
        }
    }
    documents::sync_parent(path).map_err(|source| StoreError::Io {
        action: "set aside",
        path: path.to_owned(),
        source,
    })
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let name = if number == 1 { SET_ASIDE.to_owned() } else { format!("{SET_ASIDE}{number}") };
    path.with_file_name(name)
}

fn beside(path: &Path, side: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(side);
    PathBuf::from(name)
}

fn is_database_set_aside(name: &str) -> bool {
    name.starts_with(SET_ASIDE) && !name.ends_with("-wal") && !name.ends_with("-shm")
}
