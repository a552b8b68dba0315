//! Talking with personas, through our own routes and OpenAI's.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::Chat>(
        "POST",
        "/chat",
        KeyScope::Write,
        "Sends a message to a persona; the answer is a stream of events.",
    )
    .by_speaker()
    .off_record()
    .speaks(),
    Route::of::<verb::PromptPersona>(
        "POST",
        "/personas/prompt",
        KeyScope::Write,
        "Sends a message to a persona and waits for the answer, or starts a job.",
    )
    .by_speaker()
    .off_record(),
    Route::of::<verb::StreamPrompt>(
        "POST",
        "/personas/prompt/stream",
        KeyScope::Write,
        "Sends a message to a persona; the answer is a stream of events.",
    )
    .by_speaker()
    .off_record()
    .speaks(),
    Route::of::<verb::ShowPromptJob>(
        "GET",
        "/personas/prompt/jobs/{jobId}",
        KeyScope::Read,
        "Shows the state of a prompt job, and its answer.",
    ),
    Route::of::<verb::ListPromptSessions>(
        "GET",
        "/personas/prompt/sessions",
        KeyScope::Read,
        "Lists the conversations with a persona.",
    ),
    Route::of::<verb::PutSafetyPolicy>(
        "PUT",
        "/personas/safety-policy",
        KeyScope::Admin,
        "Replaces the tenant's safety policy.",
    ),
    Route::of::<verb::ShowSafetyPolicy>(
        "GET",
        "/personas/safety-policy",
        KeyScope::Admin,
        "Shows the tenant's safety policy; the list of blocked terms is not for every key.",
    ),
    Route::of::<verb::CompleteChat>(
        "POST",
        "/v1/chat/completions",
        KeyScope::Write,
        "Talks with a persona the way OpenAI's clients do.",
    )
    .by_speaker()
    .off_record()
    .speaks(),
    Route::of::<verb::CreateResponse>(
        "POST",
        "/v1/responses",
        KeyScope::Write,
        "Talks with a persona by OpenAI's responses API; `store: false` is off the record.",
    )
    .by_speaker()
    .off_record()
    .speaks(),
    Route::of::<verb::ListModels>("GET", "/v1/models", KeyScope::Read, "Lists the personas as models."),
    Route::of::<verb::ShowModel>("GET", "/v1/models/{*model}", KeyScope::Read, "Shows a persona as a model."),
    Route::of::<verb::EmbedTexts>(
        "POST",
        "/v1/embeddings",
        KeyScope::Read,
        "Embeds texts with the built-in embedder.",
    )
    .reads(),
];
