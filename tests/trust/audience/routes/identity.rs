//! How a request says who speaks, and in which conversation: by a header, by a field of its body, and with ids that
//! are the speaker's own, somebody else's, or such as anybody could guess.

use serde_json::json;

use super::{GUESTS, Making, OWNER, Plan};

/// The doors that take the speaker's name in their body, and the fields they take it by.
const NAMED_IN_BODY: [&str; 2] = ["complete_chat", "create_response"];
const FIELDS: [&str; 2] = ["user", "safety_identifier"];

impl Making<'_> {
    /// The same on behalf of the speaker.
    pub(super) fn named(&mut self, verb: &str, mut plan: Plan) -> Plan {
        if let Some(session) = self.header_session() {
            plan.headers.push(("x-session-id", session));
        }
        if self.speaker.person == OWNER {
            // The owner's key must not speak for somebody whom a header or a field names.
            let guest = self.town.reference(*GUESTS.start()).unwrap_or_default();
            match self.dice.below(25) {
                0 => plan.headers.push(("x-user-id", guest)),
                1 if NAMED_IN_BODY.contains(&verb) => self.name_in_body(&mut plan, &guest),
                _ => {}
            }
            return plan;
        }
        let Some(name) = self.town.reference(self.speaker.person) else { return plan };
        if plan.body.as_ref().is_some_and(|body| body.get("subject").is_some()) {
            return plan;
        }
        if NAMED_IN_BODY.contains(&verb) && self.dice.happens(40) {
            self.name_in_body(&mut plan, &name);
            return plan;
        }
        plan.headers.push(("x-user-id", name));
        if NAMED_IN_BODY.contains(&verb) && self.dice.happens(10) {
            // A header names the speaker already: whoever the body names has no part in it.
            let other = self.name_in_town();
            self.name_in_body(&mut plan, &other);
        }
        plan
    }

    fn name_in_body(&mut self, plan: &mut Plan, name: &str) {
        let field = FIELDS[self.dice.position(FIELDS.len())];
        if let Some(body) = plan.body.as_mut() {
            body[field] = json!(name);
        }
    }

    /// The session of the header, if there is one: mostly an unnamed speaker's own.
    pub(in super::super) fn header_session(&mut self) -> Option<String> {
        match (&self.speaker.session, self.dice.below(20)) {
            (_, 0) => Some(self.chosen_session()),
            (session, _) => session.clone(),
        }
    }

    /// A session id that somebody else may choose too, or that is somebody's.
    pub(super) fn chosen_session(&mut self) -> String {
        match self.dice.below(3) {
            0 => format!("chat-{}", self.dice.below(3)),
            1 => self.desk(),
            _ => self.session(),
        }
    }

    /// The session that an operator gives as the origin of a memory of nobody in particular.
    pub(super) fn desk(&mut self) -> String {
        format!("sess:desk-{}", self.dice.below(3))
    }

    /// An `Idempotency-Key` such as clients that number them send, for words that others say too.
    pub(super) fn numbered_key(&mut self, verb: &str) -> (&'static str, String) {
        ("idempotency-key", format!("{verb}-{}", self.dice.below(4)))
    }
}
