//! What a page in a browser needs besides the verbs everyone has.

use super::Route;
use crate::key::KeyScope;
use crate::{markdown, schema, sign_in};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/v1/sign-in-links",
        "offer_sign_in",
        KeyScope::Admin,
        "Makes a link that opens the web page once, with everything its maker may do, as long as the maker's key is valid.",
    )
    .gives(201, schema::of::<sign_in::SignInLink>),
    Route::new("GET", "/v1/me", "show_me", KeyScope::Read, "Tells who is asking, and what they may do.")
        .gives(200, schema::of::<sign_in::Me>),
    Route::new(
        "POST",
        "/v1/sign-out",
        "sign_out",
        KeyScope::Read,
        "Ends what the browser's cookie began; a key goes on.",
    )
    .gives_nothing(),
    Route::new(
        "GET",
        "/v1/events",
        "follow_events",
        KeyScope::Read,
        "Tells, as long as somebody listens, whenever something of the tenant's personas was written.",
    )
    .speaks(),
    Route::new(
        "POST",
        "/v1/markdown",
        "render_markdown",
        KeyScope::Read,
        "Reads Markdown into a tree that can only be harmless.",
    )
    .takes(schema::of::<markdown::RenderMarkdown>)
    .reads()
    .gives(200, schema::of::<markdown::Rendered>),
];
