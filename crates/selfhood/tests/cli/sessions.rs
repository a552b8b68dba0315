//! What was said, on the command line: the same through a server and without one.

use crate::{Serving, Stage};

/// Says something to Inara as whoever `key` speaks for.
fn say(server: &Serving, key: &str, body: &str) {
    let (status, answer) = server.post("/chat", key, body);
    assert!(status == 200 && answer.contains("event: done"), "{status} {answer}");
}

const COMMANDS: &[&[&str]] = &[
    &["session", "list"],
    &["session", "list", "--limit", "1", "-o", "csv"],
    &["session", "list", "--subject", "ana"],
    &["session", "list", "--subject", "nobody"],
    &["session", "show", "boats"],
    &["session", "show", "boats", "-o", "table"],
    &["session", "show", "boats", "-o", "json"],
    &["session", "show", "secret"],
    &["session", "show", "secret", "--subject", "ana"],
    &["session", "search", "boat"],
    &["session", "search", "boat", "-o", "table"],
    &["session", "search", "boat", "-o", "json"],
    &["session", "search", "amphora"],
    &["session", "search", "amphora", "--subject", "ana", "-o", "table"],
    &["session", "search", " "],
];

#[test]
fn conversations_are_listed_shown_and_searched_the_same_with_a_server_and_without() {
    let stage = Stage::with_inara();
    let server = stage.serve(&[]);
    let key = stage.run(&["key", "new", "--speaks", "owner", "-o", "quiet"]).stdout.trim().to_owned();
    let boats =
        r#"{"persona":"inara","session_id":"boats-1","message":"My boats \u001b[2J are in the harbour."}"#;
    say(&server, &key, boats);
    let secret = r#"{"persona":"inara","session_id":"secret-1","subject":"ana","message":"The key is in the amphora."}"#;
    say(&server, &key, secret);
    let through: Vec<_> = COMMANDS.iter().map(|arguments| stage.run(arguments)).collect();
    assert_eq!(server.end().0, 0);
    for (arguments, through_the_server) in COMMANDS.iter().zip(&through) {
        let alone = stage.run(arguments);
        assert_eq!(
            (alone.status, &alone.stdout, &alone.stderr),
            (through_the_server.status, &through_the_server.stdout, &through_the_server.stderr),
            "{arguments:?}"
        );
        let is_anas = arguments.contains(&"ana");
        assert_eq!(
            alone.stdout.contains("amphora"),
            is_anas && !arguments.contains(&"nobody"),
            "{arguments:?}"
        );
        assert!(!alone.stdout.contains('\u{1b}'), "no memory moves a cursor: {arguments:?}");
    }
    let [first, ..] = through.as_slice() else { panic!("nothing ran") };
    assert!(first.stdout.contains("boats-1\tMy boats"), "{}", first.stdout);
    let found = stage.run(&["session", "search", "boat", "-o", "table"]).stdout;
    assert!(found.contains("you: My boats"), "{found}");
    assert_eq!(stage.run(&["session", "show", "secret"]).status, 3);
}
