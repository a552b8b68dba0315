//! The definition of `selfhood consent …`.

use clap::{Args, Subcommand};

use super::choice;

/// What can be done with consents.
#[derive(Subcommand)]
pub(crate) enum Consent {
    /// Record that a person agreed to storing memories of some privacy classes.
    Give(ConsentGive),
    /// List a person's consents, including withdrawn ones.
    List(ConsentNamed),
    /// Withdraw all consents of a person: memories that depend on them are hidden at once and deleted by the
    /// next sweep.
    Withdraw(ConsentWithdraw),
}

/// Records a consent.
#[derive(Args)]
#[command(after_help = "\
Sensitive memories (health, religion, sexuality, politics, biometrics) need a recorded consent, and a
persona whose safety tier and compliance profiles permit them.

Example:
  selfhood consent give nora ana --class sensitive-pii --how \"signed the form at the desk on 3 May\"")]
pub(crate) struct ConsentGive {
    /// The persona that may store the memories.
    pub(crate) persona: String,
    /// The person who agreed, by reference or alias.
    pub(crate) subject: String,
    /// A privacy class that may be stored; may be given several times.
    #[arg(long = "class", value_name = "CLASS", required = true, value_parser = choice::privacy_class())]
    pub(crate) classes: Vec<String>,
    /// How the person agreed, so that it can be checked later.
    #[arg(long, value_name = "TEXT", default_value = "recorded by an operator at the command line")]
    pub(crate) how: String,
    /// The consent basis of memories stored under it; `explicit-consent` when left out.
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
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}
