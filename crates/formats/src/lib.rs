//! Other people's file formats: bytes in, conversations and notes out, and the way back.
//!
//! Every reader is one file with one function of the same shape, [`Reader`]: it reads a source from its beginning to
//! its end and returns one [`Record`] after the other, so that a file larger than memory can be read. A record that
//! can't be used is handed over as [`Record::Refused`] with its place; only a source that can't be read on is
//! [`Broken`]. Nothing here opens files, asks the clock or decides what may be kept.

mod broken;
mod record;
mod date;
mod elements;
mod keys;
mod text_lines;
mod front_matter;
mod recognise;

pub mod gist;

mod chatgpt;
mod claude;
mod open_webui;
mod silly_tavern;
mod tavern_variants;
mod world_info;
mod letta;
mod mem0;
mod reference;
mod day_logs;
mod markdown;
mod csv;
mod lines;
mod persona_document;

pub mod archive;
pub mod png;
pub mod card;
pub mod charx;
pub mod write;

use std::io::BufRead;

pub use broken::Broken;
pub use date::read_date;
pub use recognise::{HEAD, PERSONA_FILES, recognise, recognise_among_others};
pub use record::{Conversation, Note, NoteKind, Record, Skipped, Speaker, Turn, UnusableRecord, Why};

/// What is known of a source besides its bytes.
#[derive(Clone, Debug, Default)]
pub struct Source<'s> {
    /// The name of the file, with folders inside an archive.
    pub name: &'s str,
    /// What the persona is called in files that name speakers.
    pub persona: &'s [String],
    /// What the person who talks with the persona is called there.
    pub people: &'s [String],
    /// The time zone of clock times without a zone.
    pub timezone: Option<&'s str>,
}

impl Source<'_> {
    /// The file's own name, without folders and without what follows its last dot.
    #[must_use]
    pub fn stem(&self) -> &str {
        let file = self.name.rsplit('/').next().unwrap_or(self.name);
        file.rsplit_once('.').map_or(file, |(stem, _)| stem)
    }
}

/// Takes one record after the other; an error ends the reading.
pub type Sink<'s> = dyn FnMut(Record) -> Result<(), Broken> + 's;

/// The shape of every reader.
pub type Reader = fn(&mut dyn BufRead, &Source<'_>, &mut Sink<'_>) -> Result<(), Broken>;

macro_rules! formats {
    ($($variant:ident $name:literal $reader:path, $what:literal;)+) => {
        /// A format that can be read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Format {
            $(#[doc = $what] $variant,)+
        }

        impl Format {
            /// Every format.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Its name, as people write it after `--as`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it is, in a few words.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self {
                    $(Self::$variant => $what,)+
                }
            }

            /// Reads it.
            #[must_use]
            pub fn reader(self) -> Reader {
                match self {
                    $(Self::$variant => $reader,)+
                }
            }

            /// The format of this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|format| format.as_str() == name)
            }
        }
    };
}

formats! {
    ChatGpt "chatgpt" chatgpt::read, "conversations of a ChatGPT export";
    Claude "claude" claude::read, "conversations of a Claude export";
    ClaudeMemories "claude-memories" claude::read_memories, "memories.json of a Claude export";
    OpenWebUi "open-webui" open_webui::read, "chats of Open WebUI";
    SillyTavern "sillytavern" silly_tavern::read, "a chat of SillyTavern";
    TavernVariant "tavern-json" tavern_variants::read, "a chat of CAI Tools, Agnai or text-generation-webui";
    WorldInfo "world-info" world_info::read, "world info of SillyTavern, or a lorebook";
    Letta "letta" letta::read, "an agent file of Letta";
    Mem0 "mem0" mem0::read, "memories of mem0 or Supermemory";
    Reference "reference" reference::read, "memory.jsonl of the reference memory server";
    DayLogs "sessions" day_logs::read, "a day of a sessions/ folder";
    Markdown "markdown" markdown::read, "notes in Markdown";
    Csv "csv" csv::read, "a table with a column of texts";
    Lines "jsonl" lines::read, "lines of JSON, as `selfhood export` writes them";
    PersonaDocument "persona-document" persona_document::read, "persona.json with its memories";
}
