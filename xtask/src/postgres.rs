//! A PostgreSQL for the tests: the server and a pooler are installed where they are missing, and one throw-away
//! cluster serves a whole run.

use std::fs;
use std::process::Command;

use testkit::cluster::{Cluster, Durability, RUNNING};

/// A running cluster, and the variable that tells the tests of it.
pub(crate) struct Running(Cluster);

impl Running {
    /// What the tests' environment needs.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        vec![(RUNNING, self.0.directory().display().to_string())]
    }
}

/// Starts a cluster; `None`, with a word about it, where there is no server and none can be installed.
pub(crate) fn start() -> Option<Running> {
    is_ready().then(|| Running(Cluster::start(Durability::Careless)))
}

/// Whether a cluster can be started; installs what is missing, or says what that is.
pub(crate) fn is_ready() -> bool {
    let is_ready = is_installed() || install();
    if !is_ready {
        eprintln!(
            "PostgreSQL's server or PgBouncer is missing; install both, such as by \
             `apt-get install postgresql pgbouncer`"
        );
    }
    is_ready
}

/// Whether a cluster can be made, with a pooler before it; a client alone lies in the same folders and can't.
fn is_installed() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let has_server = versions.map(|version| version.path().join("bin/initdb")).any(|initdb| initdb.is_file());
    (has_server || answers("initdb")) && answers("pgbouncer")
}

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|said| said.status.success())
}

/// Installs the server from the system's packages.
fn install() -> bool {
    let run = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.status().is_ok_and(|status| status.success())
    };
    eprintln!("installing PostgreSQL and PgBouncer from the system's packages");
    run(&["update"]) && run(&["install", "-y", "--no-install-recommends", "postgresql", "pgbouncer"])
}
