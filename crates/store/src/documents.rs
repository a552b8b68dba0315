//! The plain documents of a persona's home, which people edit with their own editors.

use std::future::Future;

use domain::{TenantName, Text};

use crate::document::{Document, DocumentHash, DocumentName};
use crate::records::Stored;
use crate::scope::Scope;

/// The documents of personas. Each call reads the current file, so edits by hand are visible at once.
pub trait Documents {
    /// Reads a document, if it exists.
    fn read(
        &self,
        scope: &Scope,
        name: DocumentName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send;

    /// Writes a document if its hash is still `found`; `None` means that it must not exist.
    fn write(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: Option<DocumentHash>,
        content: Text,
    ) -> impl Future<Output = Stored<DocumentHash>> + Send;

    /// Appends to a document, creating it if needed.
    fn append(
        &self,
        scope: &Scope,
        name: DocumentName,
        text: Text,
    ) -> impl Future<Output = Stored<()>> + Send;

    /// Removes a document if its hash is still `found`.
    fn remove(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: DocumentHash,
    ) -> impl Future<Output = Stored<()>> + Send;

    /// The existing documents, by name.
    fn list(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<DocumentName>>> + Send;

    /// The tenant's `channels.json`, if it exists.
    fn channels(&self, tenant: &TenantName) -> impl Future<Output = Stored<Option<Document>>> + Send;
}
