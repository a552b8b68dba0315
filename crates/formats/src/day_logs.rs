//! A day of a `sessions/` folder: what the owner and the persona said, one turn after the other.
//!
//! The name of the file is the day. A turn begins with its speaker, `**Scott** (14:32)`, `**Scott:** …`, `## Scott`,
//! `[14:32] Scott: …` or `Scott: …`; a heading with a time alone dates what follows. A turn with our own mark is in the
//! record already.

use std::io::BufRead;

use jiff::civil::{Date, Time};
use jiff::{Timestamp, tz::TimeZone};

use crate::record::{Conversation, Record, Speaker, Turn, Why};
use crate::text_lines::each_line;
use crate::{Broken, Sink, Source};

/// What our own day logs put before a turn.
const OUR_MARK: &str = "<!-- turn:";
/// Names of the one who talks with a persona, and of personas in general.
const PEOPLE: &[&str] = &["user", "owner", "human", "you", "me"];
const PERSONAS: &[&str] = &["assistant", "persona", "ai", "bot"];

/// Reads a day.
pub(crate) fn read(source: &mut dyn BufRead, about: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let Ok(day) = about.stem().parse::<Date>() else {
        let what = "the name of a day's file is its date, such as 2026-04-22.md";
        return sink(Record::refused(
            "the file",
            what,
            "rename it, or import it as notes with --as markdown",
        ));
    };
    let mut log = Log { day, about, time: None, turns: Vec::new(), is_ours: false, ours: 0 };
    each_line(source, |_, line| {
        log.read_line(line);
        Ok(())
    })?;
    let Log { mut turns, ours, .. } = log;
    for turn in &mut turns {
        turn.text = turn.text.trim().to_owned();
    }
    turns.retain(|turn| !turn.text.is_empty());
    if ours > 0 {
        sink(Record::skipped(format!("{} ({ours} turns)", about.name), Why::OurOwn))?;
    }
    match turns.is_empty() {
        true if ours > 0 => Ok(()),
        true => sink(Record::skipped(about.name, Why::Empty)),
        false => sink(Record::Conversation(Conversation { id: day.to_string(), title: None, turns })),
    }
}

struct Log<'l> {
    day: Date,
    about: &'l Source<'l>,
    time: Option<Time>,
    turns: Vec<Turn>,
    /// Whether the turn that is being read has our mark.
    is_ours: bool,
    ours: usize,
}

impl Log<'_> {
    fn read_line(&mut self, line: &str) {
        if line.trim().starts_with(OUR_MARK) {
            self.is_ours = true;
            self.ours += 1;
            return;
        }
        let heading = line.trim_start_matches('#').trim();
        if line.starts_with('#') && (heading.parse::<Date>().is_ok() || time_of(heading).is_some()) {
            self.time = time_of(heading).or(self.time);
            self.is_ours = false;
            return;
        }
        if let Some(opening) = self.opening(line) {
            // The line after our mark opens the turn that the mark is of.
            if self.is_ours && self.turns.last().is_none_or(|turn| turn.id != OUR_MARK) {
                self.turns.push(Turn {
                    id: OUR_MARK.to_owned(),
                    speaker: opening.0,
                    at: None,
                    text: String::new(),
                });
                return;
            }
            self.begin(opening);
        } else if let Some(turn) = self.turns.last_mut().filter(|_| !self.is_ours) {
            turn.text.push_str(line);
            turn.text.push('\n');
        }
    }

    fn begin(&mut self, (speaker, time, text): (Speaker, Option<Time>, &str)) {
        self.is_ours = false;
        self.time = time.or(self.time);
        let id = self.turns.len().to_string();
        self.turns.push(Turn { id, speaker, at: self.moment(), text: format!("{text}\n") });
    }

    /// The speaker, the time and the first words, if a turn begins here.
    fn opening<'t>(&self, line: &'t str) -> Option<(Speaker, Option<Time>, &'t str)> {
        let line = line.trim();
        let (time, line) = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((time, rest)) => (Some(time_of(time)?), rest.trim()),
            None => (None, line),
        };
        if let Some((name, rest)) = line.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
            let (clock, rest) = after_name(rest);
            return Some((self.speaker(name.trim_end_matches(':'))?, clock.or(time), rest));
        }
        if line.starts_with('#') {
            let (name, rest) = line
                .trim_start_matches('#')
                .trim()
                .split_once(['(', '-', '—'])
                .unwrap_or((line.trim_start_matches('#').trim(), ""));
            return Some((self.speaker(name)?, time_of(rest.trim_end_matches(')')).or(time), ""));
        }
        let (name, rest) = line.split_once(':')?;
        Some((self.speaker(name)?, time, rest.trim()))
    }

    /// Who is called `name`. In bold a name that is nobody's known one is the person's.
    fn speaker(&self, name: &str) -> Option<Speaker> {
        let name = name.trim().to_lowercase();
        let is_personas = PERSONAS.contains(&name.as_str())
            || self.about.persona.iter().any(|own| own.to_lowercase() == name);
        if is_personas {
            return Some(Speaker::Persona);
        }
        let is_known = PEOPLE.contains(&name.as_str());
        let is_name = (1..=40).contains(&name.chars().count()) && !name.contains(['.', '?', '!', '/', ',']);
        (is_known || (is_name && name.split_whitespace().count() <= 2)).then_some(Speaker::Subject)
    }

    fn moment(&self) -> Option<Timestamp> {
        let zone = self.about.timezone.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC);
        let moment = self.day.to_datetime(self.time.unwrap_or_else(Time::midnight));
        moment.to_zoned(zone).ok().map(|zoned| zoned.timestamp())
    }
}

/// ` (14:32)` or `: words` after a name.
fn after_name(rest: &str) -> (Option<Time>, &str) {
    let rest = rest.trim();
    match rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((time, rest)) => (time_of(time), rest.trim_start_matches(':').trim()),
        None => (None, rest.trim_start_matches([':', '—', '-']).trim()),
    }
}

fn time_of(text: &str) -> Option<Time> {
    let text = text.trim();
    let (hour, rest) = text.split_once(':')?;
    let minute = rest.get(..2)?;
    let second = rest.get(2..).and_then(|rest| rest.strip_prefix(':')).and_then(|rest| rest.get(..2));
    Time::new(hour.parse().ok()?, minute.parse().ok()?, second.map_or(Ok(0), str::parse).ok()?, 0).ok()
}
