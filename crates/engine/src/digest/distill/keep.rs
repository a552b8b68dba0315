//! Where digests are stored: the owner's as files with backups, everyone else's as sealed documents.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Atom, Digest, Provenance, SubjectRef, Text, Timestamp, TurnId};
use store::{
    Batch, Change, Document, DocumentHash, DocumentName, Documents, Expect, Records, Scope, StoreError,
};
use wire::Problem;

use super::new_digest::NewDigest;
use super::sources::Sources;
use crate::Engine;

/// A stored digest, with its sources.
#[derive(Default)]
pub(crate) struct StoredDigest {
    pub(crate) paper: Option<Document>,
    pub(crate) sources: Sources,
    sources_hash: Option<DocumentHash>,
}

impl StoredDigest {
    /// Its text.
    pub(crate) fn text(&self) -> &str {
        self.paper.as_ref().map_or("", |paper| paper.content.as_str())
    }
}

/// The document of a digest, and those of its two backups.
pub(crate) const fn papers(digest: Digest) -> [DocumentName; 3] {
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
        let [name, _, _] = papers(digest);
        let paper = self.digest_paper(scope, subject, name).await?;
        let sources = DocumentName::Sources(digest);
        let written = self.store.subject_document(scope, subject, sources).await?;
        let sources_hash = written.as_ref().map(|written| written.hash);
        let sources = written.map(|written| Sources::read(written.content.as_str())).unwrap_or_default();
        Ok(StoredDigest { paper, sources, sources_hash })
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
        let [name, first, second] = papers(digest);
        let before_old = self.digest_paper(scope, subject, first).await?;
        let before_old = before_old.map(|paper| paper.content).unwrap_or_default();
        let mut sources = made.sources.clone().joined(&old.sources);
        sources.prune(&[&made.text, old.text(), before_old.as_str()]);
        let sources_name = DocumentName::Sources(digest);
        let mut batch = Batch::at(now)
            .expecting(Expect::DocumentHash(subject.clone(), sources_name, old.sources_hash))
            .with(Change::PutDocument(subject.clone(), sources_name, sources.written()));
        let backups = [(second, before_old), (first, Text::from(old.text()))];
        let backups = backups.into_iter().filter(|(_, text)| !text.as_str().is_empty());
        let hash = old.paper.as_ref().map(|paper| paper.hash);
        if !subject.is_owner() {
            batch = batch.expecting(Expect::DocumentHash(subject.clone(), name, hash));
            for (backup, text) in backups {
                batch = batch.with(Change::PutDocument(subject.clone(), backup, text));
            }
            let new = Change::PutDocument(subject.clone(), name, Text::from(made.text.as_str()));
            return self.store.commit(scope, batch.with(new)).await.map(drop);
        }
        // The sources are stored before the file can be read by others.
        self.store.commit(scope, batch).await?;
        for (backup, text) in backups {
            let found = self.store.read(scope, backup).await?.map(|paper| paper.hash);
            self.store.write(scope, backup, found, text).await?;
        }
        self.store.write(scope, name, hash, Text::from(made.text.as_str())).await.map(drop)
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
                self.strike_from(scope, subject, digest, gone, now).await?;
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
            let mut kept = self.kept_digest(scope, subject, digest).await?;
            kept.sources.omitted.extend(turns);
            let name = DocumentName::Sources(digest);
            let batch = Batch::at(now)
                .expecting(Expect::DocumentHash(subject.clone(), name, kept.sources_hash))
                .with(Change::PutDocument(subject.clone(), name, kept.sources.written()));
            self.store.commit(scope, batch).await?;
        }
        Ok(())
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

    async fn strike_from(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        digest: Digest,
        gone: &BTreeSet<TurnId>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let [name, first, second] = papers(digest);
        loop {
            let mut kept = self.kept_digest(scope, subject, digest).await?;
            if kept.sources.turns().is_disjoint(gone) {
                return Ok(());
            }
            let struck = kept.sources.struck(kept.text(), gone);
            for backup in [second, first] {
                self.remove_paper(scope, subject, backup, now).await?;
            }
            if let (Some(struck), Some(paper)) = (struck, &kept.paper) {
                let written = self.put_paper(scope, subject, name, paper.hash, Text::new(struck), now).await;
                match written {
                    Ok(()) => {}
                    Err(StoreError::Conflict(_)) => continue,
                    Err(error) => return Err(error.into()),
                }
            }
            kept.sources.forget(gone);
            let sources = DocumentName::Sources(digest);
            let batch = Batch::at(now)
                .expecting(Expect::DocumentHash(subject.clone(), sources, kept.sources_hash))
                .with(Change::PutDocument(subject.clone(), sources, kept.sources.written()));
            match self.store.commit(scope, batch).await {
                Ok(_) => return Ok(()),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn digest_paper(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
    ) -> Result<Option<Document>, StoreError> {
        if subject.is_owner() {
            return self.store.read(scope, name).await;
        }
        self.store.subject_document(scope, subject, name).await
    }

    async fn put_paper(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
        found: DocumentHash,
        text: Text,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if subject.is_owner() {
            return self.store.write(scope, name, Some(found), text).await.map(drop);
        }
        let batch = Batch::at(now)
            .expecting(Expect::DocumentHash(subject.clone(), name, Some(found)))
            .with(Change::PutDocument(subject.clone(), name, text));
        self.store.commit(scope, batch).await.map(drop)
    }

    async fn remove_paper(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
        name: DocumentName,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let Some(paper) = self.digest_paper(scope, subject, name).await? else {
            return Ok(());
        };
        if subject.is_owner() {
            return self.store.remove(scope, name, paper.hash).await.map_err(Problem::from);
        }
        let batch = Batch::at(now).with(Change::RemoveDocument(subject.clone(), name));
        self.store.commit(scope, batch).await.map(drop).map_err(Problem::from)
    }
}
