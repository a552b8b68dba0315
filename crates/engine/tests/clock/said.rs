//! Something on the record, in a conversation of its own.

use domain::{Text, Timestamp};
use store::{ExchangeId, Formation, Session, Speaker, Turn, TurnId, TurnState};
use uuid::Uuid;

pub(crate) fn session(number: u128, subject: &str, at: Timestamp) -> Session {
    Session {
        id: format!("s{number}").parse().unwrap(),
        subject: subject.parse().unwrap(),
        started_at: at,
        last_at: at,
        title: None,
        checkpoint: None,
        state: serde_json::Value::Null.into(),
    }
}

pub(crate) fn turn(number: u128, text: &str, at: Timestamp) -> Turn {
    Turn {
        id: TurnId(Uuid::from_u128(0x0198_c0de_0000_7000_a000_0000_0000_0000 + number)),
        session: format!("s{number}").parse().unwrap(),
        exchange: ExchangeId(number.to_string()),
        parent: None,
        index: 0,
        speaker: Speaker::Subject,
        at,
        text: Text::from(text),
        state: TurnState::Whole,
        formation: Formation::NotDue,
        recall: None,
        model: None,
        formed: None,
    }
}
