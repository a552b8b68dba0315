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
        let told = format!("{arguments:?}\n{}{}= {}\n", ran.stdout, ran.stderr, ran.status);
        let told = self.anonymous(&told.replace(&self.stage.at(""), "STAGE/"));
        self.lines.push(told);
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
    let mut told = Transcript { stage, names: BTreeMap::new(), lines: Vec::new() };
    personas(&mut told);
    life(&mut told);
    memories(&mut told);
    people(&mut told);
    keys(&mut told);
    told.run(&["session", "list"]);
    told.run(&["session", "show", "none"]);
    told.run(&["session", "search", "boat"]);
    forgetting(&mut told);
    talk(&mut told);
    told.run(&["export", "--include-pii"]);
    told.run(&["persona", "delete", "inara"]);
    told.run(&["persona", "delete", "inara", "--yes"]);
    told.run(&["persona", "list"]);
    told.lines
}

fn personas(told: &mut Transcript<'_>) {
    told.run(&["persona", "list"]);
    told.run(&["persona", "new", "inara", "--emoji", "*", "--description", "A concierge."]);
    told.run(&["persona", "new", "inara"]);
    told.run(&["persona", "new", "No Name"]);
    told.run(&["persona", "list"]);
    told.run(&["persona", "show"]);
    told.run(&["persona", "show", "nobody"]);
    told.run(&["persona", "sign"]);
    told.run(&["persona", "copy", "inara", "twin"]);
    told.run(&["persona", "copy", "inara", "twin"]);
    told.run(&["persona", "copy", "nobody", "twin"]);
    told.run(&["persona", "delete", "twin", "--yes"]);
    told.run(&["context", "inara", "hello", "-o", "table"]);
    told.run(&["context", "inara", "--tier", "7"]);
}

fn life(told: &mut Transcript<'_>) {
    let event = ["--facts", "It rained.", "--feelings", "Calm.", "--interpretation", "It passed."];
    let first = told.id(&[&["timeline", "add", "First", "--event-at", "2019-05-02"], &event[..]].concat());
    told.run(&[&["timeline", "add", "Earlier", "--event-at", "2018-05-02"], &event[..]].concat());
    told.run(&["timeline", "add", "Incomplete"]);
    told.run(&["timeline", "revise", &first, "--feelings", "Wet.", "--reason", "I remember now."]);
    told.run(&["timeline", "revise", &first, "--feelings", "Dry."]);
    told.run(&["timeline", "supersede", &first, "--reason", "again"]);
    told.run(&["timeline", "supersede", "ffff", "--reason", "again"]);
    told.run(&["timeline", "list", "--include-superseded"]);
    told.run(&["timeline", "list", "-o", "csv"]);
    told.run(&["timeline", "check"]);
    told.run(&["timeline", "redact", &first, "--reason", "request", "--dry-run"]);
    told.run(&["timeline", "redact", &first, "--reason", "request"]);
    told.run(&["timeline", "redact", &first, "--reason", "request", "--yes"]);
    told.run(&["timeline", "list", "--include-superseded"]);
}

fn memories(told: &mut Transcript<'_>) {
    told.run(&["memory", "list"]);
    told.run(&["memory", "add", "x", "--subject", "ana"]);
    told.run(&["memory", "add", "x", "--salience", "9"]);
    let basis = ["--subject", "ana", "--consent-basis", "service-delivery", "--detail", "a scarf@0.4"];
    let id = told
        .id(&[&["memory", "add", "Ana liked the seafood place.", "--salience", "0.9"], &basis[..]].concat());
    told.run(&["memory", "list", "--privacy-class", "guest-pii", "--min-salience", "0.2"]);
    told.run(&["memory", "list", "--at", "+30d"]);
    told.run(&["memory", "list", "seafood", "--subject", "ana"]);
    told.run(&["memory", "list", "nothing of the sort"]);
    told.run(&["memory", "list", " "]);
    told.run(&["memory", "inspect", &id, "-o", "table"]);
    told.run(&["memory", "inspect", "mem:000000000000"]);
    told.run(&["memory", "search", "the seafood place", "--subject", "ana", "-o", "table"]);
    let recall =
        told.stage.run(&["memory", "search", "the seafood place", "--subject", "ana", "-o", "json"]).object();
    told.run(&["memory", "why", recall["recallId"].as_str().unwrap()]);
    told.run(&["memory", "why", "0198c0de-0000-7000-8000-000000000000"]);
    let corrected = told.id(&["memory", "correct", &id, "--gist", "Ana liked the oyster bar."]);
    told.run(&["memory", "redact", &corrected, "--reason", "request", "--dry-run"]);
    told.run(&["memory", "redact", &corrected, "--reason", "request"]);
    told.run(&["memory", "redact", &corrected, "--reason", "request"]);
    told.run(&["memory", "restore", &corrected]);
    told.run(&["memory", "restore", &corrected]);
    told.run(&["memory", "redact", &corrected, "--reason", "faded", "--mode", "archive"]);
    told.run(&["memory", "restore", &corrected]);
    told.run(&["memory", "redact", &corrected, "--reason", "request", "--mode", "hard", "--dry-run"]);
    told.run(&["memory", "redact", &corrected, "--reason", "request", "--mode", "hard"]);
    told.run(&["memory", "redact", &corrected, "--reason", "request", "--mode", "hard", "--yes"]);
    told.run(&["memory", "inspect", &corrected]);
    told.run(&["memory", "list", "--include-redacted"]);
    told.run(&["import", "nowhere.jsonl"]);
    told.run(&["memory", "residue", "--text", "oyster bar", "-o", "quiet"]);
    told.run(&["memory", "residue", "--subject", "nobody-at-all", "-o", "quiet"]);
    told.run(&["memory", "audit", "--persona", "inara"]);
    told.run(&["memory", "audit", "--persona", "nobody"]);
    told.run(&["memory", "audit", "--verify", "-o", "quiet"]);
    told.run(&["memory", "audit", "--verify", "--against", "nowhere.txt"]);
}

fn people(told: &mut Transcript<'_>) {
    told.run(&["subject", "list"]);
    let agreed = ["--subject", "ana", "--consent-basis", "explicit-consent"];
    told.run(&[&["memory", "add", "Ana keeps a diary.", "--salience", "0.9"], &agreed[..]].concat());
    told.run(&[
        "memory",
        "add",
        "Somebody plays the piano.",
        "--subject",
        "anon",
        "--consent-basis",
        "service-delivery",
    ]);
    told.run(&["subject", "list"]);
    told.run(&["subject", "show", "ana"]);
    told.run(&["subject", "show", "nobody"]);
    told.run(&["subject", "merge", "anon", "--into", "ana", "--dry-run"]);
    told.run(&["subject", "merge", "anon", "--into", "ana"]);
    told.run(&["subject", "merge", "anon", "--into", "ana"]);
    told.run(&["subject", "alias", "ana", "ana@example.org"]);
    told.run(&["subject", "export", "ana@example.org", "-o", "json"]);
    told.run(&["subject", "hold", "ana"]);
    told.run(&["subject", "withdraw", "ana"]);
    told.run(&["sweep", "--dry-run"]);
    told.run(&["sweep"]);
    told.run(&["subject", "hold", "ana", "--lift"]);
    told.run(&["sweep", "-o", "json"]);
    told.run(&["subject", "list", "-o", "csv"]);
}

fn forgetting(told: &mut Transcript<'_>) {
    told.run(&["key", "operator", "new", "--name", "zoe"]);
    told.run(&["key", "operator", "list"]);
    told.run(&["key", "operator", "revoke", "zoe"]);
    let who = [
        "memory",
        "redact-user",
        "ana",
        "--reason",
        "right-to-be-forgotten",
        "--identifier",
        "ana@example.org",
    ];
    told.run(&["memory", "redact-user", "ana", "--reason", "ana wants it", "--yes"]);
    told.run(&who);
    told.run(&[&who[..], &["--dry-run"]].concat());
    told.run(&[&who[..], &["--yes"]].concat());
    told.run(&["memory", "list", "--include-redacted"]);
}

fn talk(told: &mut Transcript<'_>) {
    told.run(&["memory", "add", "The sauna opens at seven.", "--kind", "semantic", "--salience", "0.9"]);
    told.run(&["chat", "inara", "When does the sauna open?"]);
    told.run(&["chat", "inara", "When does the sauna open?", "--user", "bea", "--tier", "1", "-o", "json"]);
    told.run(&["chat", "inara", "When does the sauna open?", "--off-record", "-o", "jsonl"]);
    told.run(&["chat", "nobody", "Hello"]);
    clockwork(told);
    told.run(&["chat", "inara", " "]);
}

fn clockwork(told: &mut Transcript<'_>) {
    told.run(&["distill", "status", "-o", "quiet"]);
    told.run(&["distill", "short", "--dry-run"]);
    told.run(&["distill", "short"]);
    told.run(&["distill", "short", "--subject", "bea", "-o", "jsonl"]);
    told.run(&["distill", "mid", "--yes"]);
    told.run(&["distill", "long", "--persona", "nobody"]);
    told.run(&["distill", "cues", "--dry-run"]);
    told.run(&["distill", "cues"]);
    told.run(&["jobs", "-o", "quiet"]);
    told.run(&["jobs", "pause", "distill-mid", "-o", "quiet"]);
    told.run(&["jobs", "resume", "distill-mid", "-o", "quiet"]);
    told.run(&["jobs", "pause", "dance"]);
}

fn keys(told: &mut Transcript<'_>) {
    told.run(&["key", "new", "--scope", "read"]);
    told.run(&["key", "list"]);
    let keys = told.run(&["key", "list", "-o", "json"]).rows();
    let id = keys.last().unwrap()["id"].as_str().unwrap().to_owned();
    told.run(&["key", "revoke", &id]);
    told.run(&["key", "revoke", "ffffffffffffffff"]);
}

/// The one command whose answer is not the same: without a server there is no page to open.
#[test]
fn a_link_into_the_page_is_made_where_a_server_runs_and_elsewhere_the_way_out_is_told() {
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
