//! Asking a model for cues, and reading what it answers.

use std::collections::BTreeMap;

use domain::Tokens;
use llm::{Complete, Message, Model, Request};
use serde_json::{Value, json};

use crate::model_json::{json_in, number_in};
use crate::talk::converse::Role;

const INSTRUCTION: &str = include_str!("CUES.md");
/// The longest answer for one note, in tokens: five cues, and the JSON around them.
const ANSWER_PER_NOTE: u32 = 160;

/// Notes for which a model is asked in one request.
pub(super) struct Question<'a> {
    /// The persona's name.
    pub(super) persona: &'a str,
    /// The persona's language.
    pub(super) language: &'a str,
    /// The words of each note.
    pub(super) notes: Vec<&'a str>,
}

/// What a model answered.
pub(super) struct CueAnswer {
    /// The cues of each note, by its position.
    pub(super) cues: BTreeMap<usize, Vec<String>>,
    /// What question and answer cost.
    pub(super) tokens: u64,
}

/// The model gave no usable answer.
pub(super) struct NoCueAnswer {
    /// What the request cost anyway.
    pub(super) tokens: u64,
    /// The reason, as a code for reports.
    pub(super) reason: &'static str,
}

impl Question<'_> {
    /// An estimate of the cost, before asking.
    pub(super) fn estimate(&self) -> u64 {
        let answer = ANSWER_PER_NOTE / 2 * u32::try_from(self.notes.len()).unwrap_or(u32::MAX);
        self.question_tokens() + u64::from(answer)
    }

    /// Asks `model`, once.
    pub(super) async fn ask(&self, model: &Model, role: &Role) -> Result<CueAnswer, NoCueAnswer> {
        let most = ANSWER_PER_NOTE.saturating_mul(u32::try_from(self.notes.len()).unwrap_or(u32::MAX));
        let request = Request {
            system: self.instruction().as_str().into(),
            messages: vec![Message::User(self.record().as_str().into())],
            temperature: Some(role.temperature.unwrap_or(0.0)),
            max_tokens: Some(role.max_tokens.unwrap_or(most)),
            ..Request::default()
        };
        let answer = model.complete(&request).await.map_err(|error| {
            tracing::warn!(%error, "a model wrote no cues");
            NoCueAnswer { tokens: 0, reason: "model-failed" }
        })?;
        let text = answer.text.as_str();
        let counted = answer.usage.map(|usage| usage.prompt_tokens + usage.completion_tokens);
        let tokens = counted.unwrap_or_else(|| self.question_tokens() + tokens_of(text));
        let cues = read(text, self.notes.len());
        if cues.is_empty() {
            tracing::warn!(length = text.len(), "a model's answer has no cues in it");
            return Err(NoCueAnswer { tokens, reason: "answer-unreadable" });
        }
        Ok(CueAnswer { cues, tokens })
    }

    fn question_tokens(&self) -> u64 {
        tokens_of(&self.instruction()) + tokens_of(&self.record())
    }

    fn instruction(&self) -> String {
        INSTRUCTION.replace("{persona}", &recall::folded(self.persona)).replace("{language}", self.language)
    }

    fn record(&self) -> String {
        let notes = self.notes.iter().enumerate().map(|(n, note)| json!({ "note": n + 1, "text": note }));
        json!({ "notes": notes.collect::<Vec<_>>() }).to_string()
    }
}

fn tokens_of(text: &str) -> u64 {
    Tokens::of_characters(text.chars().count()).0.into()
}

/// The cues in an answer about `count` notes, by the position of their note.
///
/// Models answer with a list of objects as requested, with an object whose keys are numbers, with a list
/// of lists, or, for one note, with a bare list.
fn read(answer: &str, count: usize) -> BTreeMap<usize, Vec<String>> {
    let Some(value) = json_in(answer) else { return BTreeMap::new() };
    let inner = value.get("cues").or_else(|| value.get("notes")).unwrap_or(&value);
    let found: Vec<(usize, Vec<String>)> = match inner {
        Value::Array(items) if items.iter().all(Value::is_string) => vec![(1, texts(inner))],
        Value::Array(items) => {
            items.iter().enumerate().filter_map(|(n, item)| numbered(n + 1, item)).collect()
        }
        Value::Object(by_number) => by_number
            .iter()
            .filter_map(|(number, cues)| Some((number_in(&json!(number))?, texts(cues))))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let is_asked = |(number, cues): &(usize, Vec<String>)| (1..=count).contains(number) && !cues.is_empty();
    found.into_iter().filter(is_asked).map(|(number, cues)| (number - 1, cues)).collect()
}

fn numbered(position: usize, item: &Value) -> Option<(usize, Vec<String>)> {
    match item {
        Value::Object(fields) => {
            let number = ["note", "n", "id", "number"].iter().find_map(|name| fields.get(*name));
            let cues = fields.get("cues").map(texts)?;
            Some((number.map_or(Some(position), number_in)?, cues))
        }
        Value::Array(_) => Some((position, texts(item))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_read_in_every_shape_models_give_them() {
        for answer in [
            r#"{"cues":[{"note":1,"cues":["a"]},{"note":2,"cues":["b"]}]}"#,
            "```json\n[{\"note\":\"2\",\"cues\":[\"b\"]},{\"note\":\"#1\",\"cues\":[\"a\"]}]\n```",
            r#"{"1":["a"],"2":["b"]}"#,
            r#"{"cues":{"1":["a"],"2":["b"]}}"#,
            r#"{"cues":[["a"],["b"]]}"#,
            r#"Sure! {"notes":[{"cues":["a"]},{"cues":["b", 7]}]}"#,
        ] {
            let expected = BTreeMap::from([(0, vec!["a".to_owned()]), (1, vec!["b".to_owned()])]);
            assert_eq!(read(answer, 2), expected, "{answer}");
        }
        assert_eq!(read(r#"["a","b"]"#, 1), BTreeMap::from([(0, vec!["a".to_owned(), "b".to_owned()])]));
    }

    #[test]
    fn what_is_no_cue_of_a_note_that_was_asked_about_is_passed_over() {
        for answer in [
            "",
            "no",
            "{}",
            r#"{"cues":[{"note":3,"cues":["a"]},{"note":0,"cues":["b"]},{"note":1,"cues":[]},7]}"#,
        ] {
            assert_eq!(read(answer, 2), BTreeMap::new(), "{answer}");
        }
    }

    #[test]
    fn the_instruction_names_the_persona_and_leaves_no_place_open() {
        let question = Question { persona: "Nora", language: "de", notes: vec!["Erdnussallergie."] };
        assert!(question.instruction().contains("notes from the memory of Nora"));
        assert!(question.instruction().contains("in doubt in `de`"));
        assert!(
            !question.instruction().contains("{persona}") && !question.instruction().contains("{language}")
        );
    }
}
