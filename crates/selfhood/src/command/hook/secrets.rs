//! Masks secrets that people paste into prompts, so that they are never used for recall and never recorded.

/// The replacement of a secret.
const MASK: &str = "[secret]";
/// The prefixes of well-known services' keys.
const BEGINNINGS: [&str; 20] = [
    "sk-",
    "pk-",
    "rk_live_",
    "sk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "AKIA",
    "ASIA",
    "AIza",
    "xoxb-",
    "xoxp-",
    "eyJ",
    "sh_",
    "hf_",
    "npm_",
    "pypi-",
    "ya29.",
];
/// Words, or ends of words, that precede a secret.
const NAMES: [&str; 13] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "authorization",
    "passwort",
    "kennwort",
    "contraseña",
];
/// How many words after a name are looked at: "my password for the mail is …".
const REACH: u8 = 5;
/// What stands between words.
const BETWEEN: &str = "\"'`,;()<>=:{}";
/// The length at which a random-looking word counts as a secret.
const RANDOM: usize = 20;
/// How many digits such a word has at least: identifiers in programs have fewer.
const DIGITS: usize = 3;

/// What the words before mean for the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing.
    Nothing,
    /// A secret was named this many words ago; what looks like a password is one.
    Name(u8),
    /// The next word is a secret: `password: …`, `token=…`, `"secret": "…"`, `--password …`.
    Value,
}

/// `text` with every word that looks like a secret masked, and private keys removed.
pub(super) fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_key = false;
    for line in text.split_inclusive('\n') {
        let begins = line.contains("-----BEGIN") && line.contains("PRIVATE KEY");
        if begins {
            out.push_str(MASK);
            out.push('\n');
        }
        in_key |= begins;
        if !in_key {
            out.push_str(&masked_line(&without_credentials(line)));
        }
        in_key &= !line.contains("-----END");
    }
    out
}

fn masked_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut before = Before::Nothing;
    for piece in line.split_inclusive(is_between) {
        let end = piece.char_indices().next_back().filter(|(_, c)| is_between(*c));
        let (word, mark) = end.map_or((piece, ""), |(at, _)| piece.split_at(at));
        if word != MASK && before.hides(word) {
            out.push_str(MASK);
        } else {
            out.push_str(word);
        }
        out.push_str(mark);
        before = before.after_word(word).after_mark(mark);
    }
    out
}

impl Before {
    /// Whether `word` is a secret.
    fn hides(self, word: &str) -> bool {
        let is_named = match self {
            Self::Nothing => false,
            Self::Name(_) => looks_like_a_password(word),
            Self::Value => !word.is_empty(),
        };
        is_named || is_secret(word)
    }

    fn after_word(self, word: &str) -> Self {
        let lower = word.to_lowercase();
        if word.is_empty() {
            return self;
        }
        if NAMES.iter().any(|name| lower.ends_with(name)) {
            return if word.starts_with("--") { Self::Value } else { Self::Name(0) };
        }
        if lower == "bearer" {
            return Self::Value;
        }
        match self {
            Self::Name(words) if words < REACH && !looks_like_a_password(word) => Self::Name(words + 1),
            Self::Nothing | Self::Name(_) | Self::Value => Self::Nothing,
        }
    }

    fn after_mark(self, mark: &str) -> Self {
        match (self, mark) {
            // The name itself is followed by what assigns.
            (Self::Name(0), ":" | "=") => Self::Value,
            (Self::Value, "," | ";" | ")" | "}") => Self::Nothing,
            (before, _) => before,
        }
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || BETWEEN.contains(c)
}

/// `line` with the passwords in URLs masked, such as `postgres://ana:…@host`.
fn without_credentials(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("://") {
        out.extend([before, "://"]);
        let end = after.find(|c: char| c.is_whitespace() || "/?#\"'`".contains(c)).unwrap_or(after.len());
        let (authority, remainder) = after.split_at(end);
        let parts = authority.rsplit_once('@').and_then(|(user, host)| Some((user.split_once(':')?.0, host)));
        match parts {
            Some((user, host)) => out.extend([user, ":", MASK, "@", host]),
            None => out.push_str(authority),
        }
        rest = remainder;
    }
    out.push_str(rest);
    out
}

/// Letters together with digits or signs, as in few words of a language.
fn looks_like_a_password(word: &str) -> bool {
    let word = word.trim_end_matches(['.', '!', '?']);
    let has_letters = word.chars().any(char::is_alphabetic);
    let others = word.chars().filter(|c| !c.is_alphabetic() && !"-'’.".contains(*c)).count();
    word.chars().count() >= 6 && has_letters && others > 0
}

fn is_secret(word: &str) -> bool {
    let is_known = BEGINNINGS.iter().any(|beginning| word.starts_with(beginning)) && word.len() >= 16;
    let has = |of: fn(&char) -> bool| word.chars().any(|c| of(&c));
    let is_random = word.len() >= RANDOM
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "+/_-=.".contains(c))
        && word.chars().filter(char::is_ascii_digit).count() >= DIGITS
        && (has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase)
            || word.len() >= 32 && word.chars().all(|c| c.is_ascii_hexdigit()));
    // A path has several slashes; a secret has none.
    let is_path = word.matches('/').count() > 1 && !word.contains(['+', '=']);
    is_known || (is_random && !is_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_ordinary_words_are_not() {
        // Concatenated, so that no secret scanner takes it for a real one.
        let key = ["use sk-", "ant-api03-", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA", " please"].concat();
        assert_eq!(masked(&key), "use [secret] please");
        for (text, expected) in [
            ("I moved to York.", "I moved to York."),
            ("password: hunter2", "password: [secret]"),
            ("password = tiger", "password = [secret]"),
            ("TOKEN=abc123 run", "TOKEN=[secret] run"),
            (
                "{\"password\": \"hunter\", \"user\": \"ana\"}",
                "{\"password\": \"[secret]\", \"user\": \"ana\"}",
            ),
            ("DB_PWD='swordfish' DEBUG=1", "DB_PWD='[secret]' DEBUG=1"),
            ("mysql --password swordfish -u ana", "mysql --password [secret] -u ana"),
            ("Authorization: Bearer abc.def", "Authorization: [secret] [secret]"),
            ("the password is long", "the password is long"),
            ("my password for the mail is hunter2", "my password for the mail is [secret]"),
            ("Mein Passwort ist Katze7!", "Mein Passwort ist [secret]"),
            ("postgres://ana:swordfish@db.example/x", "postgres://ana:[secret]@db.example/x"),
            ("see https://example.org/a:b@c", "see https://example.org/a:b@c"),
            ("sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha [secret]"),
            ("crates/server/src/http/mcp/session.rs", "crates/server/src/http/mcp/session.rs"),
            ("call sendRequestWithRetryOn2 in it", "call sendRequestWithRetryOn2 in it"),
            ("see `aGVsbG8gd29ybGQgdGhpcyBpcyA0MiBieXRlcw`", "see `[secret]`"),
        ] {
            assert_eq!(masked(text), expected, "{text}");
        }
        let key = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb\n";
        assert_eq!(masked(key), "a\n[secret]\nb\n");
    }
}
