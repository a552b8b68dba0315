//! Import of all data from another store, and export of all data to one.

use std::collections::{BTreeMap, BTreeSet};

use domain::{MemoryId, Rehearsal, SubjectRef, TenantName};
use rusqlite::params;

use super::Sqlite;
use super::persona::Recorder;
use super::statement::{deployment, records};
use super::write_transaction::{Needs, WriteTransaction};
use super::{deployment as register, jobs};
use crate::batch::{NewAtom, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::code::Coded;
use crate::copy::{Line, PersonaRecords, TenantRecords, imported_vectors};
use crate::deployment::{Deployment, DeploymentChange, PersonaEntry, Tenant};
use crate::error::{Conflict, StoreError};
use crate::records::Stored;
use crate::scope::Scope;
use crate::tombstone::Tombstone;

impl Sqlite {
    /// Creates a tenant with its original creation time.
    pub(crate) async fn import_tenant(&self, known: &Tenant) -> Stored<()> {
        self.tenant_keys_or_new(&known.name, known.created_at).await?;
        let Tenant { name, created_at } = known.clone();
        self.in_deployment(move |desk| {
            let row = params![name.as_str(), created_at.as_millis()];
            desk.sql.run(deployment::PUT_TENANT, row).map(drop)
        })
        .await
    }

    pub(crate) async fn persona_lines(&self, scope: &Scope) -> Stored<Vec<Line>> {
        self.read(scope, |snapshot| snapshot.lines(0)).await
    }

    pub(crate) async fn deployment_lines(&self) -> Stored<Vec<Line>> {
        for known in self.tenants().await? {
            self.tenant_keys(&known.name).await?;
        }
        self.inner.deployment.read(|snapshot| snapshot.lines(0)).await
    }

    pub(crate) async fn settings(&self, owner: &TenantName) -> Stored<Vec<(String, String)>> {
        let owner = owner.clone();
        let read = self.inner.deployment.read(move |snapshot| {
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            snapshot.sql.all(deployment::SETTINGS, params![owner.as_str()], read)
        });
        read.await
    }

    /// Imports a persona: its documents, then its records and log in one transaction, then its entry in the
    /// register. A database left by an interrupted copy is deleted first.
    pub(crate) async fn import_persona(&self, belongings: PersonaRecords) -> Stored<()> {
        let _registering = self.inner.registering.lock().await;
        let (entry, scope) = (belongings.entry.clone(), belongings.entry.scope());
        let database = self.inner.paths.records(&entry.tenant, &entry.name);
        self.blocking(move || remove_database(&database)).await?;
        self.create_folder(&entry, belongings.documents.clone()).await?;
        self.inner.registry.add(entry.clone());
        let (needs, place) = (needs(&belongings), scope.clone());
        let settling = async {
            let work =
                Box::new(move |desk: &mut WriteTransaction<'_>| import_records(desk, &place, belongings));
            self.persona(&scope).await?.write(needs, work).await
        };
        if let Err(error) = settling.await {
            self.inner.registry.remove(&scope);
            return Err(error);
        }
        self.in_deployment(move |desk| {
            let PersonaEntry { id, tenant, name, created_at } = entry;
            let row = params![id.0.as_bytes(), tenant.as_str(), name.as_str(), created_at.as_millis()];
            desk.sql.run(deployment::PUT_PERSONA, row).map(drop)
        })
        .await
    }

    /// Imports the deployment's records of a tenant. Existing ones are kept.
    pub(crate) async fn import_tenant_records(&self, estate: TenantRecords) -> Stored<()> {
        if let Some(channels) = &estate.channels {
            let (path, content) = (self.inner.paths.channels(&estate.tenant.name), channels.clone());
            self.blocking(move || super::documents::put_if_absent(&path, &content)).await?;
        }
        self.tenant_keys(&estate.tenant.name).await?;
        let imported = self.in_deployment(move |desk| import_tenant_records(desk, estate)).await;
        self.inner.settings.forget();
        imported
    }

    /// Imports the deployment's log, continuing after its last line here.
    pub(crate) async fn import_log(
        &self,
        lines: Vec<Line>,
        checkpoints: Vec<SignedCheckpoint>,
    ) -> Stored<()> {
        self.in_deployment(move |desk| {
            let known = desk.log_size();
            for line in lines.iter().filter(|line| line.event.seq >= known) {
                desk.import_line(line)?;
            }
            let known = super::log::checkpoints(desk.sql)?;
            let new = checkpoints.iter().filter(|signed| !known.contains(signed));
            new.into_iter().try_for_each(|signed| desk.import_checkpoint(signed))
        })
        .await
    }

    async fn in_deployment(
        &self,
        work: impl FnOnce(&mut WriteTransaction<'_>) -> Stored<()> + Send + 'static,
    ) -> Stored<()> {
        let work = Box::new(move |desk: &mut WriteTransaction<'_>| {
            work(desk)?;
            Ok(Receipt { revision: 0, events: Vec::new(), checkpoint: None })
        });
        self.inner.deployment.write(Needs::default(), work).await.map(drop)
    }
}

fn remove_database(path: &std::path::Path) -> Stored<()> {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        match std::fs::remove_file(std::path::PathBuf::from(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::Io { action: "remove", path: path.to_owned(), source: error });
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn needs(belongings: &PersonaRecords) -> Needs {
    let subjects: BTreeSet<Option<SubjectRef>> =
        belongings.subjects.iter().map(|known| Some(known.subject.clone())).collect();
    let (tenant, now) = (belongings.entry.tenant.clone(), belongings.entry.created_at);
    Needs { tenant: Some(tenant), subjects, now: Some(now) }
}

fn import_tenant_records(desk: &mut WriteTransaction<'_>, estate: TenantRecords) -> Stored<()> {
    let TenantRecords { tenant, keys, settings, erasures, erased, jobs, published, channels: _ } = estate;
    let keys = keys.into_iter().map(DeploymentChange::PutApiKey);
    let settings = settings.into_iter().map(|(name, value)| DeploymentChange::PutSetting(name, value));
    let erasures = erasures.into_iter().map(|erasure| DeploymentChange::PutErasure(Box::new(erasure)));
    for change in keys.chain(settings).chain(erasures) {
        match register::apply(desk, &tenant.name, &change, tenant.created_at) {
            Err(StoreError::Conflict(Conflict::KeyExists(_))) => {}
            applied => applied?,
        }
    }
    for (tag, at) in erased {
        desk.put_erased_tags(&tenant.name, &[tag], at)?;
    }
    for job in &jobs {
        jobs::put(desk.sql, &tenant.name, job)?;
    }
    for (persona, SignedCheckpoint { size, at, note, .. }) in published {
        // The counter in it belongs to another keyring, and says nothing about the age of this one.
        let (owner, counter) = (tenant.name.as_str(), None::<u64>);
        let row = params![owner, persona.0.as_bytes(), size, at.as_millis(), counter, note];
        desk.sql.run(deployment::PUT_PERSONA_CHECKPOINT, row)?;
    }
    Ok(())
}

/// Imports all records of a persona, with their original revisions and times.
fn import_records(
    desk: &mut WriteTransaction<'_>,
    scope: &Scope,
    belongings: PersonaRecords,
) -> Stored<Receipt> {
    let PersonaRecords { entry, loaded, vectors, rehearsals, subjects, .. } = belongings;
    let revision = loaded.revision;
    let mut recorder = Recorder::new(desk, scope, entry.created_at);
    subjects.iter().try_for_each(|subject| recorder.put_subject(subject))?;
    for stored in loaded.atoms {
        (recorder.now, recorder.revision) = (stored.atom.created_at, stored.revision);
        recorder.put_atom(NewAtom { atom: stored.atom, vector: stored.vector })?;
    }
    recorder.revision = revision;
    rehearsals.iter().try_for_each(|(id, rehearsal)| recorder.import_rehearsals(*id, rehearsal))?;
    recorder.import_timeline(loaded.timeline, loaded.tombstones)?;
    recorder.put_vectors(&imported_vectors(vectors, revision))?;
    for (session, turns) in &belongings.sessions {
        recorder.put_session(session)?;
        turns.iter().try_for_each(|turn| recorder.append_turn(turn))?;
    }
    for trace in &belongings.traces {
        recorder.now = trace.at;
        recorder.put_trace(trace)?;
    }
    for (subject, name, content) in &belongings.subject_documents {
        recorder.put_document(subject, *name, content)?;
    }
    belongings.requests.iter().try_for_each(|request| recorder.record_request(request))?;
    recorder.begin()?;
    recorder.sql().run(records::FORGET_REMOVALS, params![revision])?;
    belongings.lines.iter().try_for_each(|line| desk.import_line(line))?;
    belongings.checkpoints.iter().try_for_each(|signed| desk.import_checkpoint(signed))?;
    Ok(Receipt { revision, events: Vec::new(), checkpoint: None })
}

impl Recorder<'_, '_> {
    fn import_rehearsals(&self, id: MemoryId, rehearsal: &[Rehearsal]) -> Stored<()> {
        let state =
            self.sql().first(records::ATOM_STATE, params![crate::row::number(id)], |row| row.get(0))?;
        let n: i64 = state.ok_or_else(|| self.sql().malformed("an atom"))?;
        rehearsal.iter().try_for_each(|rehearsal| {
            let spoken = crate::row::spoken_bytes(&rehearsal.spoken);
            let row = params![n, rehearsal.at.as_millis(), rehearsal.kind.code(), spoken];
            self.sql().run(records::PUT_REHEARSAL, row).map(drop)
        })
    }

    /// Entries and the tombstones between them, in the order of their numbers.
    fn import_timeline(
        &mut self,
        timeline: Vec<domain::TimelineEntry>,
        tombstones: Vec<Tombstone>,
    ) -> Stored<()> {
        let mut numbered: BTreeMap<u64, Tombstone> = BTreeMap::new();
        for tombstone in tombstones {
            match &tombstone {
                Tombstone::Entry(entry) => drop(numbered.insert(entry.sequence, tombstone)),
                Tombstone::Atom(atom) => {
                    self.now = atom.at;
                    self.record_removal(tombstone.id(), Some(&tombstone))?;
                }
            }
        }
        for entry in timeline {
            self.import_tombstones_before(entry.sequence, &mut numbered)?;
            self.now = entry.created_at;
            self.append_entry(&entry)?;
        }
        self.import_tombstones_before(u64::MAX, &mut numbered)
    }

    fn import_tombstones_before(
        &mut self,
        sequence: u64,
        numbered: &mut BTreeMap<u64, Tombstone>,
    ) -> Stored<()> {
        while let Some(first) = numbered.first_entry().filter(|first| *first.key() < sequence) {
            let tombstone = first.remove();
            self.now = match &tombstone {
                Tombstone::Entry(entry) => entry.at,
                Tombstone::Atom(atom) => atom.at,
            };
            self.record_removal(tombstone.id(), Some(&tombstone))?;
        }
        Ok(())
    }
}
