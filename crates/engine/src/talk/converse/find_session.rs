//! Finds the conversation of a message that names none.
//!
//! An unnamed speaker always gets a new one, under an unguessable id: two strangers who both say "Hello"
//! never share one. A named speaker's conversation is found by its first message while it is recent, and only
//! if the history sent by the client agrees with the record.

use domain::{Listener, SessionId, SubjectRef, Timestamp};
use store::{Records, Session, Speaker, Turn, TurnState};
use vault::randomness::random_bytes;
use wire::Problem;

use super::exchange::{History, heard};
use super::{Purpose, Utterance};
use crate::Engine;
use crate::call::Call;
use crate::error::{no_randomness, nothing_named};
use crate::persona::registry::PersonaContext;
use crate::talk::context::Record;
use crate::talk::sessions::stands;

/// How long after its last turn a conversation is resumed by its first message.
const FRESH_HOURS: i64 = 12;
/// How many of the latest conversations with the same first message are compared.
const COMPARED: u32 = 16;

impl Engine {
    /// The conversation of a message that names none.
    pub(super) async fn find_session(
        &self,
        call: &Call,
        persona: &PersonaContext,
        listener: &Listener,
        utterance: &Utterance,
    ) -> Result<SessionId, Problem> {
        let sent = SentTalk::of(utterance);
        match &listener.subject {
            Some(subject) if is_resumable(utterance, &sent) => {
                self.session_by_words(call, persona, subject, &sent).await
            }
            Some(_) | None => self.random_session(),
        }
    }

    /// A new conversation id of 128 random bits.
    fn random_session(&self) -> Result<SessionId, Problem> {
        let bytes: [u8; 16] =
            random_bytes(self.randomness.as_ref()).map_err(|error| no_randomness(&error))?;
        session_id(&vault::encoding::hex(&bytes))
    }

    async fn session_by_words(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: &SubjectRef,
        sent: &SentTalk<'_>,
    ) -> Result<SessionId, Problem> {
        let scope = persona.entry.scope();
        let next = self.count_sessions(call, persona, subject, sent).await?;
        let mut best: Option<(Agreement, SessionId)> = None;
        for number in (next.saturating_sub(COMPARED)..next).rev() {
            let id = self.nth_session(call, persona, subject, sent.first(), number)?;
            let Some(session) = self.store.session(&scope, &id).await? else {
                continue;
            };
            if !is_fresh(&session, call.now) {
                break;
            }
            let turns = self.store.turns(&scope, &id).await?;
            if let Some(agreement) = sent.agreement(&turns)
                && best.as_ref().is_none_or(|(known, _)| agreement > *known)
            {
                best = Some((agreement, id));
            }
        }
        match best {
            Some((_, id)) => Ok(id),
            None => self.nth_session(call, persona, subject, sent.first(), next),
        }
    }

    /// How many conversations of `subject` began with this message. Found by doubling, so that years of
    /// "Hello" cost a few lookups.
    async fn count_sessions(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: &SubjectRef,
        sent: &SentTalk<'_>,
    ) -> Result<u32, Problem> {
        let (mut known, mut unknown) = (0_u32, 1_u32);
        while self.has_session(call, persona, subject, sent, unknown - 1).await? {
            known = unknown;
            unknown = unknown.saturating_mul(2);
        }
        while unknown - known > 1 {
            let middle = known + (unknown - known) / 2;
            if self.has_session(call, persona, subject, sent, middle - 1).await? {
                known = middle;
            } else {
                unknown = middle;
            }
        }
        Ok(known)
    }

    async fn has_session(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: &SubjectRef,
        sent: &SentTalk<'_>,
        number: u32,
    ) -> Result<bool, Problem> {
        let id = self.nth_session(call, persona, subject, sent.first(), number)?;
        Ok(self.store.session(&persona.entry.scope(), &id).await?.is_some())
    }

    fn nth_session(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: &SubjectRef,
        first: &str,
        number: u32,
    ) -> Result<SessionId, Problem> {
        let persona = persona.entry.id.to_string();
        let tenant = call.caller.tenant.as_str();
        let fields = [tenant.as_bytes(), persona.as_bytes(), subject.as_str().as_bytes(), first.as_bytes()];
        let number = number.to_be_bytes();
        let tag = self.pepper.tag("session", &[&fields[..], &[&number[..]]].concat());
        session_id(&vault::encoding::hex(&tag))
    }
}

/// Whether a named speaker's message may continue a conversation. Off the record this needs a history; a
/// client's task belongs to no conversation.
fn is_resumable(utterance: &Utterance, sent: &SentTalk<'_>) -> bool {
    match (utterance.purpose, utterance.record) {
        (Purpose::Chore, _) => false,
        (Purpose::Talk, Record::On) => true,
        (Purpose::Talk, Record::Off) => sent.before.as_ref().is_some_and(|before| !before.is_empty()),
    }
}

/// How well a sent history agrees with a record: the turns both have, then how few are in only one of them.
type Agreement = (usize, std::cmp::Reverse<usize>);

/// What a client sent: the person's earlier messages, if it sends a history, and the new message.
struct SentTalk<'a> {
    before: Option<Vec<&'a str>>,
    message: &'a str,
}

impl<'a> SentTalk<'a> {
    fn of(utterance: &'a Utterance) -> Self {
        let before = match &utterance.history {
            History::Recorded | History::InsteadOf(_) => None,
            History::Sent(history) => Some(history.iter().filter_map(heard).map(str::trim).collect()),
        };
        Self { before, message: utterance.message.as_str().trim() }
    }

    fn first(&self) -> &str {
        self.before.as_ref().and_then(|before| before.first()).copied().unwrap_or(self.message)
    }

    /// How well this agrees with the turns of a conversation, if it does.
    fn agreement(&self, turns: &[Turn]) -> Option<Agreement> {
        let recorded = person_words(turns);
        match &self.before {
            // The client sends no history, so only a retry of an unanswered message belongs to the same
            // conversation.
            None => (recorded == [self.message] && !is_answered(turns)).then_some((1, std::cmp::Reverse(0))),
            // The same first message asks for another reply, unless the conversation has continued since.
            Some(before) if before.is_empty() => {
                (recorded == [self.message]).then_some((1, std::cmp::Reverse(0)))
            }
            Some(before) => agreement(before, &recorded),
        }
    }
}

fn agreement(sent: &[&str], recorded: &[&str]) -> Option<Agreement> {
    let agrees = is_within(sent, recorded) || is_within(recorded, sent);
    let only_in_one = std::cmp::Reverse(sent.len().abs_diff(recorded.len()));
    agrees.then_some((sent.len().min(recorded.len()), only_in_one))
}

/// Whether `whole` contains all of `part` in the same order.
fn is_within(part: &[&str], whole: &[&str]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|words| rest.any(|other| other == words))
}

/// The person's active messages in a conversation.
fn person_words(turns: &[Turn]) -> Vec<&str> {
    let said = turns.iter().filter(|turn| turn.speaker == Speaker::Subject && stands(turn));
    said.map(|turn| turn.text.as_str().trim()).collect()
}

fn is_answered(turns: &[Turn]) -> bool {
    turns.iter().any(|turn| turn.speaker == Speaker::Persona && turn.state == TurnState::Whole)
}

fn is_fresh(session: &Session, now: Timestamp) -> bool {
    now.as_millis() - session.last_at.as_millis() <= FRESH_HOURS * 3_600_000
}

fn session_id(hex: &str) -> Result<SessionId, Problem> {
    format!("sess:{}", hex.get(..32).unwrap_or_default()).parse().map_err(|error| nothing_named(&error))
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    #[test]
    fn a_sent_history_agrees_when_one_side_only_lacks_turns_of_the_other() {
        let record = ["hello", "I am Ana", "and I sing"];
        for (sent, expected) in [
            (&["hello", "I am Ana", "and I sing"][..], Some((3, Reverse(0)))),
            (&["hello", "I am Ana"], Some((2, Reverse(1)))),
            (&["hello", "and I sing"], Some((2, Reverse(1)))),
            (&["hello", "I am Ana", "something off the record", "and I sing"], Some((3, Reverse(1)))),
            (&["hello", "I am Bob"], None),
            (&["I am Ana", "hello"], None),
        ] {
            assert_eq!(agreement(sent, &record), expected, "{sent:?}");
        }
    }
}
