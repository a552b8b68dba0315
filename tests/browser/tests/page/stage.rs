//! A home, and the binary serving it, for as long as one test takes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;
use testkit::binary::binary;

use crate::tab::{Device, Tab};

/// A running server with a folder of its own.
pub(crate) struct Stage {
    folder: TempDir,
    server: Child,
    /// Such as `http://127.0.0.1:40123`.
    pub(crate) url: String,
    /// A link into the page; it works once.
    link: String,
}

/// Rates so wide that a test is never asked to come back later.
const WIDE: &str = "[limits]\nrequests_per_second = 100000\nburst = 100000\nrequests_at_once = 1024\n";
/// Nothing of the machine that tests run on shows, unless a test names a port.
const NOWHERE: &str = "[server]\nmodel_ports = []\n";

impl Stage {
    /// An empty home.
    pub(crate) fn empty() -> Self {
        Self::serving(&[], NOWHERE)
    }

    /// An empty home whose server looks for models on one port of this machine.
    pub(crate) fn looking_at(port: u16) -> Self {
        Self::serving(&[], &format!("[server]\nmodel_ports = [{port}]\n"))
    }

    /// An empty home whose owner may connect models of the server at one address.
    pub(crate) fn offering(address: &str) -> Self {
        Self::serving(&[], &format!("{NOWHERE}model_providers = [\"{address}\"]\n"))
    }

    /// Nora, with a model server to be found on one port of this machine.
    pub(crate) fn demo_looking_at(port: u16) -> Self {
        Self::serving(&["--demo"], &format!("[server]\nmodel_ports = [{port}]\n"))
    }

    /// Nora with her life and her memories.
    pub(crate) fn demo() -> Self {
        Self::serving(&["--demo"], NOWHERE)
    }

    fn serving(flags: &[&str], settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(home.join("selfhood.toml"), format!("{WIDE}{settings}")).unwrap();
        let (server, url) = started(folder.path(), "0", flags);
        // The link is printed only to a terminal, which a test is not.
        let made = self::command(folder.path()).args(["key", "sign-in", "-o", "quiet"]).output().unwrap();
        let link = String::from_utf8(made.stdout).unwrap().trim().to_owned();
        assert!(link.contains("/ui/sign-in#"), "no link: {}", String::from_utf8_lossy(&made.stderr));
        Self { folder, server, url, link }
    }

    /// Ends the server as a power cut would, and starts it again at the same address.
    pub(crate) fn restart(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let port = self.url.rsplit(':').next().unwrap().trim_end_matches('/').to_owned();
        let (server, url) = started(self.folder.path(), &port, &[]);
        assert_eq!(url, self.url);
        self.server = server;
    }

    /// A browser that nobody is signed in with.
    pub(crate) fn browser(&self) -> Tab {
        Tab::open(&self.url, self.folder.path(), Device::Desk)
    }

    /// A browser that came in by the link of the server.
    pub(crate) fn signed_in(&self) -> Tab {
        self.signed_in_on(Device::Desk)
    }

    /// The same on another device.
    pub(crate) fn signed_in_on(&self, device: Device) -> Tab {
        let tab = Tab::open(&self.url, self.folder.path(), device);
        tab.goto(self.link());
        tab.until("return !location.pathname.endsWith('sign-in') && !!document.querySelector('main h1')");
        tab
    }

    pub(crate) fn link(&self) -> &str {
        &self.link
    }

    /// Runs a command on the home, through the server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        command(self.folder.path()).args(arguments).output().unwrap()
    }

    /// A command on the home, for a test that talks with it while it runs.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.folder.path());
        command.args(arguments);
        command
    }

    /// A path below the folder of this stage.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A server that listens, and its address.
fn started(folder: &Path, port: &str, flags: &[&str]) -> (Child, String) {
    let mut command = command(folder);
    command.args(["serve", "--port", port, "--log", "error"]).args(flags);
    // A scan for what is left of somebody looks at temporary files too, and other tests have some.
    let temporary = folder.join("tmp");
    std::fs::create_dir_all(&temporary).unwrap();
    command.env("TMPDIR", &temporary);
    let mut server = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let mut url = String::new();
    for line in lines.by_ref().map_while(Result::ok) {
        if let Some(listening) = line.strip_prefix("listening on ") {
            listening.trim().clone_into(&mut url);
            break;
        }
    }
    assert!(!url.is_empty(), "the server ended before it listened");
    std::thread::spawn(move || lines.for_each(drop));
    (server, url)
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new(binary());
    command.arg("--home").arg(folder.join("home")).arg("--keys").arg(folder.join("keys"));
    command
}
