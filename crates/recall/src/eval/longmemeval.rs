//! LongMemEval: sessions of a user with an assistant, and one question for each haystack of sessions.

use domain::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::spoken::Turn;
use super::{Conversation, EvalQuestion, Unreadable};

pub(super) fn read(file: &Value) -> Result<Vec<Conversation>, Unreadable> {
    let samples = file.as_array().map(Vec::as_slice).unwrap_or_default();
    let answerable = samples.iter().filter(|sample| !name(sample).ends_with("_abs"));
    let read: Result<Vec<_>, _> = answerable.map(haystack).collect();
    Ok(read?
        .into_iter()
        .filter(|haystack| haystack.questions.iter().all(|asked| !asked.answers.is_empty()))
        .collect())
}

fn name(sample: &Value) -> &str {
    sample["question_id"].as_str().unwrap_or_default()
}

fn haystack(sample: &Value) -> Result<Conversation, Unreadable> {
    let missing = |what| Unreadable::Missing { name: name(sample).to_owned(), what };
    let sessions = sample["haystack_sessions"].as_array().ok_or_else(|| missing("sessions"))?;
    let dates = sample["haystack_dates"].as_array().ok_or_else(|| missing("dates"))?;
    let at =
        sample["question_date"].as_str().and_then(moment).ok_or_else(|| missing("readable question date"))?;
    let (mut memories, mut answers) = (Vec::new(), Vec::new());
    for ((session, date), number) in sessions.iter().zip(dates).zip(1_u64..) {
        let at = date.as_str().and_then(moment).ok_or_else(|| missing("readable session date"))?;
        for (turn, index) in session.as_array().into_iter().flatten().zip(0..) {
            let Some(atom) = spoken(turn, number, index, at).remembered() else { continue };
            if turn["has_answer"].as_bool() == Some(true) {
                answers.push(atom.id);
            }
            memories.push(atom);
        }
    }
    let cue = sample["question"].as_str().ok_or_else(|| missing("question"))?.to_owned();
    let category = sample["question_type"].as_str().unwrap_or("unnamed").to_owned();
    Ok(Conversation {
        name: name(sample).to_owned(),
        memories,
        questions: vec![EvalQuestion { cue, category, at, answers }],
    })
}

fn spoken(turn: &Value, session: u64, index: u32, at: Timestamp) -> Turn<'_> {
    Turn {
        number: session << 16 | u64::from(index),
        session: format!("session-{session}"),
        index,
        at,
        speaker: None,
        by_persona: turn["role"].as_str() == Some("assistant"),
        words: turn["content"].as_str().unwrap_or_default(),
        picture: None,
    }
}

/// Parses a time in the file's format: `2023/04/10 (Mon) 17:50`.
fn moment(text: &str) -> Option<Timestamp> {
    let (day, rest) = text.split_once(' ')?;
    let time = rest.rsplit(' ').next()?;
    let written = DateTime::strptime("%Y/%m/%d %H:%M", format!("{day} {time}")).ok()?;
    let at = written.to_zoned(TimeZone::UTC).ok()?.timestamp();
    Some(Timestamp::from_millis(at.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_the_file_writes_them() {
        assert_eq!(moment("2023/04/10 (Mon) 17:50").unwrap().to_string(), "2023-04-10T17:50:00.000Z");
        assert_eq!(moment("someday"), None);
    }
}
