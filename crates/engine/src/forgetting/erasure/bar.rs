//! Keeps forgotten people from coming back with an import.
//!
//! Their identifiers are stored as keyed hashes for as long as tombstones are. The same person may return:
//! only records older than their erasure are refused.

use std::collections::{BTreeMap, BTreeSet};

use domain::creation::CreationRefusal;
use domain::identifier::canonical_forms;
use domain::{Atom, Event, Identifier, SubjectRef, TenantName, Timestamp};
use store::{Deployment, RequestTag};
use wire::Problem;

use super::job::JobSecrets;
use super::words;
use crate::Engine;

const PURPOSE: &str = "erased";

impl Engine {
    /// The hashes of all identifiers of a job's subject.
    pub(super) fn bars(&self, private: &JobSecrets) -> Vec<RequestTag> {
        private.sought().iter().map(|identifier| self.bar(&identifier.canonical())).collect()
    }

    fn bar(&self, canonical: &str) -> RequestTag {
        RequestTag(self.pepper.tag(PURPOSE, &[canonical.as_bytes()]))
    }

    /// The identifiers that imports may not contain.
    pub(crate) async fn barred(&self, tenant: &TenantName) -> Result<ForgottenIdentifiers<'_>, Problem> {
        Ok(ForgottenIdentifiers { engine: self, erased: self.store.erased(tenant).await? })
    }
}

/// The hashes of forgotten people's identifiers, and when each person was forgotten.
pub(crate) struct ForgottenIdentifiers<'e> {
    engine: &'e Engine,
    erased: BTreeMap<RequestTag, Timestamp>,
}

impl ForgottenIdentifiers<'_> {
    /// Refuses an imported memory that is older than the erasure of a person in it.
    pub(crate) fn refuse(&self, atom: &Atom) -> Result<(), CreationRefusal> {
        if self.erased.is_empty() {
            return Ok(());
        }
        let people: Vec<&SubjectRef> = atom.subject.iter().chain(&atom.mentions).collect();
        self.refuse_words(&people, &words::of_atom(atom), atom.created_at)
    }

    /// Refuses an imported event that took place before the erasure of a person in it.
    pub(crate) fn refuse_event(&self, event: &Event) -> Result<(), CreationRefusal> {
        if self.erased.is_empty() {
            return Ok(());
        }
        self.refuse_words(&[], &words::of(event), event.event_at)
    }

    /// Refuses text of `at` about these `people` that is older than the erasure of one of them.
    pub(crate) fn refuse_words(
        &self,
        people: &[&SubjectRef],
        texts: &[impl AsRef<str>],
        at: Timestamp,
    ) -> Result<(), CreationRefusal> {
        if self.erased.is_empty() {
            return Ok(());
        }
        let erased_at = |canonical: &String| self.erased.get(&self.engine.bar(canonical)).copied();
        let erased = named(people, texts).iter().filter_map(erased_at).max();
        if erased.is_some_and(|erased| at <= erased) {
            return Err(CreationRefusal::SubjectErased);
        }
        Ok(())
    }
}

/// The canonical forms of the identifiers in a record: its people, and what its text has of addresses and of names that
/// are long enough. A short name in a text may be anybody's.
fn named(people: &[&SubjectRef], texts: &[impl AsRef<str>]) -> BTreeSet<String> {
    let people = people.iter().filter_map(|known| known.as_str().parse().ok());
    let people = people.map(|identifier: Identifier| identifier.canonical());
    people.chain(texts.iter().flat_map(|text| canonical_forms(text.as_ref()))).collect()
}
