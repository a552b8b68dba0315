//! The conversations of one person, as a digest reads them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use domain::{SubjectRef, Text, Timestamp, TurnId};
use jiff::tz::TimeZone;
use store::{Records, Session, Speaker, Turn};
use wire::Problem;

use crate::Engine;
use crate::persona::registry::PersonaContext;
use crate::talk::sessions::stands;
use crate::talk::without_refused::without_refused;

/// The least cost of a turn, besides its text.
const LEAST: usize = 16;

/// The conversations of a person with a persona.
pub(crate) struct Talk<'a> {
    pub(crate) persona: &'a PersonaContext,
    pub(crate) subject: &'a SubjectRef,
    pub(crate) zone: TimeZone,
    /// The person's conversations, latest first.
    pub(crate) sessions: Vec<Session>,
}

/// A line of a digest and its source turns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) turns: BTreeSet<TurnId>,
}

impl Talk<'_> {
    /// One turn on one line.
    pub(crate) fn line(&self, turn: &Turn) -> Line {
        let time = turn.at.to_jiff().to_zoned(self.zone.clone()).strftime("%H:%M").to_string();
        let text =
            format!("- {time} {}: {}", self.name(turn.speaker), recall::on_one_line(turn.text.as_str()));
        Line { text, turns: BTreeSet::from([turn.id]) }
    }

    /// The name of a speaker in a digest.
    pub(crate) fn name(&self, speaker: Speaker) -> &str {
        match speaker {
            Speaker::Persona => &self.persona.loaded.document.identity.display_name,
            Speaker::Subject if self.subject.is_owner() => "Owner",
            Speaker::Subject => "Guest",
        }
    }

    /// The calendar day in the persona's time zone.
    pub(crate) fn day(&self, at: Timestamp) -> jiff::civil::Date {
        at.to_jiff().to_zoned(self.zone.clone()).date()
    }
}

impl Engine {
    /// The newest active turns, oldest first, within `room` characters; all of them after `since`, if given.
    pub(crate) async fn newest_turns(
        &self,
        talk: &Talk<'_>,
        since: Option<Timestamp>,
        room: usize,
    ) -> Result<Vec<Turn>, Problem> {
        let scope = talk.persona.entry.scope();
        let mut turns: Vec<Turn> = Vec::new();
        for session in &talk.sessions {
            if since.is_some_and(|since| session.last_at <= since) {
                break;
            }
            // Sessions come latest first: once the room is full, older ones have nothing newer.
            let oldest_kept = within(&mut turns, room);
            if oldest_kept.is_some_and(|oldest| session.last_at < oldest) {
                break;
            }
            let said = self.store.turns(&scope, &session.id).await?;
            let is_new = |turn: &Turn| since.is_none_or(|since| turn.at > since);
            let language = &talk.persona.loaded.document.identity.language;
            for turn in said.iter().filter(|turn| stands(turn) && is_new(turn)) {
                let text = without_refused(turn, &said, language).map(|text| Text::new(text.as_ref()));
                turns.extend(text.map(|text| Turn { text, ..turn.clone() }));
            }
        }
        within(&mut turns, room);
        turns.sort_by_key(|turn| (turn.at, turn.index));
        Ok(turns)
    }
}

/// Keeps the newest of `turns` that fit, and returns the time of the oldest if some did not fit.
fn within(turns: &mut Vec<Turn>, room: usize) -> Option<Timestamp> {
    turns.sort_by_key(|turn| std::cmp::Reverse((turn.at, turn.index)));
    let mut left = room;
    let fits = |turn: &&Turn| {
        let cost = turn.text.length() + LEAST;
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    };
    // The newest is always included, cut if necessary.
    let count = turns.iter().take_while(fits).count().max(1);
    if count >= turns.len() {
        return None;
    }
    turns.truncate(count);
    turns.last().map(|turn| turn.at)
}

/// Lines under headings of their days.
pub(crate) fn by_day<'l>(lines: impl Iterator<Item = (jiff::civil::Date, &'l str)>) -> String {
    let mut text = String::new();
    let mut day = None;
    for (of, line) in lines {
        if day != Some(of) {
            let _ = write!(text, "{}## {of}\n\n", if day.is_some() { "\n" } else { "" });
            day = Some(of);
        }
        let _ = writeln!(text, "{line}");
    }
    text
}
