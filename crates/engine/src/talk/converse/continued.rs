//! Continues a reply by its id: the record up to it, and calls of the client's own tools that wait for their
//! results.
//!
//! A client may send only the results and name the reply that made the calls. The record stores no calls, so
//! they are held in the memory of this process; when they are no longer held, the client has to send them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{SessionId, SubjectRef, TenantName, Text};
use llm::Message;
use store::{Records, Speaker, Turn, TurnState};
use wire::{Code, Problem};

use super::recorded;
use crate::call::{Call, PersonaKey};
use crate::talk::sessions::stands;
use crate::{Engine, boxed};

/// How many replies of one tenant are held with their calls; the oldest are dropped first.
const MOST: usize = 500;
/// How many messages are held for one reply: the rounds of a long task.
const LONGEST: usize = 200;
/// How many bytes are held per tenant; the oldest are dropped first.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A recorded exchange, with the conversation before it.
#[derive(Debug)]
pub struct RecordedExchange {
    /// The conversation before it, oldest first.
    pub before: Vec<Message>,
    /// What the person said.
    pub said: Text,
    /// The persona's reply, if it had text.
    pub answer: Option<Text>,
    /// Whether it is the last exchange.
    pub is_latest: bool,
}

/// Calls that wait for their results, by the id of the reply that made them.
#[derive(Default)]
pub(crate) struct WaitingCalls(Mutex<HashMap<TenantName, TenantCalls>>);

/// The replies of one tenant with waiting calls, oldest first.
type TenantCalls = VecDeque<(String, Vec<Message>)>;

impl WaitingCalls {
    fn hold(&self, tenant: &TenantName, answer: &str, since: Vec<Message>) {
        if since.len() > LONGEST {
            return;
        }
        let mut waiting = self.waiting();
        let own = waiting.entry(tenant.clone()).or_default();
        own.push_back((answer.to_owned(), since));
        while own.len() > MOST || own.iter().map(|(_, since)| bytes(since)).sum::<usize>() > MOST_BYTES {
            own.pop_front();
        }
    }

    fn of(&self, tenant: &TenantName, answer: &str) -> Option<Vec<Message>> {
        let waiting = self.waiting();
        let found = waiting.get(tenant)?.iter().find(|(name, _)| name == answer)?;
        Some(found.1.clone())
    }

    /// Drops all of them, because a person was forgotten or a persona deleted; the calls don't say whose they
    /// are.
    pub(crate) fn forget_all(&self) {
        self.waiting().clear();
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<TenantName, TenantCalls>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes(messages: &[Message]) -> usize {
    let size = |message: &Message| match message {
        Message::User(words) => words.as_str().len(),
        Message::Tool { call_id, result } => call_id.len() + result.as_str().len(),
        Message::Assistant { text, calls } => {
            let called: usize =
                calls.iter().map(|call| call.name.len() + call.arguments.as_str().len()).sum();
            text.as_str().len() + called
        }
    };
    messages.iter().map(|message| size_of::<Message>() + size(message)).sum()
}

impl Engine {
    /// The exchange `exchange` of the conversation `session`, if it belongs to the speaker and is still
    /// active.
    #[boxed]
    pub async fn recorded_exchange(
        &self,
        call: &Call,
        key: &PersonaKey,
        named: Option<SubjectRef>,
        session: &SessionId,
        exchange: &str,
    ) -> Result<RecordedExchange, Problem> {
        let persona = self.find(call, key).await?;
        // Another person's conversation is reported as not found.
        let hidden =
            |problem: Problem| if problem.code == Code::SessionNotFound { no_answer() } else { problem };
        self.speaker(call, &persona, named, Some(session.clone())).await.map_err(hidden)?;
        let turns = self.store.turns(&persona.entry.scope(), session).await?;
        let current: Vec<Turn> = turns.into_iter().filter(stands).collect();
        exchange_among(&current, exchange).ok_or_else(no_answer)
    }

    /// Holds the messages since the user's message, ending with the calls of `answer`, until the results
    /// come.
    pub fn hold_calls(&self, call: &Call, answer: &str, since: Vec<Message>) {
        self.talk_state.waiting_calls.hold(&call.caller.tenant, answer, since);
    }

    /// The messages between the user's message and the results of the calls of `answer`, if they are still
    /// held.
    #[must_use]
    pub fn waiting_calls(&self, call: &Call, answer: &str) -> Option<Vec<Message>> {
        self.talk_state.waiting_calls.of(&call.caller.tenant, answer)
    }
}

fn exchange_among(current: &[Turn], exchange: &str) -> Option<RecordedExchange> {
    let is_own = |turn: &Turn| turn.exchange.0 == exchange;
    let place = current.iter().position(|turn| is_own(turn) && turn.speaker == Speaker::Subject)?;
    let (before, rest) = current.split_at(place);
    let answer = rest
        .iter()
        .find(|turn| is_own(turn) && turn.speaker == Speaker::Persona && turn.state == TurnState::Whole);
    let last = current.iter().rfind(|turn| turn.speaker == Speaker::Subject);
    Some(RecordedExchange {
        before: recorded(before),
        said: rest.first()?.text.clone(),
        answer: answer.map(|turn| turn.text.clone()),
        is_latest: last.is_some_and(is_own),
    })
}

fn no_answer() -> Problem {
    let detail = "no answer with that id; answers that were off the record, edited or deleted can't be \
        continued: send the conversation as input";
    Problem::new(Code::NotFound, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantName {
        name.parse().unwrap()
    }

    #[test]
    fn waiting_calls_are_bounded_for_each_tenant_and_belong_to_it() {
        let waiting = WaitingCalls::default();
        let since = |length: usize| vec![Message::User("a".repeat(length).as_str().into())];
        waiting.hold(&tenant("ben"), "quiet", since(10));
        for number in 0..=MOST {
            waiting.hold(&tenant("ana"), &format!("a{number}"), since(10));
        }
        assert!(waiting.of(&tenant("ana"), "a0").is_none() && waiting.of(&tenant("ana"), "a1").is_some());
        assert!(
            waiting.of(&tenant("ben"), "quiet").is_some() && waiting.of(&tenant("ana"), "quiet").is_none()
        );
        waiting.hold(&tenant("ana"), "large", since(MOST_BYTES - 1_000));
        assert!(waiting.of(&tenant("ana"), "large").is_some() && waiting.of(&tenant("ana"), "a1").is_none());
        waiting.forget_all();
        assert!(waiting.of(&tenant("ben"), "quiet").is_none());
    }
}
