//! `selfhood model …` as people type it.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What can be done with the model that answers.
#[derive(Subcommand)]
pub(crate) enum Model {
    /// Show the model that answers, and which ones could be connected.
    Show,
    /// Connect a model: it answers from now on, without a restart.
    Connect(ModelConnect),
    /// Disconnect the model and delete its API key; personas answer from what they remember.
    Disconnect,
}

/// Connects a model.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood model connect                              the model server found on this machine
  selfhood model connect --model qwen3:4b             one of its models
  selfhood model connect --provider openai --model gpt-5-mini --key-file key.txt
  pass show openai | selfhood model connect --provider openai --model gpt-5-mini --key-file -

The API key is stored sealed, for this tenant only, and is never shown again.")]
pub(crate) struct ModelConnect {
    /// A provider by its short name, or the address of one; when left out, the server found on this machine.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// The model, as its server calls it; when left out, its first one.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// The file that holds the API key; `-` reads it from stdin.
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}
