//! Where digests are stored: the owner's as files with backups, everyone else's as sealed documents.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Atom, Digest, Provenance, SubjectRef, Text, Timestamp, TurnId};
use store::{Batch, Document, DocumentHash, DocumentName, Records, Scope, StoreError};
use wire::Problem;

use super::new_digest::NewDigest;
use super::sources::Sources;
use crate::Engine;
use crate::people::person_documents::NewDocument;
use crate::retry::retry_conflicts;

/// A stored digest, with its sources.
#[derive(Default)]
pub(crate) struct StoredDigest {
    pub(crate) document: Option<Document>,
    pub(crate) sources: Sources,
    sources_hash: Option<DocumentHash>,
}

impl StoredDigest {
    /// Its text.
    pub(crate) fn text(&self) -> &str {
        self.document.as_ref().map_or("", |document| document.content.as_str())
    }

    /// Its sources as they are from now on, in place of the ones that were read.
    fn new_sources(&self, digest: Digest, sources: &Sources) -> NewDocument {
        let name = DocumentName::Sources(digest);
        NewDocument { name, replaces: self.sources_hash, text: sources.written() }
    }
}

/// The names of a digest's document and of its two backups.
pub(crate) const fn names(digest: Digest) -> [DocumentName; 3] {
    match digest {
        Digest::Short => {
            [DocumentName::MemoryShort, DocumentName::MemoryShortBackup1, DocumentName::MemoryShortBackup2]
        }
        Digest::Mid => {
            [DocumentName::MemoryMid, DocumentName::MemoryMidBackup1, DocumentName::MemoryMidBackup2]
        }
        Digest::Long => {
            [DocumentName::MemoryLong, DocumentName::MemoryLongBackup1, DocumentName::MemoryLongBackup2]
        }
    }
}

impl Engine {
    /// A person's current digest.
    pub(crate) async fn kept_digest(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        digest: Digest,
    ) -> Result<StoredDigest, Problem> {
        let [name, _, _] = names(digest);
        let document = self.person_document(scope, subject, name).await?;
        let written = self.person_document(scope, subject, DocumentName::Sources(digest)).await?;
        let sources_hash = written.as_ref().map(|written| written.hash);
        let sources = written.map(|written| Sources::read(written.content.as_str())).unwrap_or_default();
        Ok(StoredDigest { document, sources, sources_hash })
    }

    /// Replaces `old` with `made`; `old` becomes the first backup. A conflict if it was changed meanwhile.
    pub(crate) async fn keep_digest(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        digest: Digest,
        old: &StoredDigest,
        made: &NewDigest,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let [name, first, second] = names(digest);
        let documents = self.documents_of(scope, subject, now);
        let before_old = documents.find(first).await?;
        let before_old = before_old.map(|document| document.content).unwrap_or_default();
        let mut sources = made.sources.clone().joined(&old.sources);
        sources.prune(&[&made.text, old.text(), before_old.as_str()]);
        // The sources are stored before a file can be read by others.
        let mut all = vec![old.new_sources(digest, &sources)];
        for (backup, text) in [(second, before_old), (first, Text::from(old.text()))] {
            if !text.as_str().is_empty() {
                let replaces = documents.find(backup).await?.map(|document| document.hash);
                all.push(NewDocument { name: backup, replaces, text });
            }
        }
        let replaces = old.document.as_ref().map(|document| document.hash);
        all.push(NewDocument { name, replaces, text: Text::from(made.text.as_str()) });
        documents.write_all(Batch::at(now), all).await
    }

    /// Removes every line of a digest that comes from any of `gone`, and the backups. A removed line can't be
    /// restored, so the result is reported whatever happens afterwards.
    pub(crate) async fn remove_from_digests(
        &self,
        scope: &Scope,
        gone: &BTreeSet<TurnId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        if gone.is_empty() {
            return Ok(());
        }
        for person in self.store.subjects(scope).await? {
            self.remove_from_digests_of(scope, &person.subject, gone, now).await?;
        }
        Ok(())
    }

    /// The same in the digests of one person.
    pub(crate) async fn remove_from_digests_of(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        gone: &BTreeSet<TurnId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let names = self.store.subject_documents(scope, subject).await?;
        for digest in Digest::ALL {
            if names.contains(&DocumentName::Sources(digest)) {
                retry_conflicts(|| self.remove_lines_once(scope, subject, digest, gone, now)).await?;
            }
        }
        Ok(())
    }

    /// Excludes turns from a person's digests from now on, and removes the lines made from them.
    async fn omit_from_digests(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        turns: &BTreeSet<TurnId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        self.remove_from_digests(scope, turns, now).await?;
        for digest in Digest::ALL {
            retry_conflicts(|| self.omit_once(scope, subject, digest, turns, now)).await?;
        }
        Ok(())
    }

    async fn omit_once(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        digest: Digest,
        turns: &BTreeSet<TurnId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let stored = self.kept_digest(scope, subject, digest).await?;
        let mut sources = stored.sources.clone();
        sources.omitted.extend(turns);
        let new = stored.new_sources(digest, &sources);
        self.documents_of(scope, subject, now).write(new).await.map_err(Problem::from)
    }

    /// Excludes the source turns of memories from digests, because the memories were forgotten or wrong.
    pub(crate) async fn omit_sources_of(
        &self,
        scope: &Scope,
        atoms: &[&Atom],
        now: Timestamp,
    ) -> Result<(), Problem> {
        let mut by_person: BTreeMap<&SubjectRef, BTreeSet<TurnId>> = BTreeMap::new();
        for (atom, subject) in atoms.iter().filter_map(|atom| Some((atom, atom.subject.as_ref()?))) {
            let Provenance { session_id, turn_index, .. } = &atom.provenance;
            let turns = self.store.turns(scope, session_id).await?;
            let from = turns.iter().filter(|turn| turn.index == *turn_index).map(|turn| turn.id);
            by_person.entry(subject).or_default().extend(from);
        }
        for (subject, turns) in by_person.into_iter().filter(|(_, turns)| !turns.is_empty()) {
            self.omit_from_digests(scope, subject, &turns, now).await?;
        }
        Ok(())
    }

    /// Does the same after the memories were changed. The change is committed and stays, so what goes wrong
    /// here is logged, and is not the answer.
    pub(crate) async fn omit_sources_after_commit(&self, scope: &Scope, atoms: &[&Atom], now: Timestamp) {
        if let Err(problem) = self.omit_sources_of(scope, atoms, now).await {
            let (persona, code) = (scope.persona, problem.code.as_str());
            tracing::warn!(%persona, code, "a digest may still say what was corrected or set aside");
        }
    }

    async fn remove_lines_once(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        digest: Digest,
        gone: &BTreeSet<TurnId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let [name, first, second] = names(digest);
        let stored = self.kept_digest(scope, subject, digest).await?;
        if stored.sources.turns().is_disjoint(gone) {
            return Ok(());
        }
        let documents = self.documents_of(scope, subject, now);
        for backup in [second, first] {
            documents.remove(backup).await?;
        }
        let remaining = stored.sources.without(stored.text(), gone);
        if let (Some(remaining), Some(document)) = (remaining, &stored.document) {
            let text = Text::new(remaining);
            documents.write(NewDocument { name, replaces: Some(document.hash), text }).await?;
        }
        let mut sources = stored.sources.clone();
        sources.forget(gone);
        documents.write(stored.new_sources(digest, &sources)).await.map_err(Problem::from)
    }
}
