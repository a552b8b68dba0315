//! The sign-in cookie: its name, and when it is accepted.
//!
//! A browser sends a cookie with every request, so a cookie alone proves nothing about who asked for a
//! change. It is `SameSite=Strict` and `HttpOnly`, and a change is accepted only if the browser says that our
//! own page asked for it.

use axum::http::header::{COOKIE, ORIGIN};
use axum::http::{HeaderMap, Method};
use wire::Code;

use super::refusal::Refusal;
use crate::state::ServerState;

/// How long a browser keeps it; the engine may end the session sooner.
const SECONDS: u32 = 30 * 24 * 60 * 60;

/// The secret in the cookie, if there is one.
pub(crate) fn shown<'h>(state: &ServerState, headers: &'h HeaderMap) -> Option<&'h str> {
    value(headers, &name(state))
}

/// What the browser sends under a name.
pub(crate) fn value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(own, _)| *own == name).map(|(_, value)| value)
}

/// The `Set-Cookie` value that signs in.
pub(crate) fn kept(state: &ServerState, secret: &str) -> String {
    written(state, secret, SECONDS)
}

/// The `Set-Cookie` value that signs out.
pub(crate) fn dropped(state: &ServerState) -> String {
    written(state, "", 0)
}

/// Refuses a change unless the browser says that our page asked for it; that the named page is ours was
/// checked before.
pub(crate) fn demand_own_page(method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    let site = headers.get("sec-fetch-site").map(|site| site.to_str().unwrap_or_default());
    let is_ours = match site {
        Some(site) => site == "same-origin" || (is_read && site == "none"),
        None => is_read || headers.contains_key(ORIGIN),
    };
    if is_ours {
        return Ok(());
    }
    Err(Refusal::new(Code::CrossOrigin, "a cookie is accepted only from our own page; programs use a key"))
}

fn written(state: &ServerState, secret: &str, seconds: u32) -> String {
    let secure = if is_https(state) { "; Secure" } else { "" };
    format!("{}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}", name(state))
}

/// Browsers share cookies between all ports of a host, so two servers on one machine need two names.
fn name(state: &ServerState) -> String {
    let url = state.url.get().map_or("", String::as_str);
    let port = url.rsplit(':').next().filter(|port| port.bytes().all(|digit| digit.is_ascii_digit()));
    let prefix = if is_https(state) { "__Host-" } else { "" };
    port.filter(|port| !port.is_empty())
        .map_or_else(|| format!("{prefix}selfhood"), |port| format!("{prefix}selfhood-{port}"))
}

fn is_https(state: &ServerState) -> bool {
    state.url.get().is_some_and(|url| url.starts_with("https://"))
}
