//! What the fuzz targets begin with, replayed on every run: the same files through the same checks.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can't set its stage fails loudly")]

use std::fs;
use std::path::PathBuf;

use formats::Format;
use formats::archive::Limits;
use formats::card::Card;

#[path = "../../../fuzz/fuzz_targets/readers/check.rs"]
#[allow(unreachable_pub, reason = "each fuzz target includes it")]
mod check;
#[path = "../../../fuzz/fuzz_targets/packed.rs"]
#[allow(unreachable_pub, reason = "two fuzz targets include it")]
mod packed;

fn fuzz() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../fuzz")
}

/// The seeds of a target; there is at least one.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = fuzz().join("seeds").join(target);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let seeds: Vec<Vec<u8>> = files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    assert!(!seeds.is_empty(), "{target} has no seed");
    seeds
}

/// The fuzz target of a reader.
const fn target(format: Format) -> &'static str {
    match format {
        Format::ChatGpt => "chatgpt",
        Format::Claude => "claude",
        Format::ClaudeMemories => "claude_memories",
        Format::OpenWebUi => "open_webui",
        Format::SillyTavern => "silly_tavern",
        Format::TavernVariant => "tavern_variants",
        Format::WorldInfo => "world_info",
        Format::Letta => "letta",
        Format::Mem0 => "mem0",
        Format::Reference => "reference",
        Format::DayLogs => "day_logs",
        Format::Markdown => "markdown",
        Format::Csv => "csv",
        Format::Lines => "lines",
        Format::PersonaDocument => "persona_document",
    }
}

#[test]
fn every_reader_has_a_fuzz_target_with_seeds_that_it_reads_whole_and_in_pieces() {
    let targets = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for format in Format::ALL {
        let target = target(*format);
        let path = format!("fuzz_targets/readers/{target}.rs");
        assert!(fuzz().join(&path).exists() && targets.contains(&format!("path = \"{path}\"")), "{path}");
        for seed in seeds(target) {
            check::read(*format, &seed);
            for part in 1..32 {
                check::read(*format, seed.get(..seed.len() * part / 32).unwrap());
            }
        }
    }
}

#[test]
fn every_reader_reads_the_seeds_of_every_other() {
    for target in Format::ALL.iter().map(|format| target(*format)) {
        for seed in seeds(target) {
            for format in Format::ALL {
                check::read(*format, &seed);
            }
        }
    }
}

#[test]
fn archives_stay_within_their_bounds_and_cards_come_back() {
    for seed in seeds("archive") {
        for part in 1..=32 {
            packed::unpack(seed.get(..seed.len() * part / 32).unwrap());
        }
    }
    for seed in seeds("card") {
        packed::card(&seed);
        let card = Card::read(&seed, Limits::SMALL).unwrap();
        assert_eq!(card.name(), Some("Mara"));
        let png = card.to_png().unwrap();
        assert_eq!(Card::read(&png, Limits::SMALL).unwrap().name(), Some("Mara"));
    }
}
