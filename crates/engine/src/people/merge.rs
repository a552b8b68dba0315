//! Two references turn out to be one person: merging their records, or noting an alias before there are any.

use domain::{EventKind, SubjectRef, Text};
use serde_json::json;
use store::{Batch, Change, EventDraft, Merge, PersonaEntry, Records, Subject};
use wire::key::Speaks;
use wire::subject::{AddAlias, MergeSubjects, SubjectAnswer};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::Call;
use crate::error::told;
use crate::memory::recall::OWNER;
use crate::people::subjects::KnownSubject;

impl Engine {
    /// Makes all records of `asked.from` those of `into`, with every persona of the tenant.
    pub async fn merge_subjects(
        &self,
        call: &Call,
        into: &SubjectRef,
        asked: MergeSubjects,
    ) -> Result<SubjectAnswer, Problem> {
        let from = self.acquaintances(call, &asked.from).await?;
        let into = self.main_reference(call, into).await?;
        demand_owner_for(call, &into)?;
        for KnownSubject { entry, subject } in from {
            if subject.subject == into {
                return Err(invalid("both references are the same person already"));
            }
            if subject.subject.as_str() == OWNER {
                return Err(invalid("the owner can't become a guest; merge the guest into `owner` instead"));
            }
            self.merge_with_persona(call, &entry, subject, &into).await?;
        }
        self.show_subject(call, &into).await
    }

    /// Notes that a person is also known as something; a reference with records of its own is merged instead.
    pub async fn add_alias(
        &self,
        call: &Call,
        named: &SubjectRef,
        asked: AddAlias,
    ) -> Result<SubjectAnswer, Problem> {
        if asked.alias.as_str() == OWNER {
            return Err(invalid("`owner` is the tenant's own person and nobody's alias"));
        }
        match self.acquaintances(call, &asked.alias).await {
            Err(problem) if problem.code == Code::SubjectNotFound => {}
            Err(problem) => return Err(problem),
            Ok(known) if known.iter().any(|it| it.subject.aliases.contains(&asked.alias)) => {
                let is_own =
                    |it: &KnownSubject| it.subject.subject == *named || it.subject.aliases.contains(named);
                if known.iter().any(is_own) {
                    return self.show_subject(call, named).await;
                }
                let detail = "that is another person's alias already; `selfhood subject merge` joins the two";
                return Err(Problem::new(Code::Conflict, detail));
            }
            Ok(_) => {
                let detail = "that reference has records of its own; use `selfhood subject merge`";
                return Err(Problem::new(Code::Conflict, detail));
            }
        }
        for KnownSubject { entry, subject } in self.acquaintances(call, named).await? {
            demand_owner_for(call, &subject.subject)?;
            let mut aliases = subject.aliases.clone();
            aliases.push(asked.alias.clone());
            let event = EventDraft::new(EventKind::SubjectAliased, call.caller.actor.clone())
                .privately(Some(subject.subject.clone()), json!({ "alias": asked.alias }).into());
            let batch =
                Batch::at(call.now).with(Change::PutSubject(Subject { aliases, ..subject })).saying(event);
            self.store.commit(&entry.scope(), batch).await.map_err(told)?;
            self.learn_aliases(&entry).await?;
        }
        self.show_subject(call, named).await
    }

    /// The reference a person goes by; one that nobody knows yet stands for itself.
    async fn main_reference(&self, call: &Call, named: &SubjectRef) -> Result<SubjectRef, Problem> {
        match self.acquaintances(call, named).await {
            Ok(known) => Ok(known.into_iter().next().map_or_else(|| named.clone(), |it| it.subject.subject)),
            Err(problem) if problem.code == Code::SubjectNotFound => Ok(named.clone()),
            Err(problem) => Err(problem),
        }
    }

    async fn merge_with_persona(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        from: Subject,
        into: &SubjectRef,
    ) -> Result<(), Problem> {
        let scope = entry.scope();
        self.join_documents(call, entry, &from.subject, into).await?;
        let event = EventDraft::new(EventKind::SubjectMerged, call.caller.actor.clone())
            .privately(Some(into.clone()), json!({ "from": from.subject }).into());
        let merge = Merge { now: call.now, from: from.subject, into: into.clone(), events: vec![event] };
        self.store.merge(&scope, merge).await.map_err(told)?;
        self.wait_for_recalls(&scope).await?;
        self.learn_aliases(entry).await
    }

    /// Documents that both have become one, so that the merge loses none.
    async fn join_documents(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        from: &SubjectRef,
        into: &SubjectRef,
    ) -> Result<(), Problem> {
        let scope = entry.scope();
        let own = self.store.subject_documents(&scope, into).await.map_err(told)?;
        for name in self.store.subject_documents(&scope, from).await.map_err(told)? {
            let theirs = self.store.subject_document(&scope, from, name).await.map_err(told)?;
            let ours = self.store.subject_document(&scope, into, name).await.map_err(told)?;
            let (true, Some(theirs), Some(ours)) = (own.contains(&name), theirs, ours) else { continue };
            let joined = format!("{}\n\n{}", ours.content.as_str().trim_end(), theirs.content.as_str());
            let batch = Batch::at(call.now)
                .with(Change::PutDocument(into.clone(), name, Text::new(joined)))
                .with(Change::RemoveDocument(from.clone(), name));
            self.store.commit(&scope, batch).await.map_err(told)?;
        }
        Ok(())
    }
}

/// Refuses to make somebody else's records or name the owner's with a key that doesn't speak for the owner.
fn demand_owner_for(call: &Call, into: &SubjectRef) -> Result<(), Problem> {
    match call.caller.speaks {
        Speaks::Forwarded if into.as_str() == OWNER => Err(Problem::new(
            Code::Forbidden,
            "only a key that speaks for the owner changes who the owner is (`selfhood key new --speaks owner`)",
        )),
        Speaks::Owner | Speaks::Forwarded => Ok(()),
    }
}

fn invalid(detail: &str) -> Problem {
    Problem::new(Code::ValidationFailed, detail)
}
