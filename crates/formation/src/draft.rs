//! What is kept of a statement: a gist in the speaker's own words, and particulars that may fade.

use domain::{Brightness, EventDate, Kind, MemoryId, PrivacyClass, Salience, Text, Valence};
use jiff::civil::Date;
use recall::date_in_talk;

use crate::class;
use crate::cue::Cue;
use crate::day::days;
use crate::exchange::Author;
use crate::statement::Statement;
use crate::weight;

/// A memory to be, before anyone has decided whether it is new and allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What sort of memory it is.
    pub kind: Kind,
    /// At most 280 characters: what was said, without who said it.
    pub gist: Text,
    /// Particulars of at most 200 characters each, with how clear they are.
    pub details: Vec<(Text, Brightness)>,
    /// How much it weighs.
    pub salience: Salience,
    /// How it felt.
    pub valence: Valence,
    /// How private it is.
    pub privacy_class: PrivacyClass,
    /// What it is about.
    pub tags: Vec<Text>,
    /// Whether the person asked for it to be remembered: it is kept pinned.
    pub is_asked_for: bool,
    /// Whose words it rests on.
    pub author: Author,
    /// Who said it, where the gist keeps the words as they were said; rendering puts it in front.
    pub said_by: Option<Text>,
    /// When it happened or is planned, if that was said.
    pub event_date: Option<EventDate>,
    /// What people may say that should bring it to mind.
    pub cues: Vec<Text>,
    /// Whether it replaces what is known.
    pub replaces: Replaces,
}

/// Whether a memory replaces one that is known.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Replaces {
    /// It stands beside what is known.
    #[default]
    Nothing,
    /// It may say that something has changed or was said wrongly, above 0 rather so than not; a
    /// [`Revision`](crate::Revision) finds the memory that it means.
    Perhaps(f32),
    /// It replaces this memory.
    Memory(MemoryId),
}

/// The longest a gist may be, in characters.
pub(crate) const LONGEST_GIST: usize = 280;
/// The longest a detail may be, in characters.
pub(crate) const LONGEST_DETAIL: usize = 200;
/// A draft has no more details than these; what talk adds beyond them is another memory.
const MOST_DETAILS: usize = 6;

const DAY: f64 = 0.8;
const SAID_NEXT: f64 = 0.6;
const TOO_LONG: f64 = 0.5;

/// When and in which language something was said.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) today: Date,
    pub(crate) language: &'static str,
    /// The month that was spoken of before, if one was named.
    pub(crate) spoken_month: Option<i8>,
}

impl Draft {
    /// Drafts a memory of `statement` in its own words; `said_by` names the speaker, or is empty.
    pub(crate) fn of(statement: &Statement<'_>, said_by: &str, setting: Setting) -> Self {
        let valence = weight::valence(statement);
        // "Could you remember that I sit by the window?" states what follows.
        let stated = statement.text.trim_end().strip_suffix('?').filter(|_| statement.is_asked_for);
        let stated = stated.map(|text| format!("{text}."));
        let (gist, rest) = gist(stated.as_deref().unwrap_or(statement.text));
        let mut draft = Self {
            kind: class::kind(statement),
            gist,
            details: Vec::new(),
            salience: weight::salience(statement, valence),
            valence,
            privacy_class: class::privacy_class(statement, setting.language),
            tags: tags(statement),
            is_asked_for: statement.is_asked_for,
            author: Author::Speaker,
            said_by: (!said_by.is_empty()).then(|| Text::from(said_by)),
            event_date: event_date(statement, setting),
            cues: Vec::new(),
            replaces: Replaces::Nothing,
        };
        draft.add_days(statement, setting);
        draft.add(&rest, TOO_LONG);
        draft
    }

    /// Adds what was said next about the same thing.
    pub(crate) fn goes_on(&mut self, statement: &Statement<'_>, setting: Setting) {
        self.add(statement.text, SAID_NEXT);
        self.take_in(statement, setting);
    }

    /// Adds what a word such as "tomorrow" means, where that is the date of the memory.
    fn add_days(&mut self, statement: &Statement<'_>, setting: Setting) {
        let Some(date) = self.event_date.map(|date| date.to_string()) else { return };
        for day in days(statement, setting.today).iter().filter(|day| day.ends_with(&date)) {
            self.add(day, DAY);
        }
    }

    /// Becomes as private as `statement`, and takes its labels and its date.
    fn take_in(&mut self, statement: &Statement<'_>, setting: Setting) {
        self.privacy_class = self.privacy_class.max(class::privacy_class(statement, setting.language));
        let salience = weight::salience(statement, weight::valence(statement));
        self.salience = Salience::clamped(self.salience.get().max(salience.get()));
        self.is_asked_for |= statement.is_asked_for;
        if self.event_date.is_none() {
            self.event_date = event_date(statement, setting);
            self.add_days(statement, setting);
        }
        for tag in tags(statement) {
            if !self.tags.contains(&tag) {
                self.tags.push(tag);
            }
        }
    }

    /// Says whom the pronoun at the beginning means: "My mother arrives on Saturday" for "She arrives on Saturday".
    pub(crate) fn naming(&mut self, pronoun: &str, named: &str) {
        let rest = self.gist.as_str().get(pronoun.len()..).unwrap_or_default();
        let whole = format!("{}{rest}", capitalised(&on_one_line(named)));
        if whole.chars().count() <= LONGEST_GIST {
            self.gist = Text::new(whole);
        }
        if self.privacy_class == PrivacyClass::NonPii {
            self.privacy_class = PrivacyClass::GuestPii;
        }
    }

    /// Puts the sentence before in front, without which "it" and "he" would mean nothing.
    pub(crate) fn led_by(&mut self, lead: &str) {
        let lead = on_one_line(lead);
        let whole = format!("{} {}", capitalised(&ended(&lead)), self.gist.as_str());
        if whole.chars().count() > LONGEST_GIST {
            self.add(&lead, SAID_NEXT);
        } else {
            self.gist = Text::new(whole.trim());
        }
        if self.privacy_class == PrivacyClass::NonPii {
            self.privacy_class = PrivacyClass::GuestPii;
        }
    }

    /// Notes the question that it answers.
    pub(crate) fn answering(&mut self, asked: &str) {
        let whole = format!("{} ({})", self.gist.as_str(), on_one_line(asked));
        if whole.chars().count() <= LONGEST_GIST {
            self.gist = Text::new(whole);
        }
        if self.privacy_class == PrivacyClass::NonPii {
            self.privacy_class = PrivacyClass::GuestPii;
        }
    }

    /// Takes in the sentence that says who the one before it spoke of.
    pub(crate) fn joined_by(&mut self, statement: &Statement<'_>, setting: Setting) {
        let whole = format!("{} {}", ended(self.gist.as_str()), on_one_line(statement.text));
        if whole.chars().count() > LONGEST_GIST {
            return self.goes_on(statement, setting);
        }
        self.gist = Text::new(whole);
        self.take_in(statement, setting);
    }

    /// Adds a particular that stood beside the statement.
    pub(crate) fn add(&mut self, words: &str, brightness: f64) {
        let detail = clipped(&on_one_line(words), LONGEST_DETAIL);
        if !detail.is_empty() && self.details.len() < MOST_DETAILS {
            self.details.push((Text::new(detail), Brightness::clamped(brightness)));
        }
    }
}

/// The gist, and what of `said` did not find room in it.
fn gist(said: &str) -> (Text, String) {
    let said = on_one_line(said);
    let head = clipped(&said, LONGEST_GIST);
    let kept = head.trim_end_matches('…').len();
    let is_cut = head.ends_with('…') && !said.ends_with('…');
    let rest = if is_cut { said.get(kept..).unwrap_or_default() } else { "" };
    (Text::new(capitalised(&head).trim()), rest.trim().to_owned())
}

/// The date a statement names, if it does for certain: a wrong date is worse than none.
fn event_date(statement: &Statement<'_>, setting: Setting) -> Option<EventDate> {
    let date = date_in_talk(statement.text, setting.language, setting.today)?;
    (!is_anniversary(statement) && is_in_spoken_month(statement, date, setting)).then_some(date)
}

/// Whether a day that was named without its month lies in the month that is spoken of, if any is.
fn is_in_spoken_month(statement: &Statement<'_>, date: EventDate, setting: Setting) -> bool {
    let has_weekday = statement.hits.iter().any(|hit| matches!(hit.cue, Cue::Weekday(_)));
    let is_settled = statement.hits.iter().any(|hit| matches!(hit.cue, Cue::Month(_)))
        || statement.has(&[Cue::Today, Cue::Tomorrow, Cue::Yesterday, Cue::Overmorrow, Cue::Next, Cue::Last])
        || (has_weekday && statement.has_number());
    is_settled || setting.spoken_month.is_none_or(|month| month == date.first_day().month())
}

/// Whether years are counted up to a month: "six years this June" names no date.
fn is_anniversary(statement: &Statement<'_>) -> bool {
    let months = || statement.hits.iter().filter(|hit| matches!(hit.cue, Cue::Month(_)));
    let years = statement.hits.iter().filter(|hit| hit.cue == Cue::Years);
    let mut ends = years.map(|hit| hit.words.end);
    let is_counted = ends.any(|end| months().any(|month| (end..=end + 2).contains(&month.words.start)));
    is_counted && statement.has_number() && !statement.has(&[Cue::Ago])
}

/// `text` without line breaks and control characters, ending as a sentence does.
fn on_one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `text` with a full stop, unless it ends as a sentence does.
fn ended(text: &str) -> String {
    if text.ends_with(['.', '!', '?', '…']) { text.to_owned() } else { format!("{text}.") }
}

/// At most `most` characters of `text`, cut between words.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let Some((limit, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let (last, _) = text.char_indices().nth(most.saturating_sub(1)).unwrap_or((limit, ' '));
    let room = text.get(..last).unwrap_or_default();
    let end = room.rfind(' ').filter(|end| *end > last / 2).unwrap_or(last);
    format!("{}…", text.get(..end).unwrap_or_default().trim_end())
}

fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

fn tags(statement: &Statement<'_>) -> Vec<Text> {
    let mut tags: Vec<&str> = statement.hits.iter().filter_map(|hit| hit.cue.label()).collect();
    tags.sort_unstable();
    tags.dedup();
    tags.into_iter().map(Text::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_statement_goes_on_in_a_detail() {
        let said = "word ".repeat(80);
        let (gist, rest) = gist(&said);
        assert!(gist.length() <= LONGEST_GIST && gist.as_str().ends_with('…'));
        assert!(gist.as_str().starts_with("Word word"));
        assert!(rest.starts_with("word") && rest.len() > 100);
    }

    #[test]
    fn text_without_a_space_is_cut_between_characters() {
        assert_eq!(clipped(&"ș".repeat(300), 200).chars().count(), 200);
        assert_eq!(clipped("short", 200), "short");
    }
}
