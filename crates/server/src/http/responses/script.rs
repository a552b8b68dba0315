//! An answer as the events of the responses API.

use domain::Text;
use engine::converse::Reply;
use llm::{ToolCall, ToolCallDelta};
use serde_json::{Value, json};
use wire::Problem;
use wire::responses::{OutputText, ResponseStatus};

use super::super::speech::{Script, event};
use super::answer::ResponseInProgress;

/// One answer as events. An item gets its index when it begins: the message, if there is text, and each call.
pub(super) struct ResponseScript {
    answering: ResponseInProgress,
    sequence: u64,
    /// The message's index among the items and its text so far, once it has begun.
    message: Option<(usize, String)>,
    /// The index of each call among the items.
    calls: Vec<usize>,
}

impl ResponseScript {
    pub(super) fn new(answering: ResponseInProgress) -> Self {
        Self { answering, sequence: 0, message: None, calls: Vec::new() }
    }

    fn event(&mut self, name: &str, mut data: Value) -> String {
        if let Some(fields) = data.as_object_mut() {
            fields.insert("type".to_owned(), json!(name));
            fields.insert("sequence_number".to_owned(), json!(self.sequence));
        }
        self.sequence += 1;
        event(name, &data)
    }

    /// The index of the next item.
    fn next_place(&self) -> usize {
        self.calls.len() + usize::from(self.message.is_some())
    }

    fn begin_message(&mut self) -> String {
        let place = self.next_place();
        self.message = Some((place, String::new()));
        let item = self.answering.message(Text::new(""), ResponseStatus::InProgress);
        let added = self.event("response.output_item.added", json!({ "output_index": place, "item": item }));
        let part = self.of_message(json!({ "part": OutputText::new(Text::new("")) }));
        added + &self.event("response.content_part.added", part)
    }

    fn end_message(&mut self) -> String {
        let Some((place, words)) = self.message.clone() else { return String::new() };
        let text = Text::new(words);
        let said = self.of_message(json!({ "text": text, "logprobs": [] }));
        let part = self.of_message(json!({ "part": OutputText::new(text.clone()) }));
        let item = self.answering.message(text, ResponseStatus::Completed);
        [
            self.event("response.output_text.done", said),
            self.event("response.content_part.done", part),
            self.event("response.output_item.done", json!({ "output_index": place, "item": item })),
        ]
        .concat()
    }

    fn of_message(&self, mut data: Value) -> Value {
        if let Some(fields) = data.as_object_mut() {
            fields.insert("item_id".to_owned(), json!(self.answering.name.message()));
            fields.insert(
                "output_index".to_owned(),
                json!(self.message.as_ref().map_or(0, |(place, _)| *place)),
            );
            fields.insert("content_index".to_owned(), json!(0));
        }
        data
    }

    fn end_call(&mut self, number: usize, call: &ToolCall) -> String {
        let (id, place) = (self.answering.name.call(number), self.calls.get(number).copied());
        let arguments = call.arguments.as_str();
        let done = json!({ "item_id": id, "output_index": place, "name": call.name, "arguments": arguments });
        let item = self.answering.called(number, call, ResponseStatus::Completed);
        self.event("response.function_call_arguments.done", done)
            + &self.event("response.output_item.done", json!({ "output_index": place, "item": item }))
    }
}

impl Script for ResponseScript {
    fn begin(&mut self) -> String {
        let response = self.answering.response(ResponseStatus::InProgress);
        self.event("response.created", json!({ "response": response }))
            + &self.event("response.in_progress", json!({ "response": response }))
    }

    fn words(&mut self, words: &Text) -> String {
        let begun = if self.message.is_none() { self.begin_message() } else { String::new() };
        if let Some((_, message)) = &mut self.message {
            message.push_str(words.as_str());
        }
        let delta = self.of_message(json!({ "delta": words, "logprobs": [] }));
        begun + &self.event("response.output_text.delta", delta)
    }

    fn call(&mut self, delta: &ToolCallDelta) -> String {
        let number = delta.index;
        let mut events = String::new();
        while self.calls.len() <= number {
            let call = ToolCall {
                id: delta.id.clone().unwrap_or_default(),
                name: delta.name.clone().unwrap_or_default(),
                arguments: llm::Words::default(),
            };
            let added = self.calls.len();
            let item = self.answering.called(added, &call, ResponseStatus::InProgress);
            let place = self.next_place();
            self.calls.push(place);
            events +=
                &self.event("response.output_item.added", json!({ "output_index": place, "item": item }));
        }
        if !delta.arguments.is_empty() {
            let (id, place) = (self.answering.name.call(number), self.calls.get(number).copied());
            let piece = json!({ "item_id": id, "output_index": place, "delta": delta.arguments.as_str() });
            events += &self.event("response.function_call_arguments.delta", piece);
        }
        events
    }

    fn done(&mut self, reply: &Reply) -> String {
        let mut events = self.end_message();
        for (number, call) in reply.calls.iter().enumerate() {
            events += &self.end_call(number, call);
        }
        let response = self.answering.complete(reply);
        let name = match response.status {
            ResponseStatus::Incomplete => "response.incomplete",
            ResponseStatus::Completed | ResponseStatus::InProgress | ResponseStatus::Failed => {
                "response.completed"
            }
        };
        events + &self.event(name, json!({ "response": response }))
    }

    fn failed(&mut self, problem: &Problem) -> String {
        let response = self.answering.failed(problem);
        self.event("response.failed", json!({ "response": response }))
    }
}
