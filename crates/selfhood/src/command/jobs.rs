//! `selfhood jobs …`.

use serde_json::json;
use wire::fields::fields;
use wire::job::{JobAnswer, JobList, JobView, PauseJob};
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::{Jobs, JobsVerb, OneJob};
use crate::command::CommandContext;
use crate::output::Table;
use crate::report;
use crate::request::Request;
use crate::resolve;

/// Lists jobs, or pauses or resumes one.
pub(crate) fn run(asked: &Jobs, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let jobs = match &asked.verb {
        None | Some(JobsVerb::List) => list(context)?,
        Some(JobsVerb::Pause(job)) => vec![set(job, NewState::Paused, context)?],
        Some(JobsVerb::Resume(job)) => vec![set(job, NewState::Running, context)?],
    };
    print(&jobs, context)?;
    Ok(Exit::Ok)
}

fn list(context: &CommandContext<'_>) -> Result<Vec<JobView>, Problem> {
    let list: JobList = context.client.ask(Request::<verb::ListJobs>::to(&[])?)?;
    let persona = context.settings.persona.as_ref().map(ToString::to_string);
    report::left_out(&list.broken);
    let is_meant = |job: &JobView| persona.as_ref().is_none_or(|meant| *meant == job.persona.as_str());
    let jobs: Vec<JobView> = list.jobs.into_iter().filter(is_meant).collect();
    if jobs.is_empty() {
        resolve::check_named(context.client, context.settings)?;
    }
    Ok(jobs)
}

/// The state that a job is set to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NewState {
    Paused,
    Running,
}

fn set(job: &OneJob, state: NewState, context: &CommandContext<'_>) -> Result<JobView, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let request = Request::<verb::PauseJob>::to(&[&persona, &job.name])?;
    let answer: JobAnswer = context
        .client
        .ask(request.with_body(fields!(PauseJob { paused: Some(state == NewState::Paused) })))?;
    Ok(answer.job)
}

fn print(jobs: &[JobView], context: &CommandContext<'_>) -> Result<(), Problem> {
    let mut table = Table::new(["name", "persona", "schedule", "state", "nextAt", "lastAt", "outcome"]);
    let mut records = Vec::new();
    for job in jobs {
        records.push(serde_json::to_value(job).unwrap_or_default());
        table.push([
            job.name.as_str().into(),
            job.persona.as_str().into(),
            job.schedule.as_str().into(),
            state(job).into(),
            json!(job.next_at),
            json!(job.last.as_ref().map(|last| last.finished_at)),
            job.last.as_ref().map(|last| last.outcome.clone()).into(),
        ]);
    }
    context.output.list(&records, &table)
}

fn state(job: &JobView) -> &'static str {
    if job.running {
        "running"
    } else if job.paused_at.is_some() {
        "paused"
    } else if job.auto {
        "on"
    } else {
        "off"
    }
}
