//! The definition of `selfhood key …`.

use clap::{Args, Subcommand};

use super::choice;
use super::moment::Moment;

/// What can be done with API keys.
#[derive(Subcommand)]
pub(crate) enum Key {
    /// Create a key; it is shown once.
    New(KeyNew),
    /// List the tenant's keys, without their secrets.
    List,
    /// Revoke a key, with the page sessions and links made with it; it stays revoked after a restore.
    Revoke(KeyRevoke),
    /// Create a one-time sign-in link to the web page of the running server.
    SignIn,
    /// Signing keys of operators.
    #[command(subcommand)]
    Operator(Operator),
}

/// What can be done with signing keys.
#[derive(Subcommand)]
pub(crate) enum Operator {
    /// Create a signing key.
    New(OperatorNew),
    /// List the signing keys, including revoked ones.
    List,
    /// Revoke a signing key: its signatures no longer count.
    Revoke(OperatorRevoke),
}

/// Makes a signing key.
#[derive(Args)]
pub(crate) struct OperatorNew {
    /// The operator's name.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,
}

/// Revokes a signing key.
#[derive(Args)]
pub(crate) struct OperatorRevoke {
    /// The operator's name, or the key's `did:key`, or its beginning.
    pub(crate) key: String,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Makes a key.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood key new                                     reads and writes, for the person each request names
  selfhood key new --speaks owner --scope read -o quiet     only the key, for scripts
  selfhood key new --tenant scott --expires +90d
  selfhood key new --persona nora --subject ana --label \"Ana's laptop\"   for a client that sends no name")]
pub(crate) struct KeyNew {
    /// Its scopes; `read` and `write` when left out. May be given several times or with commas.
    #[arg(long = "scope", value_name = "SCOPE", value_delimiter = ',', value_parser = choice::scope())]
    pub(crate) scopes: Vec<String>,
    /// Whom it speaks for; `forwarded` (the person each request names) when left out.
    #[arg(long, value_name = "WHO", value_parser = choice::speaks())]
    pub(crate) speaks: Option<String>,
    /// Create the tenant even if its name resembles another.
    #[arg(long)]
    pub(crate) new_tenant: bool,
    /// When it expires: a time, a day, or an interval such as `+90d`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) expires: Option<Moment>,
    /// The only person it speaks for, for clients that send no name. With `--persona` it is limited to that
    /// persona.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Its label in lists.
    #[arg(long, value_name = "WORDS")]
    pub(crate) label: Option<String>,
}

/// Revokes a key.
#[derive(Args)]
pub(crate) struct KeyRevoke {
    /// The key's public id, or its beginning.
    pub(crate) id: String,
    /// Show the key that would be revoked, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}
