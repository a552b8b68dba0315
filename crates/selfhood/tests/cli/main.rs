//! The real program, run as people and scripts run it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage fails loudly"
)]

mod config;
mod output;
mod sign;
mod validate;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for one test: a home, and nothing of the machine's environment.
struct Stage {
    folder: TempDir,
}

/// How a run of the program ended, and what it said.
struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Stage {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// The path as text, for arguments.
    fn at(&self, below: &str) -> String {
        self.path(below).to_str().unwrap().to_owned()
    }

    fn write(&self, below: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.at(below)
    }

    /// Puts the example persona into the home of this stage, changed by `change`.
    fn persona(&self, place: &str, change: impl Fn(&mut Value)) -> String {
        let mut document = serde_json::to_value(domain::example::persona()).unwrap();
        change(&mut document);
        self.write(&format!("{place}/persona.json"), serde_json::to_vec_pretty(&document).unwrap())
    }

    fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap()
    }

    fn json(&self, below: &str) -> Value {
        serde_json::from_str(&self.read(below)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_in(&[], arguments)
    }

    fn run_in(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_selfhood"))
            .env_clear()
            .env("SELFHOOD_HOME", self.path("home"))
            .envs(environment.iter().copied())
            .current_dir(self.folder.path())
            .args(arguments)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            status: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Ran {
    /// Stdout as JSON, after a run that succeeded.
    fn rows(&self) -> Vec<Value> {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.stdout, self.stderr))
    }

    /// The problem on stderr, after a run with `-o json` that failed.
    fn problem(&self) -> Value {
        let line = self.stderr.lines().last().unwrap_or_default();
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {}", self.stderr))
    }
}

fn file_names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
