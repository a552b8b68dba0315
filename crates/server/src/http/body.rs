//! Reads the body of a request: checks its size, its duration and its content type.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use domain::{Actor, TenantName};
use engine::Caller;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;
use wire::Code;
use wire::route::Route;

use super::refusal::{A_SECOND, Refusal};
use crate::Limits;
use crate::concurrency::{ConcurrencyLimit, Permit};
use crate::connections::ConnectionUse;

/// How many bytes of bodies are in memory. A tenant has a limit too, because it may make any number of keys.
pub(crate) struct BodyLimits {
    by_key: ConcurrencyLimit<Actor>,
    by_tenant: ConcurrencyLimit<TenantName>,
}

/// The bytes of one body; released when it is dropped.
pub(crate) struct BodyPermit {
    of_key: Permit<Actor>,
    of_tenant: Permit<TenantName>,
}

/// The memory budget for the bodies of one caller.
pub(crate) struct Budget<'b> {
    limits: &'b BodyLimits,
    /// The share of this body.
    pub(crate) place: BodyPermit,
}

impl BodyLimits {
    /// At most `most` bytes for a key, and twice as many for a tenant.
    pub(crate) fn new(most: usize) -> Self {
        Self { by_key: ConcurrencyLimit::new(most), by_tenant: ConcurrencyLimit::new(most.saturating_mul(2)) }
    }
}

/// Where a body comes from.
#[derive(Default)]
pub(crate) struct Sender<'s, 'b> {
    /// The budget; none for the operator.
    pub(crate) budget: Option<&'s mut Budget<'b>>,
    /// The connection, which may be closed for another while the body is waited for.
    pub(crate) connection: Option<&'s ConnectionUse>,
}

impl<'b> Budget<'b> {
    pub(crate) fn of(limits: &'b BodyLimits, caller: &Caller) -> Self {
        let of_key = limits.by_key.empty(&caller.actor);
        let of_tenant = limits.by_tenant.empty(&caller.tenant);
        Self { limits, place: BodyPermit { of_key, of_tenant } }
    }

    /// Adds bytes to this body, if there is room.
    fn add(&mut self, bytes: usize) -> Result<(), Refusal> {
        let BodyLimits { by_key, by_tenant } = self.limits;
        if !by_key.add(&mut self.place.of_key, bytes) {
            return Err(too_much_at_once("key", by_key.at_once));
        }
        if !by_tenant.add(&mut self.place.of_tenant, bytes) {
            return Err(too_much_at_once("tenant", by_tenant.at_once));
        }
        Ok(())
    }
}

/// Reads the body of a request for `route`.
pub(crate) async fn read(
    route: &Route,
    headers: &HeaderMap,
    body: Body,
    limits: &Limits,
    sender: Sender<'_, '_>,
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
    let bytes = timeout(by, collect(body, most, sender)).await.map_err(|_| too_slow(by))??;
    if route.request.is_none() && !matches!(bytes.trim_ascii(), b"" | b"{}") {
        return Err(Refusal::new(Code::Usage, "this route takes no body; send none"));
    }
    if is_silent && !bytes.trim_ascii().is_empty() {
        let detail = "the body must be JSON; send it with `Content-Type: application/json`";
        return Err(Refusal::new(Code::UnsupportedMediaType, detail));
    }
    Ok(bytes)
}

/// Reads `body` in pieces, counting each piece before the next is read.
async fn collect(body: Body, most: usize, sender: Sender<'_, '_>) -> Result<Bytes, Refusal> {
    let Sender { mut budget, connection } = sender;
    let _waiting = connection.map(ConnectionUse::wait);
    let mut body = Limited::new(body, most);
    let mut collected = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| broken_off(&*error, most))?;
        let Ok(piece) = frame.into_data() else { continue };
        if let Some(budget) = budget.as_deref_mut() {
            budget.add(piece.len())?;
        }
        collected.extend_from_slice(&piece);
    }
    Ok(collected.into())
}

fn too_much_at_once(whose: &str, most: usize) -> Refusal {
    let detail =
        format!("the requests of this {whose} have more than {most} bytes together; send fewer at once");
    Refusal::new(Code::Busy, detail).until(A_SECOND)
}

fn most(route: &Route, limits: &Limits) -> usize {
    let is_import =
        matches!(route.verb, "import" | "read_import" | "import_persona" | "import_card" | "sign_bundle");
    if is_import { limits.import_bytes } else { limits.body_bytes }
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
    Refusal::new(Code::Usage, "the body was cut off; send it again")
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
