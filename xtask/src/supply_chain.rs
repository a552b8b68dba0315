//! What is known about the crates we build with: licences, advisories, sources and duplicates. `deny.toml` holds the
//! rules. The fuzz targets have a lock file of their own, so they are checked besides.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// How strict a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Without cargo-deny nothing is checked, and the run says so; with it, what needs no network: a change must not
    /// fail because of the day's advisories, or because they can't be fetched.
    Skip,
    /// Everything, and without cargo-deny the run fails.
    Fail,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// It was not made, for this reason.
    Skipped(&'static str),
}

const NO_DENY: &str = "cargo-deny is not installed; cargo install cargo-deny";
const NO_AUDIT: &str = "cargo-audit is not installed; cargo install cargo-audit";
/// The fuzz targets, from the folder of the project.
const FUZZ: &str = "fuzz/Cargo.toml";

/// Checks the rules of `deny.toml` for the program and for the fuzz targets.
pub(crate) fn supply_chain(missing: Missing) -> Verdict {
    if !cargo::has("deny") {
        return match missing {
            Missing::Skip => Verdict::Skipped(NO_DENY),
            Missing::Fail => {
                eprintln!("failed: {NO_DENY}");
                Verdict::Failed
            }
        };
    }
    let checks: &[&str] = match missing {
        Missing::Skip => &["licenses", "bans", "sources"],
        Missing::Fail => &[],
    };
    let program = denies(&[], checks);
    let fuzz = denies(&["--manifest-path", FUZZ], checks);
    if program && fuzz { Verdict::Passed } else { Verdict::Failed }
}

/// Checks everything, fails where cargo-deny is missing, and says of which day the advisories are.
pub(crate) fn run_strictly() -> bool {
    let denied = supply_chain(Missing::Fail) == Verdict::Passed;
    let audited = if cargo::has("audit") {
        ["Cargo.lock", "fuzz/Cargo.lock"].map(audits).iter().all(|passed| *passed)
    } else {
        eprintln!("skipped: {NO_AUDIT}");
        true
    };
    print_database_dates();
    denied && audited
}

/// The rules are named by their whole path: cargo-deny would look for others beside the manifest. It takes all of this only
/// before the name of its command.
fn denies(more: &[&str], checks: &[&str]) -> bool {
    let rules = cargo::root().join("deny.toml");
    let rules = rules.to_string_lossy();
    cargo::succeeds(&[&["deny", "--config", &rules], more, &["check"], checks].concat())
}

fn audits(lock: &str) -> bool {
    cargo::succeeds(&["audit", "--deny", "unsound", "--deny", "yanked", "--file", lock])
}

/// Advisories are only as good as they are recent.
fn print_database_dates() {
    let databases = databases(&cargo::home());
    if databases.is_empty() {
        println!("advisory database: none found");
    }
    for database in databases {
        let name = database.file_name().unwrap_or_default().to_string_lossy();
        let date = last_commit(&database).unwrap_or_else(|| "of an unknown date".to_owned());
        println!("advisory database {name}: {date}");
    }
}

/// Where cargo-deny (one folder for each source) and cargo-audit keep their copies of the advisories.
fn databases(cargo_home: &Path) -> Vec<PathBuf> {
    let of_deny = fs::read_dir(cargo_home.join("advisory-dbs")).into_iter().flatten().flatten();
    let all = of_deny.map(|entry| entry.path()).chain([cargo_home.join("advisory-db")]);
    let mut found: Vec<PathBuf> = all.filter(|folder| folder.join(".git").exists()).collect();
    found.sort();
    found
}

fn last_commit(repository: &Path) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(repository).args(["log", "-1", "--format=%cs"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let date = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!date.is_empty()).then_some(date)
}
