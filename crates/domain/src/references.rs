//! References between memories, and the repair of dangling ones.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::coherence::{FORGOTTEN, replace_references};
use crate::problem::{Problem, ProblemCode};
use crate::structure::child;
use crate::validate::readable_atoms;
use crate::{Atom, MemoryId};

/// Repairs the fixable ones of `problems` in `value`, and returns how many it repaired.
pub fn fix(value: &mut Value, problems: &[Problem]) -> usize {
    let present: BTreeSet<MemoryId> = readable_atoms(value).iter().map(|(_, atom)| atom.id).collect();
    problems.iter().filter(|problem| problem.fixable && fix_one(value, problem, &present).is_some()).count()
}

/// Every problem with the references among `atoms`: duplicate ids, and dangling references.
#[must_use]
pub(crate) fn check_references(atoms: &[(String, Atom)]) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for (at, atom) in atoms {
        if !seen.insert(atom.id) {
            let message = format!("{} is the id of an earlier memory too", atom.id);
            problems.push(Problem::error(ProblemCode::DuplicateId, child(at, "id"), message));
        }
    }
    for (at, atom) in atoms {
        for (place, id) in references(atom).into_iter().filter(|(_, id)| !seen.contains(id)) {
            let message = format!("refers to {id}, which is not there");
            let orphan = Problem::warning(ProblemCode::OrphanReference, format!("{at}/{place}"), message);
            problems.push(orphan.fixable());
        }
    }
    problems
}

/// The texts of stored memories that refer to one that is not in `known`. The lineage of a stored memory may name what
/// was forgotten since; its text may not.
pub(crate) fn check_stored_references(atoms: &[(String, Atom)], known: &BTreeSet<MemoryId>) -> Vec<Problem> {
    let orphans = atoms.iter().flat_map(|(at, atom)| {
        let named = references_in_text(atom).into_iter().filter(|(_, id)| !known.contains(id));
        named.map(move |(place, id)| {
            let message =
                format!("refers to {id}, which is not there; correct it with `selfhood memory correct`");
            Problem::warning(ProblemCode::OrphanReference, format!("{at}/{place}"), message)
        })
    });
    orphans.collect()
}

/// Every memory that `atom` refers to: in its lineage, and in its text.
fn references(atom: &Atom) -> Vec<(String, MemoryId)> {
    let lineage = atom.derived_from.iter().enumerate().map(|(n, id)| (format!("derivedFrom/{n}"), *id));
    let revised = atom.revises.map(|id| ("revises".to_owned(), id));
    lineage.chain(revised).chain(references_in_text(atom)).collect()
}

fn references_in_text(atom: &Atom) -> Vec<(String, MemoryId)> {
    let gist = std::iter::once(("gist".to_owned(), atom.gist.as_str()));
    let details = atom.details.iter().enumerate();
    let details = details.map(|(n, detail)| (format!("details/{n}/content"), detail.content.as_str()));
    let tags = atom.tags.iter().enumerate().map(|(n, tag)| (format!("tags/{n}"), tag.as_str()));
    let cues = atom.cues.iter().enumerate().map(|(n, cue)| (format!("cues/{n}"), cue.as_str()));
    let named = gist.chain(details).chain(tags).chain(cues);
    named.flat_map(|(place, words)| named_ids(words).into_iter().map(move |id| (place.clone(), id))).collect()
}

/// The memory ids written in `words`.
#[must_use]
pub fn named_ids(words: &str) -> BTreeSet<MemoryId> {
    let starts = words.match_indices("mem:").map(|(start, _)| start);
    starts.filter_map(|start| words.get(start..start + 16)?.parse().ok()).collect()
}

fn fix_one(value: &mut Value, problem: &Problem, present: &BTreeSet<MemoryId>) -> Option<()> {
    if problem.code == ProblemCode::RehearsalMismatch {
        copy_creation_time(value, &problem.pointer)
    } else {
        remove_orphan(value, &problem.pointer, present)
    }
}

fn copy_creation_time(value: &mut Value, pointer: &str) -> Option<()> {
    let (atom, field) = pointer.rsplit_once('/')?;
    let atom = value.pointer_mut(atom)?.as_object_mut()?;
    let created = atom.get("createdAt")?.clone();
    atom.insert(field.to_owned(), created);
    Some(())
}

/// Removes a dangling reference from the lineage; in a text it is replaced by `[forgotten]`.
fn remove_orphan(value: &mut Value, pointer: &str, present: &BTreeSet<MemoryId>) -> Option<()> {
    let (parent, field) = pointer.rsplit_once('/')?;
    let is_orphan = |value: &Value| {
        value.as_str().and_then(|id| id.parse().ok()).is_some_and(|id| !present.contains(&id))
    };
    if parent.ends_with("/derivedFrom") {
        value.pointer_mut(parent)?.as_array_mut()?.retain(|id| !is_orphan(id));
    } else if field == "revises" {
        value.pointer_mut(parent)?.as_object_mut()?.shift_remove(field);
    } else {
        let words = value.pointer_mut(pointer)?;
        let orphans: BTreeSet<MemoryId> = named_ids(words.as_str()?).difference(present).copied().collect();
        let replaced = replace_references(words.as_str()?, &orphans).unwrap_or_else(|| FORGOTTEN.to_owned());
        *words = Value::String(replaced);
    }
    Some(())
}
