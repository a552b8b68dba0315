//! `selfhood chat`: one answer by argument or pipe, or a conversation on a terminal.

mod answer;
mod order;
mod talk;

use std::io::{self, IsTerminal, Read};

use wire::{Code, Exit, Problem};

use crate::cli::Chat;
use crate::command::CommandContext;
use crate::opening::fresh_name;
use crate::{report, resolve};
use answer::{AnswerEnd, Question};

/// Talks with a persona.
pub(crate) fn run(asked: &Chat, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let (persona, prompt) = match (&asked.named, &asked.prompt, &context.settings.persona) {
        (Some(only), None, Some(_)) => (None, Some(only.clone())),
        (persona, prompt, _) => (persona.as_deref(), prompt.clone()),
    };
    let persona = resolve::the_persona(context.client, context.settings, persona)?;
    let question = Question {
        persona,
        subject: asked.user.clone(),
        session: asked.session.clone(),
        tier: asked.tier,
        off_record: asked.off_record,
    };
    match prompt {
        Some(prompt) => once(question, &prompt, context),
        None if io::stdin().is_terminal() => talk::run(question, context),
        None => once(question, piped()?.trim_end(), context),
    }
}

/// Sends one message and prints only the answer. Unless a conversation is named, it is a new one.
fn once(mut question: Question, prompt: &str, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    if question.session.is_none() && !question.off_record {
        question.session = Some(fresh_name()?);
    }
    let answer = question.ask(prompt, context)?;
    match answer.heard {
        AnswerEnd::Whole => Ok(Exit::Ok),
        AnswerEnd::Stopped => {
            report::note("stopped");
            Ok(Exit::Failure)
        }
    }
}

fn piped() -> Result<String, Problem> {
    let mut text = String::new();
    let read = io::stdin().lock().read_to_string(&mut text);
    read.map(|_| text)
        .map_err(|error| Problem::new(Code::IoFailed, format!("can't read the message from stdin: {error}")))
}
