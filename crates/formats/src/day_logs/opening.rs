//! What a line of a day's log is: the opening of a turn with a name and perhaps a time, a time alone, or words.

use jiff::civil::{Date, Time};

use super::OUR_MARK;

/// What a line is, without regard to who the people of the file are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Our own mark before a turn.
    OurMark,
    /// A heading with a date.
    Date,
    /// A heading with a time.
    Time(Time),
    /// The opening of a turn, if its name is one.
    Opening(Opening),
    /// Anything else.
    Words,
}

/// How a speaker is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `## 14:32 Scott`
    Heading,
    /// `**Scott** (14:32)`
    Bold,
    /// `[14:32] Scott: …`
    Line,
}

/// A line that begins like a turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opening {
    pub(super) form: Form,
    /// The level of a heading; 0 for other forms.
    pub(super) level: usize,
    /// The name in lower case.
    pub(super) name: String,
    pub(super) time: Option<Time>,
    /// The first words of the turn.
    pub(super) words: String,
}

/// The longest name and the most words of one.
const LONGEST_NAME: usize = 60;
const MOST_WORDS: usize = 2;

impl Content {
    pub(super) fn of(line: &str) -> Self {
        let line = line.trim();
        if line.starts_with(OUR_MARK) {
            return Self::OurMark;
        }
        if line.starts_with('#') {
            return heading(line);
        }
        bold(line).or_else(|| plain(line)).map_or(Self::Words, Self::Opening)
    }
}

impl Opening {
    /// Whether its name may be that of a person, though no known speaker has it.
    pub(super) fn has_plausible_name(&self) -> bool {
        (1..=LONGEST_NAME).contains(&self.name.chars().count())
            && self.name.split_whitespace().count() <= MOST_WORDS
            && self.name.chars().all(|c| c.is_alphanumeric() || " -_'’".contains(c))
            && self.name.contains(char::is_alphabetic)
    }
}

fn heading(line: &str) -> Content {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let Head { name, time, date } = Head::of(text);
    match (name.is_empty(), time) {
        (true, Some(time)) => Content::Time(time),
        (true, None) if date => Content::Date,
        (true, None) => Content::Words,
        (false, time) => {
            Content::Opening(Opening { form: Form::Heading, level, name, time, words: String::new() })
        }
    }
}

/// `**Scott:** words`, `**Scott** (14:32)`, `[14:32] **Scott**: words`.
fn bold(line: &str) -> Option<Opening> {
    let (before, rest) = line.split_once("**")?;
    let (inside, rest) = rest.split_once("**")?;
    let is_ended = inside.trim_end().ends_with(':')
        || rest.trim_start().starts_with([':', '(', '—', '–', '-'])
        || rest.trim().is_empty();
    let is_first = before.trim().is_empty() || (is_time_alone(before) && !before.trim().starts_with('-'));
    let head = Head::of(inside);
    if !is_ended || !is_first || head.name.is_empty() {
        return None;
    }
    let (after, words) = after_name(rest);
    let time = head.time.or(Head::of(before).time).or(after);
    Some(Opening { form: Form::Bold, level: 0, name: head.name, time, words: words.to_owned() })
}

/// ` (14:32)`, ` — 14:32` or `: words` after a name.
fn after_name(rest: &str) -> (Option<Time>, &str) {
    let rest = rest.trim();
    let (time, rest) = match rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
        Some((inner, rest)) => (Head::of(inner).time, rest),
        None => (None, rest),
    };
    let words = rest.trim_start_matches([':', '—', '–', '-', ' ']).trim();
    if time.is_none() && is_time_alone(words) { (Head::of(words).time, "") } else { (time, words) }
}

/// `Scott: words`, `[14:32] Scott: words`, and `[14:32] Scott` with the words below.
fn plain(line: &str) -> Option<Opening> {
    // The colon of a time and that of an address are followed by something.
    let colon = line.match_indices(':').map(|(at, _)| at).find(|at| {
        let after = line.get(at + 1..).and_then(|rest| rest.chars().next());
        after.is_none_or(char::is_whitespace)
    });
    let (head, words) = match colon {
        Some(at) => (line.get(..at)?, line.get(at + 1..)?.trim()),
        None if line.starts_with('[') => (line, ""),
        None => return None,
    };
    let Head { name, time, .. } = Head::of(head);
    let is_name = (1..=LONGEST_NAME).contains(&name.chars().count());
    let is_complete = colon.is_some() || time.is_some();
    (is_name && is_complete).then(|| Opening {
        form: Form::Line,
        level: 0,
        name,
        time,
        words: words.to_owned(),
    })
}

fn is_time_alone(text: &str) -> bool {
    let head = Head::of(text);
    head.time.is_some() && head.name.is_empty()
}

/// A name with a time and a date, in any order.
#[derive(Default)]
struct Head {
    name: String,
    time: Option<Time>,
    date: bool,
}

impl Head {
    fn of(text: &str) -> Self {
        let mut head = Self::default();
        let mut words: Vec<&str> = Vec::new();
        for part in without_remark(text).split(is_separator) {
            let part = part.trim_matches(|c: char| !c.is_alphanumeric());
            let (day, rest) = part.split_once('T').unwrap_or(("", part));
            let (is_day, part) = if day.parse::<Date>().is_ok() { (true, rest) } else { (false, part) };
            head.date |= is_day;
            match (time_of(part), half_of_day(part), head.time) {
                _ if part.is_empty() => {}
                _ if part.parse::<Date>().is_ok() => head.date = true,
                (Some(time), _, None) => head.time = Some(time),
                (None, Some(half), Some(time)) => head.time = half.applied(time),
                _ => words.push(part),
            }
        }
        if head.time.is_some() && words.last().is_some_and(|word| word.eq_ignore_ascii_case("at")) {
            words.pop();
        }
        head.name = words.join(" ").to_lowercase();
        head
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || "—–|·•[](){}*,;".contains(c)
}

/// The text without a remark in brackets at its end, such as the name of a model. A time there is no remark.
fn without_remark(text: &str) -> &str {
    let text = text.trim().trim_end_matches(':');
    let remark = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
    match remark {
        Some((before, inside))
            if before.contains(char::is_alphabetic) && !inside.split(is_separator).any(is_time) =>
        {
            before
        }
        Some(_) | None => text,
    }
}

fn is_time(text: &str) -> bool {
    time_of(text).is_some()
}

/// `14:32`, `14:32:07`, `2:32pm`.
fn time_of(text: &str) -> Option<Time> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let half = match text.get(digits.len()..)? {
        "" | "Z" | "z" => None,
        written => Some(half_of_day(written)?),
    };
    let mut parts = digits.split(':');
    let mut number = |longest: usize| -> Option<i8> {
        let part = parts.next()?;
        (!part.is_empty() && part.len() <= longest).then(|| part.parse().ok())?
    };
    let (hour, minute) = (number(2)?, number(2)?);
    let second = if digits.matches(':').count() > 1 { number(2)? } else { 0 };
    let time = Time::new(hour, minute, second, 0).ok().filter(|_| parts.next().is_none())?;
    half.map_or(Some(time), |half| half.applied(time))
}

/// The half of a day that a time of a clock with twelve hours is in.
#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

fn half_of_day(text: &str) -> Option<Half> {
    match text.to_ascii_lowercase().as_str() {
        "am" => Some(Half::Morning),
        "pm" => Some(Half::Afternoon),
        _ => None,
    }
}

impl Half {
    fn applied(self, time: Time) -> Option<Time> {
        let hour = match (self, time.hour()) {
            (Self::Morning, 12) => 0,
            (Self::Afternoon, hour @ 1..=11) => hour + 12,
            (Self::Morning | Self::Afternoon, hour) => hour,
        };
        Time::new(hour, time.minute(), time.second(), 0).ok()
    }
}
