//! LoCoMo: long conversations of two people, with the turns that answer each question.

use std::collections::HashMap;

use domain::{MemoryId, SubjectRef, Timestamp};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::spoken::Turn;
use super::{Conversation, EvalQuestion, Unreadable};

/// Questions of this category are about things that were never said; there is nothing to find.
const ADVERSARIAL: u64 = 5;

pub(super) fn read(file: &Value) -> Result<Vec<Conversation>, Unreadable> {
    let samples = file.as_array().map(Vec::as_slice).unwrap_or_default();
    samples.iter().zip(1..).map(|(sample, number)| conversation(sample, number)).collect()
}

fn conversation(sample: &Value, number: u64) -> Result<Conversation, Unreadable> {
    let name = sample["sample_id"].as_str().map_or_else(|| format!("conversation {number}"), str::to_owned);
    let missing = |what| Unreadable::Missing { name: name.clone(), what };
    let sessions = sessions(&sample["conversation"]);
    let last = sessions.iter().map(|session| session.at).max().ok_or_else(|| missing("dated sessions"))?;
    let mut known = HashMap::new();
    let mut memories = Vec::new();
    for session in &sessions {
        for (index, turn) in (0..).zip(session.turns) {
            let Some(dialogue) = turn["dia_id"].as_str().and_then(|id| dialogue_ids(id).pop()) else {
                continue;
            };
            let number = number << 32 | u64::from(dialogue.0) << 16 | u64::from(dialogue.1);
            let Some(atom) = spoken(session, turn, index, number).remembered() else { continue };
            known.insert(dialogue, atom.id);
            memories.push(atom);
        }
    }
    let questions = sample["qa"].as_array().ok_or_else(|| missing("questions"))?;
    let questions = questions.iter().filter_map(|question| asked(question, &known, last)).collect();
    Ok(Conversation { name, memories, questions })
}

struct Session<'a> {
    number: u32,
    at: Timestamp,
    turns: &'a [Value],
}

fn sessions(conversation: &Value) -> Vec<Session<'_>> {
    let numbered = conversation.as_object().into_iter().flatten().filter_map(|(key, turns)| {
        let number: u32 = key.strip_prefix("session_")?.parse().ok()?;
        let at = moment(conversation[format!("{key}_date_time")].as_str()?)?;
        Some(Session { number, at, turns: turns.as_array()? })
    });
    let mut sessions: Vec<Session<'_>> = numbered.collect();
    sessions.sort_by_key(|session| session.number);
    sessions
}

fn spoken<'a>(session: &Session<'_>, turn: &'a Value, index: u32, number: u64) -> Turn<'a> {
    Turn {
        number,
        session: format!("session-{}", session.number),
        index,
        at: session.at,
        speaker: turn["speaker"].as_str().and_then(|name| name.parse::<SubjectRef>().ok()),
        by_persona: false,
        words: turn["text"].as_str().unwrap_or_default(),
        picture: turn["blip_caption"].as_str(),
    }
}

fn asked(question: &Value, known: &HashMap<(u32, u32), MemoryId>, at: Timestamp) -> Option<EvalQuestion> {
    let category = question["category"].as_u64().filter(|category| *category != ADVERSARIAL)?;
    let evidence = question["evidence"].as_array()?.iter().filter_map(Value::as_str);
    let mut answers: Vec<MemoryId> =
        evidence.flat_map(dialogue_ids).filter_map(|id| known.get(&id).copied()).collect();
    answers.sort_unstable();
    answers.dedup();
    let cue = question["question"].as_str()?.to_owned();
    (!answers.is_empty()).then_some(EvalQuestion { cue, category: category_name(category), at, answers })
}

fn category_name(number: u64) -> String {
    match number {
        1 => "multi-hop".to_owned(),
        2 => "temporal".to_owned(),
        3 => "open-domain".to_owned(),
        4 => "single-hop".to_owned(),
        other => format!("category {other}"),
    }
}

/// The session and turn numbers in an evidence string, which may contain several and stray characters.
fn dialogue_ids(text: &str) -> Vec<(u32, u32)> {
    let id = |piece: &str| {
        let piece = piece.trim_start_matches(':');
        let (session, turn) = piece.split_once(':')?;
        let digits: String = turn.chars().take_while(char::is_ascii_digit).collect();
        Some((session.parse().ok()?, digits.parse().ok()?))
    };
    text.split('D').filter_map(id).collect()
}

/// Parses a time in the file's format: `1:56 pm on 8 May, 2023`.
fn moment(text: &str) -> Option<Timestamp> {
    let written = DateTime::strptime("%I:%M %p on %d %B, %Y", text).ok()?;
    let at = written.to_zoned(TimeZone::UTC).ok()?.timestamp();
    Some(Timestamp::from_millis(at.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_read_however_it_was_typed() {
        for (text, expected) in [
            ("D1:3", vec![(1, 3)]),
            ("D8:6; D9:17", vec![(8, 6), (9, 17)]),
            ("D:11:26", vec![(11, 26)]),
            ("D30:05", vec![(30, 5)]),
            ("D", vec![]),
            ("D2:x", vec![]),
        ] {
            assert_eq!(dialogue_ids(text), expected, "{text}");
        }
    }

    #[test]
    fn times_are_read_as_the_file_writes_them() {
        assert_eq!(moment("1:56 pm on 8 May, 2023").unwrap().to_string(), "2023-05-08T13:56:00.000Z");
        assert_eq!(moment("12:09 am on 13 September, 2023").unwrap().to_string(), "2023-09-13T00:09:00.000Z");
        assert_eq!(moment("yesterday"), None);
    }
}
