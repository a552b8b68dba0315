//! The command line as people type it. Completions and manual pages come from these definitions too.

mod chat;
mod choice;
mod jobs;
mod consent;
mod eval;
mod key;
mod mcp;
mod memory;
mod moment;
mod persona;
mod proof;
mod serve;
mod session;
mod subject;
mod timeline;
mod transfer;
mod upkeep;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use chat::Chat;
pub(crate) use consent::{Consent, ConsentGive, ConsentNamed, ConsentWithdraw};
pub(crate) use eval::{Eval, Everyday};
pub(crate) use jobs::{Distill, DistillCues, DistillOne, Jobs, JobsVerb, OneJob};
pub(crate) use key::{Key, KeyNew, KeyRevoke, Operator, OperatorNew, OperatorRevoke};
pub(crate) use mcp::{Client, Hook, Mcp, McpInstall, McpVerb};
pub(crate) use memory::{
    Memory, MemoryAdd, MemoryCorrect, MemoryInspect, MemoryList, MemoryPin, MemoryRedact, MemoryRedactUser,
    MemoryRestore, MemorySearch, MemoryWhy, NewDetail,
};
pub(crate) use persona::{
    Persona, PersonaCopy, PersonaDelete, PersonaEdit, PersonaExport, PersonaImport, PersonaNew, PersonaShow,
    Sign, TemplateName, Validate,
};
pub(crate) use proof::{MemoryAudit, MemoryResidue, Verify};
pub(crate) use serve::{Init, Serve};
pub(crate) use session::{Session, SessionList, SessionSearch, SessionShow};
pub(crate) use subject::{Subject, SubjectAlias, SubjectHold, SubjectMerge, SubjectWithdraw, Sweep};
pub(crate) use timeline::{
    Event, Timeline, TimelineAdd, TimelineList, TimelineRedact, TimelineRevise, TimelineSupersede,
};
pub(crate) use transfer::{Export, ExportFormat, Import};
pub(crate) use upkeep::{
    Backup, BackupCreate, BackupRestore, BackupVerify, Doctor, Mirror, StoreCopy, StoreInit, StoreVerb,
    Vault, VaultRotate,
};

use wire::{Code, Problem};

use crate::output::Mode;

/// Gives AI personas a self: an identity, a life story, and memories that fade, brighten and can be forgotten for good.
#[derive(Parser)]
#[command(
    name = "selfhood",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
To see it at work, with an example persona in a home of its own:
  selfhood serve --demo --open

To begin with a persona of your own:
  selfhood init
  selfhood persona new inara --template companion
  selfhood chat inara"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) flags: Flags,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// What was given for `flag`, as it would be typed.
    pub(crate) fn given(&self, flag: &str) -> Option<String> {
        let of_command = || match &self.command {
            Command::Serve(serve) => serve.given(flag),
            Command::Init(_)
            | Command::Persona(_)
            | Command::Timeline(_)
            | Command::Memory(_)
            | Command::Chat(_)
            | Command::Session(_)
            | Command::Context(_)
            | Command::Subject(_)
            | Command::Consent(_)
            | Command::Sweep(_)
            | Command::Distill(_)
            | Command::Jobs(_)
            | Command::Key(_)
            | Command::Mcp(_)
            | Command::Hook(_)
            | Command::Import(_)
            | Command::Export(_)
            | Command::Backup(_)
            | Command::Vault(_)
            | Command::Store(_)
            | Command::Doctor(_)
            | Command::Verify(_)
            | Command::Eval(_)
            | Command::Schema(_)
            | Command::Explain(_)
            | Command::Config(_)
            | Command::Completions(_)
            | Command::Man(_) => None,
        };
        self.flags.given(flag).or_else(of_command)
    }

    /// Refuses a tenant or a persona where the command is about the whole home, rather than ignore it.
    pub(crate) fn check_whole_home(&self) -> Result<(), Problem> {
        let name = match &self.command {
            Command::Backup(_) => "backup",
            Command::Doctor(_) => "doctor",
            Command::Init(_)
            | Command::Serve(_)
            | Command::Persona(_)
            | Command::Timeline(_)
            | Command::Memory(_)
            | Command::Chat(_)
            | Command::Session(_)
            | Command::Context(_)
            | Command::Subject(_)
            | Command::Consent(_)
            | Command::Sweep(_)
            | Command::Distill(_)
            | Command::Jobs(_)
            | Command::Key(_)
            | Command::Mcp(_)
            | Command::Hook(_)
            | Command::Import(_)
            | Command::Export(_)
            | Command::Vault(_)
            | Command::Store(_)
            | Command::Verify(_)
            | Command::Eval(_)
            | Command::Schema(_)
            | Command::Explain(_)
            | Command::Config(_)
            | Command::Completions(_)
            | Command::Man(_) => return Ok(()),
        };
        let given = ["--tenant", "--persona"].into_iter().find(|flag| self.given(flag).is_some());
        given.map_or(Ok(()), |flag| {
            let detail = format!("`{name}` is about the whole home, every tenant in it; leave {flag} out");
            Err(Problem::new(Code::Usage, detail))
        })
    }

    /// Whether the demo's own home is meant.
    pub(crate) fn is_demo(&self) -> bool {
        matches!(&self.command, Command::Init(Init { demo: true }) | Command::Serve(Serve { demo: true, .. }))
    }
}

/// Flags every command takes. Each can also be set by environment or file; see `selfhood config show --origin`.
#[derive(Args, Default)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Flags {
    /// Folder of the tenants and their personas.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<String>,
    /// Folder of the keys, which is never inside the home.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) keys: Option<String>,
    /// Where memories are kept: `home`, or a `postgres://` address.
    #[arg(long, global = true, value_name = "PLACE")]
    pub(crate) store: Option<String>,
    /// Whose persona is meant; `default` when left out.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) tenant: Option<String>,
    /// Which persona is meant, by name or id; when left out, the only one.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) persona: Option<String>,
    /// How results are printed: a table on a terminal and tab-separated in a pipe, unless said otherwise.
    #[arg(short, long, global = true, value_enum, value_name = "MODE")]
    pub(crate) output: Option<Mode>,
}

impl Flags {
    fn given(&self, flag: &str) -> Option<String> {
        match flag {
            "--home" => self.home.clone(),
            "--keys" => self.keys.clone(),
            "--store" => self.store.clone(),
            "--tenant" => self.tenant.clone(),
            "--persona" => self.persona.clone(),
            "--output" => self.output.and_then(|mode| Some(mode.to_possible_value()?.get_name().to_owned())),
            _ => None,
        }
    }
}

/// What can be asked for.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a home with its keys, and print the key that opens it.
    Init(Init),
    /// Answer requests over HTTP.
    Serve(Serve),
    /// Make, see, change, check, sign and delete personas.
    #[command(subcommand)]
    Persona(Persona),
    /// Write and check the story of a persona's life.
    #[command(subcommand)]
    Timeline(Timeline),
    /// What a persona picked up: add, find, look at, correct, set aside.
    #[command(subcommand)]
    Memory(Memory),
    /// What was said: list conversations, read them again, find words in them.
    #[command(subcommand)]
    Session(Session),
    /// The people personas have met: what is known of them, and what they can ask for.
    #[command(subcommand)]
    Subject(Subject),
    /// What people have agreed to have remembered of them: record it, list it, withdraw it.
    #[command(subcommand)]
    Consent(Consent),
    /// Archive what has faded, and delete what has outlived its time.
    Sweep(Sweep),
    /// Condense what was said into short, mid and long memory.
    #[command(subcommand)]
    Distill(Distill),
    /// See what happens by itself, and let it rest or go on.
    Jobs(Jobs),
    /// Talk with a persona.
    Chat(Chat),
    /// Show the whole prompt a message would lead to, without a model.
    Context(Context),
    /// Make, list and revoke the keys programs come in with.
    #[command(subcommand)]
    Key(Key),
    /// Answer an agent (Claude, Cursor, VS Code, Codex) over stdin and stdout, or add a persona to its settings.
    Mcp(Mcp),
    /// What a client calls by itself while people talk with it.
    #[command(subcommand)]
    Hook(Hook),
    /// Import memories, events and conversations, from here or from other programs.
    ///
    /// Lines of JSON are memories or events as `selfhood export` writes them, or the least that makes a memory:
    /// {"text":"Ana likes the window seat.","createdAt":"2026-05-01T10:00:00Z"}
    ///
    /// What is there already is left alone, so a file can be imported again, also after an interruption.
    Import(Import),
    /// Export memories and events: lines of JSON, a table, notes in Markdown.
    Export(Export),
    /// Make, check and restore backups.
    #[command(subcommand)]
    Backup(Backup),
    /// Look after the keys memories are sealed with.
    #[command(subcommand)]
    Vault(Vault),
    /// Make a database that many nodes share, and copy everything into it or out of it.
    #[command(subcommand)]
    Store(StoreVerb),
    /// Look at everything, and say what is wrong and the way out.
    Doctor(Doctor),
    /// Verify a certificate of erasure or an exported audit log, anywhere.
    Verify(Verify),
    /// Measure recall on a benchmark's file.
    #[command(subcommand)]
    Eval(Eval),
    /// Print a JSON Schema, or list them all.
    Schema(Schema),
    /// Explain an error code and the way out, or list all codes.
    Explain(Explain),
    /// Show the configuration.
    #[command(subcommand)]
    Config(Config),
    /// Print the completion script of a shell.
    Completions(Completions),
    /// Print the manual page, or write all pages into a folder.
    Man(Man),
}

/// Shows a prompt.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood context                                   the only persona's prompt before anything is said
  selfhood context nora \"Is the sauna open?\"         what a message brings to mind
  selfhood context nora \"Hello!\" --subject ana       the same, said by Ana")]
pub(crate) struct Context {
    /// The persona; with `--persona` it may be left out and the message stands alone.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: Option<String>,
    /// What would be said.
    pub(crate) message: Option<String>,
    /// Who would say it; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// In which conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// How much of the persona's files to load, 1 to 4; 2 when left out.
    #[arg(long, value_name = "N")]
    pub(crate) tier: Option<u8>,
}

/// Prints a schema.
#[derive(Args)]
pub(crate) struct Schema {
    /// Name of the schema; when left out, all names are listed.
    pub(crate) name: Option<String>,
}

/// Explains an error code.
#[derive(Args)]
pub(crate) struct Explain {
    /// The code, such as `home_locked`; when left out, all codes are listed.
    pub(crate) code: Option<String>,
}

/// What can be done with the configuration.
#[derive(Subcommand)]
pub(crate) enum Config {
    /// List every setting and its value.
    Show(ConfigShow),
}

/// Lists the settings.
#[derive(Args)]
pub(crate) struct ConfigShow {
    /// Also say where each value came from.
    #[arg(long)]
    pub(crate) origin: bool,
}

/// Prints completions.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell to complete for.
    pub(crate) shell: Shell,
}

/// Prints manual pages.
#[derive(Args)]
pub(crate) struct Man {
    /// Folder to write one page per command into.
    pub(crate) dir: Option<PathBuf>,
}
