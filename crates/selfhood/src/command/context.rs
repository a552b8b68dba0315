//! `selfhood context`: the whole prompt, without a model.

use wire::context::{ContextAnswer, PreviewContext};
use wire::fields::fields;
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::Context;
use crate::command::CommandContext;
use crate::output::{self, Table};
use crate::report;
use crate::request::Request;
use crate::resolve;

/// Shows the prompt of a message.
pub(crate) fn run(asked: &Context, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let (persona, message) = match (&asked.named, &asked.message, &context.settings.persona) {
        (Some(only), None, Some(_)) => (None, Some(only.as_str())),
        (persona, message, _) => (persona.as_deref(), message.as_deref()),
    };
    let persona = resolve::the_persona(context.client, context.settings, persona)?;
    let body = fields!(PreviewContext {
        message: message,
        subject: asked.subject.as_deref(),
        session_id: asked.session.as_deref(),
        tier: asked.tier,
        off_record: asked.off_record.then_some(true)
    });
    let answer: ContextAnswer =
        context.client.ask(Request::<verb::PreviewContext>::to(&[&persona])?.with_body(body))?;
    let record = serde_json::to_value(&answer).unwrap_or_default();
    if context.settings.output.is_none() {
        // The prompt is printed as text in any case; `-o` gives its parts as rows.
        output::text(&output::in_lines(answer.prompt.as_str()))?;
    } else {
        context.output.one(&record, &parts(&answer), || output::in_lines(answer.prompt.as_str()))?;
    }
    for notice in &answer.notices {
        report::note(&notice.text);
    }
    let cut: Vec<&str> = answer.parts.iter().filter(|part| part.cut).map(|part| part.name.as_str()).collect();
    let cut = if cut.is_empty() { String::new() } else { format!("; left out: {}", cut.join(", ")) };
    report::note(format_args!("{} of {} tokens{cut}", answer.tokens.0, answer.window.0));
    Ok(Exit::Ok)
}

fn parts(answer: &ContextAnswer) -> Table<4> {
    let mut table = Table::new(["name", "tokens", "cut", "text"]);
    for part in &answer.parts {
        table.push([
            part.name.as_str().into(),
            part.tokens.0.into(),
            part.cut.into(),
            part.text.as_str().into(),
        ]);
    }
    table
}
