//! A day of a `sessions/` folder: what the owner and the persona said, one turn after the other.
//!
//! The name of the file is the day. A turn begins with its speaker, in a heading (`## 14:32 — Scott`), in bold
//! (`**Scott** (14:32)`) or at the start of a line (`[14:32] Scott: …`, `Scott: …`). A heading with a time alone dates
//! what follows. A turn with our own mark is in the record already.
//!
//! A file in which it isn't certain who said something is refused with the line: words under the wrong name are worse
//! than words that are missing.

mod opening;
mod speakers;

use std::io::BufRead;

use jiff::civil::{Date, Time};
use jiff::{Timestamp, tz::TimeZone};

use self::opening::{Content, Form, Opening};
use self::speakers::Speakers;
use crate::record::{Conversation, Record, Speaker, Turn, Why};
use crate::text_lines::each_line;
use crate::{Broken, Sink, Source};

/// What our own day logs put before a turn.
const OUR_MARK: &str = "<!-- turn:";
/// What to do with a file whose speakers aren't certain.
const WAY_OUT: &str = "write `user` and `assistant` in place of the names, name the person with --subject, or import \
                       the file as notes with --as markdown";
/// Words that stand under no speaker.
const NO_SPEAKER: &str = "these words have no speaker";

/// A line of the file.
struct Line {
    number: usize,
    text: String,
    content: Content,
    /// Whether it is in a block of code.
    is_code: bool,
}

/// The line at which it isn't certain who speaks.
struct Uncertain {
    line: usize,
    what: &'static str,
}

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
    let lines = read_lines(source)?;
    let ours = lines.iter().filter(|line| line.content == Content::OurMark).count();
    if ours > 0 {
        sink(Record::skipped(format!("{} ({ours} turns)", about.name), Why::OurOwn))?;
    }
    let zone = about.timezone.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC);
    let read = Speakers::of(&lines, about).and_then(|speakers| {
        Log { day, zone, speakers, time: None, turns: Vec::new(), state: State::NoSpeaker }.read(&lines)
    });
    match read {
        Err(Uncertain { line, what }) => sink(Record::refused(format!("line {line}"), what, WAY_OUT)),
        Ok(turns) if !turns.is_empty() => {
            sink(Record::Conversation(Conversation { id: day.to_string(), title: None, turns }))
        }
        Ok(_) if ours > 0 => Ok(()),
        Ok(_) => sink(Record::skipped(about.name, Why::Empty)),
    }
}

/// The lines below the front matter.
fn read_lines(source: &mut dyn BufRead) -> Result<Vec<Line>, Broken> {
    let mut lines: Vec<Line> = Vec::new();
    let mut is_code = false;
    each_line(source, |number, text| {
        let is_fence = text.trim_start().starts_with("```");
        is_code ^= is_fence;
        let content = if is_fence { Content::Words } else { Content::of(text) };
        lines.push(Line { number, text: text.to_owned(), content, is_code });
        Ok(())
    })?;
    let is_rule = |line: &Line| line.text.trim_end() == "---";
    if lines.first().is_some_and(is_rule)
        && let Some(end) = lines.iter().skip(1).position(is_rule)
    {
        lines.drain(..end + 2);
    }
    Ok(lines)
}

/// Whose words the next line is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody's: before the first turn, or after a heading with a time.
    NoSpeaker,
    /// Those of the last turn.
    Turn,
    /// Our mark was read, and the line that opens its turn follows.
    OurOpening,
    /// Those of a turn that is in the record.
    Ours,
}

impl State {
    /// Whether `opening` is a part of a turn of ours. The text of such a turn may look like a speaker.
    fn takes(&mut self, opening: &Opening, speakers: &Speakers<'_>) -> bool {
        match self {
            Self::NoSpeaker | Self::Turn => false,
            Self::OurOpening => {
                *self = Self::Ours;
                true
            }
            Self::Ours => match speakers.known(&opening.name) {
                Some(_) => opening.form == Form::Line && opening.time.is_none(),
                None => opening.form != Form::Bold || opening.time.is_none(),
            },
        }
    }
}

struct Log<'l> {
    day: Date,
    zone: TimeZone,
    speakers: Speakers<'l>,
    time: Option<Time>,
    turns: Vec<Turn>,
    state: State,
}

impl Log<'_> {
    fn read(mut self, lines: &[Line]) -> Result<Vec<Turn>, Uncertain> {
        for line in lines {
            self.read_line(line)?;
        }
        for turn in &mut self.turns {
            turn.text = turn.text.trim().to_owned();
        }
        self.turns.retain(|turn| !turn.text.is_empty());
        Ok(self.turns)
    }

    fn read_line(&mut self, line: &Line) -> Result<(), Uncertain> {
        match &line.content {
            Content::OurMark => self.state = State::OurOpening,
            Content::Date => {}
            Content::Time(time) => self.date(*time),
            Content::Opening(opening) => {
                if self.state.takes(opening, &self.speakers) {
                    return Ok(());
                }
                match self.speakers.speaker(opening, line) {
                    Some(speaker) => self.begin(speaker, opening),
                    None => match opening.time.filter(|_| opening.form == Form::Heading) {
                        Some(time) => self.date(time),
                        None => return self.add(line),
                    },
                }
            }
            Content::Words => return self.add(line),
        }
        Ok(())
    }

    /// Dates what follows. Who speaks next must be said again, but not within a turn of ours.
    fn date(&mut self, time: Time) {
        self.time = Some(time);
        if self.state == State::Turn {
            self.state = State::NoSpeaker;
        }
    }

    fn begin(&mut self, speaker: Speaker, opening: &Opening) {
        self.state = State::Turn;
        self.time = opening.time.or(self.time);
        let id = self.turns.len().to_string();
        let text = format!("{}\n", opening.words);
        self.turns.push(Turn { id, speaker, at: self.moment(), text });
    }

    fn add(&mut self, line: &Line) -> Result<(), Uncertain> {
        match (self.state, self.turns.last_mut()) {
            (State::Turn, Some(turn)) => {
                turn.text.push_str(&line.text);
                turn.text.push('\n');
                Ok(())
            }
            (State::OurOpening | State::Ours, _) => Ok(()),
            (State::NoSpeaker | State::Turn, _) if is_decoration(&line.text) => Ok(()),
            (State::NoSpeaker | State::Turn, _) => Err(Uncertain { line: line.number, what: NO_SPEAKER }),
        }
    }

    fn moment(&self) -> Option<Timestamp> {
        let moment = self.day.to_datetime(self.time.unwrap_or_else(Time::midnight));
        moment.to_zoned(self.zone.clone()).ok().map(|zoned| zoned.timestamp())
    }
}

/// Whether a line is not speech: a heading, a rule, a comment.
fn is_decoration(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#') || line.starts_with("<!--") || !line.contains(char::is_alphanumeric)
}
