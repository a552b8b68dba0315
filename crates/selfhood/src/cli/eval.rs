//! The words of `selfhood eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Which benchmark is asked.
#[derive(Subcommand)]
pub(crate) enum Eval {
    /// LoCoMo: long talks of two people, with questions about them.
    Locomo(Benchmark),
    /// LongMemEval: a user's sessions with an assistant, one question to each haystack.
    Longmemeval(Benchmark),
}

/// A file of a benchmark.
#[derive(Args)]
#[command(after_help = "\
Turns become memories and each question is asked with the shipped defaults: no model, no rehearsal.
The files are not part of Selfhood; LoCoMo is CC BY-NC, for evaluation only.")]
pub(crate) struct Benchmark {
    /// The benchmark's JSON file.
    pub(crate) file: PathBuf,
}
