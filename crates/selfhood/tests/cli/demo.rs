//! The example persona: a sound life, three weeks of memories, and the same ones however often she is asked for.

use std::collections::BTreeSet;

use crate::Stage;

#[test]
fn the_demo_has_a_life_and_memories_worth_looking_at() {
    let stage = Stage::new();
    let made = stage.run(&["init", "--demo", "-o", "table"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let commands: Vec<&str> = made.stdout.lines().filter(|line| line.contains(" --home ")).collect();
    assert_eq!(commands.len(), 3, "{}", made.stdout);
    for command in commands {
        let ran = std::process::Command::new("/bin/sh").args(["-c", command]).output().unwrap();
        assert!(ran.status.success() && !ran.stdout.is_empty(), "{command}");
    }
    let life = stage.run(&["timeline", "list", "--include-superseded", "-o", "json"]).rows();
    let types: BTreeSet<String> = life.iter().map(|entry| entry["memoryType"].to_string()).collect();
    assert!(life.len() >= 13 && types.len() == 6, "{types:?}");
    let checked = stage.run(&["timeline", "check"]);
    assert_eq!((checked.status, checked.stdout.as_str()), (0, ""), "{}", checked.stderr);
    let memories = stage.run(&["memory", "list", "-o", "json"]).rows();
    let all =
        |name: &str| memories.iter().map(|memory| memory[name].to_string()).collect::<BTreeSet<String>>();
    assert_eq!(memories.len(), 40);
    assert_eq!((all("kind").len(), all("privacyClass").len(), all("vividness").len()), (3, 5, 3));
    assert!(
        all("subject").len() >= 7
            && memories.iter().any(|memory| memory["rehearsalCount"].as_u64() > Some(2))
    );
    let search = stage.run(&["memory", "search", "seafood", "--subject", "ana"]);
    assert!(search.stdout.contains("seafood was excellent"), "{}", search.stdout);
    let context = stage.run(&["context", "-o", "table"]);
    assert!(context.stdout.contains("concierge of the Harbour House"), "{}", context.stdout);
}

#[test]
fn asking_for_the_demo_again_changes_nothing() {
    let stage = Stage::new();
    let everything = || stage.run(&["export", "--include-pii", "--include-redacted"]).stdout;
    stage.run(&["init", "--demo"]);
    let first = everything();
    assert!(first.lines().count() > 50, "{first}");
    assert_eq!(stage.run(&["init", "--demo"]).status, 0);
    assert_eq!(everything(), first);
    let server = stage.serve(&["--demo"]);
    assert!(server.said.contains("was shown when it was created"), "{}", server.said);
    assert_eq!(everything(), first);
}

#[test]
fn the_demo_lives_in_a_home_of_its_own_unless_one_is_named() {
    let stage = Stage::new();
    let environment =
        [("SELFHOOD_HOME", ""), ("HOME", &*stage.at("user")), ("XDG_DATA_HOME", &*stage.at("data"))];
    let made = stage.run_in(&environment, &["init", "--demo", "-o", "json"]);
    if cfg!(all(unix, not(target_os = "macos"))) {
        assert_eq!(made.object()["home"], stage.at("data/selfhood-demo"), "{}", made.stderr);
    }
    assert!(!stage.path("data/selfhood").exists());
}
