//! Fuzzing with the stable compiler: coverage is a flag of the compiler, and libFuzzer comes with its crate. What
//! cargo-fuzz adds, the address sanitizer, needs a nightly compiler and finds little in safe code.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use crate::cargo;

/// How long each target runs unless it is said.
const SECONDS: u64 = 60;
/// What makes the compiler record which branches an input takes.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions";
/// Flags for the targets alone need a named platform; scripts of dependencies are built without them then.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Runs the targets called `names`, or all of them, and says which failed and where the input lies.
pub(crate) fn run(arguments: &[&str]) -> bool {
    let (seconds, names) = match arguments {
        [first, names @ ..] if first.parse::<u64>().is_ok() => (first.parse().unwrap_or(SECONDS), names),
        names => (SECONDS, names),
    };
    let all = targets();
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known == *name)) {
        eprintln!("there is no fuzz target `{unknown}`; these are: {}", all.join(", "));
        return false;
    }
    let chosen = all.iter().filter(|name| names.is_empty() || names.contains(&name.as_str()));
    if !build() {
        return false;
    }
    let failed: Vec<&String> = chosen.filter(|name| !passes(name, seconds)).collect();
    for name in &failed {
        eprintln!("{name}: {}", way_out(name));
    }
    failed.is_empty()
}

/// The names of the targets, as the manifest lists them.
pub(crate) fn targets() -> Vec<String> {
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap_or_default();
    let bins = manifest.split("[[bin]]").skip(1);
    let name = |bin: &str| Some(bin.split_once("name = \"")?.1.split_once('"')?.0.to_owned());
    bins.filter_map(name).collect()
}

/// Says whether all targets compile. They have a lock file of their own, and stand apart from the workspace.
pub(crate) fn check() -> bool {
    let mut command = cargo::command(&["check", "--locked", "--manifest-path"]);
    command.arg(folder().join("Cargo.toml"));
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        command.arg("--target-dir").arg(cargo::root().join("target"));
    }
    command.status().is_ok_and(|status| status.success())
}

/// Builds all targets.
pub(crate) fn build() -> bool {
    let mut command = cargo::command(&["build", "--release", "--locked", "--bins", "--target", PLATFORM]);
    command.arg("--manifest-path").arg(folder().join("Cargo.toml")).arg("--target-dir").arg(built());
    command.env("RUSTFLAGS", COVERAGE).status().is_ok_and(|status| status.success())
}

/// What runs a built target for so many seconds; libFuzzer prints on the error stream.
pub(crate) fn command(name: &str, seconds: u64) -> io::Result<Command> {
    let (corpus, artifacts) = (folder().join("corpus").join(name), folder().join("artifacts").join(name));
    fs::create_dir_all(&corpus).and_then(|()| fs::create_dir_all(&artifacts))?;
    let mut command = Command::new(built().join(PLATFORM).join("release").join(name));
    command.arg(format!("-max_total_time={seconds}")).args(["-timeout=20", "-rss_limit_mb=2048"]);
    command.args(["-max_len=65536", "-print_final_stats=1", "-verbosity=0"]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(&corpus);
    let seeds = folder().join("seeds").join(name);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    Ok(command)
}

/// How many inputs were tried, from libFuzzer's closing statistics.
pub(crate) fn executions(lines: &[String]) -> Option<u64> {
    let of = |line: &String| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok();
    lines.iter().rev().find_map(of)
}

/// What is done with an input that failed.
pub(crate) fn way_out(name: &str) -> String {
    format!(
        "an input failed; it lies in fuzz/artifacts/{name}, and belongs into fuzz/seeds/{name} once it is mended"
    )
}

fn passes(name: &str, seconds: u64) -> bool {
    eprintln!("{name}, {seconds} s");
    command(name, seconds).and_then(|mut command| command.status()).is_ok_and(|status| status.success())
}

fn folder() -> PathBuf {
    cargo::root().join("fuzz")
}

fn built() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder().join("target"), PathBuf::from).join("fuzz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_statistics_tell_how_many_inputs_were_tried() {
        let lines = ["Done 4711 runs in 10 second(s)", "stat::number_of_executed_units: 4711"];
        assert_eq!(executions(&lines.map(str::to_owned)), Some(4711));
        assert_eq!(executions(&["stat::average_exec_per_sec: 5".to_owned()]), None);
    }

    #[test]
    fn the_manifest_lists_the_targets() {
        assert!(targets().contains(&"tokeniser".to_owned()));
    }
}
