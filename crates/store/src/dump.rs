//! All data of a persona, opened and in a fixed order: identical from every store with the same history.

use serde_json::{Value, json};

use crate::atom::{StoredAtom, Vector};
use crate::records::{LoggedEvent, Records, Stored};
use crate::scope::Scope;
use crate::tombstone::RecordId;

/// All records of a persona as one JSON value. It contains all text in the clear, so it must not be logged.
///
/// Random values are left out: keys, salts, commitments and roots.
pub async fn dump(store: &impl Records, scope: &Scope) -> Stored<Value> {
    let loaded = store.load(scope).await?;
    let mut rehearsals = Vec::new();
    for stored in &loaded.atoms {
        let recorded = store.rehearsals(scope, stored.atom.id).await?;
        if !recorded.is_empty() {
            rehearsals.push(json!({ "id": stored.atom.id, "rehearsals": recorded }));
        }
    }
    let mut sessions = Vec::new();
    for session in store.sessions(scope, None).await? {
        let turns = store.turns(scope, &session.id).await?;
        sessions.push(json!({ "session": session, "turns": turns }));
    }
    let mut subjects = Vec::new();
    for subject in store.subjects(scope).await? {
        let mut documents = Vec::new();
        for name in store.subject_documents(scope, &subject.subject).await? {
            let document = store.subject_document(scope, &subject.subject, name).await?;
            documents
                .push(json!({ "name": name.to_string(), "content": document.map(|found| found.content) }));
        }
        subjects.push(json!({ "subject": subject, "documents": documents }));
    }
    let vectors = store.all_vectors(scope).await?;
    Ok(json!({
        "revision": loaded.revision,
        "atoms": loaded.atoms.iter().map(atom).collect::<Vec<_>>(),
        "vectors": vectors.iter().map(|(record, vectors)| vector(record, vectors)).collect::<Vec<_>>(),
        "rehearsals": rehearsals,
        "timeline": loaded.timeline,
        "tombstones": loaded.tombstones,
        "subjects": subjects,
        "sessions": sessions,
        "traces": store.traces(scope).await?,
        "requests": store.requests(scope).await?,
        "events": store.events(scope, 0..u64::MAX).await?.iter().map(event).collect::<Vec<_>>(),
        "checkpoints": store.checkpoints(scope).await?.iter().map(|signed| signed.size).collect::<Vec<_>>(),
    }))
}

fn atom(stored: &StoredAtom) -> Value {
    let vector = stored.vector.as_ref();
    let vector = vector.map(|vector| json!({ "embedder": vector.embedder, "bytes": vector.bytes }));
    json!({ "atom": stored.atom, "vector": vector, "revision": stored.revision })
}

fn vector(record: &RecordId, vectors: &Vector) -> Value {
    json!({ "record": record, "maker": vectors.embedder, "bytes": vectors.bytes })
}

fn event(logged: &LoggedEvent) -> Value {
    let mut event = json!(logged.event);
    if let Some(object) = event.as_object_mut() {
        object.remove("commit");
    }
    json!({ "event": event, "private": logged.private })
}
