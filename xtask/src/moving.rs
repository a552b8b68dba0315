//! Moving in and out, tried with what others wrote: `SillyTavern`'s server, mem0, Letta's agent files and the reference
//! memory server read what we write and write what we read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;
use crate::sdks::{self, cache, marked, python_with, succeeds};
use crate::stage::{ChoreResult, Profile, Stage};

/// The versions that are tried with, so that a run says the same next year.
const MEM0: &[&str] = &["mem0ai==2.2.1"];
const LETTA: &[&str] = &["letta==0.16.8", "asyncpg==0.32.0"];
/// What resolves Letta's many dependencies in seconds; pip takes half an hour.
const UV: &str = "uv==0.13.7";
const JAVASCRIPT: &[&str] = &["sillytavern@1.19.0", "@modelcontextprotocol/server-memory@2026.8.31"];

/// Tries everything; on a machine without Python or Node it says so.
pub(crate) fn run() -> bool {
    match tried() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("moving: {why}");
            false
        }
    }
}

fn tried() -> ChoreResult<()> {
    if !sdks::is_possible() {
        return Err("needs Python 3 with venv, Node and npm".to_owned());
    }
    let packages = javascript()?;
    let stage = Stage::new("moving", Profile::Dev)?;
    let seed = cargo::root().join("fuzz/seeds/letta/agent.json");
    let (system, mem0, letta) = (PathBuf::from("python3"), python_with(MEM0)?, python_with_letta()?);
    let tries = [
        ("sillytavern.py", &system, Some(packages.as_path()), None),
        ("memory_server.py", &system, Some(packages.as_path()), None),
        ("mem0_writes.py", &mem0, None, None),
        ("letta_writes.py", &letta, None, Some(seed.as_path())),
    ];
    let mut failed = Vec::new();
    for (script, python, first, last) in tries {
        if !passes(&stage, script, python, first, last) {
            failed.push(script);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not as expected: {}", failed.join(", "))) }
}

/// Runs a script on a home of its own.
fn passes(stage: &Stage, script: &str, python: &Path, first: Option<&Path>, last: Option<&Path>) -> bool {
    let folder = stage.folder.join(script.trim_end_matches(".py"));
    if fs::create_dir_all(&folder).is_err() {
        return false;
    }
    eprintln!("{script}");
    let mut command = Command::new(python);
    command.arg(cargo::root().join("xtask").join("moving").join(script)).args(first);
    command.arg(stage.binary()).arg(folder.join("home")).arg(&folder).args(last);
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("TMPDIR", &folder);
    command.status().is_ok_and(|status| status.success())
}

fn python_with_letta() -> ChoreResult<PathBuf> {
    let folder = cache()?.join(LETTA.join("+"));
    let (python, mark) = (folder.join("bin").join("python"), folder.join("installed"));
    if mark.exists() {
        return Ok(python);
    }
    let uv = python_with(&[UV])?.with_file_name("uv");
    eprintln!("installing {} into {}", LETTA.join(" and "), folder.display());
    let is_made = succeeds(Command::new(&uv).args(["venv", "--quiet", "--clear"]).arg(&folder))
        && succeeds(
            Command::new(&uv).args(["pip", "install", "--quiet", "--python"]).arg(&python).args(LETTA),
        );
    marked(is_made, &mark, "Letta").map(|()| python)
}

/// The folder that holds the packages from npm, filled once. None of them needs to run anything while it is installed.
fn javascript() -> ChoreResult<PathBuf> {
    let folder = cache()?.join("moving-packages-1");
    let (mark, packages) = (folder.join("installed"), folder.join("node_modules"));
    if mark.exists() {
        return Ok(packages);
    }
    eprintln!("installing {} into {}", JAVASCRIPT.join(" and "), folder.display());
    let mut install = Command::new("npm");
    install.args(["install", "--ignore-scripts", "--no-fund", "--no-audit", "--prefix"]);
    install.arg(&folder).args(JAVASCRIPT);
    let is_made = fs::create_dir_all(&folder).is_ok() && succeeds(&mut install);
    marked(is_made, &mark, "SillyTavern and the memory server").map(|()| packages)
}
