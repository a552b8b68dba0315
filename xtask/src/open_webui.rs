//! Open WebUI itself, installed from Python's registry, as two people who talk with one persona would use it.

use std::path::PathBuf;
use std::process::Command;

use crate::cargo;
use crate::contract;
use crate::sdks::{cache, marked, succeeds};
use crate::stage::{ChoreResult, Profile, Stage};

/// The version that is tried with, so that a run says the same next year.
const VERSION: &str = "0.12.4";
const PERSONA: &str = "nora";
/// Both programs know it, so that one can sign who is speaking and the other can check it.
const SIGNING_SECRET: &str = "signs who is speaking";

/// Lets two people talk through it; without Python it says so.
pub(crate) fn run() -> bool {
    match tried() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("open-webui: {why}");
            false
        }
    }
}

fn tried() -> ChoreResult<()> {
    if !contract::is_possible() {
        return Err("needs Python 3 with venv".to_owned());
    }
    let python = installed()?;
    let stage = Stage::new("open-webui", Profile::Dev)?;
    stage.write("home/.env", &format!("FORWARD_USER_INFO_HEADER_JWT_SECRET={SIGNING_SECRET}\n"))?;
    stage.run(&["persona", "new", PERSONA, "--template", "hospitality"])?;
    let key = stage.run(&["key", "new", "-o", "quiet"])?;
    // Sees what was recorded of everyone, which the key of Open WebUI does not.
    let scopes = "read,write,audit,admin";
    let checking = stage.run(&["key", "new", "--speaks", "owner", "--scope", scopes, "-o", "quiet"])?;
    let serving = stage.serve()?;
    let mut drive = Command::new(python);
    drive.arg(script()).arg(format!("http://{}", serving.address));
    drive.env("SELFHOOD_KEY", &key).env("CHECKING_KEY", &checking).env("SIGNING_SECRET", SIGNING_SECRET);
    match drive.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) | Err(_) => Err("Open WebUI was not answered as it expects".to_owned()),
    }
}

/// A Python that has it, 1.5 GB, installed into the user's cache once. What it uses for documents, sound and pictures,
/// which would be four times as much, is left out.
fn installed() -> ChoreResult<PathBuf> {
    let name = format!("open-webui-{VERSION}");
    let folder = cache()?.join(&name);
    let (python, mark) = (folder.join("bin").join("python"), folder.join("installed"));
    if mark.exists() {
        return Ok(python);
    }
    eprintln!("installing {name} into {}", folder.display());
    let is_made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && succeeds(Command::new(&python).arg(script()).args(["--install", VERSION]));
    marked(is_made, &mark, &name).map(|()| python)
}

fn script() -> PathBuf {
    cargo::root().join("xtask").join("sdks").join("open_webui.py")
}
