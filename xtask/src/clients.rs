//! Our own clients, in Python and in TypeScript, against a running server: their generated parts are what the
//! server describes, they pass their type checkers, they are built and installed as their READMEs say, and the tests
//! pass with what was installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;
use crate::sdks::{self, python_with};
use crate::stage::{ChoreResult, Profile, Serving, Stage};

/// The versions that are tried with, so that a run says the same next year.
const PYTHON: &[&str] =
    &["httpx==0.28.1", "pytest==9.2.0", "mypy==2.4.1", "langgraph==1.2.20", "hermes-agent==0.19.0"];
const TYPESCRIPT: &str = "typescript@5.9.3";
/// What the TypeScript client is built from.
const TYPESCRIPT_FILES: [&str; 4] = ["package.json", "tsconfig.json", "README.md", "src"];
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
    test_python(&stage, &keys)?;
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

fn test_python(stage: &Stage, keys: &Keys) -> ChoreResult<()> {
    let (python, package) = (python_with(PYTHON)?, folder("python"));
    let mut types = Command::new(&python);
    types.current_dir(&package).args(["-m", "mypy", "--cache-dir=/dev/null", "src/selfhood"]);
    demand(&mut types, "the types of the Python client")?;
    install_python(stage, &package)?;
    // The same package without its dependencies, so that the tests run with the versions above.
    let installed = stage.folder.join("python");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"]);
    demand(install.arg(&installed).arg(&package), "the installation of the Python client")?;
    let mut tests = Command::new(&python);
    tests.current_dir(&package).args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
    tests.env("PYTHONPATH", installed);
    keys.give(&mut tests);
    demand(&mut tests, "the tests of the Python client")
}

/// `pip install ./clients/python[langgraph]` in an empty environment, and all of it is there.
fn install_python(stage: &Stage, package: &Path) -> ChoreResult<()> {
    let environment = stage.folder.join("environment");
    demand(Command::new("python3").args(["-m", "venv"]).arg(&environment), "an empty environment of Python")?;
    let python = environment.join("bin").join("python");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    demand(install.arg(format!("{}[langgraph]", package.display())), "`pip install` of the Python client")?;
    let import = "import selfhood.langgraph, importlib.resources as files; \
                  assert files.files(selfhood).joinpath('py.typed').is_file()";
    demand(Command::new(&python).args(["-I", "-c", import]), "the installed Python client")
}

fn test_typescript(stage: &Stage, keys: &Keys) -> ChoreResult<()> {
    let project = install_typescript(stage)?;
    let test = project.join("client.test.mjs");
    let copied = fs::copy(folder("typescript").join("test/client.test.mjs"), &test);
    copied.map_err(|error| format!("{}: {error}", test.display()))?;
    let mut tests = Command::new("node");
    tests.current_dir(&project).arg("--test").arg(&test).env("SELFHOOD_TEST_DIST", "@selfhood/client");
    keys.give(&mut tests);
    demand(&mut tests, "the tests of the TypeScript client")
}

/// `npm run build` and `npm pack` of a copy, and the packed file installed into an empty project.
fn install_typescript(stage: &Stage) -> ChoreResult<PathBuf> {
    let (source, copy) = (folder("typescript"), stage.folder.join("typescript"));
    fs::create_dir_all(&copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    let files = TYPESCRIPT_FILES.map(|name| source.join(name));
    demand(Command::new("cp").arg("-R").args(files).arg(&copy), "a copy of the TypeScript client")?;
    let npm = |folder: &Path, arguments: &[&str]| {
        let mut npm = Command::new("npm");
        npm.current_dir(folder).args(["--no-fund", "--no-audit", "--loglevel=error"]).args(arguments);
        demand(&mut npm, &format!("`npm {}` of the TypeScript client", arguments.join(" ")))
    };
    npm(&copy, &["install", "--no-save", TYPESCRIPT])?;
    npm(&copy, &["run", "build"])?;
    npm(&copy, &["pack", "--pack-destination", ".."])?;
    stage.write("project/package.json", "{\"type\": \"module\"}")?;
    let project = stage.folder.join("project");
    npm(&project, &["install", &format!("../selfhood-client-{}.tgz", env!("CARGO_PKG_VERSION"))])?;
    Ok(project)
}

fn demand(command: &mut Command, what: &str) -> ChoreResult<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{what} failed")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

fn folder(client: &str) -> PathBuf {
    cargo::root().join("clients").join(client)
}
