//! What is needed before the first gate: a PostgreSQL that starts, and everything built.

use std::time::Instant;

use super::steps::{Step, Work};
use crate::stage::ChoreResult;
use crate::{cargo, contract, fuzz, postgres};

/// What can't be had here, with the reason. Its steps are not run, and their rows say so.
#[derive(Debug, Default)]
pub(super) struct Missing {
    contract: Option<String>,
    fuzz: Option<String>,
}

impl Missing {
    pub(super) fn reason(&self, step: &Step) -> Option<String> {
        match step.work {
            Work::Contract => self.contract.clone(),
            Work::Fuzz(_) => self.fuzz.clone(),
            Work::Sound(_) | Work::Broken(..) => None,
        }
    }
}

/// Builds what `steps` need; an error if the gates themselves can't be run.
pub(super) fn prepare(steps: &[&Step]) -> ChoreResult<Missing> {
    let began = Instant::now();
    let mut builds: Vec<Vec<&str>> = Vec::new();
    for arguments in steps.iter().filter_map(|step| step.cargo_arguments()) {
        if !builds.contains(&arguments) {
            builds.push(arguments);
        }
    }
    if !builds.is_empty() {
        // Some gates need one. To learn it after hours would be late.
        drop(postgres::start().ok_or("some gates need PostgreSQL, so nothing was run")?);
    }
    eprintln!("building everything first, {} sets of tests; no budget counts that", builds.len());
    for mut arguments in builds {
        arguments.push("--no-run");
        if !cargo::succeeds(&arguments) {
            return Err(format!("`cargo {}` fails, so nothing was run", arguments.join(" ")));
        }
    }
    let any = |is_one: fn(&Work) -> bool| steps.iter().any(|step| is_one(&step.work));
    let mut missing = Missing::default();
    if any(|work| matches!(work, Work::Contract)) {
        missing.contract = contract::installed().err();
        if missing.contract.is_none() && !cargo::succeeds(&["build", "-p", "selfhood"]) {
            return Err("the program does not build, so nothing was run".to_owned());
        }
    }
    if any(|work| matches!(work, Work::Fuzz(_))) && !fuzz::build() {
        missing.fuzz = Some("the fuzz targets can't be built here; `cargo xtask fuzz` says why".to_owned());
    }
    eprintln!("built in {} minutes", began.elapsed().as_secs() / 60);
    Ok(missing)
}
