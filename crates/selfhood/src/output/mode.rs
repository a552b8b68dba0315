//! The output modes.

use clap::ValueEnum;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Aligned columns with a heading.
    Table,
    /// Tab-separated values, no heading.
    Tsv,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values with a heading (RFC 4180).
    Csv,
    /// Only the first column.
    Quiet,
    /// An HTML page, for commands that have one.
    Html,
}
