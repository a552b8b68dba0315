//! The head of a Markdown note between two lines of `---`: plain names and values, as Obsidian and others write them.

use serde_json::Value;

use crate::date::read_date;

/// What a note's head says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FrontMatter {
    values: Vec<(String, Vec<String>)>,
}

/// The head of `text`, if it has one, and what follows it.
pub(crate) fn split(text: &str) -> (FrontMatter, &str) {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return (FrontMatter::default(), text);
    };
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            let head = rest.get(..length).unwrap_or_default();
            return (FrontMatter::of(head), rest.get(length + line.len()..).unwrap_or_default());
        }
        length += line.len();
    }
    (FrontMatter::default(), text)
}

impl FrontMatter {
    fn of(head: &str) -> Self {
        let mut values: Vec<(String, Vec<String>)> = Vec::new();
        for line in head.lines() {
            let item = line.trim().strip_prefix("- ");
            if let (Some(item), Some((_, list))) = (item, values.last_mut()) {
                list.push(unquoted(item));
            } else if let Some((name, value)) = line.split_once(':').filter(|_| !line.starts_with([' ', '#']))
            {
                values.push((name.trim().to_owned(), listed(value.trim())));
            }
        }
        Self { values }
    }

    /// The first value under any of `names`.
    pub(crate) fn word(&self, names: &[&str]) -> Option<&str> {
        names
            .iter()
            .find_map(|name| self.list(name).first())
            .map(String::as_str)
            .filter(|word| !word.is_empty())
    }

    /// All values under `name`.
    pub(crate) fn list(&self, name: &str) -> &[String] {
        self.values.iter().find(|(own, _)| own == name).map_or(&[], |(_, list)| list.as_slice())
    }

    /// When the note was written, if the head says.
    pub(crate) fn date(&self) -> Option<jiff::Timestamp> {
        self.word(&["createdAt", "created_at", "created", "date"])
            .and_then(|word| read_date(&Value::from(word)))
    }
}

/// `[a, "b"]`, or one value.
fn listed(value: &str) -> Vec<String> {
    match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.split(',').map(unquoted).filter(|item| !item.is_empty()).collect(),
        None if value.is_empty() => Vec::new(),
        None => vec![unquoted(value)],
    }
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    if let Ok(Value::String(text)) = serde_json::from_str(value) {
        return text;
    }
    value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(value).to_owned()
}
