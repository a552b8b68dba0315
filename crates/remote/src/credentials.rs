//! What opens a service: never printed, zeroed when dropped.

use std::fmt;

use zeroize::Zeroizing;

/// Access key id, secret and, for temporary credentials, the session token, as AWS and everything compatible
/// with it use them.
#[derive(Clone)]
pub struct AwsCredentials {
    /// The access key id; it names the key and opens nothing.
    pub id: String,
    secret: Zeroizing<String>,
    session: Option<Zeroizing<String>>,
}

impl AwsCredentials {
    /// Credentials of these texts.
    #[must_use]
    pub fn new(id: &str, secret: &str, session: Option<&str>) -> Self {
        Self {
            id: id.trim().to_owned(),
            secret: Zeroizing::new(secret.trim().to_owned()),
            session: session.map(|token| Zeroizing::new(token.trim().to_owned())),
        }
    }

    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_ref().map(|token| token.as_str())
    }
}

impl fmt::Debug for AwsCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AwsCredentials(***)")
    }
}

/// A token or a header's value that opens a service.
#[derive(Clone)]
pub struct Token(Zeroizing<String>);

impl Token {
    /// A token of this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Zeroizing::new(text.trim().to_owned()))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_never_printed() {
        let printed =
            format!("{:?} {:?}", AwsCredentials::new("AKIA", "s3cret", Some("t0ken")), Token::new("t0ken"));
        assert_eq!(printed, "AwsCredentials(***) Token(***)");
    }
}
