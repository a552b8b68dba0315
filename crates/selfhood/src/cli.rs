//! The command line as people type it. Completions and manual pages come from these definitions too.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::output::Mode;

/// Gives AI personas a self: an identity, a life story, and memories that fade, brighten and can be forgotten for good.
#[derive(Parser)]
#[command(name = "selfhood", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) flags: Flags,
    #[command(subcommand)]
    pub(crate) command: Command,
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
    /// Whose persona is meant.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) tenant: Option<String>,
    /// Which persona is meant; when left out, the only one.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) persona: Option<String>,
    /// How results are printed: a table on a terminal and tab-separated in a pipe, unless said otherwise.
    #[arg(short, long, global = true, value_enum, value_name = "MODE")]
    pub(crate) output: Option<Mode>,
}

impl Flags {
    /// What was given for `flag`, as it would be typed.
    pub(crate) fn given(&self, flag: &str) -> Option<String> {
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
    /// Check and sign persona documents.
    #[command(subcommand)]
    Persona(Persona),
    /// Print a JSON Schema, or list them all.
    Schema(Schema),
    /// Show the configuration.
    #[command(subcommand)]
    Config(Config),
    /// Answer requests over HTTP; until that is built, tell what works today.
    Serve(Serve),
    /// Print the completion script of a shell.
    Completions(Completions),
    /// Print the manual page, or write all pages into a folder.
    Man(Man),
}

/// What can be done with a persona.
#[derive(Subcommand)]
pub(crate) enum Persona {
    /// Check documents against their rules and their signature.
    Validate(Validate),
    /// Sign documents with the operator key, so that memory may form.
    Sign(Sign),
}

/// Checks persona documents.
#[derive(Args)]
pub(crate) struct Validate {
    /// A JSON file, or a folder in which every `persona.json` is checked.
    #[arg(value_name = "FILE|DIR")]
    pub(crate) path: PathBuf,
    /// Repair what can be repaired; the old file stays beside it as `.bak`.
    #[arg(long)]
    pub(crate) fix: bool,
}

/// Signs persona documents.
#[derive(Args)]
pub(crate) struct Sign {
    /// A `persona.json`, or a folder in which every one is signed; when left out, the persona named by `--persona`.
    #[arg(value_name = "FILE|DIR")]
    pub(crate) path: Option<PathBuf>,
}

/// Prints a schema.
#[derive(Args)]
pub(crate) struct Schema {
    /// Name of the schema; when left out, all names are listed.
    pub(crate) name: Option<String>,
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

/// Serves a home.
#[derive(Args)]
pub(crate) struct Serve {
    /// Use a throw-away home with an example persona.
    #[arg(long)]
    pub(crate) demo: bool,
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
