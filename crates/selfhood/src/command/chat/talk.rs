//! An interactive chat on a terminal.

use anstyle::Style;
use domain::RecallId;
use tokio::task::{JoinError, spawn_blocking};
use wire::verb;
use wire::{Code, Exit, Problem};

use super::answer::{AnswerEnd, Question};
use super::order::{HELP, Order};
use crate::command::CommandContext;
use crate::command::memory::{list, redact, why};
use crate::line_editor::{LineEditor, LineInput};
use crate::opening::fresh_name;
use crate::report;
use crate::request::Request;

/// The default tier.
const USUAL_TIER: u8 = 2;

/// A chat in progress.
struct Talk<'a> {
    context: &'a CommandContext<'a>,
    question: Question,
    /// The persona's display name.
    name: String,
    last: Last,
}

/// What `/why` explains.
enum Last {
    /// There was no answer yet.
    None,
    /// The last answer was off the record.
    Untraced,
    /// This recall.
    Recall(RecallId),
}

/// Whether the chat continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

/// Runs the chat until the user leaves.
pub(super) fn run(question: Question, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let known = context.client.ask(Request::<verb::ShowPersona>::to(&[&question.persona])?)?;
    let mut talk = Talk { context, name: known.persona.display_name.clone(), question, last: Last::None };
    report::note(format_args!("talking with {}; /? lists the commands, /bye leaves", talk.name));
    let mut editor = LineEditor::default();
    let mut was_interrupted = false;
    loop {
        match talk.next_line(&mut editor)? {
            LineInput::End => return Ok(Exit::Ok),
            LineInput::Interrupt if was_interrupted => return Ok(Exit::Ok),
            LineInput::Interrupt => {
                report::note("Ctrl-C again, or /bye, leaves");
                was_interrupted = true;
            }
            LineInput::Line(line) => {
                was_interrupted = false;
                match talk.take(&line) {
                    Ok(Next::GoOn) => {}
                    Ok(Next::Leave) => return Ok(Exit::Ok),
                    Err(problem) => report::print(problem, context.settings.output, |problem| problem),
                }
            }
        }
    }
}

impl Talk<'_> {
    /// The prompt of the line editor; it shows unusual settings.
    fn sign(&self) -> String {
        let off_record = self.question.off_record.then(|| "off the record".to_owned());
        let tier = self.question.tier.filter(|tier| *tier != USUAL_TIER).map(|tier| format!("tier {tier}"));
        let marks: Vec<String> = off_record.into_iter().chain(tier).collect();
        if marks.is_empty() { "you> ".to_owned() } else { format!("you ({})> ", marks.join(", ")) }
    }

    /// Waits for the next line on a thread of its own, so that follow-up work of the last answer continues
    /// meanwhile.
    fn next_line(&self, editor: &mut LineEditor) -> Result<LineInput, Problem> {
        let (sign, mut reader) = (self.sign(), std::mem::take(editor));
        let reading = async {
            spawn_blocking(move || {
                let typed = reader.read(&sign);
                (reader, typed)
            })
            .await
        };
        let broken =
            |error: JoinError| Problem::new(Code::Internal, format!("reading a line failed: {error}"));
        let (reader, typed) = self.context.client.wait_for(reading).map_err(broken)?;
        *editor = reader;
        typed
    }

    fn take(&mut self, line: &str) -> Result<Next, Problem> {
        match Order::read(line) {
            Order::Say(words) => self.say(words)?,
            Order::Why => self.why()?,
            Order::Memories => self.memories()?,
            Order::Forget(id) => redact::set_aside(self.context, &self.question.persona, id)?,
            Order::Tier(tier) => self.question.tier = Some(tier),
            Order::Private => self.switch_record(),
            Order::Bye => return Ok(Next::Leave),
            Order::Help => report::note(HELP),
            Order::Misspelt(way_out) => report::note(way_out),
            Order::Nothing => {}
        }
        Ok(Next::GoOn)
    }

    fn say(&mut self, words: &str) -> Result<(), Problem> {
        if self.context.output.is_words() {
            let loud = Style::new().bold();
            anstream::eprint!("{loud}{}{loud:#}: ", self.name);
        }
        // Off the record only an existing conversation can be continued, so no other is named there.
        if self.question.session.is_none() && !self.question.off_record {
            self.question.session = Some(fresh_name()?);
        }
        let answer = self.question.ask(words, self.context)?;
        // Off the record only a complete answer is sure to be held under its conversation.
        if let Some(session) =
            answer.session.filter(|_| answer.heard == AnswerEnd::Whole || !self.question.off_record)
        {
            self.question.session = Some(session.to_string());
        }
        self.last = answer.recall.map_or(Last::Untraced, Last::Recall);
        if answer.heard == AnswerEnd::Stopped {
            report::note("stopped");
        }
        Ok(())
    }

    fn why(&self) -> Result<(), Problem> {
        match &self.last {
            Last::None => report::note("nothing was said yet"),
            Last::Untraced => {
                report::note("the last answer was off the record, so there is no explanation");
            }
            Last::Recall(recall) => why::explain(&recall.to_string(), self.context)?,
        }
        Ok(())
    }

    fn memories(&self) -> Result<(), Problem> {
        let subject = self.question.subject.as_deref().unwrap_or(domain::SubjectRef::OWNER);
        if list::of_subject(self.context, &self.question.persona, subject)? == 0 {
            report::note(format_args!("{} remembers nothing of you yet", self.name));
        }
        Ok(())
    }

    /// The conversation stays the same: recorded turns are still known, and nothing new is recorded.
    fn switch_record(&mut self) {
        self.question.off_record = !self.question.off_record;
        report::note(if self.question.off_record {
            "off the record: from now on nothing is stored; /private again ends it"
        } else {
            "on the record again; what was said off the record is not stored"
        });
    }
}
