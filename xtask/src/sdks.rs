//! OpenAI's own SDKs, in Python and in JavaScript, talking with a persona of a running server, whose words
//! come from a model's server that we wrote; and, if asked for, what other people built on them.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::cargo;
use crate::contract;
use crate::stage::{ChoreResult, Profile, Stage};

/// The versions that are tried with, so that a run says the same next year.
const PYTHON: &str = "openai==3.49.0";
const JAVASCRIPT: &[&str] = &["openai@7.53.0"];
const OTHERS: &[&str] =
    &["langchain-openai==1.7.3", "litellm==1.83.0", "llm==0.36", "pydantic-ai-slim[openai]==2.68.0"];
const VERCEL: &[&str] = &["ai@7.0.169", "@ai-sdk/openai@4.0.114", "zod@4.6.7"];
/// Whom they talk with.
const PERSONA: &str = "inara";

/// Whose programs talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SdkSet {
    /// OpenAI's SDKs.
    OpenAi,
    /// These, `LangChain`, litellm, `llm`, pydantic-ai and the Vercel AI SDK.
    Everyones,
}

/// Lets them talk; on a machine without Python or Node it says so.
pub(crate) fn run(whose: SdkSet) -> bool {
    match tried(whose) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("sdks: {why}");
            false
        }
    }
}

/// Whether the SDKs can be had here at all.
pub(crate) fn is_possible() -> bool {
    contract::is_possible()
        && ["node", "npm"].iter().all(|tool| succeeds(Command::new(tool).arg("--version")))
}

fn tried(whose: SdkSet) -> ChoreResult<()> {
    if !is_possible() {
        return Err("needs Python 3 with venv, Node and npm".to_owned());
    }
    let (python, javascript) = (python_with(&[PYTHON])?, javascript_with(JAVASCRIPT)?);
    let upstream = Upstream::start()?;
    let stage = Stage::new("sdks", Profile::Dev)?;
    stage.run(&["persona", "new", PERSONA])?;
    stage.add_settings(&format!(
        "[models.parrot]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"parrot\"\n\n[roles.chat]\nmodel = \"parrot\"\n",
        upstream.url
    ))?;
    let key = stage.run(&["key", "new", "--speaks", "owner", "--scope", "read,write", "-o", "quiet"])?;
    let serving = stage.serve()?;
    let server = format!("http://{}", serving.address);
    let mut in_python = Command::new(python);
    in_python.arg(script("drive.py")).args([&server, &upstream.url]);
    let mut in_javascript = Command::new("node");
    in_javascript.arg(script("drive.mjs")).arg(javascript).args([&server, &upstream.url]);
    for (language, drive) in [("Python", &mut in_python), ("JavaScript", &mut in_javascript)] {
        let driven = drive.env("SELFHOOD_KEY", &key).status();
        if !driven.is_ok_and(|status| status.success()) {
            return Err(format!("the {language} SDK was not answered as it expects"));
        }
    }
    if whose == SdkSet::Everyones {
        let mut others = Command::new(python_with(OTHERS)?);
        others.arg(script("others.py")).arg(&server);
        let mut vercel = Command::new("node");
        vercel.arg(script("vercel.mjs")).arg(javascript_with(VERCEL)?).arg(&server);
        for drive in [&mut others, &mut vercel] {
            if !drive.env("SELFHOOD_KEY", &key).status().is_ok_and(|status| status.success()) {
                return Err("somebody's program was not answered as it expects".to_owned());
            }
        }
    }
    drop(serving);
    check_interrupted(&stage)
}

/// Both SDKs left an answer before its end; the owner's log of the day says so of each.
fn check_interrupted(stage: &Stage) -> ChoreResult<()> {
    let folder = stage.folder.join("home/default/persona").join(PERSONA).join("sessions");
    let logs = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let texts = logs.flatten().filter_map(|log| fs::read_to_string(log.path()).ok());
    let interrupted: usize = texts.map(|text| text.matches("(interrupted)").count()).sum();
    if interrupted == 2 {
        Ok(())
    } else {
        Err(format!("{interrupted} answers were kept as interrupted, not 2"))
    }
}

/// The model's server, as long as it is needed.
struct Upstream {
    child: Child,
    url: String,
}

impl Upstream {
    fn start() -> ChoreResult<Self> {
        let spawned = Command::new("python3").arg(script("upstream.py")).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| format!("can't start the model's server: {error}"))?;
        let stdout = child.stdout.take().ok_or("the model's server has no stdout")?;
        let mut port = String::new();
        let read = BufReader::new(stdout).read_line(&mut port);
        let upstream = Self { child, url: format!("http://127.0.0.1:{}", port.trim()) };
        match read {
            Ok(length) if length > 0 => Ok(upstream),
            Ok(_) | Err(_) => Err("the model's server ended before it listened".to_owned()),
        }
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A Python that has these packages, installed into the user's cache once.
pub(crate) fn python_with(packages: &[&str]) -> ChoreResult<PathBuf> {
    let name = packages.join("+");
    let folder = cache()?.join(&name);
    let (python, mark) = (folder.join("bin").join("python"), folder.join("installed"));
    if mark.exists() {
        return Ok(python);
    }
    eprintln!("installing {name} into {}", folder.display());
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let is_made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && succeeds(Command::new(&python).args(install).args(packages));
    marked(is_made, &mark, &name).map(|()| python)
}

/// The folder that holds these JavaScript packages, filled once.
fn javascript_with(packages: &[&str]) -> ChoreResult<PathBuf> {
    let name = packages.join("+").replace('/', "-");
    let folder = cache()?.join(&name);
    let mark = folder.join("installed");
    if mark.exists() {
        return Ok(folder);
    }
    eprintln!("installing {name} into {}", folder.display());
    let install = ["install", "--no-fund", "--no-audit", "--prefix"];
    let is_made = fs::create_dir_all(&folder).is_ok()
        && succeeds(Command::new("npm").args(install).arg(&folder).args(packages));
    marked(is_made, &mark, &name).map(|()| folder)
}

/// Notes that something is installed whole, so that half an installation is never taken for one.
pub(crate) fn marked(is_made: bool, mark: &Path, what: &str) -> ChoreResult<()> {
    if is_made && fs::write(mark, what).is_ok() {
        Ok(())
    } else {
        Err(format!("can't install {what}; is there a network?"))
    }
}

pub(crate) fn cache() -> ChoreResult<PathBuf> {
    let from_home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(from_home);
    Ok(cache.ok_or("no cache folder; set XDG_CACHE_HOME")?.join("selfhood"))
}

fn script(name: &str) -> PathBuf {
    cargo::root().join("xtask").join("sdks").join(name)
}

pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
