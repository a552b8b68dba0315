//! Memories for commands: fetched in pages, found by the beginning of their id, printed in columns.

use domain::MemoryId;
use serde_json::{Value, json};
use wire::fields::fields;
use wire::memory::{MemoryFilter, MemoryPage, MemoryView};
use wire::verb;
use wire::{Code, Problem};

use crate::cli::{MemoryList, NewDetail};
use crate::clock;
use crate::home_client::HomeClient;
use crate::output::Table;
use crate::request::Request;
use crate::resolve::{self, Missing};

/// The greatest page size.
const PAGE: usize = 200;
const MISSING: Missing = Missing { code: Code::MemoryNotFound, what: "memory", list: "memory list" };

/// The memories of a persona that match `asked`, heaviest first.
pub(super) fn fetch(
    client: &HomeClient,
    persona: &str,
    asked: &MemoryList,
) -> Result<Vec<MemoryView>, Problem> {
    let most = asked.limit.unwrap_or(usize::MAX);
    let mut memories: Vec<MemoryView> = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let request = Request::<verb::ListMemories>::to(&[persona])?.with_query(fields!(MemoryFilter {
            q: asked.words.as_deref(),
            privacy_class: asked.privacy_class.as_deref(),
            min_salience: asked.min_salience,
            kind: asked.kind.as_deref(),
            tag: asked.tag.as_deref(),
            subject: asked.subject.as_deref(),
            pinned: asked.pinned.then_some(true),
            include_redacted: asked.include_redacted.then_some(true),
            at: asked.at.map(|moment| moment.as_of(clock::now())),
            limit: Some(PAGE.min(most - memories.len())),
            cursor: cursor.as_deref()
        }));
        let page: MemoryPage = client.ask(request)?;
        memories.extend(page.data);
        cursor = page.next_cursor;
        if cursor.is_none() || memories.len() >= most {
            return Ok(memories);
        }
    }
}

/// The tombstones of a persona's memories.
pub(super) fn tombstones(client: &HomeClient, persona: &str) -> Result<Vec<domain::Tombstone>, Problem> {
    let request = Request::<verb::ListMemories>::to(&[persona])?
        .with_query(fields!(MemoryFilter { tombstones: Some(true) }));
    client.ask(request).map(|page: MemoryPage| page.tombstones)
}

/// The full id of a memory given by the beginning of its id, in any status.
pub(super) fn whole_id(client: &HomeClient, persona: &str, typed: &str) -> Result<String, Problem> {
    if typed.parse::<MemoryId>().is_ok() {
        return Ok(typed.to_owned());
    }
    let everything = MemoryList { include_redacted: true, ..MemoryList::default() };
    let memories = fetch(client, persona, &everything)?;
    resolve::the_id(typed, memories.iter().map(|memory| word(memory.as_value(), "id")), &MISSING)
}

/// Details in the form of a request.
pub(super) fn details(given: &[NewDetail]) -> Vec<Value> {
    given.iter().map(|it| json!({ "content": it.content, "brightness": it.brightness })).collect()
}

/// The columns of a list of memories.
pub(super) fn table(memories: &[(String, MemoryView)]) -> Table<9> {
    let columns = ["id", "now", "vividness", "kind", "class", "subject", "formed", "persona", "gist"];
    let mut table = Table::new(columns);
    for (persona, memory) in memories {
        let atom = memory.as_value();
        table.push([
            word(atom, "id").into(),
            rounded(atom, "currentSalience"),
            status(atom).into(),
            word(atom, "kind").into(),
            word(atom, "privacyClass").into(),
            word(atom, "subject").into(),
            day(&word(atom, "createdAt")).into(),
            persona.as_str().into(),
            word(atom, "gist").into(),
        ]);
    }
    table
}

/// The complete records.
pub(super) fn records(memories: &[(String, MemoryView)]) -> Vec<Value> {
    memories.iter().map(|(_, memory)| memory.as_value().clone()).collect()
}

/// The text of a property; empty if there is none.
pub(super) fn word(atom: &Value, name: &str) -> String {
    atom.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The day of a timestamp; JSON has all of it.
fn day(instant: &str) -> &str {
    instant.split('T').next().unwrap_or_default()
}

/// A number from 0 to 1 with two decimals.
fn rounded(atom: &Value, name: &str) -> Value {
    let number = atom.get(name).and_then(Value::as_f64).unwrap_or_default();
    json!((number * 100.0).round() / 100.0)
}

/// Its vividness, or why it isn't active.
fn status(atom: &Value) -> String {
    if atom.get("archivedAt").is_some_and(|at| !at.is_null()) {
        return "archived".to_owned();
    }
    match word(atom, "redactionStatus").as_str() {
        "active" if atom.get("pinned").and_then(Value::as_bool) == Some(true) => {
            format!("{}, pinned", word(atom, "vividness"))
        }
        "active" => word(atom, "vividness"),
        hidden => hidden.to_owned(),
    }
}
