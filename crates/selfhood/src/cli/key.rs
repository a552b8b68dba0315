//! `selfhood key …` as people type it.

use clap::{Args, Subcommand};

use super::choice;
use super::moment::Moment;

/// What can be done with API keys.
#[derive(Subcommand)]
pub(crate) enum Key {
    /// Make a key; it is shown once.
    New(KeyNew),
    /// List the tenant's keys, without their secrets.
    List,
    /// Revoke a key for good, with the page sessions and links made with it; also for restored backups.
    Revoke(KeyRevoke),
    /// Make a link that opens the web page of the running server, once.
    SignIn,
    /// Keys that operators sign with.
    #[command(subcommand)]
    Operator(Operator),
}

/// What can be done with the keys of operators.
#[derive(Subcommand)]
pub(crate) enum Operator {
    /// Make a signing key.
    New(OperatorNew),
    /// List the signing keys, revoked ones too.
    List,
    /// Revoke a signing key: nothing it signs counts any more.
    Revoke(OperatorRevoke),
}

/// Makes a signing key.
#[derive(Args)]
pub(crate) struct OperatorNew {
    /// What people call the operator.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: String,
}

/// Revokes a signing key.
#[derive(Args)]
pub(crate) struct OperatorRevoke {
    /// The operator's name, or the key's `did:key`, or its beginning.
    pub(crate) key: String,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Makes a key.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood key new                                     reads and writes, for whoever each request names
  selfhood key new --speaks owner --scope read -o quiet     only the key, for scripts
  selfhood key new --tenant scott --expires +90d
  selfhood key new --persona nora --subject ana --label \"Ana's laptop\"   for a client that sends no name")]
pub(crate) struct KeyNew {
    /// What it may do; `read` and `write` when left out. May be given several times or with commas.
    #[arg(long = "scope", value_name = "SCOPE", value_delimiter = ',', value_parser = choice::scope())]
    pub(crate) scopes: Vec<String>,
    /// Whom it speaks for; `forwarded` (whoever each request names) when left out.
    #[arg(long, value_name = "WHO", value_parser = choice::speaks())]
    pub(crate) speaks: Option<String>,
    /// When it stops working: a time, a day, or a distance such as `+90d`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) expires: Option<Moment>,
    /// The only person it speaks for, for clients that send no name. With `--persona` it opens that persona only.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// What to call it in lists.
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
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}
