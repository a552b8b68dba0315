//! Strong validators: the same bytes have the same tag, and other bytes another.

use std::hash::{DefaultHasher, Hasher};

use axum::http::header::IF_NONE_MATCH;
use axum::http::{HeaderMap, HeaderValue};

/// The tag of `body`: 128 bits, so collisions are not to be expected.
pub(crate) fn of(body: &[u8]) -> HeaderValue {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(body);
        hasher.finish()
    };
    HeaderValue::from_str(&format!("\"{:016x}{:016x}\"", half(0), half(1)))
        .unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether the client already has the version with `tag`.
pub(crate) fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    let lists = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lists
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_by_itself_among_others_or_by_a_star() {
        let tag = of(b"{}");
        assert_ne!(tag, of(b"{ }"));
        let text = tag.to_str().unwrap().to_owned();
        for (sent, known) in [
            (text.clone(), true),
            (format!("\"other\", {text}"), true),
            (format!("W/{text}"), true),
            ("*".to_owned(), true),
            ("\"other\"".to_owned(), false),
        ] {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, sent.parse().unwrap())]);
            assert_eq!(is_known(&tag, &headers), known, "{sent}");
        }
        assert!(!is_known(&tag, &HeaderMap::new()));
    }
}
