//! `selfhood session show`: a conversation, turn by turn.

use std::fmt::Write as _;

use anstyle::Style;
use domain::Text;
use serde_json::json;
use wire::fields::fields;
use wire::session::{HistoryFilter, SessionHistory, TurnSpeaker, TurnStanding};
use wire::verb;
use wire::{Code, Exit, Problem};

use super::fetch;
use crate::cli::SessionShow;
use crate::command::CommandContext;
use crate::output::{self, Table};
use crate::request::Request;
use crate::resolve::{self, Missing};

const MISSING: Missing = Missing { code: Code::SessionNotFound, what: "conversation", list: "session list" };

/// Shows all turns of a conversation.
pub(crate) fn run(asked: &SessionShow, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let persona = resolve::the_persona(context.client, context.settings, None)?;
    let subject = asked.subject.as_deref();
    let known = fetch(context.client, &persona, subject, usize::MAX)?;
    let id = resolve::the_id(&asked.id, known.iter().map(|session| session.id.to_string()), &MISSING)?;
    let request = Request::<verb::ShowSession>::to(&[&persona, &id])?.with_query(fields!(HistoryFilter {
        subject: subject,
        include_superseded: asked.include_superseded.then_some(true)
    }));
    let history: SessionHistory = context.client.ask(request)?;
    let record = serde_json::to_value(&history).unwrap_or_default();
    context.output.one(&record, &table(&history), || drawn(&history, &persona))?;
    Ok(Exit::Ok)
}

fn table(history: &SessionHistory) -> Table<5> {
    let mut table = Table::new(["id", "at", "speaker", "state", "text"]);
    for turn in &history.turns {
        table.push([
            turn.id.to_string().into(),
            json!(turn.at),
            json!(turn.speaker),
            json!(turn.state),
            turn.text.as_str().into(),
        ]);
    }
    table
}

/// The conversation for people.
fn drawn(history: &SessionHistory, persona: &str) -> String {
    let (loud, quiet) = (output::style(Style::new().bold()), output::style(Style::new().dimmed()));
    let session = &history.session;
    let title = session.title.as_ref().map_or("", Text::as_str);
    let mut text = format!("{loud}{}{loud:#}\n", output::in_lines(title).trim_end());
    for turn in &history.turns {
        let speaker = match turn.speaker {
            TurnSpeaker::Subject => session.subject.as_str(),
            TurnSpeaker::Persona => persona,
        };
        let state = match turn.state {
            TurnStanding::Whole => "",
            TurnStanding::Interrupted => ", interrupted",
            TurnStanding::Superseded => ", superseded",
        };
        let speaker = output::on_one_line(speaker);
        let _ = write!(text, "\n{loud}{speaker}{loud:#} {quiet}({}{state}){quiet:#}\n", turn.at);
        text.push_str(&output::in_lines(turn.text.as_str()));
    }
    text
}
