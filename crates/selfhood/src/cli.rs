//! The command line definitions. Completions and manual pages come from them too.

mod chat;
mod choice;
mod jobs;
mod consent;
mod eval;
mod key;
mod mcp;
mod memory;
mod model;
mod moment;
mod number;
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
pub(crate) use model::{Model, ModelConnect};
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
To try it with an example persona in a separate home:
  selfhood serve --demo --open

To start with a persona of your own:
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
    /// The value given for `flag`.
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
            | Command::Model(_)
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

    /// Refuses a tenant or a persona for a command about the whole home, instead of ignoring it.
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
            | Command::Model(_)
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
            let detail = format!("`{name}` applies to the whole home with all tenants; leave {flag} out");
            Err(Problem::new(Code::Usage, detail))
        })
    }

    /// Refuses a persona for a command about all personas of a tenant, instead of ignoring it.
    pub(crate) fn check_whole_tenant(&self) -> Result<(), Problem> {
        let name = if matches!(self.command, Command::Subject(_)) {
            "subject"
        } else if matches!(self.command, Command::Memory(Memory::RedactUser(_))) {
            "memory redact-user"
        } else if matches!(self.command, Command::Memory(Memory::Residue(_))) {
            "memory residue"
        } else if matches!(self.command, Command::Persona(Persona::List)) {
            "persona list"
        } else if matches!(self.command, Command::Model(_)) {
            "model"
        } else if matches!(
            self.command,
            Command::Key(Key::List | Key::Revoke(_) | Key::SignIn | Key::Operator(_))
        ) {
            "key"
        } else {
            return Ok(());
        };
        if self.flags.persona.is_none() {
            return Ok(());
        }
        let detail = format!("`{name}` applies to all personas of the tenant; leave --persona out");
        Err(Problem::new(Code::Usage, detail))
    }

    /// Whether the demo home is used.
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
    /// Where memories are stored: `home`, or a `postgres://` address.
    #[arg(long, global = true, value_name = "PLACE")]
    pub(crate) store: Option<String>,
    /// The tenant; `default` when left out.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) tenant: Option<String>,
    /// The persona, by name or id; when left out, the only one.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) persona: Option<String>,
    /// The output format; by default a table on a terminal and tab-separated values in a pipe.
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

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Create a home with its keys, and print the owner's API key.
    Init(Init),
    /// Answer requests over HTTP.
    Serve(Serve),
    /// Create, show, change, check, sign and delete personas.
    #[command(subcommand)]
    Persona(Persona),
    /// Write and check a persona's timeline.
    #[command(subcommand)]
    Timeline(Timeline),
    /// Manage a persona's memories: add, find, show, correct, redact.
    #[command(subcommand)]
    Memory(Memory),
    /// List, read and search conversations.
    #[command(subcommand)]
    Session(Session),
    /// Show, export, merge and manage the people personas know.
    #[command(subcommand)]
    Subject(Subject),
    /// Record, list and withdraw people's consents.
    #[command(subcommand)]
    Consent(Consent),
    /// Archive faded memories, and delete expired records.
    Sweep(Sweep),
    /// Condense conversations into short, mid and long memory.
    #[command(subcommand)]
    Distill(Distill),
    /// List scheduled jobs, and pause or resume them.
    Jobs(Jobs),
    /// Talk with a persona.
    Chat(Chat),
    /// Show the whole prompt a message would lead to, without a model.
    Context(Context),
    /// Connect the language model that answers, without a restart.
    #[command(subcommand)]
    Model(Model),
    /// Create, list and revoke API keys.
    #[command(subcommand)]
    Key(Key),
    /// Answer an agent (Claude, Cursor, VS Code, Codex) over stdin and stdout, or add a persona to its settings.
    Mcp(Mcp),
    /// Hooks that agents call automatically.
    #[command(subcommand)]
    Hook(Hook),
    /// Import memories, events and conversations, from Selfhood or from other programs.
    ///
    /// Lines of JSON are memories or events as `selfhood export` writes them, or the least that makes a
    /// memory: {"text":"Ana likes the window seat.","createdAt":"2026-05-01T10:00:00Z"}
    ///
    /// What is already stored is skipped, so a file can be imported again, also after an interruption.
    Import(Import),
    /// Export memories and events: lines of JSON, a table, notes in Markdown.
    Export(Export),
    /// Make, check and restore backups.
    #[command(subcommand)]
    Backup(Backup),
    /// Manage the keys that memories are sealed with.
    #[command(subcommand)]
    Vault(Vault),
    /// Prepare a shared database, and copy everything into it or out of it.
    #[command(subcommand)]
    Store(StoreVerb),
    /// Check everything, and report what is wrong and the way out.
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
  selfhood context                                   the prompt of the only persona, without a message
  selfhood context nora \"Is the sauna open?\"         the prompt of a message
  selfhood context nora \"Hello!\" --subject ana       the same, said by Ana")]
pub(crate) struct Context {
    /// The persona; with `--persona` it may be left out and the message stands alone.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: Option<String>,
    /// The message.
    pub(crate) message: Option<String>,
    /// The speaker; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// The conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The tier of persona files to load, 1 to 4; 2 when left out.
    #[arg(long, value_name = "N")]
    pub(crate) tier: Option<u8>,
    /// As it would be off the record.
    #[arg(long)]
    pub(crate) off_record: bool,
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

/// Configuration commands.
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
