//! The reference pages of the guide, made from what the program really has: its settings, its commands and the schema
//! of a persona's policy. A test keeps the pages equal to it, and writes them when they are not.

mod commands;
mod policy;
mod settings;

use std::fs;
use std::path::PathBuf;

/// Compares a page of `docs/` with what it should be; one that differs is written, so that it only has to be looked at.
fn demand(page: &str, text: &str) {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let path = PathBuf::from(folder).join("../../docs").join(page);
    if fs::read_to_string(&path).unwrap_or_default() != text {
        fs::write(&path, text).unwrap();
        panic!("docs/{page} was not what the program says; it has been written, look at it and commit it");
    }
}

/// Text that may stand in a cell of a table.
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
