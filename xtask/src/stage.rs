//! The built binary on a home of its own, for the chores that try or measure it from outside.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::cargo;

/// The result of a chore: what went wrong is a sentence for the person who started it.
pub(crate) type ChoreResult<T> = Result<T, String>;

/// How the binary is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quickly, with every check on.
    Dev,
    /// The same, with what the MCP conformance suite calls.
    Conformance,
    /// As people run it.
    Release,
}

/// A folder with a home, and the binary that uses it. The folder goes with it.
pub(crate) struct Stage {
    binary: PathBuf,
    pub(crate) folder: PathBuf,
}

/// A server that runs until it is dropped.
pub(crate) struct Serving {
    child: Child,
    /// Such as `127.0.0.1:40123`.
    pub(crate) address: String,
    /// How long it took from its start to its first answer.
    pub(crate) ready_after: Duration,
}

/// Limits so wide that what is measured is the server and not its patience.
const WIDE: &str = "[limits]\nrequests_per_second = 1000000\nburst = 1000000\nwrong_keys = 1000000\nrequests_at_once = 4096\n";

impl Stage {
    /// Builds the binary, and an empty home named after `chore`.
    pub(crate) fn new(chore: &str, profile: Profile) -> ChoreResult<Self> {
        let (arguments, folder): (&[&str], _) = match profile {
            Profile::Dev => (&["build", "-p", "selfhood"], "debug"),
            Profile::Conformance => (&["build", "-p", "selfhood", "--features", "conformance"], "debug"),
            Profile::Release => (&["build", "--release", "-p", "selfhood"], "release"),
        };
        if !cargo::succeeds(arguments) {
            return Err("the binary does not build".to_owned());
        }
        let built =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| cargo::root().join("target"), PathBuf::from);
        Self::with_binary(chore, built.join(folder).join(format!("selfhood{}", env::consts::EXE_SUFFIX)))
    }

    /// An empty home named after `chore`, for a program that was built before.
    pub(crate) fn with_binary(chore: &str, binary: PathBuf) -> ChoreResult<Self> {
        let folder = env::temp_dir().join(format!("stage-{chore}-{}", std::process::id()));
        let stage = Self { binary, folder };
        stage.write("home/selfhood.toml", WIDE)?;
        Ok(stage)
    }

    /// The built binary.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    /// Writes a file below the folder.
    pub(crate) fn write(&self, below: &str, text: &str) -> ChoreResult<PathBuf> {
        let path = self.folder.join(below);
        let parent = path.parent().unwrap_or(Path::new("/"));
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
        written.map(|()| path.clone()).map_err(|error| format!("can't write {}: {error}", path.display()))
    }

    /// Adds to the settings of the home.
    pub(crate) fn add_settings(&self, settings: &str) -> ChoreResult<()> {
        self.write("home/selfhood.toml", &format!("{WIDE}\n{settings}")).map(drop)
    }

    /// Runs a command on the home, and gives what it printed.
    pub(crate) fn run(&self, arguments: &[&str]) -> ChoreResult<String> {
        let done = self.command(arguments).output().map_err(|error| format!("can't start: {error}"))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            return Err(format!("selfhood {}: {}", arguments.join(" "), said.trim()));
        }
        Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    }

    /// Starts a server on the home, and waits for its first answer.
    pub(crate) fn serve(&self) -> ChoreResult<Serving> {
        let started = Instant::now();
        // It writes its lines to a file, as under a service manager: nobody has to wake up for each.
        let log = self.write("server.log", "")?;
        let file = File::options().append(true).open(&log).map_err(|error| error.to_string())?;
        let mut command = self.command(&["serve", "--port", "0"]);
        let spawned = command.stderr(file).stdout(Stdio::null()).spawn();
        let child = spawned.map_err(|error| format!("can't start the server: {error}"))?;
        let mut serving = Serving { child, address: String::new(), ready_after: Duration::ZERO };
        serving.address = serving.logged_address(&log)?;
        serving.get("/readyz")?;
        serving.ready_after = started.elapsed();
        Ok(serving)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("--home").arg(self.folder.join("home")).args(arguments);
        command
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("{} stays: {error}", self.folder.display());
        }
    }
}

impl Serving {
    /// The address it listens on, as soon as `log` tells.
    fn logged_address(&mut self, log: &Path) -> ChoreResult<String> {
        loop {
            let said = fs::read_to_string(log).map_err(|error| format!("{}: {error}", log.display()))?;
            let mut lines = said.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
            if let Some(address) = lines.find_map(|line| line.strip_prefix("listening on http://")) {
                return Ok(address.trim_end_matches('/').to_owned());
            }
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return Err(format!("the server ended before it listened: {}", said.trim()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The body of the answer at `path`.
    pub(crate) fn get(&self, path: &str) -> ChoreResult<String> {
        let asked = || -> std::io::Result<String> {
            let mut line = TcpStream::connect(&self.address)?;
            write!(line, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address)?;
            let mut answer = String::new();
            line.read_to_string(&mut answer)?;
            Ok(answer)
        };
        let answer = asked().map_err(|error| format!("{path}: {error}"))?;
        match answer.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with("HTTP/1.1 200") => Ok(body.to_owned()),
            _ => Err(format!("{path}: {}", answer.lines().next().unwrap_or("no answer"))),
        }
    }

    /// How many megabytes of memory it holds, where the system tells.
    pub(crate) fn resident_megabytes(&self) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

/// How many milliseconds of processor time the threads of a process have used, without the one that computes
/// sentence vectors in the background; exact to a microsecond, where the system tells.
pub(crate) fn processor_millis(process: u32) -> Option<f64> {
    let mut nanos = 0.0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten() {
        let read = |file: &str| fs::read_to_string(thread.path().join(file)).unwrap_or_default();
        if read("comm").trim() != "vectors" {
            let used = read("schedstat").split_whitespace().next().and_then(|used| used.parse::<f64>().ok());
            nanos += used.unwrap_or(0.0);
        }
    }
    Some(nanos / 1e6)
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
