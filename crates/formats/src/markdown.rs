//! Notes in Markdown: every item of a list and every paragraph is something to remember.
//!
//! Notes of Obsidian, Open Knowledge Format and Basic Memory are such files; so are notes pasted from other assistants,
//! in which a line may begin with its date.

use std::io::{BufRead, Read};

use serde_json::Value;

use crate::date::read_date;
use crate::front_matter::{FrontMatter, split};
use crate::record::{Note, Record, Why};
use crate::{Broken, Sink, Source};

/// The longest note that is read.
const LONGEST: u64 = 4 << 20;

/// Reads one file of notes.
pub(crate) fn read(source: &mut dyn BufRead, about: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let mut bytes = Vec::new();
    source.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Broken::at(
            "the file",
            format!("it has more than {LONGEST} bytes"),
            "split it into several files",
        ));
    }
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = split(text.trim_start_matches('\u{feff}'));
    if let Some(line) = own_memory(&head, body) {
        return sink(Record::Line(1, line));
    }
    let (at, mut tags) = (head.date(), head.list("tags").to_vec());
    tags.extend(head.word(&["title"]).map(str::to_owned));
    let mut notes = notes_of(body);
    // A note of one short paragraph is about its file's name.
    if notes.is_empty() {
        return sink(Record::skipped(about.name, Why::Empty));
    }
    for note in &mut notes {
        note.at = note.at.or(at);
        note.tags.extend(tags.iter().cloned());
    }
    notes.into_iter().try_for_each(|note| sink(Record::Note(note)))
}

/// A file that `selfhood export --as markdown` wrote, as the line it came from.
fn own_memory(head: &FrontMatter, _body: &str) -> Option<Value> {
    let line: Value = serde_json::from_str(head.word(&["selfhood"])?).ok()?;
    line.is_object().then_some(line)
}

/// The items and paragraphs of `text`, in order. Headings, rules, quotations of code and tables say nothing alone.
pub(crate) fn notes_of(text: &str) -> Vec<Note> {
    let (mut notes, mut paragraph, mut is_code) = (Vec::new(), String::new(), false);
    let end = |paragraph: &mut String, notes: &mut Vec<Note>| {
        let words = std::mem::take(paragraph);
        notes.extend(note(words.trim()));
    };
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_code = !is_code;
            end(&mut paragraph, &mut notes);
        } else if is_code || says_nothing(trimmed) {
            end(&mut paragraph, &mut notes);
        } else if let Some(item) = item(trimmed) {
            end(&mut paragraph, &mut notes);
            paragraph.push_str(item);
        } else {
            paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
            paragraph.push_str(trimmed);
        }
    }
    end(&mut paragraph, &mut notes);
    notes
}

/// Whether a line is a heading, a rule, a comment or empty. A line that is bold as a whole is a heading too: Claude's
/// notes have such ones.
fn says_nothing(line: &str) -> bool {
    let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    let bold = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    let is_bold = bold.is_some_and(|words| !words.contains("**") && !words.ends_with(['.', '!', '?']));
    is_heading || is_bold || line.starts_with("<!--") || line.chars().all(|c| "-*_=|: ".contains(c))
}

/// A line of a list of notes, such as `1. [2026-01-15]. Likes tea.`
pub(crate) fn dated_note(line: &str) -> Option<Note> {
    let line = line.trim();
    note(item(line).unwrap_or(line))
}

/// What follows the mark of an item of a list.
fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    let bullet =
        bullet.map(|rest| ["[ ] ", "[x] "].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest));
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = || {
        let rest = line.get(digits..)?;
        (1..=4).contains(&digits).then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))?
    };
    bullet.or_else(numbered)
}

/// A note, with the date it begins with: `[2026-01-15] - …`, `[2026-01-15]. …` or `[unknown] - …`.
fn note(words: &str) -> Option<Note> {
    let (at, words) = match words.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((date, rest)) if is_dated(date) => {
            (read_date(&Value::from(date)), rest.trim_start_matches(['.', '-', '–', '—', ':', ' ']))
        }
        _ => (None, words),
    };
    // `- [category] observation #tag (context)` of Basic Memory: the category is a label.
    let category = words.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let (tag, words) = match category {
        Some((name, rest)) if name.len() <= 40 && !name.starts_with('[') && !name.is_empty() => {
            (Some(name), rest)
        }
        _ => (None, words),
    };
    let text = words.trim().trim_start_matches("**").replace("**", "");
    let has_words = text.chars().any(char::is_alphanumeric);
    has_words.then(|| Note {
        at,
        tags: tag.map(str::to_owned).into_iter().collect(),
        ..Note::of(text.trim())
    })
}

fn is_dated(date: &str) -> bool {
    date.eq_ignore_ascii_case("unknown") || (date.len() >= 10 && read_date(&Value::from(date)).is_some())
}
