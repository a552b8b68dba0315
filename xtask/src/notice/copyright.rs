//! The copyright lines in the licence files of a crate, which licences such as MIT ask to be passed on.

use std::fs;
use std::path::PathBuf;

use crate::cargo;
use crate::stage::ChoreResult;

/// How the names of licence files begin, in lower case.
const FILES: [&str; 5] = ["licen", "copying", "copyright", "notice", "unlicense"];
/// What a line that names a holder has, besides its first word; in lower case.
const MARKS: [&str; 6] = ["(c)", "©", "authors", "contributors", "developers", "project"];

/// The copyright lines of a crate such as `serde 1.0.0`, each once. A crate without any has none to pass on.
pub(super) fn lines(name: &str) -> ChoreResult<Vec<String>> {
    let mut found = Vec::new();
    for file in licence_files(name)? {
        let text = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        for line in String::from_utf8_lossy(&text).lines().filter_map(holder) {
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    Ok(found)
}

fn licence_files(name: &str) -> ChoreResult<Vec<PathBuf>> {
    let registries = fs::read_dir(cargo::home().join("registry/src")).into_iter().flatten().flatten();
    let mut sources = registries.map(|registry| registry.path().join(name.replace(' ', "-")));
    let source = sources.find(|source| source.is_dir());
    let source = source.ok_or_else(|| format!("no sources of {name}; run `cargo fetch --locked`"))?;
    let entries = fs::read_dir(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        path.is_file() && FILES.iter().any(|start| name.starts_with(start))
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_licence).collect();
    files.sort();
    Ok(files)
}

/// The line without comment signs, if it says who holds the copyright. Forms to be filled in say it of nobody.
fn holder(line: &str) -> Option<String> {
    let line = line.trim_matches(|sign: char| sign.is_whitespace() || "#/*".contains(sign));
    let lower = line.to_lowercase();
    let rest = lower.strip_prefix("copyright ")?;
    let has_year = rest.split(|sign: char| !sign.is_ascii_digit()).any(|number| number.len() == 4);
    let is_form = ["[yyyy]", "{yyyy}", "notice", "license", "holder"].iter().any(|word| rest.contains(word));
    let is_holder = !is_form && (has_year || MARKS.iter().any(|mark| rest.contains(mark)));
    is_holder.then(|| line.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_name_a_holder_are_distinguished_from_the_text_of_a_licence() {
        for (line, expected) in [
            ("// Copyright 2015-2016 Brian  Smith.", Some("Copyright 2015-2016 Brian Smith.")),
            ("Copyright (c) Individual contributors", Some("Copyright (c) Individual contributors")),
            ("Copyright © 2020-2024 Unicode, Inc.", Some("Copyright © 2020-2024 Unicode, Inc.")),
            ("   Copyright [yyyy] [name of copyright owner]", None),
            ("copyright notice and this permission notice appear in all copies.", None),
            ("COPYRIGHT AND PERMISSION NOTICE", None),
            ("Permission is hereby granted", None),
        ] {
            assert_eq!(holder(line).as_deref(), expected, "{line}");
        }
    }
}
