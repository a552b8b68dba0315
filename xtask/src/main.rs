//! The project's chores, in Rust and without dependencies, so that a machine with only a toolchain can
//! do them: `cargo xtask test` with its quick sibling, `trust`, `contract`, `sdks`, `open-webui`, `clients`,
//! `mcp`, `services`, `moving`, `fuzz`, `real-model`, `deploy`, `browser`, `load`, `streams`, `soak`, `notice`,
//! `sizes`, `supply-chain` and `reproducible`.

mod browser;
mod cargo;
mod clients;
mod contract;
mod counts;
mod deploy;
mod fuzz;
mod load;
mod mcp;
mod moving;
mod notice;
mod open_webui;
mod postgres;
mod process_group;
mod real_model;
mod reproducible;
mod sdks;
mod services;
mod sizes;
mod soak;
mod stage;
mod streams;
mod suite;
mod supply_chain;
mod trust;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask test            everything: format, lints, all tests, doc tests, dependency rules
       cargo xtask test --quick    the inner loop: type check and unit tests
       cargo xtask test --outside  what is tried with other people's programs
       cargo xtask contract [--cases N] [--seed N] [--seconds N]  the HTTP contract alone, tried by Schemathesis
       cargo xtask sdks            OpenAI's SDKs, in Python and JavaScript, against a running server
       cargo xtask sdks --all      the same, then LangChain, litellm, llm, pydantic-ai and the Vercel AI SDK
       cargo xtask open-webui      Open WebUI, as two people use it, against a running server
       cargo xtask clients         our own clients, in Python and TypeScript, against a running server
       cargo xtask clients --write  the same, after writing their generated parts
       cargo xtask mcp             the MCP door, tried by the official SDK, conformance suite and memory server
       cargo xtask services        backups to S3, keys wrapped by KMS, traces and metrics over OTLP
       cargo xtask moving          files of SillyTavern, mem0, Letta and the memory server, in and out
       cargo xtask fuzz [SECONDS] [NAME…]  the fuzz targets, each for a minute, with the stable compiler
       cargo xtask real-model      a conversation whose words come from llama.cpp's own server
       cargo xtask deploy          the files of `deploy`, read by linters and by the programs that use them
       cargo xtask browser         the web page in Chromium, installed if it is missing
       cargo xtask load            the server under load, measured by wrk
       cargo xtask streams         what talk adds before a model is asked, and 64 answers at once
       cargo xtask streams --dev   the same with the unoptimised binary, which is built sooner
       cargo xtask trust           the trust gates with the numbers of a release, all controls, the HTTP contract
                                   and the fuzz targets; resumed if it was broken off on the same commit. Each gate
                                   has a row in docs/trust.md, which is replaced or added to
         --only GATE[,GATE]        only gates whose names begin so, such as crash, contract, fuzz or fuzz:rpc
         --tries N                 so many tries for each gate that counts tries
         --first N                 the number of the first one, to go on where another run ended
         --budget HOURS            as much as fits into a time that all share; builds are not counted
         --quick                   the numbers of every change; nothing is written
         --sound, --controls       without the broken builds; only these, which every harness must notice
       cargo xtask soak [--hours H]  a server with 64 tenants under steady load: memory, files and p99 stay flat
       cargo xtask notice          writes the list of crates in NOTICE
       cargo xtask notice --check  says whether that list is up to date
       cargo xtask sizes           lines, files, functions and public items of every crate
       cargo xtask supply-chain    cargo-deny, which must be installed, cargo-audit, and the date of the advisories
       cargo xtask reproducible    builds the program twice in two folders and compares the two
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let passed = match arguments.as_slice() {
        ["test"] => suite::run(suite::FULL),
        ["test", "--quick"] => suite::run(suite::QUICK),
        ["test", "--outside"] => suite::run(suite::OUTSIDE),
        ["contract", rest @ ..] => contract::run(rest),
        ["sdks"] => sdks::run(sdks::SdkSet::OpenAi),
        ["sdks", "--all"] => sdks::run(sdks::SdkSet::Everyones),
        ["open-webui"] => open_webui::run(),
        ["clients"] => clients::run(clients::Generated::Check),
        ["clients", "--write"] => clients::run(clients::Generated::Write),
        ["mcp"] => mcp::run(),
        ["services"] => services::run(),
        ["moving"] => moving::run(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["real-model"] => real_model::run(),
        ["deploy"] => deploy::run(),
        ["browser"] => browser::run(),
        ["load"] => load::run(),
        ["streams"] => streams::run(stage::Profile::Release),
        ["streams", "--dev"] => streams::run(stage::Profile::Dev),
        ["trust", rest @ ..] => trust::run(rest),
        ["soak", rest @ ..] => soak::run(rest),
        ["notice"] => notice::run(notice::NoticeMode::Write),
        ["notice", "--check"] => notice::run(notice::NoticeMode::Check),
        ["sizes"] => sizes::run(),
        ["supply-chain"] => supply_chain::run_strictly(),
        ["reproducible"] => reproducible::run(),
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
