//! `selfhood session search`: search results by day, with the search words marked.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use domain::Text;
use serde_json::json;
use wire::fields::fields;
use wire::search::{ExcerptMark, FoundTurn, SearchAnswer, SearchSessions};
use wire::session::TurnSpeaker;
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::SessionSearch;
use crate::command::CommandContext;
use crate::output::{self, Table};
use crate::report;
use crate::request::Request;
use crate::resolve;

/// Searches the conversations with the selected personas.
pub(crate) fn run(asked: &SessionSearch, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut found: Vec<(String, SearchAnswer)> = Vec::new();
    for persona in resolve::personas(context.client, context.settings)? {
        let request = Request::<verb::SearchSessions>::to(&[])?.with_query(fields!(SearchSessions {
            q: Some(asked.words.as_str()),
            persona: Some(persona.as_str()),
            subject: asked.subject.as_deref(),
            limit: asked.limit,
            offset: asked.offset
        }));
        found.push((persona, context.client.ask(request)?));
    }
    let record = json!(
        found
            .iter()
            .map(|(persona, answer)| json!({ "persona": persona, "found": answer }))
            .collect::<Vec<_>>()
    );
    context.output.one(&record, &table(&found), || drawn(&found))?;
    let shown: usize = turns(&found).count();
    let total: usize = found.iter().map(|(_, answer)| answer.total).sum();
    if shown == 0 {
        report::note("nothing was found");
    } else if shown < total {
        report::note(format_args!("{shown} of {total}; see more with --limit and --offset"));
    }
    Ok(Exit::Ok)
}

fn turns(found: &[(String, SearchAnswer)]) -> impl Iterator<Item = (&str, &str, &FoundTurn)> {
    found.iter().flat_map(|(persona, answer)| {
        let days = answer.days.iter();
        days.flat_map(move |day| {
            day.results.iter().map(move |turn| (persona.as_str(), day.date.as_str(), turn))
        })
    })
}

fn table(found: &[(String, SearchAnswer)]) -> Table<6> {
    let mut table = Table::new(["sessionId", "date", "at", "speaker", "excerpt", "persona"]);
    for (persona, date, turn) in turns(found) {
        table.push([
            turn.session_id.to_string().into(),
            date.into(),
            json!(turn.at),
            json!(turn.speaker),
            turn.excerpt.as_str().into(),
            persona.into(),
        ]);
    }
    table
}

/// The results for people.
fn drawn(found: &[(String, SearchAnswer)]) -> String {
    let (loud, quiet) = (output::style(Style::new().bold()), output::style(Style::new().dimmed()));
    let mut text = String::new();
    let mut last = "";
    for (persona, date, turn) in turns(found) {
        if date != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{loud}{date}{loud:#}");
            last = date;
        }
        let speaker = match turn.speaker {
            TurnSpeaker::Subject => "you",
            TurnSpeaker::Persona => persona,
        };
        let title = output::on_one_line(turn.title.as_ref().map_or("", Text::as_str));
        let _ = writeln!(text, "  {speaker}: {}", marked(turn.excerpt.as_str(), &turn.marks));
        let _ = writeln!(text, "  {quiet}{title} · {}{quiet:#}", turn.session_id);
    }
    text
}

/// The excerpt with its marks in colour, if colours are enabled.
fn marked(excerpt: &str, marks: &[ExcerptMark]) -> String {
    let bright = output::style(Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())));
    let mut text = String::new();
    for (place, character) in excerpt.chars().enumerate() {
        if marks.iter().any(|mark| mark.start == place) {
            let _ = write!(text, "{bright}");
        }
        text.push_str(&output::on_one_line(&character.to_string()));
        if marks.iter().any(|mark| mark.end == place + 1) {
            let _ = write!(text, "{bright:#}");
        }
    }
    text
}
