//! Our own clients, in Python and in TypeScript, against a running server: their generated parts are what the
//! server describes, they pass their type checkers, and their tests pass.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::cargo;
use crate::sdks::{self, marked, python_with, succeeds};
use crate::stage::{ChoreResult, Profile, Serving, Stage};

/// The versions that are tried with, so that a run says the same next year.
const PYTHON: &[&str] =
    &["httpx==0.28.1", "pytest==9.2.0", "mypy==2.4.1", "langgraph==1.2.20", "hermes-agent==0.19.0"];
const TYPESCRIPT: &str = "typescript@5.9.3";
/// The persona that the tests talk with.
const PERSONA: &str = "inara";

/// What becomes of generated files that are not what the server describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generated {
    /// They fail the run.
    Check,
    /// They are written anew.
    Write,
}

/// Checks and tests both clients.
pub(crate) fn run(generated: Generated) -> bool {
    match tried(generated) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("clients: {why}");
            false
        }
    }
}

fn tried(generated: Generated) -> ChoreResult<()> {
    if !sdks::is_possible() {
        return Err("needs Python 3 with venv, Node and npm".to_owned());
    }
    let stage = Stage::new("clients", Profile::Dev)?;
    stage.run(&["persona", "new", PERSONA])?;
    let owner = stage.run(&["key", "new", "--speaks", "owner", "--scope", "read,write", "-o", "quiet"])?;
    let forwarded = stage.run(&["key", "new", "--scope", "read,write", "-o", "quiet"])?;
    let serving = stage.serve()?;
    compare(&stage, &serving, generated)?;
    let keys = Keys { url: format!("http://{}", serving.address), owner, forwarded };
    test_python(&keys)?;
    test_typescript(&stage, &keys)
}

/// How tests reach the server.
struct Keys {
    url: String,
    owner: String,
    forwarded: String,
}

impl Keys {
    fn give(&self, command: &mut Command) {
        command
            .env("SELFHOOD_TEST_URL", &self.url)
            .env("SELFHOOD_TEST_OWNER_KEY", &self.owner)
            .env("SELFHOOD_TEST_FORWARDED_KEY", &self.forwarded);
    }
}

fn compare(stage: &Stage, serving: &Serving, generated: Generated) -> ChoreResult<()> {
    let description = stage.write("openapi.json", &serving.get("/openapi.json")?)?;
    let mut generate = Command::new("python3");
    generate.arg("-B").arg(folder("").join("generate.py")).arg(description);
    if generated == Generated::Check {
        generate.arg("--check");
    }
    demand(&mut generate, "the generated parts of the clients")
}

fn test_python(keys: &Keys) -> ChoreResult<()> {
    let (python, package) = (python_with(PYTHON)?, folder("python"));
    let mut types = Command::new(&python);
    types.current_dir(&package).args(["-m", "mypy", "--cache-dir=/dev/null", "src/selfhood"]);
    demand(&mut types, "the types of the Python client")?;
    let mut tests = Command::new(&python);
    tests.current_dir(&package).args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
    tests.env("PYTHONPATH", package.join("src"));
    keys.give(&mut tests);
    demand(&mut tests, "the tests of the Python client")
}

fn test_typescript(stage: &Stage, keys: &Keys) -> ChoreResult<()> {
    let (package, built) = (folder("typescript"), stage.folder.join("typescript"));
    let compiler = typescript()?.join("node_modules").join(".bin").join("tsc");
    let mut compile = Command::new(compiler);
    compile.current_dir(&package).args(["-p", ".", "--outDir"]).arg(&built);
    demand(&mut compile, "the types of the TypeScript client")?;
    stage.write("typescript/package.json", "{\"type\": \"module\"}")?;
    let mut tests = Command::new("node");
    tests.current_dir(&package).args(["--test", "test/client.test.mjs"]);
    tests.env("SELFHOOD_TEST_DIST", built.join("index.js"));
    keys.give(&mut tests);
    demand(&mut tests, "the tests of the TypeScript client")
}

fn demand(command: &mut Command, what: &str) -> ChoreResult<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

/// The folder that holds the TypeScript compiler, filled once.
fn typescript() -> ChoreResult<PathBuf> {
    let folder = sdks::cache()?.join(TYPESCRIPT);
    let mark = folder.join("installed");
    if mark.exists() {
        return Ok(folder);
    }
    eprintln!("installing {TYPESCRIPT} into {}", folder.display());
    let install = ["install", "--no-fund", "--no-audit", "--prefix"];
    let is_made = fs::create_dir_all(&folder).is_ok()
        && succeeds(Command::new("npm").args(install).arg(&folder).arg(TYPESCRIPT));
    marked(is_made, &mark, TYPESCRIPT).map(|()| folder)
}

fn folder(client: &str) -> PathBuf {
    cargo::root().join("clients").join(client)
}
