//! Which format a file is in, by its name and the properties at its beginning; `--as` says it where this doesn't.

use crate::Format;
use crate::keys::Keys;

/// How many bytes of a file are looked at.
pub const HEAD: usize = 64 << 10;

/// The Markdown files of a persona's folder, which describe it and are not memories. A test of `engine` compares them
/// with the documents that a store has.
pub const PERSONA_FILES: &[&str] = &[
    "IDENTITY.md",
    "SOUL.md",
    "PROTOCOLS.md",
    "CONTEXT_TIERS.md",
    "USER.md",
    "HELP.md",
    "MEMORY_SHORT.md",
    "MEMORY_MID.md",
    "MEMORY_LONG.md",
    "REMINDERS.md",
    "SCRATCH.md",
    "README.md",
];

/// The format of one of many files, in a folder or an archive: there a persona's own files are no notes.
#[must_use]
pub fn recognise_among_others(name: &str, head: &[u8]) -> Option<Format> {
    let file = name.rsplit('/').next().unwrap_or(name);
    recognise(name, head).filter(|_| !PERSONA_FILES.contains(&file))
}

/// The format of a file called `name` that begins with `head`, if it is one that can be read.
#[must_use]
pub fn recognise(name: &str, head: &[u8]) -> Option<Format> {
    let file = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let begins = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    match extension {
        "csv" | "tsv" => Some(Format::Csv),
        "md" | "markdown" => {
            let stem = file.rsplit_once('.').map_or("", |(stem, _)| stem);
            let is_day = stem.parse::<jiff::civil::Date>().is_ok();
            Some(if is_day { Format::DayLogs } else { Format::Markdown })
        }
        "txt" if !begins.starts_with(b"{") => Some(Format::Markdown),
        _ => {
            let keys = Keys::of(begins);
            match begins.first()? {
                b'[' => of_list(&keys),
                b'{' if is_lines(extension, begins) => of_lines(&Keys::of(first_line(begins))),
                b'{' => of_object(&keys),
                _ => None,
            }
        }
    }
}

fn first_line(head: &[u8]) -> &[u8] {
    head.split(|byte| *byte == b'\n').next().unwrap_or(head)
}

/// Whether the first line is a whole object by itself.
fn is_lines(extension: &str, head: &[u8]) -> bool {
    let line = first_line(head).trim_ascii();
    let is_whole = line.len() < head.len()
        && line.ends_with(b"}")
        && serde_json::from_slice::<serde_json::Value>(line).is_ok();
    extension == "jsonl" || extension == "ndjson" || is_whole
}

fn of_list(keys: &Keys) -> Option<Format> {
    let has = |name| keys.has(2, name);
    if has("mapping") {
        Some(Format::ChatGpt)
    } else if has("chat_messages") {
        Some(Format::Claude)
    } else if has("conversations_memory") || has("project_memories") {
        Some(Format::ClaudeMemories)
    } else if has("chat") || keys.has(3, "history") {
        Some(Format::OpenWebUi)
    } else if has("memory") {
        Some(Format::Mem0)
    } else {
        None
    }
}

fn of_object(keys: &Keys) -> Option<Format> {
    let has = |name| keys.has(1, name);
    // A character card makes a persona, and is no memory of one.
    if has("first_mes") || keys.has(2, "first_mes") {
        return None;
    }
    if has("mapping") || keys.have(3, &["mapping"]) && has("conversations") {
        Some(Format::ChatGpt)
    } else if has("chat_messages") {
        Some(Format::Claude)
    } else if has("conversations_memory") {
        Some(Format::ClaudeMemories)
    } else if has("history") && keys.has(2, "messages") || has("chat") {
        Some(Format::OpenWebUi)
    } else if has("agents") && has("blocks") {
        Some(Format::Letta)
    } else if has("identity") && has("memoryPolicy") {
        Some(Format::PersonaDocument)
    } else if has("results") || has("memories") {
        Some(Format::Mem0)
    } else if has("entries") || keys.have(2, &["entries"]) && has("spec") && !keys.has(2, "first_mes") {
        Some(Format::WorldInfo)
    } else if has("histories") || has("data_visible") || keys.has(3, "msg") && has("messages") {
        Some(Format::TavernVariant)
    } else {
        of_lines(keys)
    }
}

fn of_lines(keys: &Keys) -> Option<Format> {
    let has = |name| keys.has(1, name);
    if has("mes") || has("character_name") || has("chat_metadata") {
        Some(Format::SillyTavern)
    } else if has("observations") || has("relationType") {
        Some(Format::Reference)
    } else if has("gist") || has("eventLabel") || has("turns") || has("text") {
        Some(Format::Lines)
    } else {
        None
    }
}
