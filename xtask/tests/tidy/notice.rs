//! `NOTICE` names everything in the program that is not our own, and comes with every form of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..").canonicalize().unwrap()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn is_named(path: &str) -> bool {
    read("NOTICE").lines().any(|line| line == path)
}

/// The source files of the program, without those of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|own| own == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// The files below `model` that a source file puts into the program.
fn embedded_models(source: &Path) -> Vec<String> {
    let text = fs::read_to_string(source).unwrap();
    let arguments = ["include_bytes!(\"", "include_str!(\""].map(|start| {
        let after = text.split(start).skip(1);
        after.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect::<Vec<_>>()
    });
    let relative = |argument: String| {
        let path = source.parent().unwrap().join(argument).canonicalize().unwrap();
        path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned()
    };
    arguments.into_iter().flatten().map(relative).filter(|path| path.starts_with("model/")).collect()
}

#[test]
fn every_model_in_the_program_is_named() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let models: Vec<String> =
        crates.flat_map(|folder| sources(&folder)).flat_map(|source| embedded_models(&source)).collect();
    assert!(models.len() >= 9, "{models:?}; does the test still read the sources right?");
    let unnamed: Vec<_> = models.iter().filter(|path| !is_named(path)).collect();
    assert!(unnamed.is_empty(), "NOTICE must name source and licence of {unnamed:?}");
}

#[test]
fn every_font_is_named() {
    let fonts = fs::read_dir(root().join("web/fonts")).unwrap().map(|entry| entry.unwrap().file_name());
    let fonts: Vec<String> = fonts
        .map(|name| format!("web/fonts/{}", name.to_str().unwrap()))
        .filter(|path| Path::new(path).extension().is_none_or(|own| own != "txt"))
        .collect();
    assert!(!fonts.is_empty());
    let unnamed: Vec<_> = fonts.iter().filter(|path| !is_named(path)).collect();
    assert!(unnamed.is_empty(), "NOTICE must name source and licence of {unnamed:?}");
}

#[test]
fn every_path_it_names_exists() {
    let text = read("NOTICE");
    let words = text.split_whitespace().map(|word| word.trim_end_matches(['.', ',', ':']));
    let starts = ["model/", "web/", "crates/"];
    let paths: Vec<&str> = words.filter(|word| starts.iter().any(|start| word.starts_with(start))).collect();
    assert!(paths.len() > 15, "{paths:?}; does the test still read the file right?");
    let missing: Vec<_> = paths.into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "NOTICE names {missing:?}");
}

#[test]
fn the_list_of_crates_is_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["notice", "--check"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_platform_of_a_release_is_looked_at() {
    let workflow = read(".github/workflows/release.yml");
    let platforms: Vec<&str> = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- { target: ")?.split(',').next())
        .collect();
    assert!(platforms.len() > 3, "{platforms:?}; does the test still read the workflow right?");
    let program = read("xtask/src/notice.rs");
    for platform in platforms {
        assert!(program.contains(&format!("\"{platform}\"")), "xtask/src/notice.rs leaves out {platform}");
    }
}

#[test]
fn archives_package_and_image_carry_licence_and_notice() {
    for (file, carries) in [
        (".github/workflows/release.yml", "README.md LICENSE NOTICE CHANGELOG.md \"$name\""),
        ("crates/selfhood/Cargo.toml", "[\"../../LICENSE\", \"usr/share/doc/selfhood/\", \"644\"]"),
        ("crates/selfhood/Cargo.toml", "[\"../../NOTICE\", \"usr/share/doc/selfhood/\", \"644\"]"),
        ("Dockerfile", "COPY LICENSE NOTICE /usr/share/doc/selfhood/"),
    ] {
        assert!(read(file).contains(carries), "{file} lacks {carries}");
    }
    let ignored = read(".dockerignore");
    assert!(!ignored.lines().any(|line| ["LICENSE", "NOTICE"].contains(&line)), "the image can't copy them");
}
