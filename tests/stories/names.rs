//! Names for ids, so that a story reads the same each time it is played.

use std::collections::BTreeMap;

use serde_json::Value;

/// The ids a story has met, by the names it gave them.
#[derive(Default)]
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    /// Calls `id` by `name` from now on. A name that already means another id is a mistake.
    pub(crate) fn give(&mut self, name: &str, id: &str) -> Result<(), String> {
        if self.0.get(name).is_some_and(|other| other != id) {
            return Err(format!("`{name}` is already something else"));
        }
        self.0.insert(name.to_owned(), id.to_owned());
        Ok(())
    }

    /// The id behind `name`.
    pub(crate) fn id<T: std::str::FromStr>(&self, name: &str) -> Result<T, String> {
        let id = self.0.get(name).and_then(|id| id.parse().ok());
        id.ok_or_else(|| format!("nothing is called `{name}`"))
    }

    /// `text` with names in the place of ids, whole or shortened; a memory's keeps its `mem:`.
    pub(crate) fn in_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, id)| {
            let Some(digits) = id.strip_prefix("mem:") else { return text.replace(id, name) };
            let shown = (6..digits.len()).map(|shown| format!("mem:{}...", &digits[..shown]));
            let named = format!("mem:{name}");
            shown.chain([id.clone()]).fold(text, |text, shown| text.replace(&shown, &named))
        })
    }

    /// A request's body with ids in the place of names, which are written `@name` there.
    pub(crate) fn in_body(&self, body: Value) -> Result<Value, String> {
        Ok(match body {
            Value::String(text) => match text.strip_prefix('@') {
                Some(name) => Value::String(self.id(name)?),
                None => Value::String(text),
            },
            Value::Array(items) => {
                items.into_iter().map(|item| self.in_body(item)).collect::<Result<_, _>>()?
            }
            Value::Object(properties) => {
                let inside = properties.into_iter().map(|(key, value)| Ok((key, self.in_body(value)?)));
                Value::Object(inside.collect::<Result<_, String>>()?)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => body,
        })
    }

    /// The name of `id`.
    pub(crate) fn of(&self, id: &str) -> String {
        let known = self.0.iter().find(|(_, known)| *known == id);
        known.map_or_else(|| id.to_owned(), |(name, _)| name.clone())
    }
}

#[test]
fn texts_show_names_and_a_name_keeps_its_meaning() {
    let mut names = Names::default();
    names.give("scarf", "mem:7f3a8b2c0d3e").unwrap();
    assert_eq!(names.in_text("[mem:7f3a8b2c0d3e] (vivid)"), "[mem:scarf] (vivid)");
    assert_eq!(names.in_text("[mem:7f3a8b...] (vivid)"), "[mem:scarf] (vivid)");
    assert!(names.give("scarf", "mem:7f3a8b2c0d3e").is_ok());
    assert!(names.give("scarf", "mem:000000000000").is_err());
    let body = serde_json::json!({ "derivedFrom": ["@scarf"] });
    assert_eq!(names.in_body(body).unwrap()["derivedFrom"][0], "mem:7f3a8b2c0d3e");
    assert!(names.in_body(serde_json::json!("@coat")).is_err());
}
