//! `REMINDERS.md`: a Markdown list, one reminder per line, ticked off when it is done. Other text in the file
//! is left as it is.

use domain::{Text, TimeOfDay};
use jiff::civil::DateTime;
use wire::tool::AddReminder;
use wire::{Code, Problem};

use super::arguments::{line, the_one};

/// A reminder and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reminder {
    line: usize,
    text: String,
}

/// The document with one more reminder, and the message about it.
pub(crate) fn add(document: &str, asked: &AddReminder) -> Result<(String, String), Problem> {
    let text = line(&asked.text)?;
    let due = asked.due.as_deref().map(when).transpose()?.unwrap_or_default();
    let gap = if document.is_empty() || document.ends_with('\n') { "" } else { "\n" };
    Ok((format!("{document}{gap}- [ ] {text}{due}\n"), format!("noted: {text}{due}")))
}

/// The open reminders as text.
pub(super) fn list(document: &str) -> String {
    let lines: Vec<String> =
        open(document).into_iter().map(|reminder| format!("- {}", reminder.text)).collect();
    if lines.is_empty() { "there are no open reminders".to_owned() } else { lines.join("\n") }
}

/// The document with a reminder ticked off.
pub(super) fn complete(document: &str, which: &Text) -> Result<(String, String), Problem> {
    let open = open(document);
    let (_, done) = the_one(&open, which, "open reminder", |reminder| vec![reminder.text.clone()])?;
    let ticked = |(place, line): (usize, &str)| {
        if place != done.line {
            return line.to_owned();
        }
        let start = line.len() - line.trim_start().len();
        let (indent, item) = line.split_at(start);
        let bullet: String = item.chars().take(1).collect();
        format!("{indent}{bullet} [x] {}", done.text)
    };
    let mut text = document.lines().enumerate().map(ticked).collect::<Vec<_>>().join("\n");
    text.push('\n');
    Ok((text, format!("done: {}", done.text)))
}

/// The words of the open reminders.
pub(crate) fn open_texts(document: &str) -> Vec<String> {
    open(document).into_iter().map(|reminder| reminder.text).collect()
}

/// The open reminders with a due time, in local time; one with only a date is due in the morning.
pub(crate) fn due(document: &str) -> Vec<(DateTime, String)> {
    let due = |reminder: Reminder| {
        let (text, due) = reminder.text.rsplit_once(" (due ")?;
        let due = due.strip_suffix(')')?;
        let morning = TimeOfDay::MORNING;
        let at = due.replace(' ', "T").parse::<DateTime>().ok()?;
        let at = if due.len() > 10 { at } else { format!("{due}T{morning}").parse().ok()? };
        Some((at, text.to_owned()))
    };
    open(document).into_iter().filter_map(due).collect()
}

/// The reminders without those that are done.
pub(crate) fn without_done(document: &str) -> String {
    document.lines().filter(|line| !item(line).is_some_and(is_done)).collect::<Vec<_>>().join("\n")
}

/// The text of a list item.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).map(str::trim)
}

fn is_done(item: &str) -> bool {
    item.starts_with("[x]") || item.starts_with("[X]")
}

fn open(document: &str) -> Vec<Reminder> {
    let reminder = |(line, text): (usize, &str)| {
        let item = item(text)?;
        let text = item.strip_prefix("[ ]").unwrap_or(item).trim().to_owned();
        (!is_done(item) && !text.is_empty()).then_some(Reminder { line, text })
    };
    document.lines().enumerate().filter_map(reminder).collect()
}

/// ` (due …)`, if that is a date, or a date and a time.
fn when(text: &str) -> Result<String, Problem> {
    let is_day = text.parse::<jiff::civil::Date>().is_ok();
    let is_time = text.len() > 10 && text.replace(' ', "T").parse::<jiff::civil::DateTime>().is_ok();
    if (is_day && text.len() == 10) || is_time {
        return Ok(format!(" (due {text})"));
    }
    let detail = "`due` is not a valid date; write `2026-05-02` or `2026-05-02 09:00`";
    Err(Problem::new(Code::ValidationFailed, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_are_added_listed_and_ticked_off_and_the_rest_of_the_file_stays() {
        let by_hand = "# Things\n\nSome words.\n* call mum\n- [x] old\n";
        let asked =
            AddReminder { text: Text::new("water\nthe plants"), due: Some("2026-05-02 09:00".to_owned()) };
        let (document, _) = add(by_hand, &asked).unwrap();
        assert_eq!(document, format!("{by_hand}- [ ] water the plants (due 2026-05-02 09:00)\n"));
        assert_eq!(list(&document), "- call mum\n- water the plants (due 2026-05-02 09:00)");
        let (document, reply) = complete(&document, &Text::new("MUM")).unwrap();
        assert_eq!(reply, "done: call mum");
        assert!(
            document.contains("* [x] call mum\n") && document.starts_with("# Things\n\nSome words.\n"),
            "{document}"
        );
        for wrong in ["nothing like it", "mum"] {
            assert!(complete(&document, &Text::new(wrong)).is_err(), "{wrong}");
        }
        assert_eq!(list(""), "there are no open reminders");
        for wrong in ["2026-02-30", "2026-05-02 25:00", "soon"] {
            assert!(when(wrong).is_err(), "{wrong}");
        }
    }
}
