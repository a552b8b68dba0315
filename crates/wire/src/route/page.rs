//! Additional routes for the web page.

use super::Route;
use crate::key::KeyScope;
use crate::{markdown, schema, sign_in};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/v1/sign-in-links",
        "offer_sign_in",
        KeyScope::Admin,
        "Creates a one-time sign-in link to the web page, with the rights of its maker, as long as the \
        maker's key is valid.",
    )
    .gives(201, schema::of::<sign_in::SignInLink>),
    Route::new("GET", "/v1/me", "show_me", KeyScope::Read, "Shows the caller and their rights.")
        .gives(200, schema::of::<sign_in::Me>),
    Route::new("POST", "/v1/sign-out", "sign_out", KeyScope::Read, "Signs a browser out; keys stay valid.")
        .gives_nothing(),
    Route::new(
        "GET",
        "/v1/events",
        "follow_events",
        KeyScope::Read,
        "Streams an event whenever a persona of the tenant changes.",
    )
    .speaks(),
    Route::new(
        "POST",
        "/v1/markdown",
        "render_markdown",
        KeyScope::Read,
        "Parses Markdown into a safe tree.",
    )
    .takes(schema::of::<markdown::RenderMarkdown>)
    .reads()
    .gives(200, schema::of::<markdown::Rendered>),
];
