//! Generates the reference pages of the guide from the program: its settings, its commands and the schema of
//! a persona's policy. A test compares the pages, and writes them when they differ.

mod commands;
mod policy;
mod settings;

use std::fs;
use std::path::PathBuf;

/// Compares a page of `docs/` with the generated text; if it differs, it is written, so that it only has to
/// be reviewed.
fn demand(page: &str, text: &str) {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let path = PathBuf::from(folder).join("../../docs").join(page);
    if fs::read_to_string(&path).unwrap_or_default() != text {
        fs::write(&path, text).unwrap();
        panic!("docs/{page} was out of date; it has been written, review and commit it");
    }
}

/// Text for a table cell.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

#[test]
fn the_reference_of_settings_is_what_the_program_reads() {
    demand("configuration.md", &settings::page());
}

#[test]
fn the_reference_of_commands_is_what_the_program_takes() {
    demand("commands.md", &commands::page());
}

#[test]
fn the_reference_of_the_policy_is_its_schema() {
    demand("policy.md", &policy::page());
}
