//! A real model's server: llama.cpp's own, from its Python package, with a model of random weights that we
//! make ourselves. What it says is nonsense; that it is asked rightly and heard to the end is not.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cargo;
use crate::sdks::python_with;
use crate::stage::{Profile, Stage, Told};

/// The versions that are tried with, so that a run says the same next year.
const PACKAGES: [&str; 3] = ["xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy==2.4.6"];

/// Talks with a persona whose words come from the server.
pub(crate) fn run() -> bool {
    match tried() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("real model: {why}");
            false
        }
    }
}

fn tried() -> Told<()> {
    let python = python_with(&PACKAGES)?;
    let stage = Stage::new("real-model", Profile::Dev)?;
    let model = stage.folder.join("tiny.gguf");
    let made = Command::new(&python).arg(script("tiny.py")).arg(&model).status();
    if !made.is_ok_and(|status| status.success()) {
        return Err("the model can't be made".to_owned());
    }
    let served = Served::start(&python, &model)?;
    stage.run(&["persona", "new", "inara"])?;
    stage.add_settings(&format!(
        "[models.tiny]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"tiny.gguf\"\n\
         [models.none]\nkind = \"offline\"\n\
         [roles.chat]\nmodel = \"tiny\"\ntemperature = 0.0\nmax_tokens = 24\ncontext_window = 16384\n\
         [roles.formation]\nmodel = \"none\"\n",
        served.url
    ))?;
    let findings = stage.run(&["doctor", "-o", "json"])?;
    if !findings.contains("tiny") {
        return Err(format!("the doctor is not content with it: {findings}"));
    }
    talked(&stage)
}

/// Two exchanges of one conversation, both answered with words and both kept.
fn talked(stage: &Stage) -> Told<()> {
    for said in ["Good evening, I am Ana.", "What do you remember?"] {
        let answer = stage.run(&["chat", "inara", said, "--user", "ana", "--session", "evening"])?;
        if answer.trim().is_empty() || answer.contains("No language model") {
            return Err(format!("`{said}` was answered with `{answer}`"));
        }
        println!("{said} → {answer}");
    }
    let kept = stage.run(&["session", "show", "evening", "--subject", "ana", "-o", "json"])?;
    let turns = kept.matches("\"speaker\"").count();
    if turns == 4 { Ok(()) } else { Err(format!("{turns} turns were kept, not 4: {kept}")) }
}

/// The model's server, as long as it is needed.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(python: &Path, model: &Path) -> Told<Self> {
        let mut command = Command::new(python);
        command.arg(script("serve.py")).arg(model);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = pipes.spawn().map_err(|error| format!("can't start the model's server: {error}"))?;
        let stdout = child.stdout.take().ok_or("the model's server has no stdout")?;
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let url = lines.into_iter().find(|line| line.starts_with("http://"));
        let served = Self { child, url: url.unwrap_or_default() };
        if served.url.is_empty() {
            Err("the model's server ended before it listened".to_owned())
        } else {
            Ok(served)
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn script(name: &str) -> std::path::PathBuf {
    cargo::root().join("xtask").join("model").join(name)
}
