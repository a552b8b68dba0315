//! The HTTP contract, tried by Schemathesis: it reads `/openapi.json` of a running server, makes up
//! thousands of requests, right and wrong, and compares every answer with what is promised there.

use std::env;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::stage::{ChoreResult, Profile, Stage};

/// The version that is tried with, so that a run says the same next year.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
/// How many requests are made up unless it is said.
pub(crate) const CASES: u64 = 2_000;
/// How many operations the description has, about: so many requests does one example for each of them make.
const OPERATIONS: u64 = 100;
/// How many examples are made up for each operation in one round, at least and at most: a round can't be stopped.
const PER_OPERATION: (u64, u64) = (10, 100);
/// Whom the requests are about.
const PERSONA: &str = "inara";
/// What every answer is held to.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,negative_data_rejection,\
                      unsupported_method,allow_header_conformance,ignored_auth,use_after_free,\
                      ensure_resource_availability";

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    /// The fewest requests.
    cases: u64,
    /// What the requests are made up from; each round takes the next number.
    seed: u64,
    /// After this time no further round begins.
    time: Option<Duration>,
}

/// Tries the contract; on a machine without Python it says so.
pub(crate) fn run(arguments: &[&str]) -> bool {
    match extent(arguments).and_then(tried) {
        Ok(()) => true,
        Err(why) => {
            eprintln!("contract: {why}");
            false
        }
    }
}

fn extent(arguments: &[&str]) -> ChoreResult<Extent> {
    let mut extent = Extent { cases: CASES, seed: any_number(), time: None };
    for pair in arguments.chunks(2) {
        let [option, value] = pair else { return Err(format!("{} needs a number", pair.concat())) };
        let number = value.parse().map_err(|_| format!("{option} {value}: not a number"))?;
        match *option {
            "--cases" => extent.cases = number,
            "--seed" => extent.seed = number,
            "--seconds" => extent.time = Some(Duration::from_secs(number)),
            other => return Err(format!("no option {other}; there are --cases, --seed and --seconds")),
        }
    }
    Ok(extent)
}

/// Requests that are made up may ask to connect a model: they reach no provider, and no server on this machine.
const NO_MODELS: &str = "[server]\nmodel_providers = []\nmodel_ports = []\n";

/// Another number each time; the standard library seeds its hash maps with one.
fn any_number() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Whether the tool can be had here at all.
pub(crate) fn is_possible() -> bool {
    python(&["-c", "import venv, ensurepip"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn tried(extent: Extent) -> ChoreResult<()> {
    let (tool, began) = (installed()?, Instant::now());
    println!("contract: seed {}", extent.seed);
    let (mut all, mut rounds) = (Round::default(), 0);
    while rounds == 0 || (all.cases < extent.cases && extent.time.is_none_or(|time| began.elapsed() < time)) {
        let round = Round::of(&tool, extent.seed + rounds, extent.cases.saturating_sub(all.cases), rounds)?;
        rounds += 1;
        all = Round { cases: all.cases + round.cases, wrong: all.wrong + round.wrong };
        if round.cases == 0 {
            return Err("no request was made up".to_owned());
        }
    }
    let Round { cases, wrong } = all;
    println!("trust | HTTP contract | sound | {cases} | {wrong} | seed {}, {rounds} rounds", extent.seed);
    if wrong > 0 {
        return Err(format!(
            "{wrong} answers were not as the description promises; `cargo xtask contract --cases {} --seed {}` asks again",
            extent.cases, extent.seed
        ));
    }
    if cases < CASES.min(extent.cases) {
        return Err(format!("only {cases} requests were made up; the gate asks for {CASES}"));
    }
    println!("contract: {cases} requests, every answer as described, none of them 5xx");
    Ok(())
}

/// What came of requests to one server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Round {
    cases: u64,
    wrong: u64,
}

impl Round {
    /// Starts a server on a home of its own, and asks it about `cases` times. The edges of every schema are the same
    /// for each seed, so only the first round tries them.
    fn of(tool: &Path, seed: u64, cases: u64, earlier: u64) -> ChoreResult<Self> {
        let stage = Stage::new("contract", Profile::Dev)?;
        stage.add_settings(NO_MODELS)?;
        stage.run(&["persona", "new", PERSONA])?;
        let scope = "read,write,erase,audit,admin";
        let key = stage.run(&["key", "new", "--speaks", "owner", "--scope", scope, "-o", "quiet"])?;
        let settings = stage.write("schemathesis.toml", &settings(&stage)?)?;
        let serving = stage.serve()?;
        let (fewest, most) = PER_OPERATION;
        let examples = if earlier == 0 { fewest } else { (cases / OPERATIONS).clamp(fewest, most) };
        let phases = if earlier == 0 { "examples,coverage,fuzzing,stateful" } else { "fuzzing,stateful" };
        let mut command = Command::new(tool);
        command
            .arg("--config-file")
            .arg(settings)
            .arg("run")
            .arg(format!("http://{}/openapi.json", serving.address))
            .args(["--header", &format!("x-api-key: {key}")])
            .args(["--checks", CHECKS, "--phases", phases])
            .args(["--max-examples", &examples.to_string(), "--seed", &seed.to_string()])
            .args(["--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off"])
            .args(["--continue-on-failure", "--no-color"])
            // Its answer goes on for as long as somebody listens.
            .args(["--exclude-operation-id", "follow_events"])
            .current_dir(&stage.folder);
        let done = command.stderr(Stdio::inherit()).output();
        let done = done.map_err(|error| format!("can't start Schemathesis: {error}"))?;
        let said = String::from_utf8_lossy(&done.stdout);
        print!("{said}");
        let wrong = if done.status.success() { 0 } else { before(&said, "found").max(1) };
        Ok(Self { cases: before(&said, "generated"), wrong })
    }
}

/// How a request that breaks its schema may be refused: the tool's own list, with 413 for one that is too long to be
/// read at all, and without the 5xx.
const REFUSALS: &str =
    r#"["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]"#;

/// Which persona and memory the requests are about: ones that are there, or most of them would reach nothing.
/// Only her deletion names someone else, since the others still need her.
fn settings(stage: &Stage) -> ChoreResult<String> {
    let memory =
        stage.run(&["--persona", PERSONA, "memory", "add", "The lobby serves coffee.", "-o", "quiet"])?;
    Ok(format!(
        "[parameters]\n\"path.p\" = \"{PERSONA}\"\n\"path.id\" = \"{memory}\"\n\n\
         [[operations]]\ninclude-name = \"DELETE /personas/{{p}}\"\nparameters = {{ \"path.p\" = \"nobody\" }}\n\n\
         [checks.negative_data_rejection]\nexpected-statuses = {REFUSALS}\n"
    ))
}

/// The tool, installed into the user's cache once.
pub(crate) fn installed() -> ChoreResult<PathBuf> {
    if !is_possible() {
        return Err("needs Python 3 with venv; on Debian, `apt install python3-venv`".to_owned());
    }
    let from_home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(from_home);
    let folder = cache.ok_or("no cache folder; set XDG_CACHE_HOME")?.join("selfhood").join(SCHEMATHESIS);
    let tool = folder.join("bin").join("schemathesis");
    if tool.exists() {
        return Ok(tool);
    }
    eprintln!("installing {SCHEMATHESIS} into {}", folder.display());
    let place = folder.display().to_string();
    let made = python(&["-m", "venv", &place]).status().is_ok_and(|status| status.success());
    let filled = made
        && Command::new(folder.join("bin").join("pip"))
            .args(["install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS])
            .status()
            .is_ok_and(|status| status.success());
    if filled {
        Ok(tool)
    } else {
        Err(format!("can't install {SCHEMATHESIS} into {place}; is there a network?"))
    }
}

fn python(arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command.args(arguments);
    command
}

/// The number before `word` in the tool's closing line, such as `5 found` of `90 generated, 5 found 2 unique failures`.
fn before(said: &str, word: &str) -> u64 {
    let line = said.lines().rev().find(|line| line.contains("generated"));
    let words = line.into_iter().flat_map(str::split_whitespace).collect::<Vec<_>>();
    let at = words.iter().position(|found| found.trim_end_matches(',') == word);
    let number = at.and_then(|at| words.get(at.checked_sub(1)?));
    number.and_then(|number| number.replace(',', "").parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_lines_tell_how_many_requests_were_made_up() {
        let said = "Test cases:\n  2,345 generated, 2,340 passed, 5 skipped\n";
        assert_eq!((before(said, "generated"), before(said, "found")), (2345, 0));
        let said = "Test cases:\n  2,345 generated, 12 found 3 unique failures, 5 skipped\n";
        assert_eq!((before(said, "generated"), before(said, "found")), (2345, 12));
        assert_eq!(before("nothing", "generated"), 0);
    }

    #[test]
    fn the_extent_is_read_from_the_command_line() {
        let read = extent(&["--cases", "50000", "--seed", "7", "--seconds", "60"]);
        assert_eq!(read, Ok(Extent { cases: 50_000, seed: 7, time: Some(Duration::from_mins(1)) }));
        assert_eq!(extent(&[]).map(|extent| (extent.cases, extent.time)), Ok((CASES, None)));
        assert!(extent(&["--cases"]).is_err() && extent(&["--cases", "many"]).is_err());
        assert!(extent(&["--tries", "3"]).is_err());
    }
}
