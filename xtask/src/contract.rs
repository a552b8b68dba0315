//! The HTTP contract, tried by Schemathesis: it reads `/openapi.json` of a running server, makes up
//! thousands of requests, right and wrong, and compares every answer with what is promised there.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::stage::{ChoreResult, Profile, Stage};

/// The version that is tried with, so that a run says the same next year.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
/// The fewest requests that count as a try.
const CASES: u64 = 2000;
/// How many requests are made up for each route, besides those at the edges of its schema.
const PER_ROUTE: &str = "10";
/// Whom the requests are about.
const PERSONA: &str = "inara";
/// What every answer is held to.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,negative_data_rejection,\
                      unsupported_method,allow_header_conformance,ignored_auth,use_after_free,\
                      ensure_resource_availability";

/// Tries the contract; a machine without Python is told so.
pub(crate) fn run() -> bool {
    match tried() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("contract: {why}");
            false
        }
    }
}

/// Whether the tool can be had here at all.
pub(crate) fn is_possible() -> bool {
    python(&["-c", "import venv, ensurepip"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn tried() -> ChoreResult<()> {
    if !is_possible() {
        return Err("needs Python 3 with venv; on Debian, `apt install python3-venv`".to_owned());
    }
    let tool = installed()?;
    let stage = Stage::new("contract", Profile::Dev)?;
    stage.run(&["persona", "new", PERSONA])?;
    let key = stage.run(&[
        "key",
        "new",
        "--speaks",
        "owner",
        "--scope",
        "read,write,erase,audit,admin",
        "-o",
        "quiet",
    ])?;
    let settings = stage.write("schemathesis.toml", &settings(&stage)?)?;
    let serving = stage.serve()?;
    let mut command = Command::new(tool);
    command
        .arg("--config-file")
        .arg(settings)
        .arg("run")
        .arg(format!("http://{}/openapi.json", serving.address))
        .args(["--header", &format!("x-api-key: {key}")])
        .args(["--checks", CHECKS, "--max-examples", PER_ROUTE, "--seed", "1"])
        .args(["--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off"])
        .args(["--continue-on-failure", "--no-color"])
        // Its answer goes on for as long as somebody listens.
        .args(["--exclude-operation-id", "follow_events"])
        .current_dir(&stage.folder);
    let done = command.stderr(Stdio::inherit()).output();
    let done = done.map_err(|error| format!("can't start Schemathesis: {error}"))?;
    let said = String::from_utf8_lossy(&done.stdout);
    print!("{said}");
    let cases = cases(&said);
    if !done.status.success() {
        return Err("the server did not keep what its description promises".to_owned());
    }
    if cases < CASES {
        return Err(format!("only {cases} requests were made up; the gate asks for {CASES}"));
    }
    println!("contract: {cases} requests, every answer as described, none of them 5xx");
    Ok(())
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
fn installed() -> ChoreResult<PathBuf> {
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

/// How many requests were made up, from the tool's closing lines.
fn cases(said: &str) -> u64 {
    let line = said.lines().rev().find(|line| line.contains("generated"));
    let words = line.into_iter().flat_map(str::split_whitespace).collect::<Vec<_>>();
    let before = words.iter().take_while(|word| !word.starts_with("generated")).last();
    before.and_then(|number| number.replace(',', "").parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_lines_tell_how_many_requests_were_made_up() {
        assert_eq!(cases("Test cases:\n  2,345 generated, 2,340 passed, 5 skipped\n"), 2345);
        assert_eq!(cases("nothing"), 0);
    }
}
