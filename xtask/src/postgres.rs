//! A PostgreSQL for the tests: the server is installed where it is missing, and one throw-away cluster serves a
//! whole run.

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
    if !is_installed() && !install() {
        eprintln!("PostgreSQL's server is missing; install it, such as by `apt-get install postgresql`");
        return None;
    }
    Some(Running(Cluster::start(Durability::Careless)))
}

/// Whether a cluster can be made; a client alone lies in the same folders and can't.
fn is_installed() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin/initdb")).any(|initdb| initdb.is_file())
        || Command::new("initdb").arg("--version").output().is_ok_and(|said| said.status.success())
}

/// Installs the server from the system's packages.
fn install() -> bool {
    let run = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command.status().is_ok_and(|status| status.success())
    };
    eprintln!("installing PostgreSQL from the system's packages");
    run(&["update"]) && run(&["install", "-y", "--no-install-recommends", "postgresql"])
}
