//! The process's environment, taken once and then passed on as a value.

use std::collections::BTreeMap;

/// Names and values as the process was started with them.
#[derive(Clone, Default)]
pub(crate) struct Environment(BTreeMap<String, String>);

impl Environment {
    /// What the process was started with; what isn't Unicode can't be a setting and is left out.
    pub(crate) fn of_process() -> Self {
        let readable = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self(readable.collect())
    }

    /// The value of `name`; an empty one counts as unset.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}
