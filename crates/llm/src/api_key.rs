//! API keys of model servers.

use std::fmt;

use zeroize::Zeroizing;

/// A key that is never printed and is zeroed when it is dropped.
#[derive(Clone)]
pub struct ApiKey(Zeroizing<String>);

impl ApiKey {
    /// Wraps a key; surrounding white space, such as the newline at the end of a file, is removed.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(Zeroizing::new(key.trim().to_owned()))
    }

    /// Lends the key's bytes, to be sealed.
    pub fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        work(self.0.as_bytes())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_printed_and_loses_the_newline_of_its_file() {
        let key = ApiKey::new("sk-secret\n");
        assert_eq!((format!("{key:?}").as_str(), key.expose()), ("ApiKey(***)", "sk-secret"));
    }
}
