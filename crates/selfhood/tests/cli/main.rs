//! The real program, run as people and scripts run it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage fails loudly"
)]

mod agents;
mod both_ways;
mod chat;
mod config;
mod consents;
mod demo;
mod docs;
mod first_minutes;
mod first_run;
mod forgetting;
mod keys;
mod many_nodes;
mod memories;
mod models;
mod moving;
mod large_imports;
mod output;
mod personas;
mod postgres;
mod proofs;
mod serving;
mod sessions;
mod sign;
#[cfg(target_os = "linux")]
mod stopping;
mod telemetry;
#[cfg(target_os = "linux")]
mod terminal;
mod timelines;
mod transfer;
mod upgrade;
mod upkeep;
mod validate;
mod vectors;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

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
        ended(self.command(environment, arguments).output().unwrap())
    }

    /// Runs the program with `input` on its stdin.
    fn run_with_input(&self, input: &str, arguments: &[&str]) -> Ran {
        let mut command = self.command(&[], arguments);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        ended(child.wait_with_output().unwrap())
    }

    /// A home with the persona `inara`.
    fn with_inara() -> Self {
        let stage = Self::new();
        let made = stage.run(&["persona", "new", "inara", "--description", "A concierge."]);
        assert_eq!(made.status, 0, "{}", made.stderr);
        stage
    }

    /// Starts a server on the home of this stage, on any free port.
    fn serve(&self, arguments: &[&str]) -> Serving {
        self.serve_in(&[], arguments)
    }

    fn serve_in(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Serving {
        let arguments = [&["serve", "--port", "0"], arguments].concat();
        let mut command = self.command(environment, &arguments);
        let pipes = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut serving = Serving::started(pipes.spawn().unwrap());
        while serving.address.is_empty() {
            let mut line = String::new();
            let read = serving.stderr.read_line(&mut line).unwrap();
            serving.said.push_str(&line);
            assert!(read > 0, "the server did not start: {}", serving.said);
            if let Some(url) = line.trim().strip_prefix("listening on ") {
                serving.address = url.strip_prefix("http://").unwrap_or(url).to_owned();
            }
        }
        serving
    }

    fn command(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selfhood"));
        command
            .env_clear()
            .env("SELFHOOD_HOME", self.path("home"))
            .envs(environment.iter().copied())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .args(arguments);
        command
    }
}

fn ended(output: std::process::Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { status: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A server that runs until the test is over.
struct Serving {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
    /// What it said up to the line that it listens.
    said: String,
}

impl Serving {
    fn started(mut child: Child) -> Self {
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr, address: String::new(), said: String::new() }
    }

    /// Asks it to end, and waits until it has; gives its exit status and its last words.
    fn end(mut self) -> (i32, String) {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(asked.success());
        let mut words = String::new();
        self.stderr.read_to_string(&mut words).unwrap();
        (self.child.wait().unwrap().code().unwrap_or(-1), words)
    }

    /// Ends it without a chance to tidy up.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The answer to a request over HTTP: its status and its body.
    fn get(&self, path: &str, key: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), key, "")
    }

    /// The answer to a request with a JSON body.
    fn post(&self, path: &str, key: &str, body: &str) -> (u16, String) {
        self.ask(&format!("POST {path}"), key, body)
    }

    fn ask(&self, what: &str, key: &str, body: &str) -> (u16, String) {
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "{what} HTTP/1.1\r\nhost: {}\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ran {
    /// Stdout as JSON, after a run that succeeded.
    fn rows(&self) -> Vec<Value> {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.stdout, self.stderr))
    }

    /// The one object on stdout, after a run with `-o json` that succeeded.
    fn object(&self) -> Value {
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
