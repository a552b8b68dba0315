//! `selfhood session …`.

mod list;
mod search;
mod show;

use wire::fields::fields;
use wire::session::{SessionFilter, SessionPage, SessionView};
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::Session;
use crate::command::at_the_door;
use crate::config::Settings;
use crate::home_client::{HomeClient, WithoutHome};
use crate::output::Output;
use crate::request::Request;

/// The greatest page size.
const PAGE: usize = 200;

/// Runs a session command.
pub(crate) fn run(verb: &Session, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Session::List(asked) => list::run(asked, context),
        Session::Show(asked) => show::run(asked, context),
        Session::Search(asked) => search::run(asked, context),
    })
}

/// At most `limit` conversations of `subject` with a persona, latest first.
fn fetch(
    client: &HomeClient,
    persona: &str,
    subject: Option<&str>,
    limit: usize,
) -> Result<Vec<SessionView>, Problem> {
    let mut sessions: Vec<SessionView> = Vec::new();
    let mut cursor: Option<String> = None;
    while sessions.len() < limit {
        let request = Request::<verb::ListSessions>::to(&[persona])?.with_query(fields!(SessionFilter {
            subject: subject,
            limit: Some(PAGE.min(limit - sessions.len())),
            cursor: cursor.as_deref()
        }));
        let page: SessionPage = client.ask(request)?;
        sessions.extend(page.data);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(sessions)
}
