//! The list of crates in `NOTICE`. The rest of that file is written by hand.
//!
//! The list is made by `cargo tree` from the sources that cargo has already fetched, without a network. A crate that is
//! needed on one platform only may not have been fetched here; the check then leaves that platform out and says so.
//! What it can always tell is that a listed version is no longer in `Cargo.lock`.

mod copyright;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::cargo;
use crate::stage::ChoreResult;

/// Whether `NOTICE` is written or compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoticeMode {
    Write,
    Check,
}

/// The platforms that `.github/workflows/release.yml` builds for.
const PLATFORMS: [&str; 6] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
];
/// Everything below this heading is generated.
const HEADING: &str = "\nCrates\n======\n";
const INTRODUCTION: &str = "\
The crates that are compiled into the program on any of its platforms, with the macros that write parts of it, by
licence. The Rust package registry has their sources under these names and versions. Below each name are the copyright
lines of its licence files. `cargo xtask notice` writes this list.
";

/// The licence of each crate, by name and version.
type Licences = BTreeMap<String, String>;

/// Writes or checks the list of crates.
pub(crate) fn run(asked: NoticeMode) -> bool {
    let done = match asked {
        NoticeMode::Write => write(),
        NoticeMode::Check => check(),
    };
    if let Err(problem) = &done {
        eprintln!("{problem}");
    }
    done.is_ok()
}

fn write() -> ChoreResult<()> {
    let (licences, unread) = compiled_in();
    if !unread.is_empty() {
        return Err(format!("not all crates of {} are here; run `cargo fetch --locked`", unread.join(", ")));
    }
    let notice = read("NOTICE")?;
    let (by_hand, _) = notice.split_once(HEADING).ok_or("NOTICE has no heading `Crates`")?;
    let text = format!("{by_hand}{HEADING}\n{INTRODUCTION}{}", list(&licences)?);
    fs::write(cargo::root().join("NOTICE"), text).map_err(|error| format!("NOTICE: {error}"))
}

fn check() -> ChoreResult<()> {
    let notice = read("NOTICE")?;
    let (_, section) = notice.split_once(HEADING).ok_or("NOTICE has no heading `Crates`")?;
    let listed = listed(section);
    let (compiled_in, unread) = compiled_in();
    let missing: Vec<&String> = compiled_in
        .iter()
        .filter(|(name, licence)| listed.get(*name) != Some(licence))
        .map(|(name, _)| name)
        .collect();
    let locked = locked(&read("Cargo.lock")?);
    let is_gone =
        |name: &&String| !locked.contains(*name) || (unread.is_empty() && !compiled_in.contains_key(*name));
    let gone: Vec<&String> = listed.keys().filter(is_gone).collect();
    if !unread.is_empty() {
        eprintln!("not checked for {}: run `cargo fetch --locked` to check them too", unread.join(", "));
    }
    if missing.is_empty() && gone.is_empty() {
        return Ok(());
    }
    Err(format!(
        "NOTICE is out of date; run `cargo xtask notice`\n  not listed, or under another licence: {missing:?}\n  \
         listed, but not compiled in: {gone:?}"
    ))
}

/// The crates of all platforms, and the platforms whose crates are not all here.
fn compiled_in() -> (Licences, Vec<&'static str>) {
    let mut all = Licences::new();
    let mut unread = Vec::new();
    for platform in PLATFORMS {
        match compiled_in_on(platform) {
            Some(licences) => all.extend(licences),
            None => unread.push(platform),
        }
    }
    (all, unread)
}

fn compiled_in_on(platform: &str) -> Option<Licences> {
    let tree = ["tree", "--offline", "--locked", "--package", "selfhood", "--edges", "normal"];
    let format = ["--prefix", "none", "--format", "{p}|{l}", "--target", platform];
    let output = cargo::command(&[&tree[..], &format[..]].concat()).output().ok()?;
    output.status.success().then(|| from_tree(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads lines such as `serde v1.0.0|MIT OR Apache-2.0 (*)`. A crate of our own has its folder after the version.
fn from_tree(tree: &str) -> Licences {
    let crate_of = |line: &str| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let (name, version) = package.trim_end_matches(" (proc-macro)").split_once(" v")?;
        let is_foreign = !version.contains(' ');
        is_foreign.then(|| (format!("{name} {version}"), normalised(licence)))
    };
    tree.lines().filter_map(crate_of).collect()
}

/// The same expression for `MIT/Apache-2.0`, `MIT OR Apache-2.0` and `Apache-2.0 OR MIT`.
fn normalised(licence: &str) -> String {
    let licence = licence.replace('/', " OR ");
    if licence.contains(" AND ") {
        return licence;
    }
    let mut choices: Vec<&str> = licence.split(" OR ").collect();
    choices.sort_unstable();
    choices.join(" OR ")
}

/// The crates by licence, each with the copyright lines of its own licence files.
fn list(licences: &Licences) -> ChoreResult<String> {
    let mut by_licence: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, licence) in licences {
        by_licence.entry(licence).or_default().push(name);
    }
    let mut text = String::new();
    for (licence, names) in by_licence {
        let _ = write!(text, "\n{licence}\n\n");
        for name in names {
            let _ = writeln!(text, "  {name}");
            for line in copyright::lines(name)? {
                let _ = writeln!(text, "    {line}");
            }
        }
    }
    Ok(text)
}

/// Reads what [`list`] has written.
fn listed(section: &str) -> Licences {
    let mut licences = Licences::new();
    let mut licence = "";
    for line in section.lines().filter(|line| !line.starts_with("    ") && !line.is_empty()) {
        match line.strip_prefix("  ") {
            Some(name) => drop(licences.insert(name.to_owned(), licence.to_owned())),
            None => licence = line,
        }
    }
    licences
}

/// The name and version of every crate in a lock file.
fn locked(lock: &str) -> BTreeSet<String> {
    let crate_of = |package: &str| {
        let value = |key: &str| package.lines().find_map(|line| line.strip_prefix(key)?.strip_suffix('"'));
        Some(format!("{} {}", value("name = \"")?, value("version = \"")?))
    };
    lock.split("[[package]]").filter_map(crate_of).collect()
}

fn read(file: &str) -> ChoreResult<String> {
    fs::read_to_string(cargo::root().join(file)).map_err(|error| format!("{file}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_foreign_crates_are_listed_each_once_with_one_spelling_of_its_licence() {
        let tree = "selfhood v0.1.0 (/somewhere/crates/selfhood)|Apache-2.0\n\
                    serde v1.0.2|MIT OR Apache-2.0\n\
                    serde_derive v1.0.2 (proc-macro)|MIT/Apache-2.0\n\
                    serde v1.0.2|MIT OR Apache-2.0 (*)\n\
                    ring v0.17.0|Apache-2.0 AND ISC\n";
        let expected = [
            ("ring 0.17.0", "Apache-2.0 AND ISC"),
            ("serde 1.0.2", "Apache-2.0 OR MIT"),
            ("serde_derive 1.0.2", "Apache-2.0 OR MIT"),
        ];
        let found = from_tree(tree);
        let found: Vec<_> = found.iter().map(|(name, licence)| (name.as_str(), licence.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_list_is_read_back_without_its_copyright_lines() {
        let section = "\nWords above.\n\nMIT\n\n  one 1.0.0\n    Copyright (c) 2020 One\n  two 2.0.0\n\nZlib\n\n  three 3.0.0\n";
        let found = listed(section);
        let found: Vec<_> = found.iter().map(|(name, licence)| (name.as_str(), licence.as_str())).collect();
        assert_eq!(found, [("one 1.0.0", "MIT"), ("three 3.0.0", "Zlib"), ("two 2.0.0", "MIT")]);
    }

    #[test]
    fn a_lock_file_names_every_crate_with_its_version() {
        let lock = "version = 4\n\n[[package]]\nname = \"one\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"two\"\nversion = \"2.0.0+a\"\n";
        assert_eq!(locked(lock).into_iter().collect::<Vec<_>>(), ["one 1.0.0", "two 2.0.0+a"]);
    }
}
