//! The text of a record, and whether it names a person.

use domain::identifier::{find, found_in, replace_identifiers};
use domain::{Atom, Identifier, Text, TimelineEntry};
use serde::Serialize;
use serde_json::Value;

use super::item::Claim;

/// How many characters around a match an operator sees.
const AROUND: usize = 30;

/// The search terms of a subject.
pub(super) struct SearchTerms {
    identifiers: Vec<Identifier>,
    /// How many of them were given with the request; the others are references.
    given: usize,
}

impl SearchTerms {
    /// What was `given` with the request comes first in `identifiers`.
    pub(super) fn new(identifiers: Vec<Identifier>, given: usize) -> Self {
        Self { identifiers, given }
    }

    pub(super) fn identifiers(&self) -> &[Identifier] {
        &self.identifiers
    }

    /// The claim of a match in `texts`; `None` if none of them names the subject.
    pub(super) fn claim<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Option<Claim> {
        let mut excerpt = None;
        let mut telling = false;
        for text in texts {
            let found = found_in(&self.identifiers, text);
            if let Some(first) = found.first()
                && excerpt.is_none()
            {
                let place = find(std::slice::from_ref(*first), text).into_iter().next();
                excerpt = place.map(|place| excerpt_of(text, &place));
            }
            telling |= found.iter().any(|identifier| self.is_distinctive(identifier));
        }
        excerpt.map(|excerpt| Claim::Proposed { excerpt, telling })
    }

    /// `--yes` accepts addresses, numbers, and given identifiers that are long enough.
    fn is_distinctive(&self, identifier: &Identifier) -> bool {
        let was_given = self.identifiers.iter().take(self.given).any(|given| given == identifier);
        identifier.is_address() || (was_given && identifier.is_distinctive())
    }

    /// `text` without the names of the subject; `None` if it has none. In JSON only strings are changed.
    pub(super) fn remove_names(&self, text: &str) -> Option<String> {
        if let Ok(mut value) = serde_json::from_str::<Value>(text)
            && (value.is_object() || value.is_array())
        {
            return self.remove_from_value(&mut value).then(|| pretty(&value));
        }
        replace_identifiers(&self.identifiers, text)
    }

    /// Removes the names from every string of `value`, keys included, and returns whether there were any.
    pub(super) fn remove_from_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match replace_identifiers(&self.identifiers, text) {
                Some(without) => {
                    *text = without;
                    true
                }
                None => false,
            },
            Value::Array(items) => {
                items.iter_mut().fold(false, |any, item| self.remove_from_value(item) | any)
            }
            Value::Object(members) => {
                let mut any =
                    members.values_mut().fold(false, |any, member| self.remove_from_value(member) | any);
                let named: Vec<(String, String)> = members
                    .keys()
                    .filter_map(|name| Some((name.clone(), replace_identifiers(&self.identifiers, name)?)))
                    .collect();
                for (name, without) in named {
                    if let Some(member) = members.shift_remove(&name) {
                        members.insert(without, member);
                    }
                    any = true;
                }
                any
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}

/// The texts of an atom.
pub(super) fn of_atom(atom: &Atom) -> Vec<String> {
    let mut texts = vec![atom.gist.as_str().to_owned()];
    texts.extend(atom.details.iter().map(|detail| detail.content.as_str().to_owned()));
    texts.extend(atom.cues.iter().chain(&atom.said_by).map(|words| words.as_str().to_owned()));
    texts.extend(atom.tags.iter().map(|tag| tag.as_str().to_owned()));
    texts.extend(of(&atom.extensions));
    texts
}

/// The texts of a timeline entry.
pub(super) fn of_entry(entry: &TimelineEntry) -> Vec<String> {
    of(entry)
}

/// All strings of a value, including keys.
pub(super) fn of(value: &impl Serialize) -> Vec<String> {
    let mut texts = Vec::new();
    collect(&serde_json::to_value(value).unwrap_or_default(), &mut texts);
    texts
}

fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(members) => {
            for (name, member) in members {
                into.push(name.clone());
                collect(member, into);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The texts of a file: one, or the strings of its JSON, in which a letter may be escaped.
pub(super) fn of_file(text: &str) -> Vec<String> {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value.is_object() || value.is_array() => of(&value),
        Ok(_) | Err(_) => vec![text.to_owned()],
    }
}

/// The match with some text around it, on one line.
fn excerpt_of(text: &str, place: &std::ops::Range<usize>) -> Text {
    let (before, rest) = text.split_at_checked(place.start).unwrap_or(("", text));
    let (named, after) = rest.split_at_checked(place.len()).unwrap_or((rest, ""));
    let tail: String = after.chars().take(AROUND).collect();
    let head: Vec<char> = before.chars().rev().take(AROUND).collect();
    let head: String = head.into_iter().rev().collect();
    let line: String = [head.as_str(), named, &tail]
        .concat()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    Text::new(line.trim())
}
