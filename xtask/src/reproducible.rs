//! Whether one commit, built in two folders, gives the same program.
//!
//! Three things would make two builds differ: the folder of the source, the folder of cargo and the time, which the C
//! code of mimalloc contains. `.github/workflows/release.yml` sets the same variables as [`build`].

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use crate::cargo;
use crate::stage::ChoreResult;

/// Builds the last commit twice and compares the two. Changes that are not committed take no part.
pub(crate) fn run() -> bool {
    match compare() {
        Ok(digest) => println!("the two builds are the same file: sha256 {digest}"),
        Err(problem) => {
            eprintln!("{problem}");
            return false;
        }
    }
    true
}

fn compare() -> ChoreResult<String> {
    let folder = env::temp_dir().join(format!("reproducible-{}", process::id()));
    // The names differ in length: a path that is compiled in then moves everything behind it.
    let first = build(&folder.join("one"))?;
    let second = build(&folder.join("another-folder"))?;
    let (digest, other) = (sha256(&first)?, sha256(&second)?);
    if digest != other {
        let place = first_difference(&first, &second)?;
        let kept = folder.display();
        return Err(format!("the builds differ first in {place}: {digest} and {other}; both are in {kept}"));
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("can't remove {}: {error}", folder.display()))?;
    Ok(digest)
}

/// Builds the last commit in `folder` as the release workflow does, and returns the program.
fn build(folder: &Path) -> ChoreResult<PathBuf> {
    fs::create_dir_all(folder).map_err(|error| format!("can't create {}: {error}", folder.display()))?;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let archive = folder.with_extension("tar");
    output(git().args(["archive", "--format=tar", "HEAD", "--output"]).arg(&archive))?;
    output(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&folder))?;
    let time = output(git().args(["log", "-1", "--format=%ct"]))?;
    let version = output(Command::new("rustc").arg("-vV"))?;
    let platform =
        version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;

    let prefixes = [(folder.display(), "/source"), (cargo::home().display(), "/cargo")]
        .map(|(real, recorded)| format!("{real}={recorded}"));
    let rust = prefixes.clone().map(|prefix| format!("--remap-path-prefix={prefix}")).join("\x1f");
    let c = prefixes.map(|prefix| format!("-ffile-prefix-map={prefix}")).join(" ");
    let mut command = cargo::command(&["build", "--release", "--locked", "--package", "selfhood"]);
    command.args(["--target", platform, "--target-dir", "target"]).current_dir(&folder);
    command.env("SOURCE_DATE_EPOCH", time).env("CARGO_ENCODED_RUSTFLAGS", rust).env("CFLAGS", c);
    let built = command.status().is_ok_and(|status| status.success());
    let program = folder.join("target").join(platform).join("release").join("selfhood");
    if built { Ok(program) } else { Err(format!("the build in {} failed", folder.display())) }
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(cargo::root());
    git
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> ChoreResult<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("can't start {name}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&done.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

fn sha256(file: &Path) -> ChoreResult<String> {
    let line = output(Command::new("sha256sum").arg(file))
        .or_else(|_| output(Command::new("shasum").args(["--algorithm", "256"]).arg(file)))?;
    Ok(line.split_whitespace().next().unwrap_or_default().to_owned())
}

/// The first section whose content differs, by the table that `readelf` prints.
fn first_difference(first: &Path, second: &Path) -> ChoreResult<String> {
    let table = |file: &Path| output(Command::new("readelf").args(["--wide", "--section-headers"]).arg(file));
    let (Ok(of_first), Ok(of_second)) = (table(first), table(second)) else {
        return Ok("an unknown section (readelf can't read them)".to_owned());
    };
    let read = |file: &Path| fs::read(file).map_err(|error| format!("{}: {error}", file.display()));
    let (bytes, others) = (read(first)?, read(second)?);
    let counterparts = sections(&of_second);
    let differs = |(name, range): &(&str, Range<usize>)| {
        let counterpart = counterparts.iter().find(|(other, _)| other == name);
        counterpart.is_none_or(|(_, other)| bytes.get(range.clone()) != others.get(other.clone()))
    };
    let found = sections(&of_first).into_iter().find(differs);
    Ok(found.map_or("the headers", |(name, _)| name).to_owned())
}

/// The sections that have bytes in the file, from lines such as `[ 1] .interp PROGBITS 0318 000318 00001c 00 A 0 0 1`.
fn sections(table: &str) -> Vec<(&str, Range<usize>)> {
    let section = |line| {
        let fields: Vec<&str> = str::split_once(line, ']')?.1.split_whitespace().collect();
        let [name, kind, _, start, size, ..] = fields[..] else { return None };
        let hex = |text| usize::from_str_radix(text, 16).ok();
        (kind != "NOBITS").then_some((name, hex(start)?..hex(start)? + hex(size)?))
    };
    table.lines().filter_map(section).collect()
}
