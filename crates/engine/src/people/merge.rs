//! Two references of one person: merges their records, or adds an alias without records.

use domain::{EventKind, SubjectRef};
use serde_json::json;
use store::{Batch, Change, EventDraft, Merge, PersonaEntry, Records, Subject};
use wire::key::Speaks;
use wire::subject::{AddAlias, MergeSubjects, SubjectAnswer};
use wire::{Code, Problem};

use crate::call::Call;
use crate::people::subjects::KnownSubject;
use crate::{Engine, boxed};

impl Engine {
    /// Makes all records of `asked.from` those of `into`, in every persona of the tenant.
    #[boxed]
    pub async fn merge_subjects(
        &self,
        call: &Call,
        into: &SubjectRef,
        asked: MergeSubjects,
    ) -> Result<SubjectAnswer, Problem> {
        let from = self.personas_knowing(call, &asked.from).await?;
        let into = self.main_reference(call, into).await?;
        demand_owner_for(call, &into)?;
        for KnownSubject { entry, subject } in from {
            if subject.subject == into {
                return Err(invalid("both references already belong to the same person"));
            }
            if subject.subject.is_owner() {
                return Err(invalid("the owner can't become a guest; merge the guest into `owner` instead"));
            }
            self.merge_with_persona(call, &entry, subject, &into).await?;
        }
        self.show_subject(call, &into).await
    }

    /// Adds an alias to a person; a reference with records of its own is merged instead.
    #[boxed]
    pub async fn add_alias(
        &self,
        call: &Call,
        named: &SubjectRef,
        asked: AddAlias,
    ) -> Result<SubjectAnswer, Problem> {
        if asked.alias.is_owner() {
            return Err(invalid("`owner` is reserved for the tenant's owner and can't be an alias"));
        }
        match self.personas_knowing(call, &asked.alias).await {
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
        for KnownSubject { entry, subject } in self.personas_knowing(call, named).await? {
            demand_owner_for(call, &subject.subject)?;
            let mut aliases = subject.aliases.clone();
            aliases.push(asked.alias.clone());
            let event = EventDraft::new(EventKind::SubjectAliased, call.caller.actor.clone())
                .privately(Some(subject.subject.clone()), json!({ "alias": asked.alias }).into());
            let batch = Batch::at(call.now)
                .with(Change::PutSubject(Subject { aliases, ..subject }))
                .with_event(event);
            self.store.commit(&entry.scope(), batch).await?;
            self.learn_aliases(&entry).await?;
        }
        self.show_subject(call, named).await
    }

    /// The main reference of a person; an unknown one stands for itself.
    async fn main_reference(&self, call: &Call, named: &SubjectRef) -> Result<SubjectRef, Problem> {
        match self.personas_knowing(call, named).await {
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
        let event = EventDraft::new(EventKind::SubjectMerged, call.caller.actor.clone())
            .privately(Some(into.clone()), json!({ "from": from.subject }).into());
        let merge = Merge { now: call.now, from: from.subject, into: into.clone(), events: vec![event] };
        self.merge_records(&scope, &merge).await?;
        self.wait_for_recalls(&scope).await?;
        self.learn_aliases(entry).await
    }
}

/// Refuses to make another person's records or name the owner's with a key that doesn't speak for the owner.
fn demand_owner_for(call: &Call, into: &SubjectRef) -> Result<(), Problem> {
    match call.caller.speaks {
        Speaks::Forwarded if into.is_owner() => Err(Problem::new(
            Code::Forbidden,
            "only a key that speaks for the owner can change the owner's references (`selfhood key new \
            --speaks owner`)",
        )),
        Speaks::Owner | Speaks::Forwarded => Ok(()),
    }
}

fn invalid(detail: &str) -> Problem {
    Problem::new(Code::ValidationFailed, detail)
}
