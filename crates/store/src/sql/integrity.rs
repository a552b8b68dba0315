//! Opens every record of a persona, to find those that can't be opened.

use super::{Reader, atoms, conversation, subjects, timeline, traces, unreadable, vectors};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::records::Stored;
use crate::scope::Scope;
use crate::sealing::KeyTable;

/// How many records can be opened, and which can't.
pub(crate) async fn open_all(reader: &impl Reader, scope: &Scope) -> Stored<(u64, Vec<Unreadable>)> {
    let (atoms, mut unreadable) = atoms::all_atoms(reader).await?;
    let (entries, damaged) = timeline::timeline(reader, scope).await?;
    unreadable.extend(damaged);
    unreadable.extend(vectors::all_vectors(reader).await?.1);
    let (sessions, damaged) = conversation::sessions(reader, None).await?;
    unreadable.extend(damaged);
    let mut turns = 0;
    for session in &sessions {
        let (opened, damaged) = conversation::turns(reader, &session.id).await?;
        turns += opened.len();
        unreadable.extend(damaged);
    }
    let (traces, damaged) = traces::traces(reader).await?;
    unreadable.extend(damaged);
    let (documents, damaged) = subjects::prove_documents(reader).await?;
    unreadable.extend(damaged);
    unreadable.extend(unreadable_keys(reader.keys()));
    let lists = [atoms.len(), entries.len(), sessions.len(), turns, traces.len()];
    Ok((u64::try_from(lists.iter().sum::<usize>()).unwrap_or(u64::MAX) + documents, unreadable))
}

/// Keys that are destroyed or missing, or whose label can't be opened.
pub(crate) fn unreadable_keys(keys: &KeyTable) -> impl Iterator<Item = Unreadable> {
    keys.all().filter_map(|(_, entry)| {
        let cause = entry.dek.as_ref().err().copied();
        let cause = cause.or(entry.label.is_none().then_some(Cause::Damaged))?;
        Some(unreadable(RecordKind::Subject, entry.key_ref, cause))
    })
}
