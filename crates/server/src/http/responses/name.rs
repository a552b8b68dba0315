//! The ids of answers and of their items. An id contains the conversation and the exchange, so that an answer
//! is found again without a table of ids; the sender of one must still be allowed to see it.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use domain::SessionId;
use engine::converse::{AnswerPlace, Conversation};

/// The length of the random part of an id.
const FRESH: usize = 32;
/// The length of an exchange id.
const EXCHANGE: usize = 64;

/// The id of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerName {
    /// Differs for every answer, also for two answers of one exchange.
    fresh: String,
    /// Where it is recorded; `None` off the record.
    recorded: Option<(SessionId, String)>,
}

impl AnswerName {
    pub(super) fn new(fresh: String, conversation: &Conversation) -> Self {
        let recorded = conversation.exchange.clone().map(|exchange| (conversation.session.clone(), exchange));
        Self { fresh, recorded }
    }

    /// Where the answer is recorded; `None` off the record.
    pub(super) fn place(&self) -> Option<AnswerPlace> {
        let (session, exchange) = self.recorded.clone()?;
        Some(AnswerPlace { answer: self.fresh.clone(), session, exchange })
    }

    /// The id of the answer.
    pub(super) fn response(&self) -> String {
        format!("resp_{}", self.printed())
    }

    /// The id of its message.
    pub(super) fn message(&self) -> String {
        format!("msg_{}", self.printed())
    }

    /// The id of one of its calls.
    pub(super) fn call(&self, number: usize) -> String {
        format!("fc_{}_{number}", self.printed())
    }

    /// Parses the id of an answer, of its message, or of one of its calls with its number.
    pub(super) fn parse(text: &str) -> Option<(Self, Option<usize>)> {
        let (kind, rest) = text.split_once('_')?;
        let (rest, number) = match (kind, rest.rsplit_once('_')) {
            ("fc", Some((rest, number))) => (rest, Some(number.parse().ok()?)),
            ("resp" | "msg", _) => (rest, None),
            _ => return None,
        };
        let fresh = rest.get(..FRESH).filter(|fresh| fresh.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let place = rest.get(FRESH..)?;
        let recorded = if place.is_empty() {
            None
        } else {
            let session =
                String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(place.get(EXCHANGE..)?).ok()?).ok()?;
            Some((session.parse().ok()?, place.get(..EXCHANGE)?.to_owned()))
        };
        Some((Self { fresh: fresh.to_owned(), recorded }, number))
    }

    fn printed(&self) -> String {
        let place = self.recorded.as_ref();
        let place = place.map(|(session, exchange)| {
            format!("{exchange}{}", BASE64_URL_SAFE_NO_PAD.encode(session.as_str()))
        });
        format!("{}{}", self.fresh, place.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_was_written() {
        let recorded = Some(("chat-with-ana".parse().unwrap(), "e".repeat(64)));
        for recorded in [recorded, None] {
            let name = AnswerName { fresh: "0".repeat(32), recorded };
            assert_eq!(AnswerName::parse(&name.response()), Some((name.clone(), None)));
            assert_eq!(AnswerName::parse(&name.message()), Some((name.clone(), None)));
            assert_eq!(AnswerName::parse(&name.call(7)), Some((name, Some(7))));
        }
    }

    #[test]
    fn what_is_no_name_is_none() {
        let almost = format!("resp_{}{}", "0".repeat(32), "e".repeat(60));
        for text in ["", "resp_", "resp_abc", "rs_68af", almost.as_str(), "resp_ăăăăăăăăăăăăăăăă"]
        {
            assert_eq!(AnswerName::parse(text), None, "{text}");
        }
    }
}
