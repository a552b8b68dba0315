//! `selfhood memory self-test`: the synthetic right-to-be-forgotten test of 001 §05, with this program.
//!
//! Known personal data is planted in a temporary tenant of a temporary home with keys of its own, and its
//! deletion is requested. Then it must neither be recalled nor be found anywhere, and the log must prove it.
//! Nothing of the real home is touched.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output as Ended};

use serde_json::{Value, json};
use wire::{Code, Exit, Problem};

use crate::opening::fresh_name;
use crate::output::{Output, Table};
use crate::{progress, report};

const TENANT: &str = "self-test";
const PERSONA: &str = "probe";
const GUEST: &str = "guest:self-test";

/// Runs the test, prints the checks and the certificate, and fails if anything was left.
pub(crate) fn run(output: &Output) -> Result<Exit, Problem> {
    let ground = ScratchHome::new()?;
    let waiting = progress::waiting("planting, forgetting and scanning for residue");
    let tried = ground.try_everything();
    waiting.finish_and_clear();
    let (steps, certificate) = tried?;
    let mut table = Table::new(["step", "outcome", "detail"]);
    for step in &steps {
        table.push([step.name.into(), step.outcome().into(), step.detail.as_str().into()]);
    }
    let listed: Vec<Value> = steps
        .iter()
        .map(|step| json!({ "step": step.name, "outcome": step.outcome(), "detail": step.detail }))
        .collect();
    let whole = json!({ "steps": listed, "certificate": certificate });
    let drawn = drawn(&table, &certificate);
    table.push(["certificate".into(), "".into(), certificate.to_string().into()]);
    output.one(&whole, &table, || drawn)?;
    if steps.iter().all(|step| step.passed) {
        report::note("the planted data is gone, and it is proven");
        return Ok(Exit::Ok);
    }
    report::note("the right to be forgotten does not work on this machine; do not rely on it");
    Ok(Exit::VerificationFailed)
}

fn drawn(table: &Table<3>, certificate: &Value) -> String {
    let certificate = serde_json::to_string_pretty(certificate).unwrap_or_default();
    format!("{}\n{certificate}\n", table.aligned())
}

/// One check.
struct Step {
    name: &'static str,
    passed: bool,
    detail: String,
}

impl Step {
    const fn outcome(&self) -> &'static str {
        if self.passed { "ok" } else { "failed" }
    }
}

/// The temporary home and keys.
struct ScratchHome {
    folder: PathBuf,
    program: PathBuf,
    /// A word that occurs nowhere else.
    canary: String,
}

impl Drop for ScratchHome {
    fn drop(&mut self) {
        // A folder that can't be removed stays; there is no caller left to report it to.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl ScratchHome {
    fn new() -> Result<Self, Problem> {
        let canary = fresh_name()?.replace('-', "");
        let folder = std::env::temp_dir().join(format!("selfhood-self-test-{canary}"));
        let io = |error: std::io::Error| {
            Problem::new(Code::IoFailed, format!("can't make {}: {error}", folder.display()))
        };
        DirBuilder::new().mode(0o700).create(&folder).map_err(io)?;
        let program = std::env::current_exe()
            .map_err(|error| Problem::new(Code::IoFailed, format!("this program can't be found: {error}")))?;
        Ok(Self { folder, program, canary: format!("selftest{canary}") })
    }

    fn try_everything(&self) -> Result<(Vec<Step>, Value), Problem> {
        let email = format!("{}@example.org", self.canary);
        let gist = format!("{} came back and left {email} for the invoice.", self.canary);
        let cue = format!("what did {} leave", self.canary);
        let certificate = self.folder.join("certificate.json");
        let mut steps = Vec::new();
        self.must(&["persona", "new", PERSONA])?;
        self.must(&[
            "memory",
            "add",
            &gist,
            "--subject",
            GUEST,
            "--privacy-class",
            "guest-pii",
            "--consent-basis",
            "service-delivery",
        ])?;
        steps.push(self.recalls("it is recalled before", &cue, Expected::Found)?);
        let named = certificate.display().to_string();
        let forgotten = self.ask(&[
            "memory",
            "redact-user",
            GUEST,
            "--reason",
            "right-to-be-forgotten",
            "--identifier",
            &email,
            "--identifier",
            &self.canary,
            "--certificate",
            &named,
            "--yes",
        ])?;
        steps.push(step("it is forgotten on request", &forgotten));
        steps.push(self.recalls("it is not recalled after", &cue, Expected::Gone)?);
        steps.push(step(
            "it is in no file and no record",
            &self.ask(&["memory", "residue", "--text", &self.canary])?,
        ));
        steps.push(step("the audit log verifies", &self.ask(&["memory", "audit", "--verify"])?));
        steps.push(step("the certificate verifies", &self.ask(&["verify", &named])?));
        Ok((steps, read(&certificate)))
    }

    fn recalls(&self, name: &'static str, cue: &str, expected: Expected) -> Result<Step, Problem> {
        let heard =
            self.must(&["memory", "search", cue, "--subject", GUEST, "--off-record", "-o", "json"])?;
        let rendered: Value = serde_json::from_str(&heard).unwrap_or_default();
        let is_there = rendered.to_string().contains(&self.canary);
        let detail = if is_there { "it was recalled" } else { "nothing of it was recalled" };
        let passed = is_there == (expected == Expected::Found);
        Ok(Step { name, passed, detail: detail.to_owned() })
    }

    /// Runs a command that has to succeed, and returns its output.
    fn must(&self, words: &[&str]) -> Result<String, Problem> {
        let ended = self.ask(words)?;
        if !ended.status.success() {
            let said = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
            let detail = format!("`selfhood {}` failed: {said}", words.first().copied().unwrap_or_default());
            return Err(Problem::new(Code::Internal, detail));
        }
        Ok(String::from_utf8_lossy(&ended.stdout).into_owned())
    }

    /// Runs this program on the temporary home, without any setting of the real one.
    fn ask(&self, words: &[&str]) -> Result<Ended, Problem> {
        let mut command = Command::new(&self.program);
        // A residue scan reads temporary files too, and the certificate names its subject.
        let temporary = self.folder.join("tmp");
        fs::create_dir_all(&temporary).map_err(|error| {
            Problem::new(Code::IoFailed, format!("can't make {}: {error}", temporary.display()))
        })?;
        command.env("TMPDIR", temporary);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SELFHOOD_") {
                command.env_remove(name);
            }
        }
        command.current_dir(&self.folder).args(words).arg("--home").arg(self.folder.join("home"));
        command.arg("--keys").arg(self.folder.join("keys")).args(["--tenant", TENANT]);
        command
            .output()
            .map_err(|error| Problem::new(Code::IoFailed, format!("this program can't be run: {error}")))
    }
}

/// What a recall should return.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Found,
    Gone,
}

fn step(name: &'static str, ended: &Ended) -> Step {
    let said = String::from_utf8_lossy(&ended.stderr);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    Step { name, passed: ended.status.success(), detail: last.to_owned() }
}

fn read(certificate: &Path) -> Value {
    let text = fs::read_to_string(certificate).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
