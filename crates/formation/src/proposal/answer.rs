//! Reading a model's answer: JSON as small models write it, with fences, sentences and trailing commas around it.

use domain::{EventDate, Kind, MemoryId, PrivacyClass, Salience, Text, Valence};
use serde_json::{Map, Value};

/// A memory as a model proposes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub(super) kind: Kind,
    pub(super) gist: Text,
    pub(super) details: Vec<Text>,
    pub(super) cues: Vec<Text>,
    pub(super) salience: Salience,
    pub(super) valence: Valence,
    pub(super) privacy_class: PrivacyClass,
    pub(super) tags: Vec<Text>,
    pub(super) whose: EvidenceAuthor,
    pub(super) date: Option<EventDate>,
    pub(super) supersedes: Supersedes,
}

/// Whose words a proposal rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvidenceAuthor {
    /// Those of the person who talks with the persona, about any person.
    Speaker,
    /// The persona's own.
    Persona,
}

/// What a proposal says it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supersedes {
    Nothing,
    Memory(MemoryId),
    /// Something that is no id.
    Unreadable,
}

/// What a model proposes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposals {
    /// The memories that can be read.
    pub memories: Vec<Proposal>,
    /// How many can't be.
    pub malformed: usize,
}

/// A model's answer is no list of memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// No more proposals than these are taken from one answer.
const MOST: usize = 8;
/// How much a memory weighs of which the model does not say it.
const WEIGHT: f64 = 0.5;
/// The names under which models put the list.
const LISTS: [&str; 3] = ["memories", "facts", "items"];

/// The proposals in a model's answer. An answer none of whose items can be read is malformed; an empty list is not.
pub fn proposals(answer: &str) -> Result<Proposals, Malformed> {
    let items = items(json_in(answer).ok_or(Malformed)?)?;
    let mut proposals = Proposals::default();
    for item in items.iter().take(MOST) {
        match item.as_object().and_then(proposal) {
            Some(proposal) => proposals.memories.push(proposal),
            None => proposals.malformed += 1,
        }
    }
    if proposals.memories.is_empty() && proposals.malformed > 0 { Err(Malformed) } else { Ok(proposals) }
}

/// The items of an answer: a list, a list under a name, or a single memory.
fn items(answer: Value) -> Result<Vec<Value>, Malformed> {
    match answer {
        Value::Array(items) => Ok(items),
        Value::Object(mut fields) => {
            let list = LISTS.iter().find_map(|name| fields.remove(*name));
            match list {
                Some(Value::Array(items)) => Ok(items),
                None if fields.contains_key("gist") => Ok(vec![Value::Object(fields)]),
                Some(_) | None => Err(Malformed),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Err(Malformed),
    }
}

fn proposal(fields: &Map<String, Value>) -> Option<Proposal> {
    let first = |names: &[&str]| names.iter().find_map(|name| fields.get(*name));
    let gist = fields.get("gist")?.as_str().filter(|gist| !gist.trim().is_empty())?;
    Some(Proposal {
        kind: named(fields.get("kind")?)?,
        gist: Text::from(gist),
        details: texts(first(&["details"])),
        cues: texts(first(&["cues"])),
        salience: Salience::clamped(number(first(&["salience"])).unwrap_or(WEIGHT)),
        valence: Valence::clamped(number(first(&["emotionalValence", "valence"])).unwrap_or(0.0)),
        // In doubt it is the person's own.
        privacy_class: first(&["privacyClass", "class"]).and_then(named).unwrap_or(PrivacyClass::GuestPii),
        tags: texts(first(&["tags"])),
        whose: whose(first(&["whose"])),
        date: first(&["date", "eventDate"]).and_then(Value::as_str).and_then(|date| date.trim().parse().ok()),
        supersedes: supersedes(first(&["supersedes"])),
    })
}

/// A word of a fixed set, in whichever case it was written.
fn named<T: serde::de::DeserializeOwned>(value: &Value) -> Option<T> {
    let word = value.as_str()?.trim().to_lowercase().replace('_', "-");
    serde_json::from_value(Value::String(word)).ok()
}

fn number(value: Option<&Value>) -> Option<f64> {
    let number = match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    number.filter(|number| number.is_finite())
}

/// Texts in a list, or a single one.
fn texts(value: Option<&Value>) -> Vec<Text> {
    let written =
        |value: &Value| value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(Text::from);
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(written).collect(),
        Some(value) => written(value).into_iter().collect(),
        None => Vec::new(),
    }
}

fn whose(value: Option<&Value>) -> EvidenceAuthor {
    match value.and_then(Value::as_str).map(|whose| whose.trim().to_lowercase()).as_deref() {
        Some("persona" | "you" | "me" | "self" | "mine") => EvidenceAuthor::Persona,
        Some(_) | None => EvidenceAuthor::Speaker,
    }
}

fn supersedes(value: Option<&Value>) -> Supersedes {
    let Some(written) = value.and_then(Value::as_str) else { return Supersedes::Nothing };
    let written = written.trim().trim_matches(['[', ']']);
    if matches!(written.to_lowercase().as_str(), "" | "none" | "null" | "nothing" | "no") {
        return Supersedes::Nothing;
    }
    written.parse().map_or(Supersedes::Unreadable, Supersedes::Memory)
}

/// The object or list in `answer`, whatever stands around it.
fn json_in(answer: &str) -> Option<Value> {
    let between = |open: char, close: char| answer.get(answer.find(open)?..=answer.rfind(close)?);
    let (object, list) = (between('{', '}'), between('[', ']'));
    // A list that begins before the first object holds it.
    let is_list = answer.find('[') < answer.find('{') && answer.contains('[');
    let inner = if is_list { [list, object] } else { [object, list] };
    let mut candidates = [Some(answer.trim())].into_iter().chain(inner).flatten();
    candidates.find_map(|text| parsed(text).or_else(|| parsed(&without_trailing_commas(text))))
}

fn parsed(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value.is_object() || value.is_array()).then_some(value)
}

/// `text` without the commas that stand before a closing bracket, outside of strings.
fn without_trailing_commas(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut is_string, mut is_escaped) = (false, false);
    for (at, character) in text.char_indices() {
        if is_string {
            is_string = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
        } else if character == '"' {
            is_string = true;
        } else if character == ',' {
            let rest = text.get(at + 1..).unwrap_or_default().trim_start();
            if rest.starts_with(['}', ']']) {
                continue;
            }
        }
        kept.push(character);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"kind":"semantic","gist":"Tomas plays the cello.","salience":0.6}"#;

    #[test]
    fn the_list_is_found_in_whatever_stands_around_it() {
        for answer in [
            format!(r#"{{"memories":[{ONE}]}}"#),
            format!("Here is what I would remember:\n```json\n{{\"memories\": [{ONE}]}}\n```\nLet me know."),
            format!("[{ONE}]"),
            ONE.to_owned(),
            format!(r#"{{"facts":[{ONE},],}}"#),
            format!(r#"{{"memories":[{ONE},"a sentence",{{"gist":"no kind"}}]}}"#),
        ] {
            let read = proposals(&answer).unwrap();
            assert_eq!(read.memories.len(), 1, "{answer}");
            assert_eq!(read.memories[0].gist.as_str(), "Tomas plays the cello.");
        }
        assert_eq!(proposals(r#"{"memories":[]}"#), Ok(Proposals::default()));
        for answer in [
            "",
            "I would remember the cello.",
            "{",
            r#"{"memories":"none"}"#,
            r#"{"memories":[{"gist":"x"}]}"#,
        ] {
            assert_eq!(proposals(answer), Err(Malformed), "{answer}");
        }
    }

    #[test]
    fn fields_are_read_as_models_write_them() {
        let written = r#"{"kind":"Episodic","gist":"x, ] y","salience":"0.9","valence":7,"class":"nonsense",
            "tags":"music","whose":"You","date":"2026-10-14","supersedes":"[mem:000000000001]"}"#;
        let read = proposals(written).unwrap().memories.remove(0);
        assert_eq!((read.kind, read.gist.as_str()), (Kind::Episodic, "x, ] y"));
        assert_eq!((read.salience, read.valence), (Salience::clamped(0.9), Valence::clamped(1.0)));
        assert_eq!((read.privacy_class, read.whose), (PrivacyClass::GuestPii, EvidenceAuthor::Persona));
        assert_eq!(read.date.map(|date| date.to_string()).as_deref(), Some("2026-10-14"));
        assert_eq!(read.supersedes, Supersedes::Memory(MemoryId::from_u64(1)));
        for (written, expected) in [
            ("none", Supersedes::Nothing),
            ("", Supersedes::Nothing),
            ("the old one", Supersedes::Unreadable),
        ] {
            assert_eq!(supersedes(Some(&Value::from(written))), expected, "{written}");
        }
    }
}
