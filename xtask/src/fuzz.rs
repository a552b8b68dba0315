//! Fuzzing with the stable compiler: coverage is a flag of the compiler, and libFuzzer comes with its crate. What
//! cargo-fuzz adds, the address sanitizer, needs a nightly compiler and finds little in safe code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;

/// How long each target runs unless it is said.
const SECONDS: u32 = 60;
/// What makes the compiler record which branches an input takes.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions";
/// Flags for the targets alone need a named platform; scripts of dependencies are built without them then.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Runs the targets called `names`, or all of them, and says which failed and where the input lies.
pub(crate) fn run(arguments: &[&str]) -> bool {
    let (seconds, names) = match arguments {
        [first, names @ ..] if first.parse::<u32>().is_ok() => (first.parse().unwrap_or(SECONDS), names),
        names => (SECONDS, names),
    };
    let fuzz = cargo::root().join("fuzz");
    let all = targets(&fuzz);
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known == *name)) {
        eprintln!("there is no fuzz target `{unknown}`; these are: {}", all.join(", "));
        return false;
    }
    let chosen = all.iter().filter(|name| names.is_empty() || names.contains(&name.as_str()));
    if !build(&fuzz) {
        return false;
    }
    let failed: Vec<&String> = chosen.filter(|name| !passes(&fuzz, name, seconds)).collect();
    for name in &failed {
        eprintln!(
            "{name}: an input failed; it lies in fuzz/artifacts/{name}, and belongs into fuzz/seeds/{name} once it is mended"
        );
    }
    failed.is_empty()
}

/// The names of the targets, as the manifest lists them.
fn targets(fuzz: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap_or_default();
    let bins = manifest.split("[[bin]]").skip(1);
    let name = |bin: &str| Some(bin.split_once("name = \"")?.1.split_once('"')?.0.to_owned());
    bins.filter_map(name).collect()
}

fn built(fuzz: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| fuzz.join("target"), PathBuf::from).join("fuzz")
}

fn build(fuzz: &Path) -> bool {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--release", "--locked", "--bins", "--target", PLATFORM, "--manifest-path"]);
    command.arg(fuzz.join("Cargo.toml")).arg("--target-dir").arg(built(fuzz)).env("RUSTFLAGS", COVERAGE);
    command.status().is_ok_and(|status| status.success())
}

fn passes(fuzz: &Path, name: &str, seconds: u32) -> bool {
    let (corpus, artifacts) = (fuzz.join("corpus").join(name), fuzz.join("artifacts").join(name));
    if fs::create_dir_all(&corpus).and_then(|()| fs::create_dir_all(&artifacts)).is_err() {
        return false;
    }
    eprintln!("{name}, {seconds} s");
    let mut command = Command::new(built(fuzz).join(PLATFORM).join("release").join(name));
    command.arg(format!("-max_total_time={seconds}")).args(["-timeout=20", "-rss_limit_mb=2048"]);
    command.args(["-max_len=65536", "-print_final_stats=1", "-verbosity=0"]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(&corpus);
    let seeds = fuzz.join("seeds").join(name);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    command.status().is_ok_and(|status| status.success())
}
