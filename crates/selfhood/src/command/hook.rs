//! `selfhood hook prompt|stop`: recall without a tool call, for Claude Code and Codex.
//!
//! A client calls these while people work with it, so they must not get in the way: after an error or more
//! than two seconds, nothing is printed and the exit status is 0.

pub(crate) mod configuration;
mod secrets;
mod transcript;

use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use wire::exchange::{ExchangeAnswer, RecordExchange};
use wire::fields::fields;
use wire::recall::{Recall, RecallAnswer};
use wire::verb;
use wire::{Exit, Problem};

use crate::cli::{Cli, Command, Flags, Hook};
use crate::config::{Environment, Settings};
use crate::home_client::{HomeClient, WithoutHome};
use crate::request::Request;
use crate::resolve::the_persona;
use configuration::Choice;

/// The time limit, unless the environment sets another.
const PATIENCE: Duration = Duration::from_secs(2);
/// The variable with the time limit in seconds, for slow machines.
const PATIENCE_VARIABLE: &str = "SELFHOOD_HOOK_SECONDS";
/// The longest text that clients pass on completely.
const LONGEST_TEXT: usize = 10_000;
/// The longest JSON that is read.
const LONGEST_INPUT: u64 = 4 * 1024 * 1024;
/// The longest text that is recalled for or recorded.
const LONGEST_WORDS: usize = 20_000;

/// The input of a hook.
#[derive(Deserialize)]
struct HookInput {
    #[serde(default)]
    prompt: Option<String>,
    #[serde(default)]
    cwd: Option<PathBuf>,
    #[serde(default)]
    session_id: Option<String>,
    #[serde(default)]
    transcript_path: Option<PathBuf>,
    #[serde(default)]
    last_assistant_message: Option<String>,
}

/// Runs the hook within the time limit.
pub(crate) fn run(verb: &Hook, environment: &Environment) -> Exit {
    let hook = match verb {
        Hook::Prompt => prompt,
        Hook::Stop => stop,
    };
    let (done, waiting) = channel();
    let said = environment.get(PATIENCE_VARIABLE).and_then(|seconds| seconds.parse().ok());
    let patience = said.map_or(PATIENCE, Duration::from_secs);
    let environment = environment.clone();
    thread::spawn(move || drop(done.send(hook(&environment))));
    if let Ok(Some(text)) = waiting.recv_timeout(patience) {
        anstream::println!("{text}");
    }
    Exit::Ok
}

/// The recalled memories for a prompt, in the client's format.
fn prompt(environment: &Environment) -> Option<String> {
    let input = input()?;
    let words = shortened(input.prompt.as_deref()?.trim(), LONGEST_WORDS);
    let choice = configuration::choice(input.cwd.as_deref()?)?;
    let answer: RecallAnswer = with_client(environment, &choice, |client, persona| {
        let body = fields!(Recall {
            cue: Some(secrets::masked(words)),
            subject: choice.subject.as_deref(),
            session_id: session(&input)
        });
        client.ask(Request::<verb::Recall>::to(&[persona])?.with_body(body))
    })?;
    let rendered = answer.rendered_for_agents();
    let rendered = shortened(rendered.trim(), LONGEST_TEXT);
    let output = json!({
        "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": rendered },
    });
    (!rendered.is_empty()).then(|| output.to_string())
}

/// Records an exchange. There is no output for the client.
fn stop(environment: &Environment) -> Option<String> {
    let input = input()?;
    let choice = configuration::choice(input.cwd.as_deref()?)?;
    let talk = transcript::last_exchange(input.transcript_path.as_deref()?)?;
    let reply = input.last_assistant_message.clone().or(talk.reply)?;
    let (said, reply) = (shortened(talk.said.trim(), LONGEST_WORDS), shortened(reply.trim(), LONGEST_WORDS));
    if said.is_empty() || reply.is_empty() {
        return None;
    }
    let _recorded: ExchangeAnswer = with_client(environment, &choice, |client, persona| {
        let body = fields!(RecordExchange {
            said: Some(secrets::masked(said)),
            reply: Some(secrets::masked(reply)),
            subject: choice.subject.as_deref(),
            session_id: session(&input)
        });
        client.ask(Request::<verb::RecordExchange>::to(&[persona])?.with_body(body))
    })?;
    None
}

fn input() -> Option<HookInput> {
    let mut input = Vec::new();
    io::stdin().take(LONGEST_INPUT).read_to_end(&mut input).ok()?;
    serde_json::from_slice(&input).ok()
}

fn with_client<T>(
    environment: &Environment,
    choice: &Choice,
    ask: impl FnOnce(&HomeClient, &str) -> Result<T, Problem>,
) -> Option<T> {
    let flags = Flags {
        home: choice.home.clone(),
        keys: choice.keys.clone(),
        store: choice.store.clone(),
        tenant: choice.tenant.clone(),
        persona: choice.persona.clone(),
        output: None,
    };
    let settings =
        Settings::resolve(&Cli { flags, command: Command::Hook(Hook::Prompt) }, environment).ok()?;
    let client = HomeClient::open(&settings, settings.acting_tenant().ok()?, WithoutHome::Refuse).ok()?;
    let answer = the_persona(&client, &settings, None).and_then(|persona| ask(&client, &persona));
    let _ = client.close();
    answer.ok()
}

/// The session id of the client's conversation.
fn session(input: &HookInput) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let id = input.session_id.as_deref().filter(|id| !id.is_empty() && id.chars().all(is_plain))?;
    Some(format!("sess:{id}"))
}

/// `text` cut to at most `longest` characters, at the end of a line if possible.
fn shortened(text: &str, longest: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text };
    let cut = text.get(..end).unwrap_or_default();
    match cut.rfind('\n') {
        Some(line) if line > 0 => cut.get(..line).unwrap_or_default().trim_end(),
        Some(_) | None => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_at_the_end_of_a_line() {
        for (text, longest, expected) in
            [("abc", 3, "abc"), ("abcd", 3, "abc"), ("ab\ncd\nef", 7, "ab\ncd"), ("äöüß", 2, "äö")]
        {
            assert_eq!(shortened(text, longest), expected);
        }
    }
}
