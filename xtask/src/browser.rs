//! What the browser tests need besides a Rust toolchain: Chromium and its driver from the system's
//! packages, and axe-core, which looks for barriers, from the npm registry into the user's cache.

use std::fs;
use std::process::{Command, Stdio};

use crate::cargo::{self, Stream};
use crate::sdks;
use crate::stage::ChoreResult;

/// The version that is looked with, so that a run says the same next year; the tests name it too.
const AXE: &str = "axe-core@4.14.0";
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// Installs what is missing, and says whether everything is there.
pub(crate) fn install() -> bool {
    match installed() {
        Ok(()) => true,
        Err(why) => {
            eprintln!("browser: {why}");
            false
        }
    }
}

/// Installs what is missing, and runs the tests of the page alone.
pub(crate) fn run() -> bool {
    install()
        && cargo::run_tests(&["test", "-p", "browser", "--", "--nocapture"], Stream::Stdout, &[]).succeeded
}

fn installed() -> ChoreResult<()> {
    if !PROGRAMS.iter().all(|program| is_there(program)) {
        install_packages()?;
    }
    if let Some(missing) = PROGRAMS.iter().find(|program| !is_there(program)) {
        return Err(format!("`{missing}` is still missing; install {}", PACKAGES.join(" and ")));
    }
    install_axe()
}

fn install_packages() -> ChoreResult<()> {
    eprintln!("installing {} with the system's package manager", PACKAGES.join(" and "));
    let mut lists = Command::new("apt-get");
    lists.args(["update", "--quiet"]);
    let mut packages = Command::new("apt-get");
    packages.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(PACKAGES);
    packages.env("DEBIAN_FRONTEND", "noninteractive");
    for command in [&mut lists, &mut packages] {
        let done = command.stdout(Stdio::null()).status();
        if !done.is_ok_and(|status| status.success()) {
            return Err(format!(
                "apt-get can't install {}; do so by hand, as root or with your own package manager",
                PACKAGES.join(" and ")
            ));
        }
    }
    Ok(())
}

fn install_axe() -> ChoreResult<()> {
    let folder = sdks::cache()?.join(AXE);
    let mark = folder.join("installed");
    if mark.exists() {
        return Ok(());
    }
    eprintln!("installing {AXE} into {}", folder.display());
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-fund", "--no-audit", "--prefix"]).arg(&folder).arg(AXE);
    let is_made = fs::create_dir_all(&folder).is_ok() && sdks::succeeds(&mut npm);
    sdks::marked(is_made, &mark, AXE)
}

fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
