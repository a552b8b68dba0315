//! Import of all data from another store, and export of all data to one.

use std::collections::BTreeSet;

use domain::{SubjectRef, TenantName};
use rusqlite::params;

use super::Sqlite;
use super::deployment as register;
use super::persona::Recorder;
use super::statement::deployment;
use super::write_transaction::{Needs, WriteTransaction};
use crate::batch::{NewAtom, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::copy::{Line, PersonaRecords, TenantRecords};
use crate::deployment::{Deployment, DeploymentChange, PersonaEntry, Tenant};
use crate::error::{Conflict, StoreError};
use crate::records::Stored;
use crate::scope::Scope;
use crate::sql::jobs::put_job;
use crate::sql::{IndexEffect, Writer as _, at_once, import, subjects};

impl Sqlite {
    /// Creates a tenant with its original creation time.
    pub(crate) async fn import_tenant(&self, known: &Tenant) -> Stored<()> {
        self.tenant_keys_or_new(&known.name, known.created_at).await?;
        let Tenant { name, created_at } = known.clone();
        self.in_deployment(move |writer| {
            let row = params![name.as_str(), created_at.as_millis()];
            writer.sql.run(deployment::PUT_TENANT, row).map(drop)
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
    pub(crate) async fn import_persona(&self, persona_records: PersonaRecords) -> Stored<()> {
        let _registering = self.inner.registering.lock().await;
        let (entry, scope) = (persona_records.entry.clone(), persona_records.entry.scope());
        let database = self.inner.paths.records(&entry.tenant, &entry.name);
        self.blocking(move || remove_database(&database)).await?;
        self.create_folder(&entry, persona_records.documents.clone()).await?;
        self.inner.registry.add(entry.clone());
        let (needs, place) = (needs(&persona_records), scope.clone());
        let settling = async {
            let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
                at_once(import_records(writer, &place, persona_records))
            });
            self.persona(&scope).await?.write(needs, work).await
        };
        if let Err(error) = settling.await {
            self.inner.registry.remove(&scope);
            return Err(error);
        }
        self.in_deployment(move |writer| {
            let PersonaEntry { id, tenant, name, created_at } = entry;
            let row = params![id.0.as_bytes(), tenant.as_str(), name.as_str(), created_at.as_millis()];
            writer.sql.run(deployment::PUT_PERSONA, row).map(drop)
        })
        .await
    }

    /// Imports the deployment's records of a tenant. Existing ones are kept.
    pub(crate) async fn import_tenant_records(&self, tenant_records: TenantRecords) -> Stored<()> {
        if let Some(channels) = &tenant_records.channels {
            let (path, content) = (self.inner.paths.channels(&tenant_records.tenant.name), channels.clone());
            self.blocking(move || super::documents::put_if_absent(&path, &content)).await?;
        }
        self.tenant_keys(&tenant_records.tenant.name).await?;
        let imported = self.in_deployment(move |writer| import_tenant_records(writer, tenant_records)).await;
        self.inner.settings.forget();
        imported
    }

    /// Imports the deployment's log, continuing after its last line here.
    pub(crate) async fn import_log(
        &self,
        lines: Vec<Line>,
        checkpoints: Vec<SignedCheckpoint>,
    ) -> Stored<()> {
        self.in_deployment(move |writer| {
            let known = writer.log_size();
            for line in lines.iter().filter(|line| line.event.seq >= known) {
                writer.import_line(line)?;
            }
            let known = super::log::checkpoints(writer.sql)?;
            let new = checkpoints.iter().filter(|signed| !known.contains(signed));
            new.into_iter().try_for_each(|signed| writer.import_checkpoint(signed))
        })
        .await
    }

    async fn in_deployment(
        &self,
        work: impl FnOnce(&mut WriteTransaction<'_>) -> Stored<()> + Send + 'static,
    ) -> Stored<()> {
        let work = Box::new(move |writer: &mut WriteTransaction<'_>| {
            work(writer)?;
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

fn needs(persona_records: &PersonaRecords) -> Needs {
    let subjects: BTreeSet<Option<SubjectRef>> =
        persona_records.subjects.iter().map(|known| Some(known.subject.clone())).collect();
    let (tenant, now) = (persona_records.entry.tenant.clone(), persona_records.entry.created_at);
    Needs { tenant: Some(tenant), subjects, now: Some(now) }
}

fn import_tenant_records(writer: &mut WriteTransaction<'_>, tenant_records: TenantRecords) -> Stored<()> {
    let TenantRecords { tenant, keys, settings, erasures, erased, jobs, published, channels: _ } =
        tenant_records;
    let keys = keys.into_iter().map(DeploymentChange::PutApiKey);
    let settings = settings.into_iter().map(|(name, value)| DeploymentChange::PutSetting(name, value));
    let erasures = erasures.into_iter().map(|erasure| DeploymentChange::PutErasure(Box::new(erasure)));
    for change in keys.chain(settings).chain(erasures) {
        match register::apply(writer, &tenant.name, &change, tenant.created_at) {
            Err(StoreError::Conflict(Conflict::KeyExists(_))) => {}
            applied => applied?,
        }
    }
    for (tag, at) in erased {
        writer.put_erased_tags(&tenant.name, &[tag], at)?;
    }
    for job in &jobs {
        at_once(put_job(&writer.sql.of_tenant(&tenant.name), job))?;
    }
    for (persona, SignedCheckpoint { size, at, note, .. }) in published {
        // The counter in it belongs to another keyring, and says nothing about the age of this one.
        let (owner, counter) = (tenant.name.as_str(), None::<u64>);
        let row = params![owner, persona.0.as_bytes(), size, at.as_millis(), counter, note];
        writer.sql.run(deployment::PUT_PERSONA_CHECKPOINT, row)?;
    }
    Ok(())
}

/// Imports all records of a persona, with their original revisions and times.
async fn import_records(
    writer: &mut WriteTransaction<'_>,
    scope: &Scope,
    mut persona_records: PersonaRecords,
) -> Stored<Receipt> {
    let revision = persona_records.loaded.revision;
    let mut recorder = Recorder::new(writer, scope, persona_records.entry.created_at);
    for subject in &persona_records.subjects {
        subjects::put_subject(&mut recorder, subject).await?;
    }
    for stored in std::mem::take(&mut persona_records.loaded.atoms) {
        (recorder.now, recorder.revision) = (stored.atom.created_at, stored.revision);
        recorder.put_atom(NewAtom { atom: stored.atom, vector: stored.vector }).await?;
    }
    recorder.revision = revision;
    import::import_rest(&mut recorder, &mut persona_records).await?;
    recorder.forget_removals(revision).await?;
    writer.bump(revision, IndexEffect::Changes)?;
    persona_records.lines.iter().try_for_each(|line| writer.import_line(line))?;
    persona_records.checkpoints.iter().try_for_each(|signed| writer.import_checkpoint(signed))?;
    Ok(Receipt { revision, events: Vec::new(), checkpoint: None })
}
