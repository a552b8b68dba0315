//! Checks everything that a client sends with a message, off the async workers: folding a long text takes a while.

use domain::TenantName;
use llm::{Message, Words};
use wire::Problem;

use super::SafetyPolicy;
use crate::Engine;
use crate::converse::{History, Utterance};
use crate::cpu_pool::{Cancellation, CpuOwner};

/// The texts of a request.
struct RequestTexts {
    message: String,
    /// The client's instructions, and what its tools answered.
    beside: Vec<String>,
    history: Vec<String>,
}

/// What the policy says about them.
struct ScreeningResult {
    /// The phrase that asks for a person to take over.
    escalation: Option<String>,
    /// Whether each message of the history may reach the persona.
    allowed: Vec<bool>,
}

impl Engine {
    /// Refuses a forbidden message, instruction or result of a tool, and takes forbidden messages out of the history:
    /// a client keeps sending what was refused. Returns the phrase that asks for a person to take over.
    pub(crate) async fn screen(
        &self,
        tenant: &TenantName,
        policy: &SafetyPolicy,
        utterance: &mut Utterance,
    ) -> Result<Option<String>, Problem> {
        if policy.is_silent() {
            return Ok(None);
        }
        let (policy, sent) = (policy.clone(), RequestTexts::of(utterance));
        let owner = CpuOwner { tenant: tenant.clone(), persona: None };
        let screened = self.cpu.run(owner, move |_: &Cancellation| policy.screen(&sent)).await??;
        if let History::Sent(messages) = &mut utterance.history {
            let mut allowed = screened.allowed.into_iter();
            messages.retain_mut(|message| allowed.next().unwrap_or(true) || leave_out(message));
        }
        Ok(screened.escalation)
    }

    /// The same for a single text.
    pub(crate) async fn check_heard(
        &self,
        tenant: &TenantName,
        policy: SafetyPolicy,
        text: &str,
    ) -> Result<(), Problem> {
        if policy.is_silent() {
            return Ok(());
        }
        let text = text.to_owned();
        let owner = CpuOwner { tenant: tenant.clone(), persona: None };
        self.cpu.run(owner, move |_: &Cancellation| policy.check_heard(&text)).await?
    }
}

impl SafetyPolicy {
    fn screen(&self, sent: &RequestTexts) -> Result<ScreeningResult, Problem> {
        for text in std::iter::once(&sent.message).chain(&sent.beside) {
            self.check_heard(text)?;
        }
        let allowed = sent.history.iter().map(|text| self.check_heard(text).is_ok()).collect();
        Ok(ScreeningResult { escalation: self.escalation(&sent.message), allowed })
    }
}

impl RequestTexts {
    fn of(utterance: &Utterance) -> Self {
        let beside = utterance.role_context.iter().map(|text| text.as_str().to_owned());
        let history: &[Message] = match &utterance.history {
            History::Sent(messages) => messages,
            History::Recorded | History::InsteadOf(_) => &[],
        };
        Self {
            message: utterance.message.as_str().to_owned(),
            beside: beside.chain(utterance.since.iter().map(text_of)).collect(),
            history: history.iter().map(text_of).collect(),
        }
    }
}

/// Takes the words out of a message; whether the message itself has to stay, because a call and its result belong
/// together.
fn leave_out(message: &mut Message) -> bool {
    match message {
        Message::User(_) => false,
        Message::Assistant { text, calls } => {
            *text = Words::new("");
            !calls.is_empty()
        }
        Message::Tool { result, .. } => {
            *result = Words::new("(left out: the safety policy forbids it)");
            true
        }
    }
}

fn text_of(message: &Message) -> String {
    match message {
        Message::User(words)
        | Message::Assistant { text: words, .. }
        | Message::Tool { result: words, .. } => words.as_str().to_owned(),
    }
}
