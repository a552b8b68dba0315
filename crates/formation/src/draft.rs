//! What is kept of a statement: a gist in the speaker's own words, and particulars that may fade.

use domain::{Brightness, Kind, PrivacyClass, Salience, Text, Valence};
use jiff::civil::Date;

use crate::class;
use crate::day::days;
use crate::statement::Statement;
use crate::weight;

/// A memory to be, before anyone has decided whether it is new and allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What sort of memory it is.
    pub kind: Kind,
    /// One sentence of at most 280 characters: who said it, and what, in their words.
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
    /// Whether the person asked for it to be remembered.
    pub is_asked_for: bool,
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
}

impl Draft {
    /// Drafts a memory of `statement`, introduced by `frame` (who said it).
    pub(crate) fn of(statement: &Statement<'_>, frame: &str, setting: Setting) -> Self {
        let valence = weight::valence(statement);
        let (gist, rest) = gist(frame, statement.text);
        let mut draft = Self {
            kind: class::kind(statement),
            gist,
            details: Vec::new(),
            salience: weight::salience(statement, valence),
            valence,
            privacy_class: class::privacy_class(statement, setting.language),
            tags: tags(statement),
            is_asked_for: statement.is_asked_for,
        };
        for day in days(statement, setting.today) {
            draft.add(&day, DAY);
        }
        draft.add(&rest, TOO_LONG);
        draft
    }

    /// Adds what was said next about the same thing.
    pub(crate) fn goes_on(&mut self, statement: &Statement<'_>, setting: Setting) {
        self.add(statement.text, SAID_NEXT);
        for day in days(statement, setting.today) {
            self.add(&day, DAY);
        }
        self.take_in(statement, setting);
    }

    /// Becomes as private as `statement`, and is labelled like it too.
    fn take_in(&mut self, statement: &Statement<'_>, setting: Setting) {
        self.privacy_class = self.privacy_class.max(class::privacy_class(statement, setting.language));
        for tag in tags(statement) {
            if !self.tags.contains(&tag) {
                self.tags.push(tag);
            }
        }
    }

    /// Puts the sentence before in front, without which "it" and "he" would mean nothing.
    pub(crate) fn led_by(&mut self, lead: &str, frame: &str) {
        let lead = on_one_line(lead);
        let said = self.gist.as_str().strip_prefix(frame).unwrap_or(self.gist.as_str()).trim();
        let whole = format!("{frame} {} {said}", capitalised(&ended(&lead)));
        if whole.chars().count() > LONGEST_GIST {
            self.add(&lead, SAID_NEXT);
        } else {
            self.gist = Text::new(whole.trim());
        }
        if self.privacy_class == PrivacyClass::NonPii {
            self.privacy_class = PrivacyClass::GuestPii;
        }
    }

    /// Takes in the sentence that says who the one before it spoke of.
    pub(crate) fn joined_by(&mut self, statement: &Statement<'_>, setting: Setting) {
        let whole = format!("{} {}", ended(self.gist.as_str()), on_one_line(statement.text));
        let next = days(statement, setting.today);
        if whole.chars().count() > LONGEST_GIST {
            return self.goes_on(statement, setting);
        }
        self.gist = Text::new(whole);
        for day in &next {
            self.add(day, DAY);
        }
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
fn gist(frame: &str, said: &str) -> (Text, String) {
    let said = on_one_line(said);
    let room = LONGEST_GIST.saturating_sub(frame.chars().count() + 1);
    let head = clipped(&said, room);
    let kept = head.trim_end_matches('…').len();
    let rest = if head.ends_with('…') && !said.ends_with('…') {
        said.get(kept..).unwrap_or_default()
    } else {
        ""
    };
    (Text::new(format!("{frame} {}", capitalised(&head)).trim().to_owned()), rest.trim().to_owned())
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
        let (gist, rest) = gist("The guest said:", &said);
        assert!(gist.length() <= LONGEST_GIST && gist.as_str().ends_with('…'));
        assert!(gist.as_str().starts_with("The guest said: Word word"));
        assert!(rest.starts_with("word") && rest.len() > 100);
    }

    #[test]
    fn text_without_a_space_is_cut_between_characters() {
        assert_eq!(clipped(&"ș".repeat(300), 200).chars().count(), 200);
        assert_eq!(clipped("short", 200), "short");
    }
}
