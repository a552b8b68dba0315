//! A streamed chat completion, in OpenAI's format.

use domain::Text;
use engine::converse::Reply;
use llm::{FinishReason, ToolCallDelta, Usage};
use serde_json::{Value, json};
use wire::Problem;
use wire::openai::ChatUsage;

use super::super::refusal::openai_error;
use super::super::speech::{Script, unnamed};

/// One streamed completion. Every chunk has the same id, time and model.
pub(super) struct CompletionScript {
    id: String,
    created: i64,
    model: String,
    usage: UsageChunk,
    calls: ToolCalls,
}

/// Whether the reply calls tools of the client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolCalls {
    None,
    Some,
}

/// Whether the last chunk says how many tokens were used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UsageChunk {
    Sent,
    Omitted,
}

impl CompletionScript {
    pub(super) fn new(id: String, created: i64, model: String) -> Self {
        Self { id, created, model, usage: UsageChunk::Omitted, calls: ToolCalls::None }
    }

    /// Sends the usage after the last piece, as `stream_options.include_usage` asks for.
    pub(super) fn with_usage(self) -> Self {
        Self { usage: UsageChunk::Sent, ..self }
    }

    fn piece(&self, delta: &Value, finish_reason: Option<&str>) -> String {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason });
        self.chunk(&json!([choice]), &Value::Null)
    }

    fn chunk(&self, choices: &Value, usage: &Value) -> String {
        let mut chunk = json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": choices,
        });
        if let (UsageChunk::Sent, Some(fields)) = (self.usage, chunk.as_object_mut()) {
            fields.insert("usage".to_owned(), usage.clone());
        }
        unnamed(&chunk)
    }
}

impl Script for CompletionScript {
    fn begin(&mut self) -> String {
        self.piece(&json!({ "role": "assistant", "content": "" }), None)
    }

    fn words(&mut self, words: &Text) -> String {
        self.piece(&json!({ "content": words }), None)
    }

    fn call(&mut self, delta: &ToolCallDelta) -> String {
        self.calls = ToolCalls::Some;
        let mut call = json!({ "index": delta.index, "function": { "arguments": delta.arguments.as_str() } });
        if let (Some(id), Some(fields)) = (&delta.id, call.as_object_mut()) {
            fields.insert("id".to_owned(), json!(id));
            fields.insert("type".to_owned(), json!("function"));
        }
        if let (Some(name), Some(function)) =
            (&delta.name, call.get_mut("function").and_then(Value::as_object_mut))
        {
            function.insert("name".to_owned(), json!(name));
        }
        self.piece(&json!({ "tool_calls": [call] }), None)
    }

    fn done(&mut self, reply: &Reply) -> String {
        let mut end = self.piece(&json!({}), Some(finish_reason(reply.finish, self.calls)));
        if self.usage == UsageChunk::Sent {
            end.push_str(&self.chunk(&json!([]), &json!(usage(reply.usage))));
        }
        end + "data: [DONE]\n\n"
    }

    fn failed(&mut self, problem: &Problem) -> String {
        unnamed(&openai_error(problem))
    }
}

/// The finish reason in OpenAI's terms.
pub(super) fn finish_reason(finish: FinishReason, calls: ToolCalls) -> &'static str {
    match finish {
        FinishReason::Stop | FinishReason::Other if calls == ToolCalls::Some => "tool_calls",
        FinishReason::Stop | FinishReason::Other => "stop",
        FinishReason::Length => "length",
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::ContentFilter => "content_filter",
    }
}

pub(super) fn usage(usage: Usage) -> ChatUsage {
    let Usage { prompt_tokens, completion_tokens } = usage;
    ChatUsage { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
