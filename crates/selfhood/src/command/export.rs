//! `selfhood export`: memories and events, one JSON object to a line.

use wire::transfer::ExportPage;
use wire::{Exit, Problem};

use crate::cli::Export;
use crate::command::AtHand;
use crate::request::Request;
use crate::{meant, output, report};

/// Prints every line, as `import` takes them.
pub(crate) fn run(asked: &Export, at_hand: &AtHand<'_>) -> Result<Exit, Problem> {
    let persona = meant::the_persona(at_hand.door, at_hand.settings, None)?;
    let mut cursor: Option<String> = None;
    let mut count = 0;
    loop {
        let request = Request::to("export", &[&persona])?
            .asking("includePii", asked.include_pii.then_some(true))
            .asking("includeRedacted", asked.include_redacted.then_some(true))
            .asking("cursor", cursor.as_deref());
        let page: ExportPage = at_hand.door.ask(request)?;
        count += page.lines.len();
        output::text(&output::json_lines(&page.lines))?;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let left_out = if asked.include_pii {
        ""
    } else {
        "; memories that identify people are left out, see --include-pii"
    };
    report::note(format_args!("{count} lines{left_out}"));
    Ok(Exit::Ok)
}
