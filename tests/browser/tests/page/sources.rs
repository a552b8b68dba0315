//! What holds of the page's sources without a browser.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

const MOST_SCRIPT: u64 = 260_000;
const LONGEST_FILE: usize = 450;

fn web() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../web")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found
}

#[test]
fn all_scripts_together_stay_small_and_each_of_them_short() {
    let scripts = files(&web(), "js");
    let bytes: u64 = scripts.iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(scripts.len() > 20, "are these all?");
    assert!(bytes <= MOST_SCRIPT, "{bytes} bytes of script");
    for path in scripts {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines", path.display());
    }
}

#[test]
fn every_screen_names_a_test_and_every_test_that_is_named_is_there() {
    let tests = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/page");
    let map = fs::read_to_string(web().join("../docs/web.md")).unwrap();
    let exists = |named: &str| {
        let (module, function) = named.split_once("::").unwrap();
        let source = fs::read_to_string(tests.join(format!("{module}.rs"))).unwrap_or_default();
        source.contains(&format!("#[test]\nfn {function}()"))
    };
    for screen in files(&web().join("screens"), "js") {
        let name = screen.file_name().unwrap().to_str().unwrap();
        let row = map.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let tried = row.unwrap_or_else(|| panic!("docs/web.md does not know {name}")).rsplit(" | ").next();
        let named: Vec<&str> = tried.unwrap().split('`').filter(|part| part.contains("::")).collect();
        assert!(!named.is_empty(), "{name} names no test");
        let missing: Vec<_> = named.iter().filter(|named| !exists(named)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

#[test]
fn no_source_names_another_host_or_makes_markup_of_text() {
    for path in ["js", "css", "html"].iter().flat_map(|extension| files(&web(), extension)) {
        let text = fs::read_to_string(&path).unwrap().replace("http://www.w3.org/2000/svg", "");
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "http://",
            "//cdn",
            "onclick=",
        ] {
            assert!(!text.contains(forbidden), "{} has {forbidden}", path.display());
        }
    }
}

/// A page in a local network comes over plain HTTP, where browsers withhold some of what they have.
#[test]
fn nothing_but_proofs_and_copying_needs_an_encrypted_connection() {
    for path in files(&web(), "js") {
        let text = fs::read_to_string(&path).unwrap().replace("unlike crypto.randomUUID", "");
        let is_proof = path.parent().is_some_and(|folder| folder.ends_with("proof"));
        let copies = path.ends_with("parts/copy.js");
        for (withheld, is_ready) in
            [("randomUUID", false), ("crypto.subtle", is_proof), ("navigator.clipboard", copies)]
        {
            assert!(is_ready || !text.contains(withheld), "{} needs {withheld}", path.display());
        }
    }
}

#[test]
fn every_text_that_is_asked_for_is_there() {
    let texts: Value =
        serde_json::from_str(&fs::read_to_string(web().join("text/en.json")).unwrap()).unwrap();
    let mut missing = BTreeSet::new();
    let mut asked = 0;
    for path in files(&web(), "js") {
        let source = fs::read_to_string(&path).unwrap();
        let calls = ["t('", "button('", "hint('", "title: '", "confirm: '", "about: '"]
            .into_iter()
            .flat_map(|call| source.match_indices(call));
        for (at, call) in calls {
            let key = source[at + call.len()..].split('\'').next().unwrap();
            let stands_alone = !source[..at].ends_with(char::is_alphanumeric);
            let is_call = stands_alone
                && key.contains('.')
                && key.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-".contains(letter));
            if is_call {
                asked += 1;
                if texts.pointer(&format!("/{}", key.replace('.', "/"))).is_none() {
                    missing.insert(key.to_owned());
                }
            }
        }
    }
    let events = fs::read_to_string(web().join("../crates/domain/src/audit.rs")).unwrap();
    let named =
        events.lines().filter_map(|line| line.strip_suffix("\",")?.split_once(" = \"").map(|(_, kind)| kind));
    for kind in named {
        asked += 1;
        if texts.pointer(&format!("/event/{}", kind.replace('.', "-"))).is_none() {
            missing.insert(format!("event {kind}"));
        }
    }
    let notes = fs::read_to_string(web().join("../crates/wire/src/note.rs")).unwrap();
    let (_, codes) = notes.split_once("pub enum NoteCode {").unwrap();
    for code in codes.lines().filter_map(|line| line.trim().strip_suffix(',')) {
        let code: String = code
            .char_indices()
            .flat_map(|(n, letter)| {
                let hyphen = (n > 0 && letter.is_uppercase()).then_some('-');
                hyphen.into_iter().chain(letter.to_lowercase())
            })
            .collect();
        if texts.pointer(&format!("/note/{code}")).is_none() {
            missing.insert(format!("note {code}"));
        }
    }
    assert!(asked > 150, "{asked} texts; does the test still read the sources right?");
    assert!(missing.is_empty(), "no words for {missing:?}");
}

fn texts(language: &str) -> Value {
    let path = web().join(format!("text/{language}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The texts of a file by the way to them, with the names of what is filled in.
fn flat(texts: &Value, way: &str, found: &mut BTreeMap<String, BTreeSet<String>>) {
    if let Value::Object(group) = texts {
        for (name, text) in group {
            flat(text, &format!("{way}/{name}"), found);
        }
        return;
    }
    let holes = texts.as_str().unwrap().split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    found.insert(way.to_owned(), holes.map(|(name, _)| name.to_owned()).collect());
}

#[test]
fn every_language_says_everything_and_fills_in_the_same() {
    let mut english = BTreeMap::new();
    flat(&texts("en"), "", &mut english);
    assert!(english.len() > 500, "{} texts; does the test still read them right?", english.len());
    for path in files(&web().join("text"), "json") {
        let language = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut other = BTreeMap::new();
        flat(&texts(&language), "", &mut other);
        let ways =
            |texts: &BTreeMap<String, BTreeSet<String>>| texts.keys().cloned().collect::<BTreeSet<_>>();
        let (own, needed) = (ways(&other), ways(&english));
        let differing: Vec<_> = own.symmetric_difference(&needed).collect();
        assert!(differing.is_empty(), "{language} and en differ in {differing:?}");
        for (way, holes) in &other {
            // "one" may say its number in words.
            let extra: Vec<_> = holes.difference(&english[way]).collect();
            assert!(
                extra.is_empty() || way.ends_with("/one") || way.ends_with("/other"),
                "{language}{way}: {extra:?}"
            );
        }
    }
}

#[test]
fn every_error_code_has_a_sentence_and_no_words_of_the_server_reach_the_reader() {
    let english = texts("en");
    let codes = files(&web().join("../docs/errors"), "md");
    assert!(codes.len() > 50, "are these all?");
    for page in codes {
        let code = page.file_stem().unwrap().to_str().unwrap().to_owned();
        let sentence = english["error"][&code].as_str().unwrap_or_default();
        assert!(sentence.ends_with('.') && sentence.len() > 15, "no sentence for {code}");
    }
    for path in files(&web(), "js") {
        let source = fs::read_to_string(&path).unwrap();
        assert!(!source.contains("problem.detail"), "{} shows the server's own words", path.display());
    }
}

/// Whether a home opens is examined by the command line; everything else by a server, for the page too.
const BY_COMMAND_ONLY: &str = "outside.rs";

#[test]
fn every_outcome_of_the_servers_checks_has_a_sentence() {
    let english = texts("en");
    let mut asked = 0;
    let mut missing = BTreeSet::new();
    for path in files(&web().join("../crates/engine/src"), "rs") {
        let source = fs::read_to_string(&path).unwrap();
        let made = if path.ends_with(BY_COMMAND_ONLY) {
            Vec::new()
        } else {
            source.split("Check::").skip(1).collect()
        };
        for one in made {
            let Some((outcome, rest)) = one.split_once('(') else { continue };
            let Some(name) = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next())
            else {
                continue;
            };
            if ["ok", "warn", "fail"].contains(&outcome) {
                asked += 1;
                let is_said =
                    english["finding"][name][outcome].is_string() && english["checks"][name].is_string();
                if !is_said {
                    missing.insert(format!("{name}: {outcome}"));
                }
            }
        }
    }
    assert!(asked > 25, "{asked} outcomes; does the test still read the sources right?");
    assert!(missing.is_empty(), "no sentence for {missing:?}");
}

/// Every text of a file, in lower case.
fn all(texts: &Value, found: &mut Vec<String>) {
    if let Some(group) = texts.as_object() {
        group.values().for_each(|one| all(one, found));
    } else {
        found.push(texts.as_str().unwrap().to_lowercase());
    }
}

#[test]
fn the_english_texts_read_as_if_written_in_english() {
    let foreign = [
        "whoever",
        "somebody",
        "nobody",
        "anew",
        "let go",
        "taken in",
        "take it back",
        "is told",
        "was told",
    ];
    let mut found = Vec::new();
    all(&texts("en"), &mut found);
    assert!(found.len() > 500, "{} texts; does the test still read them right?", found.len());
    for text in found {
        let word = foreign.iter().find(|word| text.contains(*word));
        assert!(word.is_none(), "“{text}” says {word:?}");
    }
}
