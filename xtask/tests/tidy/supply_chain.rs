//! The checks of dependencies with a stand-in for cargo, which notes how it was called.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder with a `cargo` that has the plugins of `installed` and refuses what contains `refused`.
struct StandIn(PathBuf);

impl StandIn {
    fn new(name: &str, installed: &[&str], refused: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("supply-chain-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let plugins = installed.join("|");
        let plugins = if plugins.is_empty() { "none" } else { &plugins };
        let script = format!(
            "#!/bin/sh\ncase \"$1\" in {plugins}) ;; *) exit 101 ;; esac\n\
             [ \"$2\" = --version ] && exit 0\necho \"$@\" >> '{}'\n\
             case \"$*\" in *{refused}*) exit 1 ;; esac\n",
            folder.join("calls").display()
        );
        fs::write(folder.join("cargo"), script).unwrap();
        fs::set_permissions(folder.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn run(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("supply-chain").env("CARGO", self.0.join("cargo")).env("CARGO_HOME", &self.0);
        command.output().unwrap()
    }

    fn calls(&self) -> String {
        fs::read_to_string(self.0.join("calls")).unwrap_or_default()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_cargo_deny_the_strict_check_fails_and_names_the_way_out() {
    let cargo = StandIn::new("nothing", &[], "nothing");
    let output = cargo.run();
    assert!(!output.status.success());
    let said = words(&output.stderr);
    assert!(said.contains("failed: cargo-deny is not installed; cargo install cargo-deny"), "{said}");
}

#[test]
fn the_program_and_the_fuzz_targets_are_checked_by_both_tools() {
    let cargo = StandIn::new("both", &["deny", "audit"], "nothing");
    let output = cargo.run();
    assert!(output.status.success(), "{}", words(&output.stderr));
    let calls = cargo.calls();
    for call in [
        "deny.toml check",
        "deny.toml --manifest-path fuzz/Cargo.toml check",
        "--file Cargo.lock",
        "--file fuzz/Cargo.lock",
    ] {
        assert!(calls.contains(call), "no `{call}` in\n{calls}");
    }
    assert_eq!(words(&output.stdout).trim(), "advisory database: none found");
}

#[test]
fn a_refusal_of_any_check_fails_the_run() {
    for (name, refused) in
        [("fuzz", "manifest-path"), ("program", "deny.toml?check"), ("audit", "fuzz/Cargo.lock")]
    {
        let cargo = StandIn::new(name, &["deny", "audit"], refused);
        assert!(!cargo.run().status.success(), "{refused} was refused, and the run passed");
    }
}

#[test]
fn cargo_audit_may_be_missing_and_is_then_said() {
    let cargo = StandIn::new("no-audit", &["deny"], "nothing");
    let output = cargo.run();
    assert!(output.status.success());
    assert!(words(&output.stderr).contains("skipped: cargo-audit is not installed"));
}
