//! `selfhood memory search`: a recall, as text for a prompt.

use serde_json::{Value, json};
use wire::fields::{fields, list};
use wire::recall::{Recall, RecallAnswer, Recalled, ScoreParts};
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::MemorySearch;
use crate::command::CommandContext;
use crate::output::{self, Table};
use crate::request::Request;
use crate::{clock, report, resolve};

/// Recalls, and prints the text and the memories behind it.
pub(crate) fn run(asked: &MemorySearch, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let at = asked.at.map(|moment| moment.as_of(clock::now()).to_string());
    let leaves_a_trace = at.is_none() && !asked.off_record;
    let body = fields!(Recall {
        cue: Some(asked.cue.as_str()),
        subject: asked.subject.as_deref(),
        session_id: asked.session.as_deref(),
        topics: list(&asked.topics),
        max_memories: asked.max,
        off_record: asked.off_record.then_some(true),
        at: at
    });
    let answer: RecallAnswer =
        context.client.ask(Request::<verb::Recall>::to(&[&persona])?.with_body(body))?;
    let table = table(&answer.memories);
    let record = serde_json::to_value(&answer).unwrap_or_default();
    context.output.one(&record, &table, || {
        format!("{}\n{}", output::in_lines(answer.rendered.as_str().trim_end()), table.aligned())
    })?;
    if answer.memories.is_empty() {
        report::note("nothing comes to mind");
    }
    if let Some(degraded) = &answer.degraded {
        report::note(format_args!("degraded: {degraded}"));
    }
    answer.notices.iter().for_each(|notice| report::note(&notice.text));
    if leaves_a_trace && answer.notices.is_empty() {
        report::note(format_args!("`selfhood memory why {}` explains it", answer.recall_id));
    }
    Ok(Exit::Ok)
}

fn table(memories: &[Recalled]) -> Table<9> {
    let columns = ["id", "kind", "vividness", "score", "salience", "relevance", "recency", "topical", "gist"];
    let mut table = Table::new(columns);
    for recalled in memories {
        let (id, kind, vividness, score, parts, gist) = match recalled {
            Recalled::Atom(it) => {
                (it.id.to_string(), json!(it.kind), it.vividness, it.score, it.parts, &it.gist)
            }
            Recalled::Entry(it) => {
                (it.id.to_string(), json!(it.memory_type), it.vividness, it.score, it.parts, &it.gist)
            }
        };
        let ScoreParts { salience, relevance, recency, topical } = parts;
        let [score, salience, relevance, recency, topical] =
            [score, salience, relevance, recency, topical].map(rounded);
        table.push([
            id.into(),
            kind,
            json!(vividness),
            score,
            salience,
            relevance,
            recency,
            topical,
            gist.as_str().into(),
        ]);
    }
    table
}

fn rounded(part: f32) -> Value {
    json!((f64::from(part) * 1000.0).round() / 1000.0)
}
