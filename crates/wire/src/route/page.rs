//! Additional routes for the web page.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::OfferSignIn>(
        "POST",
        "/v1/sign-in-links",
        KeyScope::Admin,
        "Creates a one-time sign-in link to the web page, with the rights of its maker, as long as the \
        maker's key is valid.",
    )
    .gives(201),
    Route::of::<verb::ShowMe>("GET", "/v1/me", KeyScope::Read, "Shows the caller and their rights."),
    Route::of::<verb::SignOut>(
        "POST",
        "/v1/sign-out",
        KeyScope::Read,
        "Signs a browser out; keys stay valid.",
    )
    .gives_nothing(),
    Route::of::<verb::FollowEvents>(
        "GET",
        "/v1/events",
        KeyScope::Read,
        "Streams an event whenever a persona of the tenant changes.",
    )
    .speaks(),
    Route::of::<verb::RenderMarkdown>(
        "POST",
        "/v1/markdown",
        KeyScope::Read,
        "Parses Markdown into a safe tree.",
    )
    .reads(),
];
