//! The body of a request: how much of it, by when, and that it says it is JSON.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;
use wire::Code;
use wire::route::Route;

use super::refusal::Refusal;
use crate::Limits;

/// Reads the body of a request for `route`.
pub(crate) async fn read(
    route: &Route,
    headers: &HeaderMap,
    body: Body,
    limits: &Limits,
) -> Result<Bytes, Refusal> {
    let (most, by) = (most(route, limits), limits.body);
    let announced =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(too_large(most));
    }
    let is_silent = route.body == wire::route::Body::Optional && !headers.contains_key(CONTENT_TYPE);
    if route.request.is_some() && !is_silent && !is_json(headers) {
        let detail = "the body must be JSON; send it with `Content-Type: application/json`";
        return Err(Refusal::new(Code::UnsupportedMediaType, detail));
    }
    let collected = timeout(by, Limited::new(body, most).collect()).await.map_err(|_| too_slow(by))?;
    let bytes = collected.map_err(|error| broken_off(&*error, most))?.to_bytes();
    if route.request.is_none() && !matches!(bytes.trim_ascii(), b"" | b"{}") {
        return Err(Refusal::new(Code::Usage, "this route takes no body; send none"));
    }
    if is_silent && !bytes.trim_ascii().is_empty() {
        let detail = "the body must be JSON; send it with `Content-Type: application/json`";
        return Err(Refusal::new(Code::UnsupportedMediaType, detail));
    }
    Ok(bytes)
}

fn most(route: &Route, limits: &Limits) -> usize {
    if route.verb == "import" { limits.import_bytes } else { limits.body_bytes }
}

fn is_json(headers: &HeaderMap) -> bool {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

fn too_large(most: usize) -> Refusal {
    Refusal::new(
        Code::BodyTooLarge,
        format!("the body has more than {most} bytes, the most that is accepted here"),
    )
}

fn too_slow(by: Duration) -> Refusal {
    let detail = format!("the body did not arrive within {} seconds; nothing was done", by.as_secs());
    Refusal::new(Code::RequestTimeout, detail)
}

fn broken_off(error: &(dyn std::error::Error + 'static), most: usize) -> Refusal {
    if error.is::<LengthLimitError>() {
        return too_large(most);
    }
    Refusal::new(Code::Usage, "the body broke off; send it again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_it_is_json_counts_as_json() {
        for (declared, accepted) in [
            ("application/json", true),
            ("application/json; charset=utf-8", true),
            ("Application/JSON", true),
            ("application/merge-patch+json", true),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("text/json", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, declared.parse().unwrap())]);
            assert_eq!(is_json(&headers), accepted, "{declared}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }
}
