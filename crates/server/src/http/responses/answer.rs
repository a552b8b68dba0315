//! An answer in the format of the responses API.

use std::sync::Arc;

use domain::{PersonaId, Text};
use engine::converse::Reply;
use engine::{Call, Engine, Record};
use llm::{FinishReason, Message, ToolCall};
use serde_json::{Value, json};
use wire::Problem;
use wire::responses::{
    CachedTokens, CreateResponse, IncompleteDetails, OutputItem, OutputText, ReasoningTokens, Response,
    ResponseError, ResponseStatus, ResponseUsage,
};

use super::name::AnswerName;

/// An answer in progress, and what is needed to print it.
pub(super) struct ResponseInProgress {
    pub(super) name: AnswerName,
    pub(super) persona: PersonaId,
    pub(super) engine: Arc<Engine>,
    pub(super) call: Call,
    pub(super) request: CreateResponse,
    pub(super) record: Record,
    /// The messages since the user's message.
    pub(super) since: Vec<Message>,
}

impl ResponseInProgress {
    /// The complete answer. Its calls wait for their results from now on.
    pub(super) fn complete(&self, reply: &Reply) -> Response {
        if let Some(place) = self.name.place().filter(|_| !reply.calls.is_empty()) {
            let text = reply.text.as_str().into();
            let called = Message::Assistant { text, calls: reply.calls.clone() };
            let since = self.since.iter().cloned().chain([called]).collect();
            self.engine.hold_calls(&self.call, self.persona, place, since);
        }
        let said =
            (reply.text.length() > 0).then(|| self.message(reply.text.clone(), ResponseStatus::Completed));
        let calls = reply.calls.iter().enumerate();
        let calls = calls.map(|(number, call)| self.called(number, call, ResponseStatus::Completed));
        let (status, reason) = match reply.finish {
            FinishReason::Length => (ResponseStatus::Incomplete, Some("max_output_tokens")),
            FinishReason::ContentFilter => (ResponseStatus::Incomplete, Some("content_filter")),
            FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Other => {
                (ResponseStatus::Completed, None)
            }
        };
        let llm::Usage { prompt_tokens, completion_tokens } = reply.usage;
        Response {
            output: said.into_iter().chain(calls).collect(),
            incomplete_details: reason.map(|reason| IncompleteDetails { reason }),
            usage: Some(ResponseUsage {
                input_tokens: prompt_tokens,
                input_tokens_details: CachedTokens::default(),
                output_tokens: completion_tokens,
                output_tokens_details: ReasoningTokens::default(),
                total_tokens: prompt_tokens + completion_tokens,
            }),
            ..self.response(status)
        }
    }

    /// The answer that failed.
    pub(super) fn failed(&self, problem: &Problem) -> Response {
        let error = ResponseError { code: problem.code.to_string(), message: problem.detail.clone() };
        Response { error: Some(error), ..self.response(ResponseStatus::Failed) }
    }

    /// The answer before any text.
    pub(super) fn response(&self, status: ResponseStatus) -> Response {
        let request = &self.request;
        Response {
            id: self.name.response(),
            object: "response",
            created_at: self.call.now.as_millis().div_euclid(1000),
            status,
            background: false,
            error: None,
            incomplete_details: None,
            instructions: request.instructions.clone(),
            max_output_tokens: request.max_output_tokens,
            metadata: request.metadata.clone().unwrap_or_default(),
            model: request.model.clone(),
            output: Vec::new(),
            parallel_tool_calls: true,
            previous_response_id: request.previous_response_id.clone(),
            store: self.record == Record::On,
            temperature: request.temperature,
            text: json!({ "format": { "type": "text" } }),
            tool_choice: request.tool_choice.clone().unwrap_or_else(|| json!("auto")),
            tools: request.tools.iter().flatten().map(printed).collect(),
            top_p: request.top_p,
            truncation: "disabled",
            usage: None,
        }
    }

    pub(super) fn message(&self, text: Text, status: ResponseStatus) -> OutputItem {
        let content = match status {
            ResponseStatus::InProgress => Vec::new(),
            ResponseStatus::Completed | ResponseStatus::Incomplete | ResponseStatus::Failed => {
                vec![OutputText::new(text)]
            }
        };
        OutputItem::Message { id: self.name.message(), status, role: "assistant", content }
    }

    pub(super) fn called(&self, number: usize, call: &ToolCall, status: ResponseStatus) -> OutputItem {
        OutputItem::FunctionCall {
            id: self.name.call(number),
            status,
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: Text::new(call.arguments.as_str()),
        }
    }
}

fn printed(tool: &wire::responses::ResponseTool) -> Value {
    json!({
        "type": tool.kind,
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": false,
    })
}
