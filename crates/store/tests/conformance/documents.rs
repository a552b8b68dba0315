//! Documents: read as they currently are, written only if unchanged.

use domain::example;
use store::{Conflict, Day, Document, DocumentName, Documents, StoreError};

use crate::world::in_every_world;

#[test]
fn a_document_is_written_only_if_it_is_what_it_was() {
    in_every_world(|world| async move {
        let (store, scope, name) = (&world.store, &world.scope, DocumentName::Soul);
        assert_eq!(store.read(scope, name).await.unwrap(), None);
        let first = store.write(scope, name, None, "kind".into()).await.unwrap();
        let twice = store.write(scope, name, None, "rude".into()).await.unwrap_err();
        assert!(matches!(twice, StoreError::Conflict(Conflict::DocumentChanged(found)) if found == name));
        let second = store.write(scope, name, Some(first), "kind and wise".into()).await.unwrap();
        assert!(store.write(scope, name, Some(first), "late".into()).await.is_err());
        let world = world.reopened().await;
        let (store, scope) = (&world.store, &world.scope);
        let found = store.read(scope, name).await.unwrap().unwrap();
        assert_eq!((found.content.as_str(), found.hash), ("kind and wise", second));
        assert!(store.remove(scope, name, first).await.is_err());
        store.remove(scope, name, second).await.unwrap();
        assert_eq!(store.read(scope, name).await.unwrap(), None);
    });
}

#[test]
fn day_logs_grow_and_are_listed_with_the_rest() {
    in_every_world(|world| async move {
        let (store, scope) = (&world.store, &world.scope);
        let log = DocumentName::DayLog(Day::new(2026, 4, 22).unwrap());
        for line in ["**Scott:** hello\n", "**Inara:** hello you\n"] {
            store.append(scope, log, line.into()).await.unwrap();
        }
        store.write(scope, DocumentName::Tasks, None, "[]".into()).await.unwrap();
        store.write(scope, DocumentName::MemoryMidBackup1, None, "old".into()).await.unwrap();
        assert_eq!(
            store.list(scope).await.unwrap(),
            [DocumentName::MemoryMidBackup1, DocumentName::Tasks, log]
        );
        let whole = Document::new("**Scott:** hello\n**Inara:** hello you\n".into());
        assert_eq!(store.read(scope, log).await.unwrap(), Some(whole));
    });
}

#[test]
fn a_persona_is_made_with_its_documents() {
    in_every_world(|world| async move {
        let entry = store::PersonaEntry {
            tenant: world.scope.tenant.clone(),
            id: domain::PersonaId(uuid::Uuid::from_u128(5)),
            name: "tina".parse().unwrap(),
            created_at: example::day(0),
        };
        let documents = vec![(DocumentName::Identity, "Tina".into()), (DocumentName::User, "Holly".into())];
        let new = store::NewPersona { entry: entry.clone(), documents, events: Vec::new() };
        store::Deployment::create_persona(&world.store, new).await.unwrap();
        let names = world.store.list(&entry.scope()).await.unwrap();
        assert_eq!(names, [DocumentName::Identity, DocumentName::User]);
    });
}
