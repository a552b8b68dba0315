//! `selfhood man [DIR]`.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use wire::{Code, Exit, Problem};

use crate::cli::{self, Cli};
use crate::output;
use crate::report;

/// Prints the main manual page, or writes one page per command into a folder.
pub(crate) fn run(asked: &cli::Man) -> Result<Exit, Problem> {
    match &asked.dir {
        Some(dir) => write_all(dir)?,
        None => output::text(&main_page()?)?,
    }
    Ok(Exit::Ok)
}

fn main_page() -> Result<String, Problem> {
    let mut page = Vec::new();
    let internal =
        |error: String| Problem::new(Code::Internal, format!("the manual page can't be written: {error}"));
    Man::new(Cli::command()).render(&mut page).map_err(|error| internal(error.to_string()))?;
    String::from_utf8(page).map_err(|error| internal(error.to_string()))
}

fn write_all(dir: &Path) -> Result<(), Problem> {
    let failed = |error: io::Error| {
        Problem::new(Code::IoFailed, format!("can't write manual pages into {}: {error}", dir.display()))
    };
    fs::create_dir_all(dir).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(failed)?;
    report::note(format_args!("wrote the manual pages into {}; read one with `man -l`", dir.display()));
    Ok(())
}
