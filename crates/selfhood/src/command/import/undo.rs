//! `selfhood import --list` and `--undo`.

use serde_json::Value;
use wire::transfer::{ImportList, ImportUndone, ImportView};
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::Import;
use crate::command::CommandContext;
use crate::output::Table;
use crate::request::Request;
use crate::resolve::{self, Missing};
use crate::{confirm, report};

/// Lists the imports with remaining records.
pub(super) fn list(persona: &str, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let ImportList { imports } = context.client.ask(Request::<verb::ListImports>::to(&[persona])?)?;
    let records: Vec<Value> = imports.iter().map(json).collect();
    context.output.list(&records, &table(&imports))?;
    Ok(Exit::Ok)
}

/// Undoes an import.
pub(super) fn undo(
    asked: &Import,
    id: &str,
    persona: &str,
    context: &CommandContext<'_>,
) -> Result<Exit, Problem> {
    let ImportList { imports } = context.client.ask(Request::<verb::ListImports>::to(&[persona])?)?;
    let missing = Missing { code: Code::NotFound, what: "import", list: "import --list" };
    let id = resolve::the_id(id, imports.iter().map(|import| import.import_id.to_string()), &missing)?;
    if let Some(import) = imports.iter().find(|import| import.import_id.to_string() == id)
        && !asked.yes
    {
        confirm::go_on(&format!(
            "{} memories and {} turns are destroyed, and {} events are superseded. Undo the import?",
            import.memories, import.turns, import.events
        ))?;
    }
    let ImportUndone { undone } = context.client.ask(Request::<verb::UndoImport>::to(&[persona, &id])?)?;
    let undone = [undone];
    context.output.list(&undone.each_ref().map(json), &table(&undone))?;
    report::note("the import is undone; the file can be imported again");
    Ok(Exit::Ok)
}

fn table(imports: &[ImportView]) -> Table<5> {
    let mut table = Table::new(["id", "at", "memories", "events", "turns"]);
    for import in imports {
        table.push([
            import.import_id.to_string().into(),
            import.at.to_string().into(),
            import.memories.into(),
            import.events.into(),
            import.turns.into(),
        ]);
    }
    table
}

fn json(value: &ImportView) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
