//! Some fields of a request, for those who make requests from flags or from the arguments of a tool.
//!
//! The names of the fields are checked when the program is compiled. The values are sent as they were given: the
//! verb's own door validates them, so that every door gives the same messages.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::schema;

/// Some fields of a body or query of type `T`; [`fields!`](crate::fields!) makes them.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Fields<T> {
    values: Map<String, Value>,
    #[serde(skip)]
    of: PhantomData<T>,
}

/// `fields!(Recall { cue: Some(cue), topics: list(&topics) })`: those fields of a `Recall` that have a value. A
/// field that the type doesn't have does not compile.
#[macro_export]
macro_rules! fields {
    ($type:ty { $($field:ident: $value:expr),* $(,)? }) => {{
        let _has_these_fields = |it: &$type| { $(let _ = &it.$field;)* };
        $crate::fields::Fields::<$type>::default()$(.with(stringify!($field), $value))*
    }};
}
pub use fields;

impl<T> Default for Fields<T> {
    fn default() -> Self {
        Self::from_object(Map::new())
    }
}

impl<T> Fields<T> {
    /// The fields in the content of a file.
    #[must_use]
    pub fn from_object(values: Map<String, Value>) -> Self {
        Self { values, of: PhantomData }
    }

    /// The same, with the fields of `others` in place of its own.
    #[must_use]
    pub fn overridden_by(mut self, others: Self) -> Self {
        self.values.extend(others.values);
        self
    }

    /// The same, with those fields of `defaults` that it doesn't have.
    #[must_use]
    pub fn or(self, defaults: Self) -> Self {
        defaults.overridden_by(self)
    }

    /// The fields of a `T` that is a part of `U`, without an object of its own there.
    #[must_use]
    pub fn flattened<U>(self) -> Fields<U> {
        Fields::from_object(self.values)
    }

    /// The fields as a JSON object.
    #[must_use]
    pub fn into_object(self) -> Map<String, Value> {
        self.values
    }
}

impl<T: JsonSchema + 'static> Fields<T> {
    /// The same with `field`, if there is a value. Use [`fields!`](crate::fields!), which checks the name.
    #[must_use]
    pub fn with(mut self, field: &str, value: Option<impl Serialize>) -> Self {
        if let Some(value) = value {
            self.values.insert(name_of::<T>(field), serde_json::to_value(value).unwrap_or_default());
        }
        self
    }

    /// Whether `field` has a value.
    #[must_use]
    pub fn has(&self, field: &str) -> bool {
        self.values.contains_key(&name_of::<T>(field))
    }
}

/// `items`, unless there are none.
#[must_use]
pub fn list<T>(items: &[T]) -> Option<&[T]> {
    (!items.is_empty()).then_some(items)
}

/// The name of a field of `T` in JSON: most of our types write `sessionId`, those of published designs `session_id`.
fn name_of<T: JsonSchema + 'static>(field: &str) -> String {
    let schema = schema::of::<T>();
    if schema.pointer(&format!("/properties/{field}")).is_some() {
        return field.to_owned();
    }
    let (first, others) = field.split_once('_').unwrap_or((field, ""));
    let capitalised = others.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|letter| letter.to_uppercase().chain(letters).collect()).unwrap_or_default()
    });
    capitalised.fold(first.to_owned(), |name, word: String| name + &word)
}

#[cfg(test)]
mod tests {
    use domain::Event;

    use super::*;
    use crate::chat::Chat;
    use crate::memory::MemoryFilter;
    use crate::recall::Recall;
    use crate::timeline::AppendEntry;

    fn names<T>(fields: Fields<T>) -> Vec<String> {
        let mut names: Vec<String> = fields.into_object().into_iter().map(|(name, _)| name).collect();
        names.sort();
        names
    }

    #[test]
    fn fields_have_the_names_of_their_type_in_json() {
        let recall = fields!(Recall { session_id: Some("sess:1"), max_memories: Some(3) });
        assert_eq!(names(recall), ["maxMemories", "sessionId"]);
        let chat = fields!(Chat { session_id: Some("sess:1"), off_record: Some(true) });
        assert_eq!(names(chat), ["off_record", "session_id"]);
        let entry: Fields<AppendEntry> = fields!(Event { event_at: Some("2026-01-01") }).flattened();
        let own = fields!(AppendEntry { tenant_id: Some("default") });
        assert_eq!(names(entry.overridden_by(own)), ["eventAt", "tenantId"]);
    }

    #[test]
    fn what_has_no_value_is_left_out() {
        let none: &[&str] = &[];
        let recall = fields!(Recall { cue: Some("coffee"), at: None::<&str>, topics: list(none) });
        assert_eq!(names(recall), ["cue"]);
    }

    #[test]
    fn a_default_never_replaces_what_was_given() {
        let given = fields!(MemoryFilter { kind: Some("semantic") });
        let fields = given.or(fields!(MemoryFilter { kind: Some("episodic"), limit: Some(3) }));
        assert_eq!(fields.values.get("kind"), Some(&"semantic".into()));
        assert!(fields.has("limit") && !fields.has("min_salience"));
    }
}
