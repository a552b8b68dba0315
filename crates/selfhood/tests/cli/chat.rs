//! Talking with a persona on the command line: once, from a pipe, on a terminal, and off the record.

use serde_json::Value;

use crate::Stage;
#[cfg(target_os = "linux")]
use crate::terminal::{Terminal, slow_model};

const SAUNA: &str = "The sauna opens at seven.";

/// A home whose Inara knows when the sauna opens.
fn stage() -> Stage {
    let stage = Stage::with_inara();
    let known = stage.run(&["memory", "add", SAUNA, "--kind", "semantic", "--salience", "0.9"]);
    assert_eq!(known.status, 0, "{}", known.stderr);
    stage
}

#[test]
fn one_answer_by_argument_or_pipe_is_printed_and_nothing_else() {
    let stage = stage();
    let question = "When does the sauna open?";
    let by_argument = stage.run(&["chat", "inara", question, "--user", "ana"]);
    assert_eq!(by_argument.status, 0, "{}", by_argument.stderr);
    assert!(
        by_argument.stdout.contains(SAUNA) && by_argument.stdout.ends_with('\n'),
        "{}",
        by_argument.stdout
    );
    assert_eq!(by_argument.stderr, "");
    let piped = stage.run_with_input(&format!("{question}\n"), &["chat", "inara", "--user", "bea"]);
    assert_eq!((piped.status, piped.stdout.as_str()), (0, by_argument.stdout.as_str()), "{}", piped.stderr);
    let only_persona = stage.run_with_input(question, &["chat", "--user", "cleo"]);
    assert_eq!(only_persona.stdout, by_argument.stdout, "{}", only_persona.stderr);
    let by_flag = stage.run(&["chat", question, "--persona", "inara", "--user", "dan"]);
    assert_eq!(by_flag.stdout, by_argument.stdout, "{}", by_flag.stderr);
}

#[test]
fn as_json_the_answer_leads_to_its_conversation_and_its_recall() {
    let stage = stage();
    let done = stage.run(&["chat", "inara", "When does the sauna open?", "-o", "json"]).object();
    assert!(done["response"].as_str().unwrap().contains(SAUNA), "{done}");
    let why = stage.run(&["memory", "why", done["recall_id"].as_str().unwrap(), "-o", "json"]).object();
    assert!(why.to_string().contains("sauna"), "{why}");
    let session = done["session_id"].as_str().unwrap();
    let next = stage.run(&["chat", "inara", "Thank you.", "--session", session, "-o", "jsonl"]);
    let next: Value = serde_json::from_str(next.stdout.trim()).unwrap();
    assert_eq!(next["session_id"], session);
}

#[test]
fn a_message_on_its_own_is_a_conversation_of_its_own() {
    let stage = stage();
    let mut sessions: Vec<String> = Vec::new();
    for _ in 0..2 {
        let answer = stage.run(&["chat", "inara", "Good morning.", "-o", "json"]).object();
        sessions.push(answer["session_id"].as_str().unwrap().to_owned());
    }
    assert_ne!(sessions[0], sessions[1], "the same words do not continue the conversation before");
    for session in &sessions {
        let shown = stage.run(&["session", "show", session, "-o", "json"]);
        assert_eq!(shown.stdout.matches("\"text\": \"Good morning.\"").count(), 1, "{}", shown.stdout);
    }
}

#[test]
fn what_is_learnt_in_talk_rests_on_the_basis_the_settings_name() {
    let stage = stage();
    for (named, basis) in [("", "service-delivery"), ("explicit-consent", "explicit-consent")] {
        if !named.is_empty() {
            stage.write("home/selfhood.toml", format!("[consent]\nformation = '{named}'\n"));
        }
        let user = format!("guest:{basis}");
        stage.run(&["chat", "inara", "Please remember that I like to swim in the morning.", "--user", &user]);
        let learnt = stage.run(&["memory", "list", "--subject", &user, "-o", "json"]).rows();
        assert_eq!(learnt.len(), 1, "{learnt:?}");
        assert_eq!(learnt[0]["consentBasis"], basis, "{learnt:?}");
    }
    stage.write("home/selfhood.toml", "[consent]\nformation = 'not-applicable'\n");
    let refused = stage.run(&["chat", "inara", "Good morning."]);
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("consent.formation names `not-applicable`"), "{}", refused.stderr);
}

#[test]
fn what_was_said_is_remembered_before_the_program_ends() {
    let stage = stage();
    let kept =
        stage.run(&["chat", "inara", "Please remember that I like to swim in the morning.", "--user", "bea"]);
    assert_eq!(kept.status, 0, "{}", kept.stderr);
    let swimming = stage.run(&["memory", "list", "--subject", "bea", "-o", "json"]).rows();
    assert!(swimming.iter().any(|atom| atom["gist"].as_str().unwrap().contains("swim")), "{swimming:?}");
}

#[test]
fn off_the_record_nothing_is_left_in_the_home() {
    let stage = stage();
    let canary = "zwetschgenknoedel";
    let said = format!("Remember that my favourite dish is {canary}.");
    let answer = stage.run(&["chat", "inara", &said, "--off-record", "-o", "json"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert_eq!(answer.object().get("recall_id"), None, "{}", answer.stdout);
    let grep = std::process::Command::new("grep").args(["-rl", canary]).arg(stage.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&grep.stdout), "");
    let memories = stage.run(&["memory", "list", "--subject", "owner", "-o", "json"]).rows();
    assert!(memories.is_empty(), "{memories:?}");
}

#[test]
fn what_cannot_be_answered_is_a_problem_like_everywhere() {
    let stage = stage();
    for (arguments, status, code) in [
        (&["chat", "nobody", "Hello"][..], 3, "persona_not_found"),
        (&["chat", "inara", "  "], 1, "validation_failed"),
        (&["chat", "inara"], 1, "validation_failed"),
        (&["chat", "inara", "Hello", "--user", ""], 1, "validation_failed"),
        (&["chat", "inara", "Hello", "--off-record", "--session", "sess:gone"], 5, "session_elsewhere"),
    ] {
        let ran = stage.run(&[arguments, &["-o", "json"]].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (status, ""), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.problem()["code"], code, "{arguments:?}");
    }
    assert_eq!(stage.run(&["chat", "inara", "Hello", "--tier", "5"]).status, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_a_talk_goes_on_until_somebody_leaves() {
    let stage = stage();
    let mut terminal = Terminal::open(&stage, &["chat", "inara"]);
    terminal.wait_for("/bye leaves");
    terminal.press("When does the sauna open?\r");
    let answer = terminal.wait_for(SAUNA);
    assert!(answer.contains("nara: "), "{answer}");
    terminal.press("/why\r");
    let why = terminal.wait_for("relevance");
    assert!(why.contains("outcome"), "{why}");
    terminal.press("/tier 3\r");
    terminal.wait_for("you (tier 3)");
    terminal.press("/private\r");
    terminal.wait_for("you (off the record, tier 3)");
    terminal.press("/dance\r");
    terminal.wait_for("`/?` lists them");
    terminal.press("/private\r");
    terminal.wait_for("on the record again");
    terminal.press("/memories\r");
    terminal.wait_for("remembers nothing of you yet");
    terminal.press("/?\r");
    terminal.wait_for("/forget ID");
    terminal.press("\u{3}");
    terminal.wait_for("again, or /bye, leaves");
    terminal.press("\u{3}");
    assert_eq!(terminal.ended(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_forgotten_in_a_talk_is_set_aside_and_can_be_brought_back() {
    let stage = stage();
    let id = stage.run(&["memory", "list", "-o", "quiet"]).stdout.trim().to_owned();
    let mut terminal = Terminal::open(&stage, &["chat", "inara", "--user", "ana"]);
    terminal.press(&format!("/forget {id}\r"));
    terminal.wait_for(&format!("`selfhood memory restore {id}` restores it"));
    terminal.press("/forget mem:000000000000\r");
    terminal.wait_for("memory_not_found");
    terminal.press("/bye\r");
    assert_eq!(terminal.ended(), 0);
    assert_eq!(stage.run(&["memory", "restore", &id]).status, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_stops_the_answer_and_its_model_and_the_talk_goes_on() {
    let stage = stage();
    let has_left = slow_model(&stage);
    let mut terminal = Terminal::open(&stage, &["chat", "inara", "--user", "ana"]);
    terminal.press("Tell me everything.\r");
    terminal.wait_for("word3");
    terminal.interrupt("\u{3}");
    let patience = std::time::Duration::from_secs(20);
    has_left.recv_timeout(patience).expect("the model is told to stop");
    terminal.press("/bye\r");
    assert_eq!(terminal.ended(), 0);
    let kept = stage.run(&["session", "list", "--subject", "ana", "-o", "json"]).rows();
    let shown =
        stage.run(&["session", "show", kept[0]["id"].as_str().unwrap(), "--subject", "ana", "-o", "json"]);
    assert!(shown.stdout.contains("word3") && shown.stdout.contains("interrupted"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("word599"), "{}", shown.stdout);
}
