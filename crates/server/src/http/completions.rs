//! The OpenAI-compatible API: personas as models, chat completions, embeddings.

pub(super) mod request;
pub(super) mod envelope;
mod script;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use domain::Text;
use engine::Cancellation;
use serde_json::json;
use wire::openai::{
    ChatCalled, ChatChoice, ChatCompletion, ChatReply, ChatToolCall, ChatUsage, CompleteChat, EmbedTexts,
    Embedding, EmbeddingList, EmbeddingUsage, EncodingFormat, ModelList, ModelView,
};
use wire::verb::{self, Verb};
use wire::{Code, Pointed, Problem};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, Stream, VerbContext};
use super::speech::{conversation_headers, read_out};
use envelope::Envelope;
use script::{CompletionScript, ToolCalls, finish_reason, usage};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::CompleteChat, |context| complete(context)),
    verb_handler!(verb::ListModels, |context| list_models(context)),
    verb_handler!(verb::ShowModel, |context| show_model(context)),
    verb_handler!(verb::EmbedTexts, |context| embed(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(verb::CompleteChat::NAME, RepeatPolicy::ByVerb)];

/// Up to this many characters are embedded in place: that is faster than handing them to a thread.
const SHORT: usize = 16 * 1024;
/// The most texts in one request.
const MOST_TEXTS: usize = 2048;

async fn complete(context: VerbContext<verb::CompleteChat>) -> HandlerResult {
    let request: CompleteChat = context.body()?;
    let model = request.model.clone();
    let in_pieces = request.stream == Some(true);
    let with_usage = request.stream_options.is_some_and(|options| options.include_usage == Some(true));
    let envelope = Envelope { headers: &context.headers, call: &context.call, engine: &context.engine };
    let (persona, said) = request::read(&request, &envelope).await?;
    let id = format!("chatcmpl-{}", context.engine.fresh_id(context.call.now)?);
    let created = context.call.now.as_millis().div_euclid(1000);
    let place = in_pieces.then(|| context.stream_permit(Stream::Answer)).transpose()?;
    let conversation = context.engine.converse(&context.call, &persona, said).await?;
    let escalation = conversation.escalation.as_ref().map(|_| "1".to_owned());
    let headers = conversation_headers(&conversation);
    let with_escalation = |answer: Answer| headers(answer).with_header("x-escalation", escalation);
    if let Some(place) = place {
        let script = CompletionScript::new(id, created, model);
        let script = if with_usage { script.with_usage() } else { script };
        return Ok(with_escalation(Answer::stream(place, read_out(conversation, script))));
    }
    let reply = conversation.whole().await?;
    let tool_calls: Vec<ChatToolCall> = reply.calls.into_iter().map(tool_call).collect();
    let calls = if tool_calls.is_empty() { ToolCalls::None } else { ToolCalls::Some };
    let finish_reason = finish_reason(reply.finish, calls);
    let text = (reply.text.length() > 0).then_some(reply.text);
    let message = ChatReply { role: "assistant", content: text, refusal: None, tool_calls };
    let choice = ChatChoice { index: 0, message, logprobs: None, finish_reason };
    let usage: ChatUsage = usage(reply.usage);
    let completion =
        ChatCompletion { id, object: "chat.completion", created, model, choices: vec![choice], usage };
    context.answer(&completion).map(with_escalation)
}

fn tool_call(call: llm::ToolCall) -> ChatToolCall {
    let arguments = Text::new(call.arguments.as_str());
    ChatToolCall {
        id: call.id,
        kind: "function".to_owned(),
        function: ChatCalled { name: call.name, arguments },
    }
}

async fn list_models(context: VerbContext<verb::ListModels>) -> HandlerResult {
    let personas = context.engine.list_personas(&context.call).await?.personas;
    let data =
        personas.into_iter().map(|persona| model(&persona.name.to_string(), &context, persona.created_at));
    context.answer(&ModelList { object: "list".to_owned(), data: data.collect() })
}

async fn show_model(context: VerbContext<verb::ShowModel>) -> HandlerResult {
    let asked = request::Model::parse(context.segment("model"), &context.call)?;
    let persona = context.engine.show_persona(&context.call, &asked.persona).await?.persona;
    context.answer(&model(context.segment("model"), &context, persona.created_at))
}

fn model(id: &str, context: &RequestContext, created: domain::Timestamp) -> ModelView {
    ModelView {
        id: id.to_owned(),
        object: "model".to_owned(),
        created: created.as_millis().div_euclid(1000),
        owned_by: context.call.caller.tenant.to_string(),
    }
}

async fn embed(context: VerbContext<verb::EmbedTexts>) -> HandlerResult {
    let request: EmbedTexts = context.body()?;
    let texts = request.input.into_vec();
    let (name, dimensions) = context.engine.embedder();
    if texts.is_empty()
        || texts.len() > MOST_TEXTS
        || request.dimensions.is_some_and(|asked| asked != dimensions)
    {
        let detail = format!("1 to {MOST_TEXTS} texts are embedded at once, into {dimensions} numbers each");
        let pointer = if request.dimensions.is_some() { "/dimensions" } else { "/input" };
        let place = Pointed { pointer: pointer.to_owned(), detail: detail.clone() };
        return Err(Problem::new(Code::ValidationFailed, detail).pointing_at(vec![place]));
    }
    let format = request.encoding_format.unwrap_or_default();
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    let engine = context.engine.clone();
    let embedded = move |cancellation: &Cancellation| {
        let texts = texts.iter().take_while(|_| !cancellation.is_cancelled()).enumerate();
        let embedding = |text: &String| printed(&engine.embed_text(text), format);
        let data =
            texts.map(|(index, text)| Embedding { object: "embedding", index, embedding: embedding(text) });
        data.collect()
    };
    let data = if characters <= SHORT {
        embedded(&Cancellation::default())
    } else {
        context.engine.run_cpu_work(&context.call, embedded).await?
    };
    let tokens = domain::Tokens::of_characters(characters).0.into();
    let usage = EmbeddingUsage { prompt_tokens: tokens, total_tokens: tokens };
    context.answer(&EmbeddingList { object: "list", data, model: name.to_owned(), usage })
}

fn printed(numbers: &[f32], format: EncodingFormat) -> serde_json::Value {
    match format {
        EncodingFormat::Float => json!(numbers),
        EncodingFormat::Base64 => {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            json!(BASE64_STANDARD.encode(bytes))
        }
    }
}
