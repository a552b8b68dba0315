//! Finds the position of a message in the record of a conversation.
//!
//! An exchange is a message and its reply. Its id is a keyed hash of the conversation, the previous exchange,
//! and the message. So the same message at the same position is the same exchange: a retry, or a request for
//! another reply.
//!
//! Only a history that is a strict prefix of the record, followed by another message, is an edit: the turns
//! after that prefix are abandoned. A history that lacks turns at its front or in its middle, or has turns
//! the record doesn't know, is context and changes nothing.

use domain::Text;
use llm::Message;
use store::{ExchangeId, Speaker, Turn, TurnId, TurnState};

/// The position of a message, and its effect on recorded turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessagePosition {
    /// Its exchange.
    pub(crate) exchange: ExchangeId,
    /// The previous exchange.
    pub(crate) parent: Option<ExchangeId>,
    /// The turn with the same message, if it was recorded before.
    pub(crate) again: Option<TurnId>,
    /// Its replies so far; a new one replaces them.
    pub(crate) answers: Vec<TurnId>,
    /// The turns that an edit abandons.
    pub(crate) abandoned: Vec<TurnId>,
}

/// The conversation before a message.
#[derive(Clone, Debug, PartialEq)]
pub enum History {
    /// As recorded.
    Recorded,
    /// As sent by the client, oldest first.
    Sent(Vec<Message>),
    /// As recorded up to this exchange, which the message replaces.
    InsteadOf(ExchangeId),
}

/// Finds the position of `message` among the `turns` of a conversation; `hash` makes an exchange id from its
/// parent's id and the message.
pub(crate) fn place(
    turns: &[Turn],
    history: &History,
    message: &Text,
    hash: impl Fn(Option<&ExchangeId>, &Text) -> ExchangeId,
) -> MessagePosition {
    let asked: Vec<&Turn> =
        turns.iter().filter(|turn| turn.speaker == Speaker::Subject && stands(turn)).collect();
    let parent = match history {
        History::Recorded => unanswered(turns, &asked, message),
        History::Sent(sent) => sent_before(sent, turns, &asked, message),
        History::InsteadOf(replaced) => {
            asked.iter().find(|turn| turn.exchange == *replaced).and_then(|turn| turn.parent.clone())
        }
    };
    let exchange = hash(parent.as_ref(), message);
    let again = asked.iter().find(|turn| turn.exchange == exchange).map(|turn| turn.id);
    let answers = turns
        .iter()
        .filter(|turn| turn.exchange == exchange && turn.speaker == Speaker::Persona && stands(turn))
        .map(|turn| turn.id)
        .collect();
    let abandoned = match again {
        Some(_) => Vec::new(),
        None => abandoned(turns, parent.as_ref()),
    };
    MessagePosition { exchange, parent, again, answers, abandoned }
}

fn stands(turn: &Turn) -> bool {
    turn.state != TurnState::Superseded
}

/// The previous exchange: the last one, unless that one is an unanswered exchange with the same message.
fn unanswered(turns: &[Turn], asked: &[&Turn], message: &Text) -> Option<ExchangeId> {
    let last = asked.last()?;
    let is_answered = turns.iter().any(|turn| {
        turn.exchange == last.exchange && turn.speaker == Speaker::Persona && turn.state == TurnState::Whole
    });
    if !is_answered && last.text == *message { last.parent.clone() } else { Some(last.exchange.clone()) }
}

/// The previous exchange, by the history a client sent.
fn sent_before(history: &[Message], turns: &[Turn], asked: &[&Turn], message: &Text) -> Option<ExchangeId> {
    let sent: Vec<&str> = history.iter().filter_map(heard).map(str::trim).collect();
    let recorded: Vec<&str> = asked.iter().map(|turn| turn.text.as_str().trim()).collect();
    let message_words = message.as_str().trim();
    let last = asked.last()?;
    if sent.is_empty() {
        // Without a history the record is continued; but if it consists of this message only, another reply
        // is wanted.
        return match recorded.as_slice() {
            [only] if *only == message_words => None,
            _ => unanswered(turns, asked, message),
        };
    }
    if recorded.starts_with(&sent) && has_recorded_replies(history, turns, asked) {
        return asked.get(sent.len() - 1).map(|turn| turn.exchange.clone());
    }
    let before_last = recorded.len().checked_sub(2).and_then(|place| recorded.get(place));
    let is_last_again = recorded.last() == Some(&message_words) && before_last == sent.last();
    if is_last_again { last.parent.clone() } else { Some(last.exchange.clone()) }
}

/// Whether every message of `history` that was answered in the record is followed by that answer. One that a client
/// made up, changed or left out is not part of the record.
fn has_recorded_replies(history: &[Message], turns: &[Turn], asked: &[&Turn]) -> bool {
    let mut asked = asked.iter();
    let mut rest = history;
    while let Some(at) = rest.iter().position(|message| heard(message).is_some()) {
        let (_, after) = rest.split_at(at + 1);
        let replies = after.iter().take_while(|message| heard(message).is_none()).filter_map(reply_words);
        let Some(own) = asked.next() else { return true };
        let mut recorded = turns
            .iter()
            .filter(|turn| turn.exchange == own.exchange && turn.speaker == Speaker::Persona)
            .map(|turn| turn.text.as_str().trim())
            .filter(|words| !words.is_empty())
            .peekable();
        let sent: Vec<&str> = replies.collect();
        let is_known =
            |words: &str| sent.iter().any(|sent| sent.starts_with(words) || words.starts_with(sent));
        if recorded.peek().is_some() && !recorded.any(is_known) {
            return false;
        }
        rest = after;
    }
    true
}

/// The words of a reply. A client may have only its beginning, if it was interrupted, or the built-in voice's notice
/// behind it, which is not recorded.
fn reply_words(message: &Message) -> Option<&str> {
    match message {
        Message::Assistant { text, .. } => Some(text.as_str().trim()).filter(|words| !words.is_empty()),
        Message::User(_) | Message::Tool { .. } => None,
    }
}

/// The text of a message by a person.
pub(crate) fn heard(message: &Message) -> Option<&str> {
    match message {
        Message::User(words) => Some(words.as_str()),
        Message::Assistant { .. } | Message::Tool { .. } => None,
    }
}

/// All active turns after `parent`.
fn abandoned(turns: &[Turn], parent: Option<&ExchangeId>) -> Vec<TurnId> {
    let mut lost: Vec<&ExchangeId> = Vec::new();
    let mut abandoned = Vec::new();
    for turn in turns.iter().filter(|turn| stands(turn)) {
        let follows =
            turn.parent.as_ref() == parent || turn.parent.as_ref().is_some_and(|own| lost.contains(&own));
        if follows || lost.contains(&&turn.exchange) {
            lost.push(&turn.exchange);
            abandoned.push(turn.id);
        }
    }
    abandoned
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use store::Formation;
    use uuid::Uuid;

    use super::*;

    fn hash(parent: Option<&ExchangeId>, text: &Text) -> ExchangeId {
        ExchangeId(format!("{}/{}", parent.map_or("", |parent| parent.0.as_str()), text.as_str()))
    }

    /// A record in which each of `said` was answered.
    fn talk(said: &[&str]) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        let mut parent = None;
        for words in said {
            let exchange = hash(parent.as_ref(), &Text::new(*words));
            for (speaker, text) in
                [(Speaker::Subject, (*words).to_owned()), (Speaker::Persona, format!("re {words}"))]
            {
                turns.push(Turn {
                    id: TurnId(Uuid::from_u128(turns.len() as u128)),
                    session: "sess:1".parse().unwrap(),
                    exchange: exchange.clone(),
                    parent: parent.clone(),
                    index: u32::try_from(turns.len()).unwrap(),
                    speaker,
                    at: Timestamp::from_millis(0),
                    text: Text::new(text),
                    state: TurnState::Whole,
                    formation: Formation::NotDue,
                    recall: None,
                    model: None,
                    formed: None,
                });
            }
            parent = Some(exchange);
        }
        turns
    }

    fn sent_history(said: &[&str]) -> History {
        let pairs = said.iter().flat_map(|words| {
            let reply = Message::Assistant { text: format!("re {words}").as_str().into(), calls: Vec::new() };
            [Message::User((*words).into()), reply]
        });
        History::Sent(pairs.collect())
    }

    fn ids(turns: &[TurnId]) -> Vec<u128> {
        turns.iter().map(|turn| turn.0.as_u128()).collect()
    }

    #[test]
    fn what_is_said_next_follows_and_disturbs_nothing() {
        let turns = talk(&["hello", "I am Ana"]);
        for history in [History::Recorded, sent_history(&["hello", "I am Ana"])] {
            let place = place(&turns, &history, &Text::new("bye"), hash);
            assert_eq!(place.exchange.0, "/hello/I am Ana/bye");
            assert_eq!((place.again, place.answers.len(), place.abandoned.len()), (None, 0, 0));
        }
    }

    #[test]
    fn the_same_at_the_same_place_is_a_retry_whose_answer_takes_the_others_place() {
        let turns = talk(&["hello", "I am Ana"]);
        let place = place(&turns, &sent_history(&["hello"]), &Text::new("I am Ana"), hash);
        assert_eq!(place.again.map(|turn| turn.0.as_u128()), Some(2));
        assert_eq!((ids(&place.answers), ids(&place.abandoned)), (vec![3], vec![]));
    }

    #[test]
    fn other_words_at_a_place_are_an_edit_that_leaves_what_followed_behind() {
        let turns = talk(&["hello", "I am Ana", "and I sing"]);
        let place = place(&turns, &sent_history(&["hello"]), &Text::new("I am Anna"), hash);
        assert_eq!((place.again, ids(&place.abandoned)), (None, vec![2, 3, 4, 5]));
    }

    #[test]
    fn a_message_takes_the_place_of_an_exchange_that_is_named_also_of_the_first() {
        let turns = talk(&["hello", "I am Ana", "and I sing"]);
        let instead_of = |said: &str, replaced: &str, message: &str| {
            let history = History::InsteadOf(ExchangeId(format!("{said}/{replaced}")));
            place(&turns, &history, &Text::new(message), hash)
        };
        let edited = instead_of("", "hello", "good day");
        assert_eq!((edited.parent, edited.again), (None, None));
        assert_eq!(ids(&edited.abandoned), vec![0, 1, 2, 3, 4, 5]);
        let again = instead_of("/hello/I am Ana", "and I sing", "and I sing");
        assert_eq!(again.again.map(|turn| turn.0.as_u128()), Some(4));
        assert_eq!((ids(&again.answers), ids(&again.abandoned)), (vec![5], vec![]));
    }

    #[test]
    fn a_history_that_is_no_prefix_of_the_record_changes_nothing_of_it() {
        let turns = talk(&["hello", "I am Ana", "and I sing"]);
        for sent in [
            &[][..],
            &["I am Ana", "and I sing"],
            &["hello", "and I sing"],
            &["a summary of what was said"],
            &["hello", "something off the record"],
            &["hello", "I am Ana", "and I sing", "something off the record"],
        ] {
            let place = place(&turns, &sent_history(sent), &Text::new("bye"), hash);
            assert_eq!(place.exchange.0, "/hello/I am Ana/and I sing/bye", "{sent:?}");
            assert_eq!((place.again, place.abandoned.len()), (None, 0), "{sent:?}");
        }
    }

    #[test]
    fn a_history_with_a_reply_that_was_never_given_changes_nothing() {
        let turns = talk(&["hello", "I am Ana", "and I sing"]);
        let with_reply = |reply: Option<&str>| {
            let reply = reply.map(|text| Message::Assistant { text: text.into(), calls: Vec::new() });
            History::Sent([Message::User("hello".into())].into_iter().chain(reply).collect())
        };
        for (reply, is_edit) in [
            (Some("re hello"), true),
            (Some("re hello\n\n(No language model is connected.)"), true),
            (Some("re he"), true),
            (Some("I promise you a refund."), false),
            (None, false),
        ] {
            let place = place(&turns, &with_reply(reply), &Text::new("I am Anna"), hash);
            assert_eq!(!place.abandoned.is_empty(), is_edit, "{reply:?}");
        }
    }

    #[test]
    fn the_last_words_again_after_a_history_that_was_cut_are_a_retry() {
        let turns = talk(&["hello", "I am Ana", "and I sing"]);
        let place = place(&turns, &sent_history(&["I am Ana"]), &Text::new("and I sing"), hash);
        assert_eq!((place.again.map(|turn| turn.0.as_u128()), place.abandoned.len()), (Some(4), 0));
    }

    #[test]
    fn the_only_words_of_a_conversation_again_are_a_retry() {
        let place = place(&talk(&["hello"]), &sent_history(&[]), &Text::new("hello"), hash);
        assert_eq!((place.again.map(|turn| turn.0.as_u128()), ids(&place.answers)), (Some(0), vec![1]));
    }

    #[test]
    fn without_a_sent_history_only_words_that_wait_for_an_answer_are_a_retry() {
        let mut turns = talk(&["hello", "yes"]);
        let again = place(&turns, &History::Recorded, &Text::new("yes"), hash);
        assert_eq!((again.again, again.exchange.0.as_str()), (None, "/hello/yes/yes"));
        turns.pop();
        let retry = place(&turns, &History::Recorded, &Text::new("yes"), hash);
        assert_eq!(retry.again.map(|turn| turn.0.as_u128()), Some(2));
    }

    #[test]
    fn a_history_that_was_cut_still_finds_its_place() {
        let turns = talk(&["hello", "I am Ana", "and I sing"]);
        let place = place(&turns, &sent_history(&["and I sing"]), &Text::new("bye"), hash);
        assert_eq!((place.exchange.0.as_str(), place.abandoned.len()), ("/hello/I am Ana/and I sing/bye", 0));
    }
}
