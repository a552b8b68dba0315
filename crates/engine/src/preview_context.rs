//! `POST /v1/personas/{p}/context`: the whole prompt, part by part, without a model.
//!
//! In this order: `System`, the tier's files, `Rules`, what is remembered. When it is longer than the
//! window, digests and scratch files go first, in a fixed order, and the answer says so; who the
//! persona is and its rules never go.

use domain::{ConfabulationPolicy, Listener, RecallId, Text, Timestamp, Tokens};
use store::{DocumentName, Documents, Records};
use wire::Problem;
use wire::context::{ContextAnswer, ContextPart, PreviewContext};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::failure::told;
use crate::personas::Found;
use crate::recall_memories::{OWNER, Recalling, listener};

/// Each file with the lowest tier that loads it, in the order of the prompt.
const FILES: [(DocumentName, u8); 11] = [
    (DocumentName::Identity, 1),
    (DocumentName::Soul, 2),
    (DocumentName::Protocols, 2),
    (DocumentName::User, 2),
    (DocumentName::MemoryShort, 2),
    (DocumentName::MemoryMid, 2),
    (DocumentName::Reminders, 2),
    (DocumentName::MemoryLong, 3),
    (DocumentName::ContextTiers, 3),
    (DocumentName::Scratch, 4),
    (DocumentName::Tasks, 4),
];

/// What is left out first when the prompt is too long.
const CUT_FIRST: [DocumentName; 5] = [
    DocumentName::MemoryLong,
    DocumentName::MemoryMid,
    DocumentName::MemoryShort,
    DocumentName::Scratch,
    DocumentName::Tasks,
];

const DEFAULT_TIER: u8 = 2;
const RULES: &str = include_str!("preview_context/RULES.md");

impl Engine {
    /// Shows the prompt a message would lead to. Nothing is rehearsed and nothing is kept.
    pub async fn preview_context(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: PreviewContext,
    ) -> Result<ContextAnswer, Problem> {
        let found = self.find(call, key).await?;
        let open = self.open(&found).await?;
        let _on_its_way = open.recalling.read().await;
        let view = open.view(&self.store).await.map_err(told)?;
        let subject = asked.subject.clone().map(|named| open.known_as(named));
        let listener = listener(call, subject, asked.session_id.clone());
        let mut parts = vec![part("System", &date_line(&found, call.now))];
        for (name, tier) in FILES {
            if tier <= asked.tier.unwrap_or(DEFAULT_TIER)
                && let Some(text) = self.file(&found, &listener, name).await?
            {
                parts.push(part(&name.to_string(), &text));
            }
        }
        parts.push(part("Rules", &rules(found.standing.document.memory_policy.confabulation_policy)));
        if found.standing.demand_memory().is_ok() {
            let recalling = Recalling { found: &found, open: &open, view: &view, listener, now: call.now };
            let remembered = recalling.recollect(asked.message.as_str(), &[], None).rendered;
            parts.push(ContextPart { text: Text::new(remembered.as_str()), ..part(REMEMBERED, &remembered) });
        }
        parts.retain(|part| part.text.length() > 0);
        let window = found.standing.document.bindings.runtime_config.context_window_tokens;
        cut_to(&mut parts, window);
        let prompt = printed(&parts);
        let tokens = Tokens::of_characters(prompt.chars().count());
        let recall_id = RecallId(self.new_uuid(call.now)?);
        Ok(ContextAnswer { parts, prompt: Text::new(prompt), tokens, window, recall_id })
    }

    /// A tier's file: the owner's own from the folder, everyone else's own from the sealed store.
    async fn file(
        &self,
        found: &Found,
        listener: &Listener,
        name: DocumentName,
    ) -> Result<Option<String>, Problem> {
        let scope = found.entry.scope();
        let is_owner = listener.subject.as_ref().is_some_and(|subject| subject.as_str() == OWNER);
        let read = match (is_personal(name), is_owner, &listener.subject) {
            (false, _, _) | (true, true, _) => self.store.read(&scope, name).await.map_err(told)?,
            (true, false, Some(subject)) => {
                self.store.subject_document(&scope, subject, name).await.map_err(told)?
            }
            (true, false, None) => None,
        };
        Ok(read.map(|document| document.content.as_str().trim().to_owned()).filter(|text| !text.is_empty()))
    }
}

const REMEMBERED: &str = "Remembered";

/// Whether a file is about the person who is talking.
fn is_personal(name: DocumentName) -> bool {
    match name {
        DocumentName::Identity
        | DocumentName::Soul
        | DocumentName::Protocols
        | DocumentName::ContextTiers => false,
        DocumentName::Persona
        | DocumentName::Help
        | DocumentName::User
        | DocumentName::MemoryShort
        | DocumentName::MemoryMid
        | DocumentName::MemoryLong
        | DocumentName::MemoryShortBackup1
        | DocumentName::MemoryShortBackup2
        | DocumentName::MemoryMidBackup1
        | DocumentName::MemoryMidBackup2
        | DocumentName::MemoryLongBackup1
        | DocumentName::MemoryLongBackup2
        | DocumentName::Reminders
        | DocumentName::Scratch
        | DocumentName::Tasks
        | DocumentName::Crons
        | DocumentName::DayLog(_) => true,
    }
}

fn date_line(found: &Found, now: Timestamp) -> String {
    let zone = jiff::tz::TimeZone::get(&found.standing.document.identity.timezone)
        .unwrap_or(jiff::tz::TimeZone::UTC);
    let local = now.to_jiff().to_zoned(zone);
    format!("Current date and time: {}", local.strftime("%A, %Y-%m-%d at %I:%M %p %Z"))
}

fn rules(confabulation: ConfabulationPolicy) -> String {
    let edge = match confabulation {
        ConfabulationPolicy::Strict => {
            "Assert only what you are told that you remember. When you don't remember, say so."
        }
        ConfabulationPolicy::Moderate => {
            "Where your memory has a gap you may fill it in with a hedge in the same sentence, but never with names, dates, numbers or promises."
        }
        ConfabulationPolicy::Permissive => "Where your memory has a gap you may fill it in.",
    };
    format!("{}\n- {edge}", RULES.trim())
}

fn part(name: &str, text: &str) -> ContextPart {
    let tokens = Tokens::of_characters(text.chars().count());
    ContextPart { name: name.to_owned(), tokens, cut: false, text: Text::new(text) }
}

fn cut_to(parts: &mut [ContextPart], window: Tokens) {
    for name in CUT_FIRST {
        if Tokens::of_characters(printed(parts).chars().count()) <= window {
            return;
        }
        if let Some(part) = parts.iter_mut().find(|part| part.name == name.to_string()) {
            part.cut = true;
            part.text = Text::default();
        }
    }
}

/// The prompt: each part under its heading. What is remembered brings its own.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_cut_in_their_order_and_identity_never() {
        let long = "word ".repeat(400);
        let names = ["System", "IDENTITY.md", "MEMORY_SHORT.md", "MEMORY_MID.md", "MEMORY_LONG.md", "Rules"];
        let mut parts: Vec<ContextPart> = names.iter().map(|name| part(name, &long)).collect();
        cut_to(&mut parts, Tokens(2200));
        let cut: Vec<&str> = parts.iter().filter(|part| part.cut).map(|part| part.name.as_str()).collect();
        assert_eq!(cut, ["MEMORY_MID.md", "MEMORY_LONG.md"]);
        cut_to(&mut parts, Tokens(10));
        let left: Vec<&str> = parts.iter().filter(|part| !part.cut).map(|part| part.name.as_str()).collect();
        assert_eq!(left, ["System", "IDENTITY.md", "Rules"]);
    }
}
