//! Keeps forgotten people from coming back with an import.
//!
//! Their identifiers are stored as keyed hashes for as long as tombstones are. The same person may return:
//! only records older than their erasure are refused.

use std::collections::{BTreeMap, BTreeSet};

use domain::creation::CreationRefusal;
use domain::{Atom, Identifier, SubjectRef, TenantName, Timestamp};
use store::{Deployment, RequestTag};
use wire::Problem;

use super::job::JobSecrets;
use super::words;
use crate::Engine;
use crate::error::store_problem;

const PURPOSE: &str = "erased";

impl Engine {
    /// The hashes of all identifiers of a job's subject.
    pub(super) fn bars(&self, private: &JobSecrets) -> Vec<RequestTag> {
        private.sought().iter().map(|identifier| self.bar(identifier)).collect()
    }

    fn bar(&self, identifier: &Identifier) -> RequestTag {
        RequestTag(self.pepper.tag(PURPOSE, &[identifier.canonical().as_bytes()]))
    }

    /// The identifiers that imports may not contain.
    pub(crate) async fn barred(&self, tenant: &TenantName) -> Result<ForgottenIdentifiers<'_>, Problem> {
        Ok(ForgottenIdentifiers {
            engine: self,
            erased: self.store.erased(tenant).await.map_err(store_problem)?,
        })
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
        let erased_at = |identifier: &Identifier| self.erased.get(&self.engine.bar(identifier)).copied();
        let erased = named(people, texts).iter().filter_map(erased_at).max();
        if erased.is_some_and(|erased| at <= erased) {
            return Err(CreationRefusal::SubjectErased);
        }
        Ok(())
    }
}

/// The identifiers in a record: its people, and every address in its text.
fn named(people: &[&SubjectRef], texts: &[impl AsRef<str>]) -> Vec<Identifier> {
    let people = people.iter().map(|known| known.as_str().to_owned());
    let is_edge = |c: char| !c.is_alphanumeric() && c != '+';
    let single =
        texts.iter().flat_map(|text| text.as_ref().split_whitespace()).map(|word| word.trim_matches(is_edge));
    let addresses = single.filter(|word| word.parse::<Identifier>().is_ok_and(|known| known.is_address()));
    let all: BTreeSet<String> = people.chain(addresses.map(str::to_owned)).collect();
    all.iter().filter_map(|text| text.parse().ok()).collect()
}
