//! The definition of `selfhood persona …`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What can be done with a persona.
#[derive(Subcommand)]
pub(crate) enum Persona {
    /// Create a persona: a folder with a signed document and files to edit.
    New(PersonaNew),
    /// List the tenant's personas.
    List,
    /// Show a persona, its policy and how much it remembers.
    Show(PersonaShow),
    /// Create a persona from the files of another, with an empty memory.
    Copy(PersonaCopy),
    /// Open one of a persona's files in your editor.
    Edit(PersonaEdit),
    /// Destroy a persona, its folder and its keys.
    Delete(PersonaDelete),
    /// Check documents against their rules and their signature.
    Validate(Validate),
    /// Sign documents with the operator key, so that memory may form.
    Sign(Sign),
    /// Export a persona as one file: a bundle for another deployment, or a character card.
    Export(PersonaExport),
    /// Create a persona from a bundle, a character card, or a document with its memories.
    Import(PersonaImport),
}

/// Exports a persona.
#[derive(Args)]
#[command(after_help = "\
A bundle (.persona) holds the persona's document and files, its life, its memories with their history and \
its audit log
as evidence, with a hash of every part and the operator's signature. Data that identifies people is left out, and the amount
is reported; `--with-pii` includes it, sealed with a passphrase.
A file that ends in .png, .json or .charx is written as a character card, which holds only what its author wrote.

Examples:
  selfhood persona export inara inara.persona
  selfhood persona export inara inara.persona --with-pii --with-sessions --passphrase-file secret.txt
  selfhood persona export inara inara.png")]
pub(crate) struct PersonaExport {
    /// Its name or id.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: String,
    /// The file to write; it must not exist.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Include memories that identify people, and the owner's own files.
    #[arg(long)]
    pub(crate) with_pii: bool,
    /// Include conversations.
    #[arg(long, requires = "with_pii")]
    pub(crate) with_sessions: bool,
    /// A file whose first line is the passphrase the bundle is sealed with.
    #[arg(long, value_name = "FILE", requires = "with_pii")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Write data that identifies people without sealing it.
    #[arg(long, requires = "with_pii", conflicts_with = "passphrase_file")]
    pub(crate) plain: bool,
}

/// Makes a persona of a file.
#[derive(Args)]
#[command(after_help = "\
The persona becomes one of this deployment: it gets a new id and this operator's signature, and its \
memories say that
they are from here (where they were formed stays written in them). People who were forgotten here are not imported.

Examples:
  selfhood persona import inara.persona
  selfhood persona import inara.persona --name inara-2 --passphrase-file secret.txt
  selfhood persona import seraphina.png --dry-run")]
pub(crate) struct PersonaImport {
    /// A bundle (.persona), a character card (.png, .json, .charx), or a persona.json.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The name of its folder; the original name when left out.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// A file whose first line is the passphrase the bundle is sealed with.
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// The key that must have signed the bundle (`did:key:…`), as its sender says.
    #[arg(long, value_name = "DID")]
    pub(crate) signer: Option<String>,
    /// Show what is in the file and whether it is intact, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Makes a persona, from templates or from a few facts.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  selfhood persona new inara --emoji 🌸 --description \"A concierge who never forgets a face.\"
  selfhood persona new flora --template companion
  selfhood persona new --first-name Maya --last-name Chen --age 34 --location Lisbon --occupation \"product designer\""
)]
pub(crate) struct PersonaNew {
    /// The name of its folder, for a persona made from templates.
    #[arg(conflicts_with_all = ["first_name", "last_name", "age", "location", "occupation"])]
    pub(crate) name: Option<String>,
    /// Its display name; its name with a capital letter when left out.
    #[arg(long, value_name = "TEXT", requires = "name")]
    pub(crate) display_name: Option<String>,
    /// Its emoji.
    #[arg(long, value_name = "TEXT", requires = "name")]
    pub(crate) emoji: Option<String>,
    /// A short description.
    #[arg(long, value_name = "TEXT", requires = "name")]
    pub(crate) description: Option<String>,
    /// The memory template; `assistant` when left out.
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) template: Option<TemplateName>,
    /// Given name, for a persona made from facts.
    #[arg(long, value_name = "TEXT", requires_all = ["last_name", "age", "location", "occupation"])]
    pub(crate) first_name: Option<String>,
    /// Family name.
    #[arg(long, value_name = "TEXT", requires = "first_name")]
    pub(crate) last_name: Option<String>,
    /// Age in years, 0 to 120.
    #[arg(long, value_name = "N", requires = "first_name")]
    pub(crate) age: Option<i64>,
    /// Location.
    #[arg(long, value_name = "TEXT", requires = "first_name")]
    pub(crate) location: Option<String>,
    /// Occupation.
    #[arg(long, value_name = "TEXT", requires = "first_name")]
    pub(crate) occupation: Option<String>,
}

/// The memory templates.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum TemplateName {
    /// Facts last for years, events for months; people are remembered for two years after their last
    /// conversation.
    Assistant,
    /// Remembers like the assistant; for a companion.
    Companion,
    /// Events fade within weeks; guests are forgotten 90 days after their last conversation.
    Hospitality,
    /// A part in a story: it may fill gaps in its memory with a hedge.
    Character,
}

impl TemplateName {
    /// The name as requests write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::Companion => "companion",
            Self::Hospitality => "hospitality",
            Self::Character => "character",
        }
    }
}

/// Shows a persona.
#[derive(Args)]
pub(crate) struct PersonaShow {
    /// Its name or id; when left out, the one named by `--persona`, or the only one.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: Option<String>,
}

/// Makes a persona from the files of another.
#[derive(Args)]
#[command(after_help = "\
The new persona has an id, a signed document and a memory of its own; memories and recorded conversations stay with
the original. Its files come along, the logs in sessions/ too. Copying the folder by hand (`cp -r inara twin`) does
the same at its first use.

Example:
  selfhood persona copy inara twin")]
pub(crate) struct PersonaCopy {
    /// The persona to copy, by name or id.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: String,
    /// The name of the new folder.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

/// Opens a file of a persona in an editor.
#[derive(Args)]
#[command(after_help = "\
The editor is $VISUAL, else $EDITOR, else vi. The next request sees the edit.
An edited persona.json pauses memory until `selfhood persona sign`.

Examples:
  selfhood persona edit                         IDENTITY.md of the only persona
  selfhood persona edit inara SOUL.md
  EDITOR=nano selfhood persona edit inara persona.json")]
pub(crate) struct PersonaEdit {
    /// Its name; when left out, the one named by `--persona`, or the only one.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: Option<String>,
    /// Which of its files.
    #[arg(default_value = "IDENTITY.md")]
    pub(crate) document: String,
}

/// Destroys a persona.
#[derive(Args)]
pub(crate) struct PersonaDelete {
    /// Its name or id.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: String,
    /// Show what would be destroyed, and destroy nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Checks persona documents.
#[derive(Args)]
pub(crate) struct Validate {
    /// A persona of the home, a JSON file, or a folder in which every `persona.json` is checked; when left out, the
    /// persona named by `--persona`.
    #[arg(value_name = "PERSONA|FILE|DIR")]
    pub(crate) path: Option<PathBuf>,
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
