//! The table of codes and the pages that explain them say the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use domain::ProblemCode;
use wire::{Code, Problem};

fn pages() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../docs/errors")
}

#[test]
fn every_code_has_a_page_and_no_page_is_an_orphan() {
    let written: BTreeSet<String> = fs::read_dir(pages())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected: BTreeSet<String> = Code::ALL.iter().map(|code| format!("{code}.md")).collect();
    assert_eq!(written, expected);
}

#[test]
fn every_page_repeats_its_row_and_names_the_way_out() {
    for &code in Code::ALL {
        let page = fs::read_to_string(pages().join(format!("{code}.md"))).unwrap();
        let heading = format!("# `{code}`: {}\n", code.title());
        let numbers = format!(
            "HTTP {} · MCP {} · exit {}\n",
            code.http_status(),
            code.mcp_code(),
            code.exit().status()
        );
        for part in
            [heading.as_str(), numbers.as_str(), "**What happened.**", "**Why.**", "**The way out.**", "```"]
        {
            assert!(page.contains(part), "{} lacks {part:?}", code.page());
        }
    }
}

#[test]
fn the_page_of_validation_lists_every_problem_and_no_other() {
    let page = fs::read_to_string(pages().join("validation_failed.md")).unwrap();
    let row = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    let listed: Vec<String> = page.lines().filter_map(row).collect();
    let expected: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(listed, expected);
}

#[test]
fn codes_are_snake_case_and_unique() {
    let names: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for name in names {
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
    }
}

#[test]
fn exit_statuses_agree_with_the_kind_of_http_answer() {
    for &code in Code::ALL {
        let exit = code.exit().status();
        if code.http_status() == 404 {
            assert_eq!(exit, 3, "{code}");
        }
        assert_ne!(exit, 0, "{code} is an error and must not look like success");
    }
}

#[test]
fn a_problem_carries_its_row_and_leaves_out_what_is_empty() {
    let problem = Problem::new(Code::PersonaNotFound, "no persona `inara`");
    let expected = serde_json::json!({
        "type": "docs/errors/persona_not_found.md",
        "title": "no such persona",
        "status": 404,
        "detail": "no persona `inara`",
        "code": "persona_not_found",
    });
    assert_eq!(serde_json::to_value(problem).unwrap(), expected);
}
