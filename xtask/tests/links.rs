//! Every link of the documentation leads somewhere: to a file that exists, and to a heading in it.
#![expect(clippy::unwrap_used, reason = "a test that can't read the project fails loudly")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..")
}

fn pages() -> Vec<PathBuf> {
    let folders = [
        "",
        "docs",
        "docs/guides",
        "docs/errors",
        "docs/decisions",
        "docs/formats",
        "deploy",
        "clients/python",
        "clients/typescript",
    ];
    let mut found = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// The text without its code, where brackets mean something else.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            kept.extend(line.split('`').step_by(2));
            kept.push('\n');
        }
    }
    kept
}

fn links(text: &str) -> Vec<String> {
    prose(text).split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The names of a page's headings, as links write them.
fn headings(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let titles =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let slug = |title: &str| {
        let kept =
            title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
    };
    titles.map(slug).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let mut broken = Vec::new();
    let mut seen = 0;
    for page in pages() {
        for link in links(&fs::read_to_string(&page).unwrap()) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            seen += 1;
            let (path, heading) =
                link.split_once('#').map_or((link.as_str(), None), |(path, place)| (path, Some(place)));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let is_there = target.exists()
                && heading.is_none_or(|heading| headings(&target).iter().any(|own| own == heading));
            if !is_there {
                broken.push(format!("{}: {link}", page.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(seen > 100, "{seen} links; does the test still read the pages right?");
    assert!(broken.is_empty(), "lead nowhere:\n{}", broken.join("\n"));
}
