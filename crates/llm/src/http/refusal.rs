//! Classification of failures before the first byte, and whether another attempt may succeed.

use std::error::Error;
use std::io;
use std::time::Duration;

use jiff::fmt::rfc2822;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use super::Attempt;
use crate::error::Reason;
use crate::patience::Retry;

/// The maximum number of bytes read of an error's body.
const LONGEST_ERROR: usize = 64 * 1024;
/// The maximum length of a server's error code that is passed on.
const LONGEST_CODE: usize = 64;

/// The request was not delivered, or the connection was closed before a response began.
pub(super) fn of_sending(error: &reqwest::Error) -> Attempt {
    if is_about_tls(error) {
        return Attempt { reason: Reason::Untrusted, retry: Retry::Never };
    }
    Attempt { reason: Reason::Unreachable, retry: Retry::Soon }
}

/// The server responded with an error status.
pub(super) async fn of_status(response: Response) -> Attempt {
    let status = response.status();
    let after = asked_pause(response.headers());
    let retry = match status.as_u16() {
        408 | 429 | 500 | 502..=504 | 520..=529 => after.map_or(Retry::Soon, Retry::After),
        _ => Retry::Never,
    };
    let error_body = read_error(response).await;
    Attempt { reason: reason(status, after, &error_body), retry }
}

/// The short code of an error, if it is one: a server's own message is not passed on.
pub(crate) fn code(error: &Value) -> Option<String> {
    let inner = error.get("error").unwrap_or(error);
    let is_code = |text: &&str| {
        (1..=LONGEST_CODE).contains(&text.len())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let named = |field: &str| inner.get(field).and_then(Value::as_str).filter(is_code).map(str::to_owned);
    named("code").or_else(|| named("type"))
}

/// Whether an error says that the prompt is longer than the model's window.
pub(crate) fn is_too_long(error: &Value) -> bool {
    let words = error.to_string().to_lowercase();
    [
        "context_length",
        "context length",
        "exceed_context",
        "context size",
        "context window",
        "prompt is too long",
    ]
    .iter()
    .any(|sign| words.contains(sign))
}

fn reason(status: StatusCode, after: Option<Duration>, error_body: &Value) -> Reason {
    let code = code(error_body);
    match status.as_u16() {
        status @ (401 | 403) => Reason::KeyRefused { status },
        404 => Reason::NotThere,
        429 => Reason::RateLimited { after },
        400 | 413 | 422 | 500 if is_too_long(error_body) => Reason::PromptTooLong,
        status @ (400 | 422) if names_stream_options(error_body) => Reason::NoStreamOptions { status },
        status @ 500.. => Reason::Failed { status, code },
        status => Reason::Refused { status, code },
    }
}

/// Whether an error is about `stream_options`.
fn names_stream_options(error: &Value) -> bool {
    let words = error.to_string();
    words.contains("stream_options") || words.contains("include_usage")
}

async fn read_error(mut response: Response) -> Value {
    let mut all = Vec::new();
    while let Ok(Some(bytes)) = response.chunk().await {
        all.extend_from_slice(&bytes);
        if all.len() > LONGEST_ERROR {
            return Value::Null;
        }
    }
    serde_json::from_slice(&all).unwrap_or_default()
}

/// `Retry-After` in seconds, or as a date; a date is compared with the server's own, so no clock is needed.
fn asked_pause(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok();
    let asked = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = asked.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |text: &str| rfc2822::parse(text).ok().map(|date| date.timestamp());
    let (then, now) = (date(asked)?, date(text(DATE)?)?);
    Some(Duration::try_from(then.duration_since(now)).unwrap_or_default())
}

/// A TLS error is wrapped in an I/O error, sometimes twice, which hides it from its list of sources.
fn is_about_tls(error: &(dyn Error + 'static)) -> bool {
    let inside = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    let below = || error.source().is_some_and(is_about_tls);
    error.is::<rustls::Error>() || inside.map_or_else(below, |inside| is_about_tls(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_passed_on_and_a_sentence_is_not() {
        for (body, expected) in [
            (r#"{"error":{"code":"model_not_found","type":"x"}}"#, Some("model_not_found")),
            (r#"{"error":{"code":null,"type":"server_error"}}"#, Some("server_error")),
            (r#"{"type":"overloaded_error"}"#, Some("overloaded_error")),
            (r#"{"error":{"code":"you said: my room is 412"}}"#, None),
            (r#"{"error":"my room is 412"}"#, None),
            ("null", None),
        ] {
            assert_eq!(code(&serde_json::from_str(body).unwrap()).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn the_pause_a_server_asks_for_is_read_in_both_forms() {
        let date = "Wed, 21 Oct 2026 07:28:00 GMT";
        for (asked, seconds) in [
            ("7", Some(7)),
            (" 0 ", Some(0)),
            ("Wed, 21 Oct 2026 07:28:30 GMT", Some(30)),
            ("Wed, 21 Oct 2026 07:27:00 GMT", Some(0)),
            ("-1", None),
            ("soon", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, asked.parse().unwrap());
            headers.insert(DATE, date.parse().unwrap());
            assert_eq!(asked_pause(&headers), seconds.map(Duration::from_secs), "{asked}");
        }
    }
}
