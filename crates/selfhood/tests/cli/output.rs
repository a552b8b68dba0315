//! Results in every mode, messages apart from them, and statuses scripts can rely on.

use crate::{Stage, file_names};

#[test]
fn the_same_list_is_printed_the_way_the_reader_asks() {
    let stage = Stage::new();
    let first_line =
        |mode: &str| stage.run(&["schema", "-o", mode]).stdout.lines().next().unwrap_or_default().to_owned();
    for (mode, expected) in [
        ("table", "name            title"),
        ("tsv", "audit-event\tAudit event"),
        ("csv", "name,title"),
        ("jsonl", r#"{"name":"audit-event","title":"Audit event"}"#),
        ("json", "["),
        ("quiet", "audit-event"),
    ] {
        assert_eq!(first_line(mode), expected, "-o {mode}");
    }
}

#[test]
fn a_pipe_gets_tab_separated_values() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["schema"]).stdout, stage.run(&["schema", "-o", "tsv"]).stdout);
}

#[test]
fn every_schema_listed_can_be_printed() {
    let stage = Stage::new();
    for name in stage.run(&["schema", "-o", "quiet"]).stdout.lines() {
        let printed = stage.run(&["schema", name]);
        let schema: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    }
}

#[test]
fn a_failure_is_printed_on_stderr_with_its_code_page_and_status() {
    let stage = Stage::new();
    let ran = stage.run(&["schema", "person"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.starts_with("error: no schema `person`; there are: audit-event, "), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("  not_found: `selfhood explain not_found`\n"), "{}", ran.stderr);
}

#[test]
fn a_program_gets_problem_details() {
    let stage = Stage::new();
    assert!(stage.run_in(&[("SELFHOOD_OUTPUT", "json")], &["schema", "x"]).problem().is_object());
    let problem = stage.run(&["schema", "person", "-o", "json"]).problem();
    assert_eq!((&problem["code"], &problem["status"]), (&"not_found".into(), &404.into()));
    assert_eq!(problem["type"], "docs/errors/not_found.md");
}

#[test]
fn what_cannot_be_understood_exits_with_usage() {
    let stage = Stage::new();
    for arguments in
        [&["persona"][..], &["--nonsense"], &["schema", "-o", "xml"], &["--tenant", "..", "config", "show"]]
    {
        assert_eq!(stage.run(arguments).status, 2, "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let stage = Stage::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(stage.run(&["completions", shell]).stdout.contains("validate"), "{shell}");
    }
    assert!(stage.run(&["man"]).stdout.contains(".TH selfhood 1"));
    assert_eq!(stage.run(&["man", "pages"]).status, 0);
    let pages = file_names(&stage.path("pages"));
    for page in ["selfhood.1", "selfhood-persona-sign.1", "selfhood-memory-inspect.1", "selfhood-serve.1"] {
        assert!(pages.iter().any(|name| name == page), "{page} is missing from {pages:?}");
    }
}

#[test]
fn a_broken_configuration_does_not_break_the_shell() {
    let stage = Stage::new();
    stage.write("home/selfhood.toml", "nonsense");
    assert_eq!(stage.run(&["completions", "bash"]).status, 0);
    assert_eq!(stage.run(&["config", "show"]).status, 2);
}
