//! Pages for people: the guide, the API description as JSON and as a page, and a page for every error code.
//! Everything is embedded in the program; nothing is fetched from elsewhere and no script runs.

mod guide;
mod html;
mod reference;

use std::sync::OnceLock;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use wire::Code;

use super::refusal::Refusal;
use super::{Entrance, openapi, reading};

const STYLE: &str = include_str!("pages/style.css");
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) fn router() -> Router<Entrance> {
    Router::new()
        .route("/openapi.json", reading(description))
        .route("/docs", reading(docs))
        .route("/docs/style.css", reading(style))
        .route("/docs/errors/{code}", reading(explanation))
        .route("/guide", reading(guide_index))
        .route("/guide/{*name}", reading(guide_page))
}

async fn description() -> Response {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    let text = TEXT.get_or_init(|| openapi::document().to_string().into());
    public("application/json", text.clone())
}

async fn docs() -> Response {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    let text = TEXT.get_or_init(|| reference::page(&openapi::document()).into());
    public("text/html; charset=utf-8", text.clone())
}

async fn style() -> Response {
    public("text/css; charset=utf-8", Bytes::from_static(STYLE.as_bytes()))
}

async fn explanation(asked: Result<Path<String>, PathRejection>) -> Result<Response, Refusal> {
    let name = asked.map_or_else(|_| String::new(), |Path(name)| name);
    let known = Code::ALL.iter().find(|code| code.as_str() == name);
    let code = known.ok_or_else(|| Refusal::new(Code::NotFound, "no such code; `/docs` lists them all"))?;
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, pulldown_cmark::Parser::new(code.explanation()));
    Ok(public("text/html; charset=utf-8", html::page(code.title(), &text).into()))
}

async fn guide_index() -> Response {
    public("text/html; charset=utf-8", guide::page("README").unwrap_or_default().into())
}

async fn guide_page(asked: Result<Path<String>, PathRejection>) -> Result<Response, Refusal> {
    let name = asked.map_or_else(|_| String::new(), |Path(name)| name);
    if let Some(picture) = guide::picture(&name) {
        return Ok(public("image/png", Bytes::from_static(picture)));
    }
    let page = guide::page(name.trim_end_matches(".md"));
    let page = page.ok_or_else(|| Refusal::new(Code::NotFound, "no such page; `/guide` lists them all"))?;
    Ok(public("text/html; charset=utf-8", page.into()))
}

/// A response that is the same for everyone, so it may be cached for a while.
fn public(kind: &'static str, body: Bytes) -> Response {
    let fixed = |name: HeaderName, value: &'static str| (name, HeaderValue::from_static(value));
    let headers = [
        fixed(CONTENT_TYPE, kind),
        fixed(CACHE_CONTROL, "max-age=300"),
        fixed(CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, body).into_response()
}
