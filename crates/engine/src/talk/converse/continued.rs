//! Continues a reply by its id: the record up to it, and calls of the client's own tools that wait for their
//! results.
//!
//! A client may send only the results and name the reply that made the calls. The record stores no calls, so
//! they are held in the memory of this process; when they are no longer held, the client has to send them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{PersonaId, SessionId, SubjectRef, TenantName, Text};
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
    /// The messages between the user's message and the results of the answer's calls, if they are still held.
    pub waiting: Option<Vec<Message>>,
}

/// The answer of a persona that a client continues, and where it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerPlace {
    /// The id of the answer: two answers of one exchange differ in it.
    pub answer: String,
    /// Its conversation.
    pub session: SessionId,
    /// Its exchange.
    pub exchange: String,
}

/// Calls that wait for their results, by the answer that made them.
#[derive(Default)]
pub(crate) struct WaitingCalls(Mutex<HashMap<TenantName, TenantCalls>>);

/// The answers of one tenant with waiting calls, oldest first.
type TenantCalls = VecDeque<HeldCalls>;

struct HeldCalls {
    persona: PersonaId,
    place: AnswerPlace,
    since: Vec<Message>,
}

impl WaitingCalls {
    fn hold(&self, tenant: &TenantName, held: HeldCalls) {
        if held.since.len() > LONGEST {
            return;
        }
        let mut waiting = self.waiting();
        let own = waiting.entry(tenant.clone()).or_default();
        own.push_back(held);
        while own.len() > MOST || own.iter().map(|held| bytes(&held.since)).sum::<usize>() > MOST_BYTES {
            own.pop_front();
        }
    }

    fn of(&self, tenant: &TenantName, persona: PersonaId, place: &AnswerPlace) -> Option<Vec<Message>> {
        let waiting = self.waiting();
        let is_it = |held: &&HeldCalls| held.persona == persona && held.place == *place;
        waiting.get(tenant)?.iter().find(is_it).map(|held| held.since.clone())
    }

    /// Drops those of a conversation, because some of its turns are being deleted.
    pub(crate) fn forget_session(&self, persona: PersonaId, session: &SessionId) {
        self.retain(|held| held.persona != persona || held.place.session != *session);
    }

    /// Drops those of a persona, because a person is being forgotten or the persona was deleted.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.retain(|held| held.persona != persona);
    }

    /// Drops all of them.
    pub(crate) fn forget_all(&self) {
        self.waiting().clear();
    }

    fn retain(&self, is_kept: impl Fn(&HeldCalls) -> bool) {
        for own in self.waiting().values_mut() {
            own.retain(&is_kept);
        }
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
    /// The exchange of an answer, if its conversation belongs to the speaker and it is still active. Calls that
    /// wait are given with it and by no other function, so that nobody gets them who may not see the exchange.
    #[boxed]
    pub async fn recorded_exchange(
        &self,
        call: &Call,
        key: &PersonaKey,
        named: Option<SubjectRef>,
        place: &AnswerPlace,
    ) -> Result<RecordedExchange, Problem> {
        let persona = self.find(call, key).await?;
        let session = &place.session;
        // Another person's conversation is reported as not found.
        let hidden =
            |problem: Problem| if problem.code == Code::SessionNotFound { no_answer() } else { problem };
        self.speaker(call, &persona, named, Some(session.clone())).await.map_err(hidden)?;
        let turns = self.store.turns(&persona.entry.scope(), session).await?;
        let current: Vec<Turn> = turns.into_iter().filter(stands).collect();
        let found = exchange_among(&current, &place.exchange).ok_or_else(no_answer)?;
        let waiting = self.talk_state.waiting_calls.of(&call.caller.tenant, persona.entry.id, place);
        Ok(RecordedExchange { waiting, ..found })
    }

    /// Holds the messages since the user's message, ending with the calls of the answer, until the results
    /// come.
    pub fn hold_calls(&self, call: &Call, persona: PersonaId, place: AnswerPlace, since: Vec<Message>) {
        self.talk_state.waiting_calls.hold(&call.caller.tenant, HeldCalls { persona, place, since });
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
        waiting: None,
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

    const PERSONA: PersonaId = PersonaId(uuid::Uuid::nil());

    fn place(session: &str, answer: &str) -> AnswerPlace {
        AnswerPlace {
            answer: answer.to_owned(),
            session: session.parse().unwrap(),
            exchange: format!("of {session}"),
        }
    }

    fn hold(waiting: &WaitingCalls, name: &str, place: AnswerPlace, length: usize) {
        let since = vec![Message::User("a".repeat(length).as_str().into())];
        waiting.hold(&tenant(name), HeldCalls { persona: PERSONA, place, since });
    }

    fn has(waiting: &WaitingCalls, name: &str, place: &AnswerPlace) -> bool {
        waiting.of(&tenant(name), PERSONA, place).is_some()
    }

    #[test]
    fn waiting_calls_are_bounded_for_each_tenant_and_belong_to_it() {
        let waiting = WaitingCalls::default();
        let of_ana = |number: usize| place("s", &format!("a{number}"));
        hold(&waiting, "ben", place("s", "quiet"), 10);
        for number in 0..=MOST {
            hold(&waiting, "ana", of_ana(number), 10);
        }
        assert!(!has(&waiting, "ana", &of_ana(0)) && has(&waiting, "ana", &of_ana(1)));
        assert!(has(&waiting, "ben", &place("s", "quiet")) && !has(&waiting, "ana", &place("s", "quiet")));
        hold(&waiting, "ana", place("s", "large"), MOST_BYTES - 1_000);
        assert!(has(&waiting, "ana", &place("s", "large")) && !has(&waiting, "ana", &of_ana(1)));
        waiting.forget_all();
        assert!(!has(&waiting, "ben", &place("s", "quiet")));
    }

    #[test]
    fn waiting_calls_are_found_by_their_conversation_and_exchange_too() {
        let waiting = WaitingCalls::default();
        hold(&waiting, "ana", place("hers", "a"), 10);
        let elsewhere = AnswerPlace { exchange: "of another".to_owned(), ..place("hers", "a") };
        for (sought, expected) in [(place("hers", "a"), true), (place("his", "a"), false), (elsewhere, false)]
        {
            assert_eq!(has(&waiting, "ana", &sought), expected, "{sought:?}");
        }
        let other_persona = PersonaId(uuid::Uuid::from_u128(1));
        assert!(waiting.of(&tenant("ana"), other_persona, &place("hers", "a")).is_none());
    }

    #[test]
    fn a_conversation_that_loses_turns_loses_its_own_waiting_calls_and_nobody_elses() {
        let waiting = WaitingCalls::default();
        for (name, session) in [("ana", "hers"), ("ana", "his"), ("ben", "bens")] {
            hold(&waiting, name, place(session, "a"), 10);
        }
        let left = || ["hers", "his"].map(|session| has(&waiting, "ana", &place(session, "a")));
        waiting.forget_session(PERSONA, &"hers".parse().unwrap());
        assert_eq!((left(), has(&waiting, "ben", &place("bens", "a"))), ([false, true], true));
        waiting.forget(PersonaId(uuid::Uuid::from_u128(1)));
        assert_eq!(left(), [false, true]);
        waiting.forget(PERSONA);
        assert_eq!(left(), [false, false]);
    }
}
