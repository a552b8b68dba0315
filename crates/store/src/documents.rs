//! The plain documents of a persona's home, which people edit with their own editors.

use std::future::Future;

use domain::{TenantName, Text};

use crate::document::{Document, DocumentHash, DocumentName};
use crate::records::Stored;
use crate::scope::Scope;

/// The documents of personas. Each call reads the current file, so edits by hand are visible at once.
pub trait Documents {
    /// Reads a document, if it exists.
    fn read<'a>(
        &'a self,
        scope: &'a Scope,
        name: DocumentName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send + 'a;

    /// Writes a document if its hash is still `found`; `None` means that it must not exist.
    fn write<'a>(
        &'a self,
        scope: &'a Scope,
        name: DocumentName,
        found: Option<DocumentHash>,
        content: Text,
    ) -> impl Future<Output = Stored<DocumentHash>> + Send + 'a;

    /// Appends to a document, creating it if needed.
    fn append<'a>(
        &'a self,
        scope: &'a Scope,
        name: DocumentName,
        text: Text,
    ) -> impl Future<Output = Stored<()>> + Send + 'a;

    /// Removes a document if its hash is still `found`.
    fn remove<'a>(
        &'a self,
        scope: &'a Scope,
        name: DocumentName,
        found: DocumentHash,
    ) -> impl Future<Output = Stored<()>> + Send + 'a;

    /// The existing documents, by name.
    fn list<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<Vec<DocumentName>>> + Send + 'a;

    /// The tenant's `channels.json`, if it exists.
    fn channels<'a>(
        &'a self,
        tenant: &'a TenantName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send + 'a;
}
