//! One exchange: sends a message, and prints the answer as it arrives.

use domain::{RecallId, SessionId};
use serde::Deserialize;
use serde_json::{Value, json};
use server::client::{Event, Listening};
use tokio::signal;
use wire::chat::{Chat, ChatDone, ChatStart, ChatToken};
use wire::fields::{Fields, fields};
use wire::verb;
use wire::{Code, Problem};

use crate::command::CommandContext;
use crate::output::{self, Output};
use crate::report;
use crate::request::Request;

/// The persona, the speaker and the options.
pub(super) struct Question {
    pub(super) persona: String,
    pub(super) subject: Option<String>,
    pub(super) session: Option<String>,
    pub(super) tier: Option<u8>,
    pub(super) off_record: bool,
}

/// The result of an exchange.
pub(super) struct Answer {
    /// Its conversation, once that is known.
    pub(super) session: Option<SessionId>,
    /// The id of its recall; `None` off the record.
    pub(super) recall: Option<RecallId>,
    pub(super) heard: AnswerEnd,
}

/// How much of an answer arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerEnd {
    /// All of it.
    Whole,
    /// Until Ctrl-C.
    Stopped,
}

/// The last event of an answer that failed.
#[derive(Deserialize)]
struct Failed {
    error: String,
    code: Code,
    status: u16,
}

impl Question {
    /// Sends `message`, and prints the answer.
    pub(super) fn ask(&self, message: &str, context: &CommandContext<'_>) -> Result<Answer, Problem> {
        let request = Request::<verb::Chat>::to(&[])?.with_body(self.body(message));
        let mut hearing = AnswerPrinter { output: context.output, start: None, is_at_line_start: true };
        let heard = context.client.wait_for(async {
            let answered = async { hearing.follow(context.client.listen(request).await?).await };
            tokio::select! {
                done = answered => done.map(|()| AnswerEnd::Whole),
                _ = signal::ctrl_c() => Ok(AnswerEnd::Stopped),
            }
        });
        hearing.end_line()?;
        let (session, recall) = match hearing.start {
            Some(start) => (Some(start.session_id), start.recall_id),
            None => (None, None),
        };
        heard.map(|heard| Answer { session, recall, heard })
    }

    fn body(&self, message: &str) -> Fields<Chat> {
        fields!(Chat {
            message: Some(message),
            persona: Some(self.persona.as_str()),
            subject: self.subject.as_deref(),
            session_id: self.session.as_deref(),
            tier: self.tier,
            off_record: self.off_record.then_some(true)
        })
    }
}

/// An answer being printed.
struct AnswerPrinter<'a> {
    output: &'a Output,
    start: Option<ChatStart>,
    is_at_line_start: bool,
}

impl AnswerPrinter<'_> {
    async fn follow(&mut self, mut answer: Listening) -> Result<(), Problem> {
        while let Some(event) = answer.next().await? {
            match event.name.as_str() {
                "start" => self.start = Some(begun(&event)?),
                "token" => self.words(event.read::<ChatToken>()?.text.as_str())?,
                "done" => return self.done(&event),
                "error" => return Err(failed(&event)?),
                _ => {}
            }
        }
        Err(Problem::new(Code::Unreachable, "the answer failed; see the server's log"))
    }

    fn words(&mut self, words: &str) -> Result<(), Problem> {
        if !self.output.is_words() || words.is_empty() {
            return Ok(());
        }
        self.is_at_line_start = words.ends_with('\n');
        output::words(words)
    }

    fn done(&self, event: &Event) -> Result<(), Problem> {
        let done: ChatDone = event.read()?;
        if !self.output.is_words() {
            self.output.record(&event.read::<Value>().unwrap_or_else(|_| json!(done)))?;
        }
        if let Some(phrase) = &done.escalation {
            report::note(format_args!("a person should take over: the message contains `{phrase}`"));
        }
        Ok(())
    }

    fn end_line(&self) -> Result<(), Problem> {
        if self.is_at_line_start { Ok(()) } else { output::text("\n") }
    }
}

fn begun(event: &Event) -> Result<ChatStart, Problem> {
    let start: ChatStart = event.read()?;
    if !start.left_out.is_empty() {
        report::note(format_args!("did not fit into the model's window: {}", start.left_out.join(", ")));
    }
    for notice in &start.notices {
        report::note(&notice.text);
    }
    Ok(start)
}

fn failed(event: &Event) -> Result<Problem, Problem> {
    let Failed { error, code, status } = event.read()?;
    Ok(Problem { status, ..Problem::new(code, error) })
}
