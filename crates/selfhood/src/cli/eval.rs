//! The definition of `selfhood eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// The benchmarks.
#[derive(Subcommand)]
pub(crate) enum Eval {
    /// Everyday talk: what a persona knows of people after months, and what they say next.
    Everyday(Everyday),
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

/// A file of everyday talk.
#[derive(Args)]
#[command(after_help = "\
The file is `{\"cases\": [{id, subject, memories: [{id, gist, kind, details, salience, daysAgo}],
asks: [{cue, expect: [ids], type}]}]}`. Every case is one person with the assistant template; each thing is
said in a conversation of its own. `recall` is the part of the expected memories that were rendered;
`known` is how surely known things are told from unknown ones (AUC).
With `--read` the memories go to the server of that model; the last line counts its answers.")]
pub(crate) struct Everyday {
    /// The file with people, their memories and what they say next.
    pub(crate) file: PathBuf,
    /// A file with cues for the memories: `{case: {memory: [cues]}}`.
    #[arg(long, value_name = "FILE")]
    pub(crate) cues: Option<PathBuf>,
    /// How many memories are rendered.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) places: u32,
    /// Treat all people of one language as one person.
    #[arg(long)]
    pub(crate) pooled: bool,
    /// Let the model of the role `recall` select from the best 40, as a recall does where one is configured.
    #[arg(long)]
    pub(crate) read: bool,
}
