//! What a fuzz target checks is compiled and run on its seeds by an ordinary test, so that no target stops compiling
//! unnoticed.

use std::fs;
use std::path::Path;

use crate::{root, sources};

/// Path and name of every target in the manifest.
fn targets() -> Vec<(String, String)> {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    let value =
        |bin: &str, key: &str| Some(bin.split_once(&format!("{key} = \""))?.1.split_once('"')?.0.to_owned());
    let bins = manifest.split("[[bin]]").skip(1);
    bins.map(|bin| (value(bin, "path").unwrap(), value(bin, "name").unwrap())).collect()
}

/// The module with the check of a target, from the folder of the project.
fn check_of(path: &str) -> String {
    let text = fs::read_to_string(root().join("fuzz").join(path)).unwrap();
    let module = text.lines().find_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    assert!(module.is_some(), "{path} has its check in no module");
    let module = module.unwrap();
    let folder = Path::new(path).parent().unwrap();
    format!("fuzz/{}/{module}.rs", folder.display())
}

#[test]
fn the_check_of_every_fuzz_target_is_compiled_by_an_ordinary_test() {
    let tests: Vec<String> = sources(&root().join("crates"))
        .into_iter()
        .filter(|path| path.components().any(|part| part.as_os_str() == "tests"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let targets = targets();
    assert!(targets.len() > 20);
    for (path, name) in targets {
        let check = check_of(&path);
        let included = tests.iter().any(|test| test.contains(&format!("{check}\"]")));
        assert!(included, "no test includes {check}, which the fuzz target {name} runs");
    }
}

#[test]
fn every_fuzz_target_has_seeds() {
    for (_, name) in targets() {
        let seeds = fs::read_dir(root().join("fuzz/seeds").join(&name)).map_or(0, Iterator::count);
        assert!(seeds > 0, "{name} has none in fuzz/seeds/{name}");
    }
}
