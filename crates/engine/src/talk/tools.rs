//! The tools that a model, or a person, may use on the persona's behalf.
//!
//! Every tool works with the documents, conversations and memories of the speaker, and of nobody else. Off
//! the record, tools that write are neither offered nor run.

mod tasks_and_crons;
mod reminders;
mod arguments;

use std::sync::Arc;

use domain::{Listener, SubjectRef, Text};
use llm::{Tool, ToolCall, Words};
use serde_json::{Value, json};
use store::DocumentName::{Crons, Reminders, Scratch, Tasks};
use wire::tool::{
    AddCron, AddReminder, AddTask, Nothing, RecallThis, RememberThis, ScratchWords, SearchTalk, TaskStatus,
    ToolAnswer, ToolList, ToolView, UpdateTask, UseTool, Which,
};
use wire::{Code, Problem, read, schema};

use crate::call::{Call, PersonaKey};
use crate::memory::recall::{CueWords, RecallTurn};
use crate::memory::recall_sequence::{RecallRequest, Selection};
use crate::people::person_documents::PersonDocuments;
use crate::persona::notices::of_memory;
use crate::persona::registry::PersonaContext;
use crate::talk::context::Record;
use crate::{Engine, boxed};

pub(crate) use reminders::{
    add as add_reminder, due as due_reminders, open_texts as open_reminders, without_done,
};
pub(crate) use tasks_and_crons::{Cron, check_crons, check_tasks, crons, joined_lists, open_tasks};

/// How many turns a search returns to a model.
const MOST_FOUND: usize = 10;

/// One tool.
struct Row {
    name: &'static str,
    effect: Effect,
    description: &'static str,
    parameters: fn() -> Arc<Value>,
}

/// Whether a tool writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Reads,
    Writes,
}

const fn row(
    name: &'static str,
    effect: Effect,
    parameters: fn() -> Arc<Value>,
    description: &'static str,
) -> Row {
    Row { name, effect, description, parameters }
}

const ROWS: &[Row] = &[
    row(
        "add_reminder",
        Effect::Writes,
        schema::of::<AddReminder>,
        "Notes something to remind the person of.",
    ),
    row("list_reminders", Effect::Reads, schema::of::<Nothing>, "Lists the open reminders."),
    row("complete_reminder", Effect::Writes, schema::of::<Which>, "Ticks off a reminder."),
    row("read_scratch", Effect::Reads, schema::of::<Nothing>, "Reads the scratch pad."),
    row("append_scratch", Effect::Writes, schema::of::<ScratchWords>, "Adds to the end of the scratch pad."),
    row("replace_scratch", Effect::Writes, schema::of::<ScratchWords>, "Replaces the scratch pad."),
    row("add_task", Effect::Writes, schema::of::<AddTask>, "Adds a task."),
    row("list_tasks", Effect::Reads, schema::of::<Nothing>, "Lists the tasks and how far they are."),
    row(
        "update_task",
        Effect::Writes,
        schema::of::<UpdateTask>,
        "Changes a task: its title, notes or status.",
    ),
    row("complete_task", Effect::Writes, schema::of::<Which>, "Marks a task as done."),
    row("add_cron", Effect::Writes, schema::of::<AddCron>, "Schedules something to happen again and again."),
    row("list_crons", Effect::Reads, schema::of::<Nothing>, "Lists what is scheduled."),
    row("remove_cron", Effect::Writes, schema::of::<Which>, "Takes something off the schedule."),
    row(
        "search_sessions",
        Effect::Reads,
        schema::of::<SearchTalk>,
        "Finds what was said in past conversations with this person.",
    ),
    row(
        "remember",
        Effect::Writes,
        schema::of::<RememberThis>,
        "Keeps something this person said in memory.",
    ),
    row("recall", Effect::Reads, schema::of::<RecallThis>, "Tells what you remember about something."),
];

/// The tools offered to a model; off the record none that writes.
pub(crate) fn offered(record: Record) -> Vec<Tool> {
    let tool = |row: &Row| Tool {
        name: row.name.to_owned(),
        description: row.description.to_owned(),
        parameters: Value::clone(&(row.parameters)()),
    };
    ROWS.iter().filter(|row| record == Record::On || row.effect == Effect::Reads).map(tool).collect()
}

/// Who uses a tool, and where.
pub(crate) struct ToolContext<'a> {
    pub(crate) call: &'a Call,
    pub(crate) persona: &'a PersonaContext,
    pub(crate) listener: &'a Listener,
    pub(crate) record: Record,
    /// The number of the turn that led to it, if any.
    pub(crate) turn: Option<u32>,
}

impl Engine {
    /// The tools available to the speaker.
    #[boxed]
    pub async fn list_tools(&self, call: &Call, key: &PersonaKey) -> Result<ToolList, Problem> {
        self.entry(call, key).await?;
        let view = |row: &Row| ToolView {
            name: row.name.to_owned(),
            description: row.description.to_owned(),
            parameters: Value::clone(&(row.parameters)()),
            writes: row.effect == Effect::Writes,
        };
        Ok(ToolList { tools: ROWS.iter().map(view).collect() })
    }

    /// Whether the tool of this name writes.
    #[must_use]
    pub fn is_writing_tool(name: &str) -> bool {
        ROWS.iter().any(|row| row.name == name && row.effect == Effect::Writes)
    }

    /// Runs a tool for a client.
    #[boxed]
    pub async fn use_tool(
        &self,
        call: &Call,
        key: &PersonaKey,
        tool: &str,
        asked: UseTool,
    ) -> Result<ToolAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let listener = self.speaker(call, &persona, asked.subject, asked.session_id.clone()).await?;
        let record = call.caller.record;
        let using = ToolContext { call, persona: &persona, listener: &listener, record, turn: None };
        let arguments = if asked.arguments.is_null() { json!({}) } else { asked.arguments };
        let result = self.do_tool(&using, tool, arguments).await?;
        Ok(ToolAnswer { result: Text::new(result) })
    }

    /// Runs a tool for a model. A failure is returned as text that the model can act on.
    pub(crate) async fn answer_tool_call(&self, using: &ToolContext<'_>, tool: &ToolCall) -> Words {
        let arguments = match tool.arguments.as_str().trim() {
            "" => Ok(json!({})),
            text => serde_json::from_str(text),
        };
        let done = match arguments {
            Ok(arguments) => self.do_tool(using, &tool.name, arguments).await,
            Err(error) => {
                let detail = format!("the arguments are not valid JSON ({error}); send one JSON object");
                Err(Problem::new(Code::MalformedJson, detail))
            }
        };
        Words::new(done.unwrap_or_else(|problem| format!("error: {}", problem.detail)))
    }

    async fn do_tool(
        &self,
        using: &ToolContext<'_>,
        name: &str,
        arguments: Value,
    ) -> Result<String, Problem> {
        let row = ROWS.iter().find(|row| row.name == name).ok_or_else(|| unknown(name))?;
        if row.effect == Effect::Writes && using.record == Record::Off {
            let detail =
                format!("`{name}` writes, and this conversation is off the record; nothing was done");
            return Err(Problem::new(Code::Forbidden, detail));
        }
        let subject = using.listener.subject.as_ref().ok_or_else(nobody)?;
        let documents = self.documents_of(&using.persona.entry.scope(), subject, using.call.now);
        match name {
            "search_sessions" => self.search_talk(using, subject, &read::read_value(arguments)?).await,
            "remember" => self.remember_this(using, subject, &read::read_value(arguments)?).await,
            "recall" => self.recall_this(using, &read::read_value(arguments)?).await,
            name => documents.use_document(name, arguments).await,
        }
    }

    async fn search_talk(
        &self,
        using: &ToolContext<'_>,
        subject: &SubjectRef,
        asked: &SearchTalk,
    ) -> Result<String, Problem> {
        let found = self.turns_found(using.persona, Some(subject.clone()), &asked.q).await?;
        let lines: Vec<String> = found
            .iter()
            .take(MOST_FOUND)
            .map(|turn| {
                let who = match turn.speaker {
                    wire::session::TurnSpeaker::Subject => "they",
                    wire::session::TurnSpeaker::Persona => "you",
                };
                format!("- {} ({who} said): {}", turn.at, recall::on_one_line(turn.excerpt.as_str()))
            })
            .collect();
        Ok(if lines.is_empty() { "nothing was found".to_owned() } else { lines.join("\n") })
    }

    async fn remember_this(
        &self,
        using: &ToolContext<'_>,
        subject: &SubjectRef,
        asked: &RememberThis,
    ) -> Result<String, Problem> {
        using.persona.loaded.demand_memory()?;
        let session = match &using.listener.session {
            Some(session) => session.clone(),
            None => self.default_provenance(using.call)?.session_id,
        };
        let (index, now) = (using.turn.unwrap_or(0), using.call.now);
        let learnt = self.learn_words(using.persona, subject, session, index, &asked.text, now).await?;
        let is_kept = !learnt.remembered.is_empty();
        Ok(if is_kept { "remembered" } else { "nothing in it was worth keeping, or may be kept" }.to_owned())
    }

    async fn recall_this(&self, using: &ToolContext<'_>, asked: &RecallThis) -> Result<String, Problem> {
        let request = RecallRequest {
            persona: using.persona,
            listener: using.listener,
            turn: RecallTurn::Next,
            words: CueWords::of(asked.cue.as_str()),
            as_of: None,
            selection: Selection::ByRanking,
        };
        let finished = self.recall_memories(using.call, &request).await?;
        let rendered = &finished.recalled.rendered;
        let recalled = if rendered.trim().is_empty() { "nothing comes to mind" } else { rendered.as_str() };
        let notice = of_memory(&using.persona.loaded, &using.persona.entry.name);
        Ok(match notice {
            Some(notice) => format!("{}\n\n{recalled}", notice.text),
            None => recalled.to_owned(),
        })
    }
}

impl PersonDocuments<'_> {
    /// Reads or changes one of the person's documents.
    async fn use_document(&self, tool: &str, arguments: Value) -> Result<String, Problem> {
        match tool {
            "add_reminder" => {
                let asked: AddReminder = read::read_value(arguments)?;
                self.change(Reminders, |document| reminders::add(document, &asked)).await
            }
            "list_reminders" => {
                let Nothing {} = read::read_value(arguments)?;
                Ok(reminders::list(&self.text(Reminders).await?))
            }
            "complete_reminder" => {
                let asked: Which = read::read_value(arguments)?;
                self.change(Reminders, |document| reminders::complete(document, &asked.which)).await
            }
            "read_scratch" => {
                let Nothing {} = read::read_value(arguments)?;
                let document = self.text(Scratch).await?;
                Ok(if document.trim().is_empty() { "the scratch pad is empty".to_owned() } else { document })
            }
            "append_scratch" => {
                let asked: ScratchWords = read::read_value(arguments)?;
                self.change(Scratch, |document| {
                    Ok((appended(document, asked.text.as_str()), "written".to_owned()))
                })
                .await
            }
            "replace_scratch" => {
                let asked: ScratchWords = read::read_value(arguments)?;
                self.change(Scratch, |_| Ok((appended("", asked.text.as_str()), "written".to_owned()))).await
            }
            scheduled => self.use_list(scheduled, arguments).await,
        }
    }

    async fn use_list(&self, tool: &str, arguments: Value) -> Result<String, Problem> {
        match tool {
            "add_task" => {
                let asked: AddTask = read::read_value(arguments)?;
                self.change(Tasks, |document| tasks_and_crons::add_task(document, &asked)).await
            }
            "list_tasks" => {
                let Nothing {} = read::read_value(arguments)?;
                tasks_and_crons::list_tasks(&self.text(Tasks).await?)
            }
            "update_task" => {
                let asked: UpdateTask = read::read_value(arguments)?;
                self.change(Tasks, |document| tasks_and_crons::update_task(document, &asked)).await
            }
            "complete_task" => {
                let Which { which } = read::read_value(arguments)?;
                let done = UpdateTask { which, title: None, notes: None, status: Some(TaskStatus::Done) };
                self.change(Tasks, |document| tasks_and_crons::update_task(document, &done)).await
            }
            "add_cron" => {
                let asked: AddCron = read::read_value(arguments)?;
                self.change(Crons, |document| tasks_and_crons::add_cron(document, &asked)).await
            }
            "list_crons" => {
                let Nothing {} = read::read_value(arguments)?;
                tasks_and_crons::list_crons(&self.text(Crons).await?)
            }
            "remove_cron" => {
                let asked: Which = read::read_value(arguments)?;
                self.change(Crons, |document| tasks_and_crons::remove_cron(document, &asked.which)).await
            }
            other => Err(unknown(other)),
        }
    }
}

fn appended(document: &str, text: &str) -> String {
    let gap = if document.is_empty() || document.ends_with('\n') { "" } else { "\n" };
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{document}{gap}{text}{end}")
}

fn unknown(name: &str) -> Problem {
    let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    Problem::new(Code::NotFound, format!("there is no tool `{name}`; there is {}", names.join(", ")))
}

fn nobody() -> Problem {
    let detail = "a tool works for a person; name them with `subject`, or name the conversation";
    Problem::new(Code::SubjectRequired, detail)
}
