//! `selfhood explain [CODE]`: the meaning of an error code, and the way out.

use serde_json::json;
use wire::{Code, Exit, Problem};

use crate::cli::Explain;
use crate::output::{self, Output, Table};

/// Prints the page of a code; without a code, the list of them.
pub(crate) fn run(asked: &Explain, output: &Output) -> Result<Exit, Problem> {
    match &asked.code {
        Some(name) => {
            let code = named(name)?;
            if output.is_words() {
                output::text(&output::within_terminal(code.explanation()))?;
            } else {
                output.record(&json!({
                    "code": code, "title": code.title(), "status": code.http_status(), "explanation": code.explanation(),
                }))?;
            }
        }
        None => output.table(&list())?,
    }
    Ok(Exit::Ok)
}

fn named(name: &str) -> Result<Code, Problem> {
    let wanted = name.trim().trim_end_matches(".md").replace('-', "_").to_lowercase();
    let found = Code::ALL.iter().find(|code| code.as_str() == wanted);
    found.copied().ok_or_else(|| {
        let meant = nearest(&wanted).map(|code| format!("did you mean `{code}`? ")).unwrap_or_default();
        Problem::new(Code::NotFound, format!("no code `{name}`; {meant}`selfhood explain` lists them all"))
    })
}

fn nearest(unknown: &str) -> Option<&'static str> {
    let scored = Code::ALL.iter().map(|code| (strsim::jaro_winkler(unknown, code.as_str()), code.as_str()));
    let close = scored.filter(|(likeness, _)| *likeness > 0.75).max_by(|a, b| a.0.total_cmp(&b.0));
    close.map(|(_, code)| code)
}

fn list() -> Table<2> {
    let mut table = Table::new(["code", "title"]);
    for code in Code::ALL {
        table.push([code.as_str().into(), code.title().into()]);
    }
    table
}
