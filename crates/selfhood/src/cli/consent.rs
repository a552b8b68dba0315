//! `selfhood consent …` as people type it.

use clap::{Args, Subcommand};

use super::choice;

/// What can be done with consents.
#[derive(Subcommand)]
pub(crate) enum Consent {
    /// Record that somebody agreed to have memories of some privacy classes kept.
    Give(ConsentGive),
    /// List what somebody has agreed to, withdrawn consents too.
    List(ConsentNamed),
    /// Withdraw everything somebody has agreed to: memories that rest on it are hidden at once and deleted by the
    /// next sweep.
    Withdraw(ConsentWithdraw),
}

/// Records a consent.
#[derive(Args)]
#[command(after_help = "\
Sensitive memories (health, religion, sexuality, politics, biometrics) need a consent on record, besides a
persona whose safety tier and compliance profiles permit them.

Example:
  selfhood consent give nora ana --class sensitive-pii --how \"signed the form at the desk on 3 May\"")]
pub(crate) struct ConsentGive {
    /// The persona that may keep the memories.
    pub(crate) persona: String,
    /// The person who agreed, by reference or alias.
    pub(crate) subject: String,
    /// A privacy class that may be kept; may be given several times.
    #[arg(long = "class", value_name = "CLASS", required = true, value_parser = choice::privacy_class())]
    pub(crate) classes: Vec<String>,
    /// How the person agreed, so that somebody can check it later.
    #[arg(long, value_name = "TEXT", default_value = "recorded by an operator at the command line")]
    pub(crate) how: String,
    /// The basis memories kept under it name; `explicit-consent` when left out.
    #[arg(long, value_name = "BASIS")]
    pub(crate) basis: Option<String>,
}

/// Names a persona and a person.
#[derive(Args)]
pub(crate) struct ConsentNamed {
    /// The persona.
    pub(crate) persona: String,
    /// The person, by reference or alias.
    pub(crate) subject: String,
}

/// Withdraws consents.
#[derive(Args)]
pub(crate) struct ConsentWithdraw {
    #[command(flatten)]
    pub(crate) named: ConsentNamed,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}
