//! Talking with personas, through our own routes and OpenAI's.

use super::Route;
use crate::key::KeyScope;
use crate::{chat, openai, responses, safety, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/chat",
        "chat",
        KeyScope::Write,
        "Sends a message to a persona; the answer is a stream of events.",
    )
    .takes(schema::of::<chat::Chat>)
    .speaks(),
    Route::new(
        "POST",
        "/personas/prompt",
        "prompt_persona",
        KeyScope::Write,
        "Sends a message to a persona and waits for the answer, or starts a job.",
    )
    .takes(schema::of::<chat::Prompt>)
    .gives(200, schema::of::<chat::Prompted>),
    Route::new(
        "POST",
        "/personas/prompt/stream",
        "stream_prompt",
        KeyScope::Write,
        "Sends a message to a persona; the answer is a stream of events.",
    )
    .takes(schema::of::<chat::Prompt>)
    .speaks(),
    Route::new(
        "GET",
        "/personas/prompt/jobs/{jobId}",
        "show_prompt_job",
        KeyScope::Read,
        "Shows the state of a prompt job, and its answer.",
    )
    .gives(200, schema::of::<chat::PromptJobAnswer>),
    Route::new(
        "GET",
        "/personas/prompt/sessions",
        "list_prompt_sessions",
        KeyScope::Read,
        "Lists the conversations with a persona.",
    )
    .asks(schema::of::<chat::PromptSessions>)
    .gives(200, schema::of::<crate::session::SessionList>),
    Route::new(
        "PUT",
        "/personas/safety-policy",
        "put_safety_policy",
        KeyScope::Admin,
        "Replaces the tenant's safety policy.",
    )
    .takes(schema::of::<safety::PutSafetyPolicy>)
    .gives(200, schema::of::<safety::SafetyPolicyAnswer>),
    Route::new(
        "GET",
        "/personas/safety-policy",
        "show_safety_policy",
        KeyScope::Admin,
        "Shows the tenant's safety policy; the list of blocked terms is not for every key.",
    )
    .gives(200, schema::of::<safety::SafetyPolicyAnswer>),
    Route::new(
        "POST",
        "/v1/chat/completions",
        "complete_chat",
        KeyScope::Write,
        "Talks with a persona the way OpenAI's clients do.",
    )
    .takes(schema::of::<openai::CompleteChat>)
    .gives(200, schema::of::<openai::ChatCompletion>)
    .speaks(),
    Route::new(
        "POST",
        "/v1/responses",
        "create_response",
        KeyScope::Write,
        "Talks with a persona by OpenAI's responses API; `store: false` is off the record.",
    )
    .takes(schema::of::<responses::CreateResponse>)
    .gives(200, schema::of::<responses::Response>)
    .speaks(),
    Route::new("GET", "/v1/models", "list_models", KeyScope::Read, "Lists the personas as models.")
        .gives(200, schema::of::<openai::ModelList>),
    Route::new("GET", "/v1/models/{*model}", "show_model", KeyScope::Read, "Shows a persona as a model.")
        .gives(200, schema::of::<openai::ModelView>),
    Route::new(
        "POST",
        "/v1/embeddings",
        "embed_texts",
        KeyScope::Read,
        "Embeds texts with the built-in embedder.",
    )
    .takes(schema::of::<openai::EmbedTexts>)
    .reads()
    .gives(200, schema::of::<openai::EmbeddingList>),
];
