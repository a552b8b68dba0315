//! The owner's conversations of a day as a plain file: a projection of the record, written and never read
//! back.
//!
//! Every turn has an invisible mark with its id, so that it can be found in the file and removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use domain::{SubjectRef, Text, Timestamp};
use jiff::tz::TimeZone;
use store::{Day, DocumentName, Documents, PersonaEntry, Records, Speaker, Turn, TurnId, TurnState};
use wire::Problem;

use crate::Engine;
use crate::persona::registry::PersonaContext;

/// The start of a turn's invisible mark.
const MARK: &str = "<!-- turn:";

/// One turn as it is written in a day log.
pub(crate) fn passage(turn: &Turn, persona: &str, zone: &TimeZone) -> String {
    let speaker = match turn.speaker {
        Speaker::Subject => "Owner",
        Speaker::Persona => persona,
    };
    let time = turn.at.to_jiff().to_zoned(zone.clone()).strftime("%H:%M").to_string();
    let mut passage =
        format!("{}\n**{speaker}** ({time})\n\n{}\n", mark(turn.id), written(turn.text.as_str().trim_end()));
    if turn.state == TurnState::Interrupted {
        passage.push_str("\n(interrupted)\n");
    }
    passage.push('\n');
    passage
}

/// A day log without these turns; `None` if it has none of them. Text that people wrote after a turn belongs
/// to that turn, and is removed with it.
pub(crate) fn without_turns(log: &str, turns: &BTreeSet<TurnId>) -> Option<String> {
    let mut kept = String::with_capacity(log.len());
    let mut is_gone = false;
    for line in log.split_inclusive('\n') {
        if let Some(id) = line.trim().strip_prefix(MARK).and_then(|rest| rest.strip_suffix(" -->")) {
            is_gone = turns.iter().any(|turn| turn.to_string() == id);
        }
        if !is_gone {
            kept.push_str(line);
        }
    }
    (kept.len() != log.len()).then_some(kept)
}

fn mark(turn: TurnId) -> String {
    format!("{MARK}{turn} -->")
}

fn written(text: &str) -> String {
    text.replace(MARK, "&lt;!-- turn:")
}

/// The day of a turn in the persona's time zone.
pub(crate) fn day(at: Timestamp, zone: &TimeZone) -> Option<Day> {
    let date = at.to_jiff().to_zoned(zone.clone()).date();
    let part = |number: i8| u8::try_from(number).ok();
    Day::new(u16::try_from(date.year()).ok()?, part(date.month())?, part(date.day())?)
}

impl Engine {
    /// Appends an exchange with the owner to its day log. A log that can't be written loses nothing: the
    /// record is in the store, and the next rebuild writes it.
    pub(crate) async fn log_exchange(
        &self,
        persona: &PersonaContext,
        turns: &[Turn],
        now: Timestamp,
    ) -> Result<(), Problem> {
        if self.store.is_shared() {
            return Ok(());
        }
        let identity = &persona.loaded.document.identity;
        let zone = TimeZone::get(&identity.timezone).unwrap_or(TimeZone::UTC);
        let scope = persona.entry.scope();
        let files = self.files_of(&scope, now);
        for (day, passages) in by_day(turns, &identity.display_name, &zone) {
            files.append(DocumentName::DayLog(day), &heading(day), &passages).await?;
        }
        Ok(())
    }

    /// Replaces a turn of the owner in its day log, or removes it. Everything else in the file stays,
    /// including manual edits.
    pub(crate) async fn replace_in_day_log(
        &self,
        persona: &PersonaContext,
        old: &Turn,
        new: Option<&Turn>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let identity = &persona.loaded.document.identity;
        let zone = TimeZone::get(&identity.timezone).unwrap_or(TimeZone::UTC);
        let Some(document) = day(old.at, &zone).map(DocumentName::DayLog) else { return Ok(()) };
        let passage = new.map(|new| passage(new, &identity.display_name, &zone)).unwrap_or_default();
        let files = self.files_of(&persona.entry.scope(), now);
        files.rewrite(document, |log| replaced(log, old.id, &passage)).await.map(drop)
    }

    /// Writes the day logs of a persona from its record. Existing logs stay as they are.
    pub(crate) async fn rebuild_day_logs(
        &self,
        persona: &PersonaEntry,
        now: Timestamp,
    ) -> Result<usize, Problem> {
        let scope = persona.scope();
        let mut written = 0;
        for (day, text) in self.rendered_day_logs(persona, now).await? {
            let document = DocumentName::DayLog(day);
            if self.store.read(&scope, document).await?.is_none() {
                self.store.write(&scope, document, None, Text::new(text)).await?;
                written += 1;
            }
        }
        Ok(written)
    }

    /// The day logs of a persona, rendered from its record. Served where there are no files.
    pub(crate) async fn rendered_day_logs(
        &self,
        persona: &PersonaEntry,
        now: Timestamp,
    ) -> Result<BTreeMap<Day, String>, Problem> {
        let scope = persona.scope();
        let owner = SubjectRef::owner();
        let mut turns = Vec::new();
        for session in self.store.sessions(&scope, Some(&owner)).await? {
            turns.extend(self.store.turns(&scope, &session.id).await?);
        }
        turns.retain(|turn| turn.state != TurnState::Superseded);
        turns.sort_by_key(|turn| (turn.at, turn.index));
        let identity =
            self.load_document(persona, now).await.ok().map(|loaded| loaded.document.identity.clone());
        let zone = identity.as_ref().and_then(|identity| TimeZone::get(&identity.timezone).ok());
        let zone = zone.unwrap_or(TimeZone::UTC);
        let name = identity.map_or_else(|| persona.name.to_string(), |identity| identity.display_name);
        let days = by_day(&turns, &name, &zone).into_iter();
        Ok(days.map(|(day, passages)| (day, heading(day) + &passages)).collect())
    }
}

/// `log` with `passage` in place of the turn, if the log contains the turn.
fn replaced(log: &str, turn: TurnId, passage: &str) -> Option<String> {
    let (before, rest) = log.split_once(&format!("{}\n", mark(turn)))?;
    let after = rest.find(MARK).and_then(|end| rest.get(end..)).unwrap_or_default();
    Some(format!("{before}{passage}{after}"))
}

/// The beginning of the log of `day`.
fn heading(day: Day) -> String {
    format!("# {day}\n\n")
}

/// The passages of each day.
fn by_day(turns: &[Turn], persona: &str, zone: &TimeZone) -> BTreeMap<Day, String> {
    let mut days: BTreeMap<Day, String> = BTreeMap::new();
    for turn in turns {
        if let Some(day) = day(turn.at, zone) {
            let log = days.entry(day).or_default();
            let _ = write!(log, "{}", passage(turn, persona, zone));
        }
    }
    days
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_removed_whole_and_nothing_else_is() {
        let [first, second, other] = [1, 2, 3].map(|n| TurnId(uuid::Uuid::from_u128(n)));
        let hostile = written(&format!("one\n{}\ntwo", mark(second)));
        let log = format!("# 2026-05-01\n\n{}\n{hostile}\n\n{}\nthree\n", mark(first), mark(second));
        assert_eq!(replaced(&log, other, ""), None);
        let remaining = replaced(&log, first, "").unwrap();
        assert_eq!(remaining, format!("# 2026-05-01\n\n{}\nthree\n", mark(second)));
        assert_eq!(replaced(&remaining, second, "new\n").unwrap(), "# 2026-05-01\n\nnew\n");
    }
}
