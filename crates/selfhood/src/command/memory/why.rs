//! `selfhood memory why`: the candidates of a recall, the parts of their scores, and the result for each.

use serde_json::{Value, json};
use wire::recall::RecallTrace;
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::MemoryWhy;
use crate::command::CommandContext;
use crate::output::{self, Table};
use crate::report;
use crate::request::Request;

/// Explains a recall.
pub(crate) fn run(asked: &MemoryWhy, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    explain(&asked.recall_id, context)?;
    Ok(Exit::Ok)
}

/// Shows the trace of a recall.
pub(crate) fn explain(recall_id: &str, context: &CommandContext<'_>) -> Result<(), Problem> {
    let trace: RecallTrace = context.client.ask(Request::<verb::ExplainRecall>::to(&[recall_id])?)?;
    let table = table(&trace.trace);
    let record = serde_json::to_value(&trace).unwrap_or_default();
    context.output.one(&record, &table, || {
        let rendered = trace.trace.get("rendered").and_then(Value::as_str).unwrap_or_default();
        let reasons = reasons(&trace.trace);
        format!("{reasons}\n{}\n{}", table.aligned(), output::in_lines(rendered.trim_end()))
    })?;
    let rejected = rejected(&trace.trace);
    if !rejected.is_empty() {
        report::note(format_args!("rejected: {rejected}"));
    }
    for telling in &trace.rehearsed_since {
        report::note(format_args!("{} was rehearsed at {}", telling.id, telling.rehearsal.at));
    }
    Ok(())
}

/// How many memories that were left out are explained.
const MOST_LEFT_OUT: usize = 3;

/// A sentence for each rendered memory, and for the best of the others.
fn reasons(trace: &Value) -> String {
    let candidates = trace.get("candidates").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_rendered = |memory: &&Value| memory.get("outcome").and_then(Value::as_str) == Some("told");
    let rendered = candidates.iter().filter(is_rendered);
    let left_out = candidates.iter().filter(|memory| !is_rendered(memory)).take(MOST_LEFT_OUT);
    let line = |memory: &Value| {
        let id = memory.get("id").and_then(Value::as_str).unwrap_or_default();
        format!("{id} {}\n", sentence(memory))
    };
    rendered.chain(left_out).map(line).collect()
}

/// The main reason for the result of a memory, as a sentence.
fn sentence(memory: &Value) -> String {
    let words: Vec<&str> = memory
        .get("words")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let reason = match memory.get("reason").and_then(Value::as_str).unwrap_or_default() {
        "asked_for" => "was rendered: this was clearly asked for",
        "came_to_mind" => "was rendered: what was said is like one of its cues",
        "brought_back" => "was rendered by its gist alone: it has faded, but this was clearly asked for",
        "related" => "was rendered: it is relevant to what was said",
        "matters_most" => {
            "was rendered: nothing particular was asked for, and it is among what matters most now"
        }
        "place_free" => "was rendered though little related: there was room",
        "resting" => "was left out: it was rendered a short while ago",
        "repeated" => "was left out: a memory that says nearly the same was rendered",
        "outranked_though_asked_for" => "was left out though it was asked for: others ranked higher",
        "not_selected" => "was left out: the model that reads the shortlist did not select it",
        "over_budget" => "was left out: it did not fit the token budget",
        "irrelevant" => "was left out: it is less relevant than the policy asks for",
        _ => "was left out: others ranked higher",
    };
    if words.is_empty() { reason.to_owned() } else { format!("{reason} (words: {})", words.join(", ")) }
}

fn table(trace: &Value) -> Table<7> {
    let mut table = Table::new(["id", "outcome", "score", "salience", "relevance", "recency", "topical"]);
    let lists = ["/candidates", "/life"].map(|list| trace.pointer(list).and_then(Value::as_array));
    for considered in lists.into_iter().flatten().flatten() {
        let part = |name: &str| rounded(considered.pointer(&format!("/parts/{name}")));
        table.push([
            considered.get("id").cloned().unwrap_or_default(),
            considered.get("outcome").cloned().unwrap_or_default(),
            rounded(considered.get("score")),
            part("salience"),
            part("relevance"),
            part("recency"),
            part("topical"),
        ]);
    }
    table
}

/// The number of rejected memories, by reason, without zeros.
fn rejected(trace: &Value) -> String {
    let counts = trace.get("rejected").and_then(Value::as_object).into_iter().flatten();
    let counts = counts.filter(|(_, count)| count.as_u64() != Some(0));
    counts.map(|(reason, count)| format!("{count} {}", words(reason))).collect::<Vec<_>>().join(", ")
}

/// `otherSubject` as words.
fn words(name: &str) -> String {
    name.chars()
        .flat_map(|c| if c.is_uppercase() { vec![' ', c.to_ascii_lowercase()] } else { vec![c] })
        .collect()
}

fn rounded(number: Option<&Value>) -> Value {
    json!((number.and_then(Value::as_f64).unwrap_or_default() * 1000.0).round() / 1000.0)
}
