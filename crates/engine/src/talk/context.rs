//! The prompt: who the persona is, its rules, what it remembers, and the conversation so far, within the
//! model's window.
//!
//! The order is `System`, the tier's files, `Rules`, what defines the persona, what is remembered, `Role
//! Context`. If that is longer than the window, digests and scratch files are cut first, in a fixed order,
//! then the oldest turns; the identity, the rules and the last turn are never cut.

mod files;
mod rules;
mod window;

use std::sync::Arc;

use domain::{Listener, SubjectRef, Text, Timestamp, Tokens};
use llm::Message;
use wire::Problem;
use wire::context::ContextPart;
use wire::persona::MemoryState;

use crate::Engine;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;
use crate::talk::guard::SafetyPolicy;

pub(crate) use files::lowest_tier;
pub use files::{DigestChoice, Layers};

/// The default tier.
pub(crate) const DEFAULT_TIER: u8 = 2;
const REMEMBERED: &str = "Remembered";
const DEFINING: &str = "What defines you";
const NO_MEMORY: &str = "Memory: paused — you have no memories of people now, and nothing said here will be remembered; if you are \
     asked to remember something, say so";
const OFF_THE_RECORD: &str = "Current mode: Off The Record — this conversation is private and will not be \
                              logged or included in memory distillation";

/// The input of a prompt.
pub(crate) struct Setting<'a> {
    pub(crate) persona: &'a PersonaContext,
    pub(crate) listener: &'a Listener,
    pub(crate) now: Timestamp,
    /// The tier, 1 to 4: how much of the persona's files is loaded.
    pub(crate) tier: u8,
    /// Which digests may be loaded.
    pub(crate) layers: Layers,
    /// Whether the conversation is recorded.
    pub(crate) record: Record,
    /// Whether the prompt states the time.
    pub(crate) clock: Clock,
    /// The size of the model's window, if it is configured.
    pub(crate) window: Option<Tokens>,
    /// The tenant's safety policy.
    pub(crate) policy: &'a SafetyPolicy,
    /// Additions of the role and of the client.
    pub(crate) role_context: &'a [Text],
    /// The persona's view, if it was read for a recall.
    pub(crate) view: Option<&'a View>,
}

/// Whether a conversation is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// It is.
    #[default]
    On,
    /// Nothing of it is stored anywhere.
    Off,
}

impl From<bool> for Record {
    /// The record of a request whose field `off_record` has this value.
    fn from(is_off: bool) -> Self {
        if is_off { Self::Off } else { Self::On }
    }
}

/// Whether a prompt states the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// It does.
    #[default]
    Stated,
    /// The role wants the same prompt at any time.
    Hidden,
}

/// A prompt and the conversation before it, within the window.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The parts of the prompt, including the ones that were cut.
    pub(crate) parts: Vec<ContextPart>,
    /// The turns that fit, oldest first.
    pub(crate) history: Vec<Message>,
    /// How many older turns did not fit.
    pub(crate) forgone: usize,
    /// The size of the window.
    pub(crate) window: Tokens,
}

impl Context {
    /// The prompt: each part under its heading. Recalled memories contain their own heading.
    pub(crate) fn prompt(&self) -> String {
        printed(&self.parts)
    }

    /// The length of prompt and history together.
    pub(crate) fn tokens(&self) -> Tokens {
        window::tokens(&self.parts, &self.history)
    }

    /// What was left out.
    pub(crate) fn left_out(&self) -> LeftOut {
        let cut = self.parts.iter().filter(|part| part.cut).map(|part| part.name.clone());
        LeftOut { files: cut.collect(), turns: self.forgone }
    }
}

/// What did not fit into the window of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Parts of the prompt, by name.
    pub files: Vec<String>,
    /// How many older turns.
    pub turns: usize,
}

impl LeftOut {
    /// As messages for the caller.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let turns = (self.turns > 0).then(|| format!("{} older turns", self.turns));
        self.files.iter().cloned().chain(turns).collect()
    }
}

impl Engine {
    /// Builds the prompt of `setting` with what is `remembered`, and fits the history beside it.
    pub(crate) async fn context(
        &self,
        setting: &Setting<'_>,
        remembered: &str,
        history: Vec<Message>,
    ) -> Result<Context, Problem> {
        let mut parts = vec![part("System", &system(setting))];
        for (name, text) in self.tier_files(setting).await? {
            parts.push(part(&name.to_string(), &text));
        }
        parts.push(part("Rules", &rules::of(setting)));
        parts.push(part(DEFINING, &self.defining(setting).await?));
        parts.push(part(REMEMBERED, remembered));
        let roles: Vec<&str> = setting.role_context.iter().map(|text| text.as_str().trim()).collect();
        parts.push(part("Role Context", roles.join("\n\n").trim()));
        parts.retain(|part| part.text.length() > 0);
        let of_persona = setting.persona.loaded.document.bindings.runtime_config.context_window_tokens;
        Ok(window::fitted(parts, history, setting.window.unwrap_or(of_persona)))
    }
}

impl Engine {
    /// The events the persona is proudest of, rendered as traits.
    async fn defining(&self, setting: &Setting<'_>) -> Result<String, Problem> {
        let timeline = match setting.view {
            Some(view) => Arc::clone(&view.timeline),
            None => self.view(setting.persona).await?.1.timeline,
        };
        let decay = setting.persona.loaded.document.memory_policy.timeline_decay.as_ref();
        let labels = recall::defining(&timeline, decay, setting.now);
        let lines: Vec<String> = labels.into_iter().map(|label| format!("- {label}")).collect();
        if lines.is_empty() {
            return Ok(String::new());
        }
        Ok(format!("You are proud of these, and they are part of who you are:\n{}", lines.join("\n")))
    }
}

fn system(setting: &Setting<'_>) -> String {
    let time = match setting.clock {
        Clock::Stated => Some(date_line(setting.persona, setting.now)),
        Clock::Hidden => None,
    };
    let mode = match setting.record {
        Record::On => None,
        Record::Off => Some(OFF_THE_RECORD.to_owned()),
    };
    let memory = match setting.persona.loaded.memory() {
        MemoryState::On => None,
        MemoryState::Off | MemoryState::Paused => Some(NO_MEMORY.to_owned()),
    };
    let speaker = setting.listener.subject.as_ref().and_then(SubjectRef::plain_name);
    let speaker = speaker.map(|name| format!("You are talking with {name}."));
    time.into_iter().chain(mode).chain(memory).chain(speaker).collect::<Vec<_>>().join("\n")
}

fn date_line(persona: &PersonaContext, now: Timestamp) -> String {
    let zone = jiff::tz::TimeZone::get(&persona.loaded.document.identity.timezone)
        .unwrap_or(jiff::tz::TimeZone::UTC);
    let local = now.to_jiff().to_zoned(zone);
    format!("Current date and time: {}", local.strftime("%A, %Y-%m-%d at %I:%M %p %Z"))
}

fn part(name: &str, text: &str) -> ContextPart {
    let tokens = Tokens::of_characters(text.chars().count());
    ContextPart { name: name.to_owned(), tokens, cut: false, text: Text::new(text) }
}

fn printed(parts: &[ContextPart]) -> String {
    let shown = parts.iter().filter(|part| !part.cut);
    let texts: Vec<String> = shown
        .map(|part| match part.name.as_str() {
            REMEMBERED => part.text.as_str().trim_end().to_owned(),
            name => format!("--- {name} ---\n{}", part.text.as_str()),
        })
        .collect();
    texts.join("\n\n") + "\n"
}
