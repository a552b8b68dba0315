//! The web page: its frame under `/ui/…`, and its sources under a folder named after their version.
//!
//! Changed sources get another URL, so a browser may cache them forever; the frame itself is requested every
//! time. Only our own sources may run or be loaded, and no text becomes markup.

use std::path::{Component, Path as FilePath};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    ACCEPT, ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName,
    LOCATION, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use wire::Code;

use super::refusal::Refusal;
use super::{Entrance, cookie, entity_tag, reading, wrong_method};
use crate::Page;

include!(concat!(env!("OUT_DIR"), "/web.rs"));

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
    manifest-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";
/// The placeholders in the frame: for the folder of the sources, for the language of the texts that are loaded first, and for the
/// colours that were chosen.
const VERSION_PLACE: &str = "{version}";
const LANGUAGE_PLACE: &str = "{language}";
const THEME_PLACE: &str = "{theme}";
/// The language of a reader who wants none that there are texts in.
const DEFAULT_LANGUAGE: &str = "en";
/// The cookie in which the page keeps the chosen colours (`web/lib/theme.js`), and what it may say.
const THEME_COOKIE: &str = "selfhood-theme";
const THEMES: [&str; 3] = ["system", "light", "dark"];
/// All styles in one file, because ten requests would hold back the first paint. Later ones win over earlier ones.
const ALL_STYLES: &str = "style/all.css";
const STYLES: [&str; 10] =
    ["fonts", "tokens", "base", "controls", "shell", "memory", "curve", "talk", "why", "screens"];
/// The folder of sources that are read from disk.
const UNKEPT: &str = "dev";

pub(crate) fn router() -> Router<Entrance> {
    Router::new()
        .route("/", reading(root))
        .route("/ui", reading(frame))
        .route("/ui/{*place}", reading(frame))
        .route("/web/{version}/{*file}", reading(source))
        .route("/favicon.ico", reading(icon))
}

async fn root() -> Response {
    (StatusCode::FOUND, [(LOCATION, HeaderValue::from_static("/ui"))]).into_response()
}

/// The path of the onboarding flow of 002, which programs post to.
pub(crate) const ONBOARDING: &str = "/setup/persona";

/// Redirects a browser to the screen that creates a persona. A program that doesn't ask for a page is answered as on
/// every path that only takes `POST`.
pub(crate) async fn onboarding(request: Request) -> Result<Response, Refusal> {
    let accepts = request.headers().get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    if accepts.into_iter().any(|kinds| kinds.contains("text/html")) {
        return Ok((StatusCode::FOUND, [(LOCATION, HeaderValue::from_static("/ui/welcome"))]).into_response());
    }
    Err(wrong_method("POST".to_owned())(request).await)
}

async fn icon(State(entrance): State<Entrance>) -> Result<Response, Refusal> {
    let content = read(&entrance.state.page, "icon.svg")?;
    Ok(([(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, "max-age=3600")], content).into_response())
}

async fn frame(State(entrance): State<Entrance>, asked: HeaderMap) -> Result<Response, Refusal> {
    let page = &entrance.state.page;
    let text = String::from_utf8_lossy(&read(page, "index.html")?)
        .replace(LANGUAGE_PLACE, &language(page, &asked))
        .replace(THEME_PLACE, theme(&asked))
        .replace(VERSION_PLACE, version(page));
    let tag = entity_tag::of(text.as_bytes());
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        (VARY, HeaderValue::from_static("accept-language, cookie")),
        (ETAG, tag.clone()),
    ];
    if entity_tag::is_known(&tag, &asked) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((headers, text).into_response())
}

/// The language that the reader's browser asks for first, of those there are texts in. Another one may have been chosen on
/// the page; then its script loads the texts in that one.
fn language(page: &Page, asked: &HeaderMap) -> String {
    let wanted = asked.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut names = wanted.split(',').filter_map(|one| one.trim().get(..2)).map(str::to_ascii_lowercase);
    let has_texts = |name: &String| read(page, &format!("text/{name}.json")).is_ok();
    names.find(has_texts).unwrap_or_else(|| DEFAULT_LANGUAGE.to_owned())
}

/// The colours that were chosen. They are in the frame, because a script that applied them would come before the first
/// paint.
fn theme(asked: &HeaderMap) -> &'static str {
    let chosen = cookie::value(asked, THEME_COOKIE);
    THEMES.into_iter().find(|theme| Some(*theme) == chosen).unwrap_or("system")
}

async fn source(
    State(entrance): State<Entrance>,
    Path((asked, file)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let page = &entrance.state.page;
    if asked != version(page) {
        return Err(Refusal::new(Code::NotFound, "the page has changed; reload it"));
    }
    let content = if file == ALL_STYLES { all_styles(page)? } else { read(page, &file)? };
    let caching = match page {
        Page::Embedded => "public, max-age=31536000, immutable",
        Page::Folder(_) => "no-store",
    };
    Ok(([(CONTENT_TYPE, kind(&file)), (CACHE_CONTROL, caching)], content).into_response())
}

fn all_styles(page: &Page) -> Result<Bytes, Refusal> {
    let files = STYLES.iter().map(|name| read(page, &format!("style/{name}.css")));
    Ok(files.collect::<Result<Vec<_>, _>>()?.concat().into())
}

fn version(page: &Page) -> &'static str {
    match page {
        Page::Embedded => VERSION,
        Page::Folder(_) => UNKEPT,
    }
}

fn read(page: &Page, file: &str) -> Result<Bytes, Refusal> {
    let missing = || Refusal::new(Code::NotFound, "the page has no such file");
    match page {
        Page::Embedded => {
            let found = FILES.iter().find(|(name, _)| *name == file);
            found.map(|(_, content)| Bytes::from_static(content)).ok_or_else(missing)
        }
        Page::Folder(folder) => {
            let is_inside = FilePath::new(file).components().all(|part| matches!(part, Component::Normal(_)));
            let content = is_inside.then(|| std::fs::read(folder.join(file)).ok()).flatten();
            content.map(Bytes::from).ok_or_else(missing)
        }
    }
}

fn kind(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("html") => "text/html; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_has_the_colours_that_were_chosen_and_no_others() {
        for (cookies, chosen) in [
            ("selfhood-theme=dark", "dark"),
            ("a=b; selfhood-theme=light", "light"),
            ("selfhood-theme=\"><script>", "system"),
            ("a=b", "system"),
        ] {
            let asked =
                HeaderMap::from_iter([(axum::http::header::COOKIE, HeaderValue::from_static(cookies))]);
            assert_eq!(theme(&asked), chosen, "{cookies}");
        }
    }

    #[test]
    fn the_texts_come_in_the_first_language_there_are_texts_in() {
        for (wanted, chosen) in [
            ("de-AT,de;q=0.9,en;q=0.8", "de"),
            ("fr,de;q=0.5", "de"),
            ("EN-gb", "en"),
            ("fr", "en"),
            ("", "en"),
            ("../x", "en"),
        ] {
            let asked = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(wanted))]);
            assert_eq!(language(&Page::Embedded, &asked), chosen, "{wanted}");
        }
    }

    #[test]
    fn every_style_is_in_the_one_file_that_is_loaded() {
        let names = FILES.iter().filter_map(|(name, _)| name.strip_prefix("style/")?.strip_suffix(".css"));
        let missing: Vec<_> = names.filter(|name| !STYLES.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        let all = all_styles(&Page::Embedded).unwrap_or_default();
        assert!(all.len() > 40_000, "{}", all.len());
    }
}
