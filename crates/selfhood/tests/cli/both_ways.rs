//! Every verb, asked of a server that owns the home and asked without one, gives the same answer.

use std::collections::BTreeMap;

use regex_lite::{Captures, Regex};

use crate::{Ran, Stage};

/// What a whole session says, with everything that differs from run to run replaced by its order of appearance.
struct Transcript<'a> {
    stage: &'a Stage,
    names: BTreeMap<String, String>,
    lines: Vec<String>,
}

impl Transcript<'_> {
    fn run(&mut self, arguments: &[&str]) -> Ran {
        let ran = self.stage.run(arguments);
        let transcript = format!("{arguments:?}\n{}{}= {}\n", ran.stdout, ran.stderr, ran.status);
        let transcript = self.anonymous(&transcript.replace(&self.stage.at(""), "STAGE/"));
        self.lines.push(transcript);
        ran
    }

    /// The first column of the first row, which identifies it.
    fn id(&mut self, arguments: &[&str]) -> String {
        let ran = self.run(&[arguments, &["-o", "quiet"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    }

    /// The same words with ids, keys and times replaced by numbers: the same thing has the same number.
    fn anonymous(&mut self, text: &str) -> String {
        let changing = Regex::new(
            r"mem:[0-9a-f]{6,12}|sess:[0-9a-f]{32}|sh_[0-9a-f]+_[0-9a-f]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z|\b[0-9a-f]{16}\b|sha256:[0-9a-f]{64}|\b[0-9a-f]{64}\b|did:key:[0-9A-Za-z]+",
        )
        .unwrap();
        let names = &mut self.names;
        let replaced = changing.replace_all(text, |found: &Captures<'_>| {
            let next = format!("<{}>", names.len());
            if found[0].ends_with('Z') {
                "<time>".to_owned()
            } else {
                names.entry(found[0].to_owned()).or_insert(next).clone()
            }
        });
        let clock = Regex::new(r"Current date and time: .*").unwrap();
        // Digests tell the minute in which something was said.
        let minute = Regex::new(r"- \d{2}:\d{2} ").unwrap();
        let long = Regex::new(r"\d\.\d{3,}").unwrap();
        // One in ten of these is logged, chosen by a hash under the home's own pepper.
        let sampled = Regex::new(r"event\tmemory\.(retrieved|rehearsed)\t\d+\n").unwrap();
        let replaced = sampled.replace_all(&replaced, "");
        let replaced = minute.replace_all(&replaced, "- <minute> ");
        long.replace_all(&clock.replace_all(&replaced, "<clock>"), "<number>").into_owned()
    }
}

/// Runs every verb with good and bad input.
fn session(stage: &Stage) -> Vec<String> {
    let mut transcript = Transcript { stage, names: BTreeMap::new(), lines: Vec::new() };
    personas(&mut transcript);
    life(&mut transcript);
    memories(&mut transcript);
    people(&mut transcript);
    keys(&mut transcript);
    transcript.run(&["session", "list"]);
    transcript.run(&["session", "show", "none"]);
    transcript.run(&["session", "search", "boat"]);
    forgetting(&mut transcript);
    talk(&mut transcript);
    transcript.run(&["export", "--include-pii"]);
    transcript.run(&["persona", "delete", "inara"]);
    transcript.run(&["persona", "delete", "inara", "--yes"]);
    transcript.run(&["persona", "list"]);
    transcript.lines
}

fn personas(transcript: &mut Transcript<'_>) {
    transcript.run(&["persona", "list"]);
    transcript.run(&["persona", "new", "inara", "--emoji", "*", "--description", "A concierge."]);
    transcript.run(&["persona", "new", "inara"]);
    transcript.run(&["persona", "new", "No Name"]);
    transcript.run(&["persona", "list"]);
    transcript.run(&["persona", "show"]);
    transcript.run(&["persona", "show", "nobody"]);
    transcript.run(&["persona", "sign"]);
    transcript.run(&["persona", "copy", "inara", "twin"]);
    transcript.run(&["persona", "copy", "inara", "twin"]);
    transcript.run(&["persona", "copy", "nobody", "twin"]);
    transcript.run(&["persona", "delete", "twin", "--yes"]);
    transcript.run(&["context", "inara", "hello", "-o", "table"]);
    transcript.run(&["context", "inara", "--tier", "7"]);
}

fn life(transcript: &mut Transcript<'_>) {
    let event = ["--facts", "It rained.", "--feelings", "Calm.", "--interpretation", "It passed."];
    let first =
        transcript.id(&[&["timeline", "add", "First", "--event-at", "2019-05-02"], &event[..]].concat());
    transcript.run(&[&["timeline", "add", "Earlier", "--event-at", "2018-05-02"], &event[..]].concat());
    transcript.run(&["timeline", "add", "Incomplete"]);
    transcript.run(&["timeline", "revise", &first, "--feelings", "Wet.", "--reason", "I remember now."]);
    transcript.run(&["timeline", "revise", &first, "--feelings", "Dry."]);
    transcript.run(&["timeline", "supersede", &first, "--reason", "again"]);
    transcript.run(&["timeline", "supersede", "ffff", "--reason", "again"]);
    transcript.run(&["timeline", "list", "--include-superseded"]);
    transcript.run(&["timeline", "list", "-o", "csv"]);
    transcript.run(&["timeline", "check"]);
    transcript.run(&["timeline", "redact", &first, "--reason", "request", "--dry-run"]);
    transcript.run(&["timeline", "redact", &first, "--reason", "request"]);
    transcript.run(&["timeline", "redact", &first, "--reason", "request", "--yes"]);
    transcript.run(&["timeline", "list", "--include-superseded"]);
}

fn memories(transcript: &mut Transcript<'_>) {
    transcript.run(&["memory", "list"]);
    transcript.run(&["memory", "add", "x", "--subject", "ana"]);
    transcript.run(&["memory", "add", "x", "--salience", "9"]);
    let basis = ["--subject", "ana", "--consent-basis", "service-delivery", "--detail", "a scarf@0.4"];
    let id =
        transcript
            .id(&[&["memory", "add", "Ana liked the seafood place.", "--salience", "0.9"], &basis[..]]
                .concat());
    transcript.run(&["memory", "list", "--privacy-class", "guest-pii", "--min-salience", "0.2"]);
    transcript.run(&["memory", "list", "--at", "+30d"]);
    transcript.run(&["memory", "list", "seafood", "--subject", "ana"]);
    transcript.run(&["memory", "list", "nothing of the sort"]);
    transcript.run(&["memory", "list", " "]);
    transcript.run(&["memory", "inspect", &id, "-o", "table"]);
    transcript.run(&["memory", "inspect", "mem:000000000000"]);
    transcript.run(&["memory", "search", "the seafood place", "--subject", "ana", "-o", "table"]);
    let recall = transcript
        .stage
        .run(&["memory", "search", "the seafood place", "--subject", "ana", "-o", "json"])
        .object();
    transcript.run(&["memory", "why", recall["recallId"].as_str().unwrap()]);
    transcript.run(&["memory", "why", "0198c0de-0000-7000-8000-000000000000"]);
    let corrected = transcript.id(&["memory", "correct", &id, "--gist", "Ana liked the oyster bar."]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "request", "--dry-run"]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "request"]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "request"]);
    transcript.run(&["memory", "restore", &corrected]);
    transcript.run(&["memory", "restore", &corrected]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "faded", "--mode", "archive"]);
    transcript.run(&["memory", "restore", &corrected]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "request", "--mode", "hard", "--dry-run"]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "request", "--mode", "hard"]);
    transcript.run(&["memory", "redact", &corrected, "--reason", "request", "--mode", "hard", "--yes"]);
    transcript.run(&["memory", "inspect", &corrected]);
    transcript.run(&["memory", "list", "--include-redacted"]);
    transcript.run(&["import", "nowhere.jsonl"]);
    transcript.run(&["memory", "residue", "--text", "oyster bar", "-o", "quiet"]);
    transcript.run(&["memory", "residue", "--subject", "nobody-at-all", "-o", "quiet"]);
    transcript.run(&["memory", "audit", "--persona", "inara"]);
    transcript.run(&["memory", "audit", "--persona", "nobody"]);
    transcript.run(&["memory", "audit", "--verify", "-o", "quiet"]);
    transcript.run(&["memory", "audit", "--verify", "--against", "nowhere.txt"]);
}

fn people(transcript: &mut Transcript<'_>) {
    transcript.run(&["subject", "list"]);
    let agreed = ["--subject", "ana", "--consent-basis", "explicit-consent"];
    transcript.run(&[&["memory", "add", "Ana keeps a diary.", "--salience", "0.9"], &agreed[..]].concat());
    transcript.run(&[
        "memory",
        "add",
        "Somebody plays the piano.",
        "--subject",
        "anon",
        "--consent-basis",
        "service-delivery",
    ]);
    transcript.run(&["subject", "list"]);
    transcript.run(&["subject", "show", "ana"]);
    transcript.run(&["subject", "show", "nobody"]);
    transcript.run(&["subject", "merge", "anon", "--into", "ana", "--dry-run"]);
    transcript.run(&["subject", "merge", "anon", "--into", "ana"]);
    transcript.run(&["subject", "merge", "anon", "--into", "ana"]);
    transcript.run(&["subject", "alias", "ana", "ana@example.org"]);
    transcript.run(&["subject", "export", "ana@example.org", "-o", "json"]);
    transcript.run(&["subject", "hold", "ana"]);
    transcript.run(&["subject", "withdraw", "ana"]);
    transcript.run(&["sweep", "--dry-run"]);
    transcript.run(&["sweep"]);
    transcript.run(&["subject", "hold", "ana", "--lift"]);
    transcript.run(&["sweep", "-o", "json"]);
    transcript.run(&["subject", "list", "-o", "csv"]);
}

fn forgetting(transcript: &mut Transcript<'_>) {
    transcript.run(&["key", "operator", "new", "--name", "zoe"]);
    transcript.run(&["key", "operator", "list"]);
    transcript.run(&["key", "operator", "revoke", "zoe"]);
    let who = [
        "memory",
        "redact-user",
        "ana",
        "--reason",
        "right-to-be-forgotten",
        "--identifier",
        "ana@example.org",
    ];
    transcript.run(&["memory", "redact-user", "ana", "--reason", "ana wants it", "--yes"]);
    transcript.run(&who);
    transcript.run(&[&who[..], &["--dry-run"]].concat());
    transcript.run(&[&who[..], &["--yes"]].concat());
    transcript.run(&["memory", "list", "--include-redacted"]);
}

fn talk(transcript: &mut Transcript<'_>) {
    transcript.run(&[
        "memory",
        "add",
        "The sauna opens at seven.",
        "--kind",
        "semantic",
        "--salience",
        "0.9",
    ]);
    transcript.run(&["chat", "inara", "When does the sauna open?"]);
    transcript.run(&[
        "chat",
        "inara",
        "When does the sauna open?",
        "--user",
        "bea",
        "--tier",
        "1",
        "-o",
        "json",
    ]);
    transcript.run(&["chat", "inara", "When does the sauna open?", "--off-record", "-o", "jsonl"]);
    transcript.run(&["chat", "nobody", "Hello"]);
    clockwork(transcript);
    transcript.run(&["chat", "inara", " "]);
}

fn clockwork(transcript: &mut Transcript<'_>) {
    transcript.run(&["distill", "status", "-o", "quiet"]);
    transcript.run(&["distill", "short", "--dry-run"]);
    transcript.run(&["distill", "short"]);
    transcript.run(&["distill", "short", "--subject", "bea", "-o", "jsonl"]);
    transcript.run(&["distill", "mid", "--yes"]);
    transcript.run(&["distill", "long", "--persona", "nobody"]);
    transcript.run(&["distill", "cues", "--dry-run"]);
    transcript.run(&["distill", "cues"]);
    transcript.run(&["jobs", "-o", "quiet"]);
    transcript.run(&["jobs", "pause", "distill-mid", "-o", "quiet"]);
    transcript.run(&["jobs", "resume", "distill-mid", "-o", "quiet"]);
    transcript.run(&["jobs", "pause", "dance"]);
}

fn keys(transcript: &mut Transcript<'_>) {
    transcript.run(&["key", "new", "--scope", "read"]);
    transcript.run(&["key", "list"]);
    let keys = transcript.run(&["key", "list", "-o", "json"]).rows();
    let id = keys.last().unwrap()["id"].as_str().unwrap().to_owned();
    transcript.run(&["key", "revoke", &id]);
    transcript.run(&["key", "revoke", "ffffffffffffffff"]);
}

/// The one command whose answer is not the same: without a server there is no page to open.
#[test]
fn a_link_into_the_page_is_made_where_a_server_runs_and_elsewhere_the_way_out_is_named() {
    let stage = Stage::new();
    stage.run(&["init"]);
    let alone = stage.run(&["key", "sign-in"]);
    assert_eq!(alone.status, 7, "{}", alone.stdout);
    assert!(alone.stderr.contains("see `selfhood serve`"), "{}", alone.stderr);
    let running = stage.serve(&[]);
    let links = [(), ()].map(|()| stage.run(&["key", "sign-in", "-o", "quiet"]).stdout);
    let page = format!("http://{}/ui/sign-in#", running.address);
    assert!(
        links.iter().all(|link| link.trim().len() > page.len() + 20 && link.starts_with(&page)),
        "{links:?}"
    );
    assert_ne!(links[0], links[1]);
    assert_eq!(running.end().0, 0);
}

#[test]
fn every_verb_answers_the_same_with_a_server_and_without() {
    let alone = Stage::new();
    let served = Stage::new();
    for stage in [&alone, &served] {
        stage.run(&["init"]);
    }
    let running = served.serve(&[]);
    let (alone, through_the_server) = (session(&alone), session(&served));
    for (own, other) in alone.iter().zip(&through_the_server) {
        assert_eq!(own, other);
    }
    assert!(alone.len() > 45, "{}", alone.len());
    assert_eq!(running.end().0, 0);
}
