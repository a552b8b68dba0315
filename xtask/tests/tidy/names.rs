//! Names that were replaced by plain ones; `docs/decisions/0025-rooms-and-plain-names.md` says by which.

use std::fs;
use std::path::{Path, PathBuf};

use super::{all_sources, files_ending, plain_words, root, sources};

/// Types.
const TYPES: [&str; 43] = [
    "Standing",
    "Standings",
    "Recalling",
    "Afterwards",
    "Aftermath",
    "Desk",
    "Book",
    "Books",
    "Doomed",
    "Belongings",
    "Estate",
    "House",
    "AtHand",
    "DOORS",
    "Visits",
    "Acquaintance",
    "Pressing",
    "Premises",
    "Unheard",
    "ComingUp",
    "Likeness",
    "SettledIn",
    "Asked",
    "Door",
    "Found",
    "Given",
    "Heard",
    "Held",
    "Kept",
    "Known",
    "Made",
    "Manner",
    "Said",
    "Seen",
    "Shelf",
    "Shown",
    "Sieve",
    "Sought",
    "Spoken",
    "Told",
    "Waiting",
    "What",
    "Whose",
];
/// Functions.
const FUNCTIONS: [&str; 22] = [
    "acquaintances",
    "aftermath",
    "at_book",
    "be_born",
    "bury",
    "carry_on",
    "condemned",
    "doom",
    "let_go",
    "let_keys_die",
    "life_only",
    "manner",
    "noticing",
    "papers",
    "put_paper",
    "remove_paper",
    "saying",
    "seal_away",
    "settle",
    "strike",
    "strike_from",
    "tried_again",
];
/// Source files, without `.rs`.
const FILES: [&str; 18] = [
    "aftermath",
    "at_the_machine",
    "book",
    "clockwork",
    "desk",
    "door",
    "doors",
    "hands",
    "house",
    "likeness",
    "manner",
    "meaning",
    "past",
    "premises",
    "settle_in",
    "shelf",
    "sieve",
    "strike",
];
/// A word that names nothing: an answer, a text or an output was meant, and is called so now. It stays in what people
/// say.
const WORD: &str = "told";
/// The one name that keeps it: a phrase in which a person says it.
const PHRASE: &str = "told_me";
/// What a script of the page may not declare.
const IN_SCRIPTS: [&str; 8] =
    ["aftermath", "doomed", "estate", "manner", "shelf", "sieve", "strike", "struck"];

/// The name that a line declares after one of `keywords`.
fn declared<'l>(line: &'l str, keywords: &[&str]) -> Option<&'l str> {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.find(|word| keywords.contains(word)).and_then(|_| words.find(|word| *word != "mut"))
}

fn is_retired(line: &str) -> bool {
    let says = |keywords: &[&str], names: &[&str]| {
        declared(line, keywords).is_some_and(|name| names.contains(&name))
    };
    says(&["struct", "enum", "trait", "type", "const"], &TYPES)
        || says(&["fn"], &FUNCTIONS)
        || has_retired_word(line)
}

/// Whether what `line` declares has the retired word in its name.
fn has_retired_word(line: &str) -> bool {
    let name = declared(line, &["struct", "enum", "trait", "type", "const", "fn", "let"]);
    name.is_some_and(|name| name != PHRASE && name.to_lowercase().split('_').any(|part| part == WORD))
}

fn with_a_line(files: Vec<PathBuf>, is_wrong: impl Fn(&str) -> bool) -> Vec<String> {
    let has_one = |path: &PathBuf| fs::read_to_string(path).unwrap().lines().any(&is_wrong);
    files.into_iter().filter(has_one).map(|path| path.display().to_string()).collect()
}

fn is_in_src(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "src")
}

#[test]
fn a_retired_name_is_noticed_wherever_it_is_declared() {
    for line in ["pub(crate) struct Desk {".to_owned(), "    async fn strike_from(".to_owned()] {
        assert!(is_retired(&line), "{line}");
    }
    for line in [
        format!("    let {WORD}: Vec<String> = texts.collect();"),
        format!("fn {WORD}(error: &Error) {{"),
        format!("    let mut {WORD}_ids = Vec::new();"),
        format!("async fn a_failure_is_{WORD}_in_the_log() {{"),
    ] {
        assert!(is_retired(&line), "{line}");
    }
    for line in ["fn settled() {", "let untold = 1;", "// fn is a keyword", "struct DeskLamp;"] {
        assert!(!is_retired(line), "{line}");
    }
}

#[test]
fn nothing_has_a_retired_name() {
    let found = with_a_line(all_but_this_file(), is_retired);
    assert!(found.is_empty(), "these declare a name that was replaced: {found:?}");
}

/// Every source file but this one, which has retired names as examples.
fn all_but_this_file() -> Vec<PathBuf> {
    let all = all_sources().into_iter().chain(sources(&root().join("tests")));
    all.filter(|path| !path.ends_with("tidy/names.rs")).collect()
}

#[test]
fn no_source_file_has_a_retired_name() {
    let is_one = |path: &PathBuf| {
        path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| FILES.contains(&stem))
    };
    let found: Vec<PathBuf> =
        all_sources().into_iter().filter(|path| is_in_src(path)).filter(is_one).collect();
    assert!(found.is_empty(), "these have a name that was replaced: {found:?}");
}

#[test]
fn no_comment_has_the_retired_word() {
    let says =
        |line: &str| line.trim_start().starts_with("//") && plain_words(line).contains(&format!(" {WORD} "));
    let all = all_sources().into_iter().chain(sources(&root().join("tests"))).collect();
    let found = with_a_line(all, says);
    assert!(found.is_empty(), "these have a comment with a word that was replaced: {found:?}");
}

#[test]
fn no_script_of_the_page_declares_a_retired_name() {
    let declares = |line: &str| {
        declared(line, &["const", "let", "function", "class"])
            .is_some_and(|name| IN_SCRIPTS.contains(&name) || TYPES.contains(&name))
    };
    assert!(declares("  const struck = lines.filter(isGone);") && declares("class Desk {"));
    let scripts = files_ending(&root().join("web"), "js");
    assert!(!scripts.is_empty());
    let found = with_a_line(scripts, declares);
    assert!(found.is_empty(), "these declare a name that was replaced: {found:?}");
}
