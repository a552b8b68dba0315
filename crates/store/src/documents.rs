//! The plain documents of a persona's home, which people edit with their own editors.

use std::future::Future;

use domain::{TenantName, Text};

use crate::document::{Document, DocumentHash, DocumentName};
use crate::records::Stored;
use crate::scope::Scope;

/// The documents of personas. Each call looks at the file as it is now, so an edit by hand is seen at once.
pub trait Documents {
    /// Reads a document, if there is one.
    fn read(
        &self,
        scope: &Scope,
        name: DocumentName,
    ) -> impl Future<Output = Stored<Option<Document>>> + Send;

    /// Writes a document, if it is still what it was when `found` was read; `None` if there was none.
    fn write(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: Option<DocumentHash>,
        content: Text,
    ) -> impl Future<Output = Stored<DocumentHash>> + Send;

    /// Adds to the end of a document, which is made if there is none.
    fn append(
        &self,
        scope: &Scope,
        name: DocumentName,
        text: Text,
    ) -> impl Future<Output = Stored<()>> + Send;

    /// Takes a document away, if it is still what it was when `found` was read.
    fn remove(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: DocumentHash,
    ) -> impl Future<Output = Stored<()>> + Send;

    /// The documents there are, by name.
    fn list(&self, scope: &Scope) -> impl Future<Output = Stored<Vec<DocumentName>>> + Send;

    /// The tenant's `channels.json`, if there is one.
    fn channels(&self, tenant: &TenantName) -> impl Future<Output = Stored<Option<Document>>> + Send;
}
