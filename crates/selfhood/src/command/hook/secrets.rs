//! Masks secrets that people paste into prompts, so that they are never used for recall and never recorded.

/// The replacement of a secret.
const MASK: &str = "[secret]";
/// The prefixes of well-known services' keys.
const BEGINNINGS: [&str; 16] = [
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
];
/// Names that precede a secret.
const NAMES: [&str; 8] =
    ["password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "authorization"];
/// The length at which a random-looking word counts as a secret.
const RANDOM: usize = 32;

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
            out.push_str(&masked_line(line));
        }
        in_key &= !line.contains("-----END");
    }
    out
}

fn masked_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut follows_name = false;
    for piece in line.split_inclusive(|c: char| c.is_whitespace() || "\"'`,;()<>=:".contains(c)) {
        let end =
            piece.char_indices().last().filter(|(_, c)| c.is_whitespace() || "\"'`,;()<>=:".contains(*c));
        let (word, mark) = end.map_or((piece, ""), |(at, _)| piece.split_at(at));
        if is_secret(word) || (follows_name && !word.is_empty()) {
            out.push_str(MASK);
        } else {
            out.push_str(word);
        }
        out.push_str(mark);
        // `password: x` and `token=x` name a secret; `the password is long` doesn't.
        let names = NAMES.iter().any(|name| word.to_ascii_lowercase().ends_with(name));
        follows_name = (names && matches!(mark, ":" | "="))
            || (follows_name && word.is_empty())
            || (word.eq_ignore_ascii_case("bearer") && !mark.is_empty());
    }
    out
}

fn is_secret(word: &str) -> bool {
    let is_known = BEGINNINGS.iter().any(|beginning| word.starts_with(beginning)) && word.len() >= 16;
    let has = |of: fn(&char) -> bool| word.chars().any(|c| of(&c));
    let is_random = word.len() >= RANDOM
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "+/_-=.".contains(c))
        && has(char::is_ascii_digit)
        && (has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase)
            || word.chars().all(|c| c.is_ascii_hexdigit()));
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
            ("TOKEN=abc123 run", "TOKEN=[secret] run"),
            ("Authorization: Bearer abc.def", "Authorization: [secret] [secret]"),
            ("the password is long", "the password is long"),
            ("sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha [secret]"),
            ("crates/server/src/http/mcp/session.rs", "crates/server/src/http/mcp/session.rs"),
            ("see `aGVsbG8gd29ybGQgdGhpcyBpcyA0MiBieXRlcw`", "see `[secret]`"),
        ] {
            assert_eq!(masked(text), expected, "{text}");
        }
        let key = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb\n";
        assert_eq!(masked(key), "a\n[secret]\nb\n");
    }
}
