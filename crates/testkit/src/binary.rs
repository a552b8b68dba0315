//! The program under test.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The binary that `SELFHOOD_BINARY` names; otherwise the one built from the sources as they are.
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(given) = std::env::var_os("SELFHOOD_BINARY") {
            return given.into();
        }
        let built =
            Command::new(env!("CARGO")).args(["build", "--quiet", "-p", "selfhood"]).status().unwrap();
        assert!(built.success(), "the binary does not build");
        let tests = std::env::current_exe().unwrap();
        tests.ancestors().nth(2).unwrap().join(format!("selfhood{}", std::env::consts::EXE_SUFFIX))
    })
}
