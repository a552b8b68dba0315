//! The documents of personas as sealed rows. There is no folder to edit them in; each version is sealed
//! under a key of its own, so that an older version becomes unreadable when its key is destroyed.

use domain::{TenantName, Text, Timestamp};
use vault::keyring::{KeyRef, WrappedKey};

use super::Postgres;
use super::connection::{Transaction, TransactionMode};
use super::key_table::{self, KeyOwner};
use super::keys::Keys;
use super::statement::{common, records};
use super::write_transaction::{destroy_wrapped_key, make_key};
use crate::document::{Document, DocumentHash, DocumentName};
use crate::documents::Documents;
use crate::error::{Conflict, StoreError};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::records::Stored;
use crate::scope::Scope;
use crate::sealing::RecordName;
use crate::sql::subjects::sorted;
use crate::sql::{Row, columns, unreadable};

/// The name of a tenant's channels among the deployment's documents.
const CHANNELS: &str = "channels.json";

impl Documents for Postgres {
    async fn read(&self, scope: &Scope, name: DocumentName) -> Stored<Option<Document>> {
        self.read_document(KeyOwner::of(scope), &name.to_string()).await
    }

    async fn write(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: Option<DocumentHash>,
        content: Text,
    ) -> Stored<DocumentHash> {
        let hash = DocumentHash::of(content.as_str());
        let write = |kept: Option<Document>| check(kept, name, found).map(|()| Some(content));
        self.change_document(KeyOwner::of(scope), &name.to_string(), write).await?;
        Ok(hash)
    }

    async fn append(&self, scope: &Scope, name: DocumentName, text: Text) -> Stored<()> {
        let append = |kept: Option<Document>| {
            let kept = kept.map_or_else(String::new, |kept| kept.content.as_str().to_owned());
            Ok(Some(Text::new(kept + text.as_str())))
        };
        self.change_document(KeyOwner::of(scope), &name.to_string(), append).await
    }

    async fn remove(&self, scope: &Scope, name: DocumentName, found: DocumentHash) -> Stored<()> {
        let remove = |kept: Option<Document>| check(kept, name, Some(found)).map(|()| None);
        self.change_document(KeyOwner::of(scope), &name.to_string(), remove).await
    }

    async fn list(&self, scope: &Scope) -> Stored<Vec<DocumentName>> {
        let snapshot = self.snapshot(scope).await?;
        let names =
            snapshot.view().sql().all(records::HOME_DOCUMENT_NAMES, Vec::new(), |row| row.get(0)).await;
        let names = names.and_then(|names| sorted(&snapshot, names));
        snapshot.end()?;
        names
    }

    async fn channels(&self, tenant: &TenantName) -> Stored<Option<Document>> {
        let owner = KeyOwner { tenant: tenant.clone(), persona: None };
        match self.read_document(owner, CHANNELS).await {
            Err(StoreError::NoTenant(_)) => Ok(None),
            found => found,
        }
    }
}

impl Postgres {
    /// Writes a tenant's channels, which a home on disk stores as a file.
    pub async fn put_channels(&self, tenant: &TenantName, content: Text) -> Stored<()> {
        let owner = KeyOwner { tenant: tenant.clone(), persona: None };
        self.change_document(owner, CHANNELS, |_| Ok(Some(content))).await
    }

    async fn read_document(&self, owner: KeyOwner, name: &str) -> Stored<Option<Document>> {
        let snapshot = self.snapshot_of(owner).await?;
        let keys = &self.inner.tools.keys;
        let found = document(&snapshot.transaction, &snapshot.owner, keys, name).await;
        snapshot.end()?;
        Ok(found?.map(|(_, document)| document))
    }

    /// Writes the result of `change`, and destroys the key of the previous version.
    async fn change_document(
        &self,
        owner: KeyOwner,
        name: &str,
        change: impl FnOnce(Option<Document>) -> Stored<Option<Text>>,
    ) -> Stored<()> {
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        let locked = key_table::place(&transaction, &owner, common::LOCK_PLACE).await?;
        locked.ok_or_else(|| key_table::no_such_place(&owner))?;
        let keys = &self.inner.tools.keys;
        let (old, kept) = document(&transaction, &owner, keys, name).await?.unzip();
        match change(kept) {
            Ok(Some(content)) => put(&transaction, &owner, keys, name, &content).await?,
            Ok(None) => {
                owner.sql(&transaction).run(records::DELETE_HOME_DOCUMENT, columns![name]).await?;
            }
            Err(refusal) => {
                transaction.roll_back()?;
                return Err(refusal);
            }
        }
        if let Some(old) = old {
            // Nobody needs to know when the key of an older version was destroyed, so no clock is read for
            // it.
            destroy_wrapped_key(&transaction.of_tenant(&owner.tenant), old, Timestamp::from_millis(0))
                .await?;
        }
        transaction.commit().await
    }
}

/// Seals a document under a key of its own.
pub(super) async fn put(
    transaction: &Transaction,
    owner: &KeyOwner,
    keys: &Keys,
    name: &str,
    content: &Text,
) -> Stored<()> {
    let (key_ref, dek) = make_key(keys, &transaction.of_tenant(&owner.tenant), &owner.tenant).await?;
    let at = RecordName(RecordKind::Document, name);
    let sealed = owner.sealed_place().seal(&dek, at, content.as_str().as_bytes(), &*keys.randomness)?;
    let row = columns![name, key_ref.as_bytes(), sealed];
    owner.sql(transaction).run(records::PUT_HOME_DOCUMENT, row).await.map(drop)
}

/// Opens every document of a place, and returns how many there are and which can't be opened.
pub(super) async fn prove(
    transaction: &Transaction,
    owner: &KeyOwner,
    keys: &Keys,
) -> Stored<(u64, Vec<Unreadable>)> {
    let rows = owner.sql(transaction).all(records::HOME_DOCUMENTS, Vec::new(), DocumentRow::read).await?;
    let (mut opened, mut damaged) = (0, Vec::new());
    for row in rows {
        match row.open(owner, keys).await? {
            Ok(_) => opened += 1,
            Err(cause) => {
                damaged.push(unreadable(RecordKind::Document, row.name, cause));
            }
        }
    }
    Ok((opened, damaged))
}

/// A document with the reference of its key.
async fn document(
    transaction: &Transaction,
    owner: &KeyOwner,
    keys: &Keys,
    name: &str,
) -> Stored<Option<(KeyRef, Document)>> {
    let sql = owner.sql(transaction);
    let row = sql.first(records::HOME_DOCUMENT, columns![name], DocumentRow::read).await?;
    let Some(row) = row else { return Ok(None) };
    let unreadable =
        |cause| StoreError::Unreadable { kind: RecordKind::Document, id: name.to_owned(), cause };
    let content = row.open(owner, keys).await?.map_err(unreadable)?;
    Ok(Some((row.key_ref, Document::new(content))))
}

fn check(kept: Option<Document>, name: DocumentName, found: Option<DocumentHash>) -> Stored<()> {
    let same = kept.map(|document| document.hash) == found;
    if same { Ok(()) } else { Err(Conflict::DocumentChanged(name).into()) }
}

/// A stored document.
struct DocumentRow {
    name: String,
    key_ref: KeyRef,
    sealed: Vec<u8>,
    wrapped: Option<(u64, [u8; WrappedKey::BYTES])>,
}

impl DocumentRow {
    fn read(row: &Row<'_>) -> Stored<Self> {
        let (epoch, wrapped): (Option<u64>, Option<[u8; WrappedKey::BYTES]>) = (row.get(3)?, row.get(4)?);
        Ok(Self {
            name: row.get(0)?,
            key_ref: KeyRef::from_bytes(row.get(1)?),
            sealed: row.get(2)?,
            wrapped: epoch.zip(wrapped),
        })
    }

    async fn open(&self, owner: &KeyOwner, keys: &Keys) -> Stored<Result<Text, Cause>> {
        let Some((epoch, bytes)) = &self.wrapped else { return Ok(Err(Cause::KeyMissing)) };
        let kek = keys.kek(&owner.tenant, *epoch).await?;
        let row = WrappedKey::from_bytes(*epoch, bytes);
        let dek = row.and_then(|row| row.unwrap(&kek, owner.tenant.as_str()).ok());
        let Some(dek) = dek else { return Ok(Err(Cause::KeyMissing)) };
        let opened =
            owner.sealed_place().open(&dek, RecordName(RecordKind::Document, &self.name), &self.sealed);
        Ok(opened.and_then(|plain| std::str::from_utf8(&plain).map(Text::new).map_err(|_| Cause::Damaged)))
    }
}

/// The keys of every document of a place.
pub(super) async fn key_refs(transaction: &Transaction, owner: &KeyOwner) -> Stored<Vec<KeyRef>> {
    let read = |row: &Row<'_>| row.get(0).map(KeyRef::from_bytes);
    transaction.sql(&owner.tenant, owner.id()).all(records::HOME_KEY_REFS, Vec::new(), read).await
}
