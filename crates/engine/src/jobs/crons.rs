//! The jobs that people and tools write into `CRONS.json`: remind, note, message, brief; and due reminders.
//!
//! A job works with the documents of its owner. Only the tenant's owner has channels, so the message of a
//! guest's job is written to the guest's scratch pad.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{PersonaId, SubjectRef, Text, Timestamp};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use llm::{Backend, Complete, Message, Request};
use serde_json::json;
use store::DocumentName::{Crons, Reminders, Scratch, Tasks};
use store::{JobOutcome, PersonaEntry, Records, Scope};
use wire::context::PreviewContext;
use wire::tool::{AddReminder, JobType};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::jobs::notifications::{Delivery, Notice};
use crate::jobs::scheduler::JobResult;
use crate::people::person_documents::PersonDocuments;
use crate::persona::registry::PersonaContext;
use crate::talk::tools::{Cron, add_reminder, crons, due_reminders, open_reminders, open_tasks};

/// A brief is asked with the largest tier.
const MOST_CONTEXT: u8 = 4;

/// The people with scheduled jobs, by persona and revision.
#[derive(Default)]
pub(crate) struct PeopleWithCrons(Mutex<HashMap<PersonaId, (u64, Vec<SubjectRef>)>>);

impl PeopleWithCrons {
    fn at(&self, persona: PersonaId, revision: u64) -> Option<Vec<SubjectRef>> {
        let known = self.known();
        known.get(&persona).filter(|(of, _)| *of == revision).map(|(_, people)| people.clone())
    }

    fn keep(&self, persona: PersonaId, revision: u64, people: Vec<SubjectRef>) {
        self.known().insert(persona, (revision, people));
    }

    /// Drops a persona's entry.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.known().remove(&persona);
    }

    /// Drops all entries.
    pub(crate) fn forget_all(&self) {
        self.known().clear();
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PersonaId, (u64, Vec<SubjectRef>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A scheduled job and its person.
#[derive(Clone)]
pub(crate) struct Scheduled {
    pub(crate) subject: SubjectRef,
    pub(crate) cron: Cron,
    /// The name under which its runs are stored.
    pub(crate) name: String,
}

impl Engine {
    /// All jobs scheduled with a persona, by anyone. An unreadable `CRONS.json` schedules nothing.
    pub(crate) async fn scheduled(&self, entry: &PersonaEntry) -> Result<Vec<Scheduled>, Problem> {
        let scope = entry.scope();
        let mut all = Vec::new();
        for subject in self.people_with_crons(&scope).await? {
            let Some(document) = self.person_document(&scope, &subject, Crons).await? else { continue };
            let Ok(jobs) = crons(document.content.as_str()) else {
                tracing::warn!(persona = %entry.id, "a CRONS.json can't be read; nothing in it runs");
                continue;
            };
            for cron in jobs {
                let name = self.cron_name(&scope, &subject, &cron);
                all.push(Scheduled { subject: subject.clone(), cron, name });
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup_by(|a, b| a.name == b.name);
        Ok(all)
    }

    /// The people who may have scheduled jobs. Sealed documents change only with the persona's revision.
    async fn people_with_crons(&self, scope: &Scope) -> Result<Vec<SubjectRef>, Problem> {
        let revision = self.store.revision(scope).await?;
        if let Some(known) = self.job_state.people_with_crons.at(scope.persona, revision) {
            return Ok(known);
        }
        let mut people = vec![SubjectRef::owner()];
        for person in self.store.subjects(scope).await? {
            let names = self.store.subject_documents(scope, &person.subject).await?;
            people.extend((names.contains(&Crons) && !person.subject.is_owner()).then_some(person.subject));
        }
        self.job_state.people_with_crons.keep(scope.persona, revision, people.clone());
        Ok(people)
    }

    /// A name that doesn't reveal the job's content, and stays the same as long as the job does.
    fn cron_name(&self, scope: &Scope, subject: &SubjectRef, cron: &Cron) -> String {
        let persona = scope.persona.to_string();
        let schedule = cron.schedule.to_string();
        let by_words = [cron.job.as_str(), schedule.as_str(), cron.text.as_str()];
        let by_id = cron.id.as_deref().map(|id| vec![id]);
        let own = by_id.unwrap_or_else(|| by_words.to_vec());
        let fields: Vec<&[u8]> = [persona.as_bytes(), subject.as_str().as_bytes()]
            .into_iter()
            .chain(own.into_iter().map(str::as_bytes))
            .collect();
        let tag = vault::encoding::hex(&self.pepper.tag("cron", &fields));
        format!("cron-{}", tag.get(..16).unwrap_or_default())
    }

    /// Runs a scheduled job.
    pub(crate) async fn run_cron(
        &self,
        call: &Call,
        persona: &PersonaContext,
        job: &Scheduled,
    ) -> Result<JobResult, Problem> {
        let documents = self.documents_of(&persona.entry.scope(), &job.subject, call.now);
        let text = job.cron.text.as_str();
        let heard = match job.cron.job {
            JobType::Remind => {
                let asked = AddReminder { text: Text::from(text), due: None };
                documents
                    .change(Reminders, |document| {
                        let stands = open_reminders(document).iter().any(|open| open == text);
                        if stands {
                            Ok((document.to_owned(), String::new()))
                        } else {
                            add_reminder(document, &asked)
                        }
                    })
                    .await?;
                None
            }
            JobType::Note => {
                self.note(&persona.entry, &documents, text).await?;
                None
            }
            JobType::Message => {
                Some(self.say(&persona.entry, &documents, "cron.message", text.to_owned()).await?)
            }
            JobType::Brief => {
                let brief = self.brief(call, &persona.entry, &documents, text).await?;
                Some(self.say(&persona.entry, &documents, "cron.brief", brief).await?)
            }
        };
        let report = json!({ "type": job.cron.job.as_str(), "sent": heard == Some(Delivery::Sending) });
        Ok(JobResult { outcome: JobOutcome::Done, report, distilled: Vec::new() })
    }

    /// Notifies the owner of reminders due after `since` and up to `due`.
    pub(crate) async fn run_reminders(
        &self,
        call: &Call,
        persona: &PersonaContext,
        since: Timestamp,
        due: Timestamp,
    ) -> Result<JobResult, Problem> {
        let zone = self.zone(&persona.entry, call.now).await;
        let reminders = self.reminders(&persona.entry.scope(), &zone).await?;
        let now_due: Vec<String> =
            reminders.into_iter().filter(|(at, _)| *at > since && *at <= due).map(|(_, text)| text).collect();
        let mut sent = 0;
        for text in &now_due {
            let (tenant, name) = (&persona.entry.tenant, &persona.entry.name);
            let notice =
                Notice { tenant, persona: name, kind: "reminder", text: format!("Reminder: {text}") };
            sent += usize::from(self.notify(notice, call.now).await == Delivery::Sending);
        }
        let report = json!({ "due": now_due.len(), "sent": sent });
        Ok(JobResult { outcome: JobOutcome::Done, report, distilled: Vec::new() })
    }

    /// The owner's open reminders with a due time.
    pub(crate) async fn reminders(
        &self,
        scope: &Scope,
        zone: &TimeZone,
    ) -> Result<Vec<(Timestamp, String)>, Problem> {
        let document = self.person_document(scope, &SubjectRef::owner(), Reminders).await?;
        let text = document.map(|document| document.content).unwrap_or_default();
        let at = |due: DateTime| {
            let at = due.to_zoned(zone.clone()).ok()?;
            Some(Timestamp::from_millis(at.timestamp().as_millisecond()))
        };
        Ok(due_reminders(text.as_str())
            .into_iter()
            .filter_map(|(due, text)| Some((at(due)?, text)))
            .collect())
    }

    /// Sends a message to the person of a job: over the owner's channels, else to the scratch pad.
    async fn say(
        &self,
        entry: &PersonaEntry,
        documents: &PersonDocuments<'_>,
        kind: &'static str,
        text: String,
    ) -> Result<Delivery, Problem> {
        if documents.subject.is_owner() {
            let notice = Notice { tenant: &entry.tenant, persona: &entry.name, kind, text: text.clone() };
            if self.notify(notice, documents.now).await == Delivery::Sending {
                return Ok(Delivery::Sending);
            }
        }
        self.note(entry, documents, &text).await.map(|()| Delivery::NoChannel)
    }

    async fn note(
        &self,
        entry: &PersonaEntry,
        documents: &PersonDocuments<'_>,
        text: &str,
    ) -> Result<(), Problem> {
        let zone = self.zone(entry, documents.now).await;
        let at = documents.now.to_jiff().to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string();
        let line = format!("- {at} {}\n", recall::folded(text));
        documents
            .change(Scratch, |document| {
                let gap = if document.is_empty() || document.ends_with('\n') { "" } else { "\n" };
                Ok((format!("{document}{gap}{line}"), ()))
            })
            .await
    }

    /// A brief: by the chat model, off the record; without one, a list of what is open.
    async fn brief(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        documents: &PersonDocuments<'_>,
        asked: &str,
    ) -> Result<String, Problem> {
        let role = self.role(&entry.tenant, None).await?;
        let Backend::Model(model) = role.backend.as_ref() else {
            let reminders = open_reminders(&documents.text(Reminders).await?);
            let tasks = open_tasks(&documents.text(Tasks).await?)?;
            let list = |title: &str, things: &[String]| {
                let lines = things.join("\n- ");
                if things.is_empty() { format!("\n{title}: none") } else { format!("\n{title}:\n- {lines}") }
            };
            return Ok(format!("{asked}{}{}", list("Reminders", &reminders), list("Tasks", &tasks)));
        };
        let preview = PreviewContext {
            message: Text::from(asked),
            subject: Some(documents.subject.clone()),
            tier: Some(MOST_CONTEXT),
            off_record: true,
            ..PreviewContext::default()
        };
        let prompt = self.preview_context(call, &PersonaKey::Id(entry.id), preview).await?.prompt;
        let request = Request {
            system: prompt.as_str().into(),
            messages: vec![Message::User(asked.into())],
            max_tokens: role.max_tokens,
            temperature: role.temperature,
            ..Request::default()
        };
        let failed = |error: llm::LlmError| Problem::new(Code::ModelFailed, error.to_string());
        let answered = model.complete(&request).await.map_err(failed)?;
        Ok(answered.text.as_str().to_owned())
    }
}
