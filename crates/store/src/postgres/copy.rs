//! Import of all data from another store, and export of all data to one.

use super::Postgres;
use super::atoms::AtomInsert;
use super::connection::TransactionMode;
use super::documents;
use super::key_table::KeyOwner;
use super::reading::View;
use super::statement::{common, deployment, tenant};
use super::write_transaction::WriteTransaction;
use crate::atom::StoredAtom;
use crate::audit::{self, proof::LineRow};
use crate::batch::NewAtom;
use crate::checkpoint::SignedCheckpoint;
use crate::copy::{Line, PersonaRecords, TenantRecords};
use crate::deployment::{Deployment, DeploymentChange, Tenant};
use crate::error::{Conflict, StoreError};
use crate::records::Stored;
use crate::scope::Scope;
use crate::sql::columns;
use crate::sql::import::import_rest;
use crate::sql::jobs::put_job;
use crate::sql::subjects::put_subject;

impl Postgres {
    /// Creates a tenant with its original creation time.
    pub(crate) async fn import_tenant(&self, known: &Tenant) -> Stored<()> {
        self.tenant_writer(&known.name, known.created_at).await?.commit().await.map(drop)
    }

    pub(crate) async fn persona_lines(&self, scope: &Scope) -> Stored<Vec<Line>> {
        let snapshot = self.snapshot(scope).await?;
        let rows = snapshot.view().lines(0..u64::MAX).await;
        let lines = rows.and_then(|rows| rows.iter().map(|row| snapshot.view().line(row)).collect());
        snapshot.end()?;
        lines
    }

    pub(crate) async fn deployment_lines(&self) -> Stored<Vec<Line>> {
        let mut lines: Vec<Line> = Vec::new();
        for known in self.tenants().await? {
            let snapshot = self.snapshot_of(KeyOwner { tenant: known.name, persona: None }).await?;
            let rows = snapshot.view().deployment_lines(0..u64::MAX).await;
            let theirs: Stored<Vec<Line>> =
                rows.and_then(|rows| rows.iter().map(|row| snapshot.view().line(row)).collect());
            snapshot.end()?;
            lines.extend(theirs?);
        }
        lines.sort_unstable_by_key(|line| line.event.seq);
        Ok(lines)
    }

    pub(crate) async fn settings(&self, tenant_name: &domain::TenantName) -> Stored<Vec<(String, String)>> {
        self.of_tenant(tenant_name, tenant::SETTINGS, Vec::new(), |row| Ok((row.get(0)?, row.get(1)?))).await
    }

    /// Imports a persona: register, records, log and documents in one transaction.
    pub(crate) async fn import_persona(&self, persona_records: PersonaRecords) -> Stored<()> {
        let entry = persona_records.entry.clone();
        let owner = KeyOwner { tenant: entry.tenant.clone(), persona: Some(entry.id) };
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let row = columns![entry.id.0, entry.name.as_str(), entry.created_at.as_millis()];
        transaction.of_tenant(&entry.tenant).run(tenant::PUT_PERSONA, row).await?;
        owner.sql(&transaction).run(common::PUT_PLACE, Vec::new()).await?;
        for (name, content) in &persona_records.documents {
            let name = name.to_string();
            documents::put(&transaction, &owner, &self.inner.tools.keys, &name, content).await?;
        }
        let place = self.place(&owner);
        let tools = std::sync::Arc::clone(&self.inner.tools);
        let mut writer = WriteTransaction::open(transaction, owner, tools, &place.names).await?;
        writer.import_records(persona_records).await?;
        place.names.publish(&writer.commit().await?);
        Ok(())
    }

    /// Imports the deployment's records of a tenant. Existing ones are kept.
    pub(crate) async fn import_tenant_records(&self, tenant_records: TenantRecords) -> Stored<()> {
        let TenantRecords { tenant: known, keys, settings, erasures, erased, jobs, published, channels } =
            tenant_records;
        let mut writer = self.tenant_writer(&known.name, known.created_at).await?;
        let keys = keys.into_iter().map(DeploymentChange::PutApiKey);
        let settings = settings.into_iter().map(|(name, value)| DeploymentChange::PutSetting(name, value));
        let erasures = erasures.into_iter().map(|erasure| DeploymentChange::PutErasure(Box::new(erasure)));
        for change in keys.chain(settings).chain(erasures) {
            match writer.apply(&change, known.created_at).await {
                Err(StoreError::Conflict(Conflict::KeyExists(_))) => {}
                applied => applied?,
            }
        }
        for (tag, at) in erased {
            writer.put_erased_tags(&[tag], at).await?;
        }
        for job in &jobs {
            put_job(&writer.tenant_sql(), job).await?;
        }
        for (persona, SignedCheckpoint { size, at, keyring_counter, note }) in published {
            let row = columns![persona.0, size, at.as_millis(), keyring_counter, note];
            writer.tenant_sql().run(tenant::PUT_PERSONA_CHECKPOINT, row).await?;
        }
        writer.commit().await?;
        match channels {
            Some(content) => self.put_channels(&known.name, content).await,
            None => Ok(()),
        }
    }

    /// Imports the deployment's log, continuing after its last line here.
    pub(crate) async fn import_log(
        &self,
        lines: Vec<Line>,
        checkpoints: Vec<SignedCheckpoint>,
    ) -> Stored<()> {
        for line in lines {
            let mut writer = self.tenant_writer(&line.event.tenant, line.at()).await?;
            if line.event.seq >= writer.place.frontier.size() {
                writer.import_lines(std::slice::from_ref(&line)).await?;
            }
            let place = self.place(&writer.owner);
            place.names.publish(&writer.commit().await?);
        }
        let known = self.deployment_checkpoints().await?;
        let transaction = self.begin_as_deployment().await?;
        for signed in checkpoints.iter().filter(|signed| !known.contains(signed)) {
            let row = columns![signed.size, signed.at.as_millis(), signed.note.as_str()];
            transaction.of_deployment().run(deployment::PUT_CHECKPOINT, row).await?;
        }
        transaction.commit().await
    }
}

impl View<'_> {
    fn line(&self, row: &LineRow) -> Stored<Line> {
        let event = self.logged(row)?.event;
        let part = self.private_part(row).and_then(Result::ok);
        let of = row.key.and_then(|key| self.subject(key));
        Ok(Line { event, part: part.map(|part| (of, part)) })
    }
}

impl WriteTransaction {
    /// Imports all records of a persona, with their original revisions and times.
    async fn import_records(&mut self, mut persona_records: PersonaRecords) -> Stored<()> {
        let revision = persona_records.loaded.revision;
        self.now = persona_records.entry.created_at;
        for subject in &persona_records.subjects {
            put_subject(self, subject).await?;
        }
        self.place.revision = revision;
        let atoms = std::mem::take(&mut persona_records.loaded.atoms);
        self.insert_atoms(atoms.into_iter().map(atom_insert).collect()).await?;
        import_rest(self, &mut persona_records).await?;
        self.import_lines(&persona_records.lines).await?;
        for signed in persona_records.checkpoints {
            let SignedCheckpoint { size, at, keyring_counter, note } = signed;
            self.sql()
                .run(common::PUT_CHECKPOINT, columns![size, at.as_millis(), keyring_counter, note])
                .await?;
            self.place.checkpoint = Some((size, at));
        }
        self.place.revision = revision;
        self.place.keys_changed = revision;
        self.place.forgotten_removals = revision;
        Ok(())
    }

    /// Imports lines of a log, re-sealing their private parts.
    async fn import_lines(&mut self, lines: &[Line]) -> Stored<()> {
        let parts = lines.iter().filter_map(|line| Some((line.part.as_ref()?.0.as_ref(), line.at())));
        self.make_missing_keys(parts).await?;
        let mut rows = Vec::with_capacity(lines.len());
        for line in lines {
            let (seq, body) = (line.event.seq, line.body()?);
            let part = line.part.as_ref().map(|(of, part)| (of.as_ref(), part));
            let (key, part) = self.seal_part(seq, part, line.at())?.unzip();
            self.place.frontier.append(audit::leaf(body.as_bytes()));
            rows.push(columns![seq, line.event.id.clone(), body, key, part]);
        }
        self.write_lines(rows).await
    }
}

/// An atom to be inserted with its original time and revision.
fn atom_insert(stored: StoredAtom) -> AtomInsert {
    let StoredAtom { atom, vector, revision } = stored;
    AtomInsert { at: atom.created_at, new: NewAtom { atom, vector }, revision }
}
