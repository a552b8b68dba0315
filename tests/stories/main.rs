//! Stories: dated scripts of verbs with the expected text beside them, for people to read.
//!
//! Each Markdown file of this folder is played through the engine, on every store, with a clock that
//! moves only as the story says. `README.md` tells how a story is written, and is one itself.
//! `UPDATE_STORIES=1` writes what the product says into the stories, for a person to review.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a story that can't be played ends the test"
)]

mod script;
mod step;
mod verb;
mod stores;
mod stage;
mod memories;
mod life;
mod conversation;
mod home;
mod names;
mod people;
mod telling;
mod difference;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use difference::difference;
use script::Story;
use stage::Stage;
use stores::Kind;

/// How many stories there are at least.
const LEAST: usize = 20;

fn folder() -> PathBuf {
    PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("stories")
}

fn stories() -> Vec<(PathBuf, String)> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut rendered: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    rendered.sort();
    rendered.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Where a reader finds the file, from the project's root.
fn shown(path: &Path) -> String {
    format!("tests/stories/{}", path.file_name().unwrap().to_string_lossy())
}

/// What each scene of `story` tells on `stage`.
async fn play(story: &Story, mut stage: Stage) -> Vec<String> {
    let mut rendered = Vec::new();
    for scene in &story.scenes {
        let mut texts = Vec::new();
        for step in &scene.steps {
            let text = stage.play(scene.at, step).await;
            let text = text.unwrap_or_else(|mistake| panic!("{}:{}: {mistake}", story.file, step.line));
            texts.extend(Some(text).filter(|text| !text.is_empty()));
        }
        rendered.push(texts.join("\n\n"));
    }
    stage.close(story.scenes.last().unwrap().at).await;
    rendered
}

/// Where `rendered` differs from what the story expects, scene by scene.
fn differences(story: &Story, rendered: &[String], place: &str) -> String {
    let mut report = String::new();
    for (scene, rendered) in story.scenes.iter().zip(rendered) {
        let expected = story.expected(scene);
        if expected != *rendered {
            let line = scene.expected_line();
            let shown = difference(&expected, rendered);
            writeln!(report, "\n{}:{line} on the {place} store\n{shown}", story.file).unwrap();
        }
    }
    report
}

#[tokio::test]
async fn every_story_reads_on_every_store_as_it_is_written() {
    let update = std::env::var_os("UPDATE_STORIES").is_some();
    let (mut report, mut stores_agree) = (String::new(), true);
    for (path, text) in stories() {
        let story = Story::parse(&shown(&path), &text).unwrap_or_else(|mistake| panic!("{mistake}"));
        let rendered = play(&story, Stage::on(Kind::Reference.empty().await)).await;
        report.push_str(&differences(&story, &rendered, Kind::Reference.name()));
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Reference) {
            let replayed = play(&story, Stage::on(kind.empty().await)).await;
            if replayed != rendered {
                stores_agree = false;
                report.push_str(&differences(&story, &replayed, kind.name()));
            }
        }
        if update {
            fs::write(&path, story.rewritten(&rendered)).unwrap();
        }
    }
    assert!(report.is_empty() || (update && stores_agree), "- is expected, + is told\n{report}");
}

#[test]
fn every_story_says_in_prose_what_it_teaches() {
    let all = stories();
    assert!(all.len() > LEAST, "{} stories", all.len());
    for (path, text) in all {
        let story = Story::parse(&shown(&path), &text).unwrap_or_else(|mistake| panic!("{mistake}"));
        assert!(text.starts_with("# "), "{} has no title", story.file);
        assert!(story.prose().len() > 120, "{} explains nothing", story.file);
        let expectations = story.scenes.iter().filter(|scene| !story.expected(scene).is_empty());
        assert!(expectations.count() > 0, "{} expects nothing", story.file);
    }
}

#[tokio::test]
async fn a_wrong_expectation_is_reported_with_its_line_and_put_right_on_request() {
    let text = "# One\n\nProse.\n\n```on 2026-04-22 12:00\nrecall \"Hello?\"\n```\n\n```text\nHello!\n```\n";
    let story = Story::parse("one.md", text).unwrap();
    let rendered = play(&story, Stage::on(Kind::Reference.empty().await)).await;
    let report = differences(&story, &rendered, "reference");
    assert!(report.contains("one.md:10 on the "), "{report}");
    assert!(report.contains("\n- Hello!\n+ (nothing)\n"), "{report}");
    let rewritten = story.rewritten(&rendered);
    assert_eq!(rewritten, text.replace("Hello!", "(nothing)"));
    let story = Story::parse("one.md", &rewritten).unwrap();
    assert_eq!(differences(&story, &rendered, "reference"), "");
}
