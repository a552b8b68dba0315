//! The project's chores, in Rust and without dependencies, so that a machine with only a toolchain can
//! do them: `cargo xtask test` and its quick sibling.

mod cargo;
mod counts;
mod suite;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask test            everything: format, lints, all tests, doc tests, dependency rules
       cargo xtask test --quick    the inner loop: type check and unit tests
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let passed = match arguments.as_slice() {
        ["test"] => suite::run(suite::FULL),
        ["test", "--quick"] => suite::run(suite::QUICK),
        ["--help" | "-h" | "help"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
