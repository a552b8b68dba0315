//! The speaker named by the headers of a request, and whether it is off the record: the same for every route.
//!
//! A key that forwards identities is trusted, unless Open WebUI's signing secret is configured: then only a
//! signed name counts. A key that speaks for the owner may name nobody but the owner.

use axum::http::{HeaderMap, HeaderValue};
use domain::{InvalidId, SessionId, SubjectRef, Timestamp};
use engine::{Call, Engine, Identity, Record, bound_to_another};
use serde::Deserialize;
use vault::shared_secret::SharedSecret;
use wire::key::Speaks;
use wire::route::Route;
use wire::{Code, Problem};

/// The header with a signed name.
const SIGNED: &str = "x-openwebui-user-jwt";
/// The headers with a plain name; the first that is sent counts, but none may contradict the key.
const BARE: [&str; 2] = ["x-openwebui-user-id", "x-user-id"];
/// The header that names a conversation, the same as in answers.
const SESSION: &str = "x-session-id";
/// The header of a request off the record.
const OFF_THE_RECORD: &str = "x-off-the-record";

/// The claims of a signed header.
#[derive(Deserialize)]
struct Claims {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    sub: Option<String>,
    /// Its expiry, in seconds.
    exp: f64,
    /// Its start of validity, if given.
    #[serde(default)]
    nbf: Option<f64>,
}

/// Refuses a request off the record to a route whose purpose is to store something.
pub(super) fn check_record(route: &Route, call: &Call) -> Result<(), Problem> {
    if call.caller.record == Record::Off && route.is_refused_off_record() {
        let detail = format!(
            "`X-Off-The-Record` asks to store nothing, and {} {} stores what it is sent; leave the header or the \
             request out",
            route.method, route.path
        );
        return Err(Problem::new(Code::Usage, detail));
    }
    Ok(())
}

/// Sets the speaker of `call` from the headers, and whether it is off the record, or refuses the request.
pub(super) async fn identify(
    engine: &Engine,
    mut call: Call,
    headers: &HeaderMap,
    secret: Option<&SharedSecret>,
) -> Result<Call, Problem> {
    call.caller.session = session(headers)?;
    call.caller.record = record(headers);
    let named = named(headers, call.now, secret)?;
    if let Some(bound) = call.caller.bound.subject.clone() {
        if named.iter().any(|named| *named != bound) {
            return Err(bound_to_another());
        }
        call.caller.identity = Identity::Bound(bound);
        return Ok(call);
    }
    call.caller.identity = match call.caller.speaks {
        Speaks::Owner => {
            for named in &named {
                engine.check_names_owner(&call, named).await?;
            }
            Identity::default()
        }
        Speaks::Forwarded if secret.is_some() => Identity::Signed(named.into_iter().next()),
        Speaks::Forwarded => Identity::Claimed(named.into_iter().next()),
    };
    Ok(call)
}

/// Checks the speaker named in a body the same way as one in the headers: signed if required, and the owner
/// with an owner key.
pub(super) async fn named_in_body(
    engine: &Engine,
    call: &Call,
    name: &str,
) -> Result<Option<SubjectRef>, Problem> {
    let parsed = || name.parse().map_err(|rule| unreadable(&rule));
    match (call.caller.speaks, &call.caller.identity) {
        (Speaks::Owner, _) => engine.check_names_owner(call, &parsed()?).await.map(|()| None),
        // A bound key speaks for its person only, wherever a name is sent.
        (Speaks::Forwarded, Identity::Bound(bound)) if parsed()? == *bound => Ok(None),
        (Speaks::Forwarded, Identity::Bound(_)) => Err(bound_to_another()),
        // A header names the speaker already, and has priority.
        (Speaks::Forwarded, Identity::Claimed(Some(_)) | Identity::Signed(Some(_))) => Ok(None),
        (Speaks::Forwarded, Identity::Signed(None)) => Err(unsigned_name()),
        (Speaks::Forwarded, Identity::Claimed(None)) => parsed().map(Some),
    }
}

fn named(
    headers: &HeaderMap,
    now: Timestamp,
    secret: Option<&SharedSecret>,
) -> Result<Vec<SubjectRef>, Problem> {
    let parsed = |name: &str| name.parse().map_err(|rule| unreadable(&rule));
    if let Some(token) = text(headers, SIGNED).map_err(|()| invalid_signature("is not readable"))? {
        let name = signed_name(token, now, secret)?;
        return name
            .parse()
            .map(|name| vec![name])
            .map_err(|_| invalid_signature("has an invalid user name"));
    }
    let mut named = Vec::new();
    for header in BARE {
        let unreadable_bytes = || match secret {
            Some(_) => unsigned_name(),
            None => Problem::new(
                Code::ValidationFailed,
                format!("`{header}` is not readable; send visible ASCII"),
            ),
        };
        for value in headers.get_all(header) {
            let name = value.to_str().map_err(|_| unreadable_bytes())?.trim();
            if name.is_empty() {
                continue;
            }
            if secret.is_some() {
                return Err(unsigned_name());
            }
            named.push(parsed(name)?);
        }
    }
    Ok(named)
}

/// The user in a signed header. An invalid signature is refused, not ignored: its sender meant a particular
/// user.
fn signed_name(token: &str, now: Timestamp, secret: Option<&SharedSecret>) -> Result<String, Problem> {
    let secret = secret.ok_or_else(|| {
        invalid_signature(
            "can't be verified; set `SELFHOOD_OPENWEBUI_JWT_SECRET` to Open WebUI's signing secret",
        )
    })?;
    let claims = secret.verify(token).map_err(|why| invalid_signature(&why.to_string()))?;
    let claims: Claims = serde_json::from_slice(&claims).map_err(|_| invalid_signature("has no expiry"))?;
    let now = seconds(now);
    if claims.exp <= now || claims.nbf.is_some_and(|from| from > now) {
        return Err(invalid_signature("is not valid at this time; check both machines' clocks"));
    }
    let named = claims.id.or(claims.sub).map(|named| named.trim().to_owned());
    named.filter(|named| !named.is_empty()).ok_or_else(|| invalid_signature("has no `id` or `sub`"))
}

/// What can't be read counts as the wish to store nothing.
fn record(headers: &HeaderMap) -> Record {
    let is_off = |value: &HeaderValue| !matches!(value.as_bytes().trim_ascii(), b"0" | b"false");
    headers.get_all(OFF_THE_RECORD).iter().any(is_off).into()
}

fn session(headers: &HeaderMap) -> Result<Option<SessionId>, Problem> {
    let invalid = |detail: String| Problem::new(Code::ValidationFailed, detail);
    let Some(named) =
        text(headers, SESSION).map_err(|()| invalid("`X-Session-Id` is not readable".to_owned()))?
    else {
        return Ok(None);
    };
    if named.is_empty() {
        return Ok(None);
    }
    named.parse().map(Some).map_err(|rule: InvalidId| invalid(format!("`X-Session-Id` is invalid: {rule}")))
}

/// The text of a header; an error if it isn't valid text.
fn text<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, ()> {
    headers.get(name).map(|value| value.to_str().map(str::trim).map_err(|_| ())).transpose()
}

#[expect(clippy::cast_precision_loss, reason = "seconds of a date are exact in a double")]
fn seconds(time: Timestamp) -> f64 {
    time.as_millis() as f64 / 1000.0
}

fn invalid_signature(why: &str) -> Problem {
    Problem::new(Code::Unauthorized, format!("`X-OpenWebUI-User-Jwt` {why}"))
}

fn unsigned_name() -> Problem {
    let detail = "the name of the speaker is not signed; Open WebUI must send it signed, as \
        `X-OpenWebUI-User-Jwt`, \
                  because a secret for it is configured here";
    Problem::new(Code::Unauthorized, detail)
}

fn unreadable(rule: &InvalidId) -> Problem {
    Problem::new(Code::ValidationFailed, format!("the speaker's name is invalid: {rule}"))
}
