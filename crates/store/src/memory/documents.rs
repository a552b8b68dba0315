//! Documents in a map.

use domain::{TenantName, Text};

use super::Memory;
use crate::document::{Document, DocumentHash, DocumentName};
use crate::documents::Documents;
use crate::error::{Conflict, StoreError};
use crate::records::Stored;
use crate::scope::Scope;

impl Memory {
    /// Reads a document and replaces it with the result of `change`.
    fn change(
        &self,
        scope: &Scope,
        name: DocumentName,
        change: impl FnOnce(Option<Text>) -> Stored<Option<Text>>,
    ) -> Stored<()> {
        let mut world = self.world()?;
        if !world.personas.contains_key(scope) {
            return Err(StoreError::NoPersona(scope.clone()));
        }
        let key = (scope.clone(), name);
        match change(world.documents.get(&key).cloned())? {
            Some(content) => world.documents.insert(key, content),
            None => world.documents.remove(&key),
        };
        Ok(())
    }
}

fn check(name: DocumentName, kept: Option<Text>, found: Option<DocumentHash>) -> Stored<()> {
    let unchanged = kept.map(|kept| DocumentHash::of(kept.as_str())) == found;
    if unchanged { Ok(()) } else { Err(Conflict::DocumentChanged(name).into()) }
}

impl Documents for Memory {
    async fn read(&self, scope: &Scope, name: DocumentName) -> Stored<Option<Document>> {
        let world = self.world()?;
        if !world.personas.contains_key(scope) {
            return Err(StoreError::NoPersona(scope.clone()));
        }
        Ok(world.documents.get(&(scope.clone(), name)).cloned().map(Document::new))
    }

    async fn write(
        &self,
        scope: &Scope,
        name: DocumentName,
        found: Option<DocumentHash>,
        content: Text,
    ) -> Stored<DocumentHash> {
        let hash = DocumentHash::of(content.as_str());
        self.change(scope, name, |kept| check(name, kept, found).map(|()| Some(content)))?;
        Ok(hash)
    }

    async fn append(&self, scope: &Scope, name: DocumentName, text: Text) -> Stored<()> {
        self.change(scope, name, |kept| {
            let kept = kept.unwrap_or_default();
            Ok(Some(Text::new(format!("{}{}", kept.as_str(), text.as_str()))))
        })
    }

    async fn remove(&self, scope: &Scope, name: DocumentName, found: DocumentHash) -> Stored<()> {
        self.change(scope, name, |kept| check(name, kept, Some(found)).map(|()| None))
    }

    async fn list(&self, scope: &Scope) -> Stored<Vec<DocumentName>> {
        let world = self.world()?;
        if !world.personas.contains_key(scope) {
            return Err(StoreError::NoPersona(scope.clone()));
        }
        let theirs = world.documents.keys().filter(|(owner, _)| owner == scope);
        Ok(theirs.map(|(_, name)| *name).collect())
    }

    async fn channels(&self, _: &TenantName) -> Stored<Option<Document>> {
        self.world().map(|_| None)
    }
}
