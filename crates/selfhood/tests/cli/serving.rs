//! One owner: a server takes everybody's requests, stops when asked, and leaves nothing broken when killed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::thread::sleep;
use std::time::{Duration, Instant, UNIX_EPOCH};

use crate::Stage;

#[test]
fn the_server_tells_where_it_listens_and_stops_when_asked() {
    let stage = Stage::new();
    let server = stage.serve(&[]);
    for part in
        [&stage.at("home"), "without the keys the data is lost", "key new --speaks owner", "persona new"]
    {
        assert!(server.said.contains(part), "{part} is missing from {}", server.said);
    }
    assert!(!server.said.contains("sh_"), "no key belongs into a log: {}", server.said);
    assert_eq!(server.get("/readyz", "").0, 200);
    let socket = stage.path("home/selfhood.sock");
    assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let (status, words) = server.end();
    assert_eq!((status, words.as_str()), (0, ""));
    assert!(!socket.exists());
    stage.run(&["key", "new"]);
    stage.run(&["persona", "new", "inara"]);
    let again = stage.serve(&[]);
    assert!(again.said.contains("was shown when it was created"), "{}", again.said);
    assert!(!again.said.contains("To try"), "a home in use needs no first steps: {}", again.said);
}

#[test]
fn a_log_holds_no_sign_in_link_but_the_way_to_one() {
    let stage = Stage::new();
    let server = stage.serve(&[]);
    assert!(!server.said.contains("sign-in#"), "{}", server.said);
    let page = format!("http://{}/ui\n", server.address);
    assert!(server.said.contains(&page) && server.said.contains("`selfhood key sign-in`"), "{}", server.said);
    let link = stage.run(&["key", "sign-in", "-o", "quiet"]).stdout;
    assert!(link.contains("/ui/sign-in#"), "{link}");
    let (_, words) = server.end();
    assert!(!words.contains("sign-in#"), "{words}");
}

#[test]
fn a_crash_of_the_server_writes_no_memory_to_the_disk() {
    let stage = Stage::new();
    let server = stage.serve(&[]);
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.child.id())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");
}

#[test]
fn commands_go_through_the_server_that_owns_the_home() {
    let stage = Stage::new();
    let server = stage.serve(&[]);
    assert_eq!(stage.run(&["persona", "new", "inara"]).status, 0);
    let key = stage.run(&["key", "new", "-o", "quiet"]).stdout.trim().to_owned();
    let (status, body) = server.get("/personas", &key);
    assert!(status == 200 && body.contains("\"inara\""), "{body}");
    server.end();
    assert_eq!(stage.run(&["persona", "list", "-o", "quiet"]).stdout, "inara\n");
}

#[test]
fn a_second_server_says_who_owns_the_home() {
    let stage = Stage::new();
    let server = stage.serve(&[]);
    let second = stage.run(&["serve", "--port", "0", "-o", "json"]);
    assert_eq!(second.status, 5);
    let detail = second.problem()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains(&format!("in use by process {}", server.child.id())), "{detail}");
}

#[test]
fn a_port_that_is_taken_is_said_and_the_home_is_free_again() {
    let stage = Stage::with_inara();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ran = stage.run(&["serve", "--port", &port]);
    assert!(ran.status == 1 && ran.stderr.contains("choose another port with --port"), "{}", ran.stderr);
    assert_eq!(stage.run(&["persona", "list"]).status, 0);
}

#[test]
fn an_address_that_others_reach_in_clear_is_warned_of() {
    let warning = "keys and memories cross the network in clear; use --tls-cert and --tls-key";
    let stage = Stage::new();
    let server = stage.serve(&["--addr", "0.0.0.0"]);
    assert!(server.said.contains(warning) && server.said.contains("0.0.0.0:"), "{}", server.said);
    drop(server);
    for unseen in [&["--addr", "127.0.0.1"][..], &["--addr", "0.0.0.0", "--public-url", "https://a.example"]]
    {
        let server = stage.serve(unseen);
        assert!(!server.said.contains("in clear"), "{unseen:?}: {}", server.said);
    }
}

#[test]
fn settings_of_the_server_that_cannot_be_are_refused() {
    let stage = Stage::new();
    for (arguments, rule) in [
        (&["serve", "--port", "70000"][..], "from 0 to 65535"),
        (&["serve", "--addr", "localhost"], "must be an IP address"),
        (&["serve", "--tls-cert", "x.pem"], "both --tls-cert and --tls-key"),
        (&["serve", "--public-url", "memory.example.org"], "is not a public address"),
        (&["serve", "--log", "loud"], "error, warn, info, debug"),
    ] {
        let ran = stage.run(arguments);
        assert!(ran.status == 2 && ran.stderr.contains(rule), "{arguments:?}: {}", ran.stderr);
    }
    assert!(!stage.path("home").exists());
}

#[test]
fn a_killed_server_leaves_a_home_that_opens_with_everything_it_acknowledged() {
    let stage = Stage::with_inara();
    let server = stage.serve(&[]);
    for gist in ["The sauna opens at seven.", "The lobby opens at six."] {
        assert_eq!(stage.run(&["memory", "add", gist]).status, 0);
    }
    server.kill();
    assert!(stage.path("home/selfhood.sock").exists(), "it had no chance to tidy up");
    assert_eq!(stage.run(&["memory", "list"]).stdout.lines().count(), 2);
    let again = stage.serve(&[]);
    assert_eq!(stage.run(&["memory", "list"]).stdout.lines().count(), 2);
    assert_eq!(again.end().0, 0);
}

#[test]
fn commands_at_the_same_time_wait_for_each_other() {
    let stage = Stage::new();
    std::thread::scope(|scope| {
        for name in ["inara", "tina", "wintermute"] {
            let stage = &stage;
            scope.spawn(move || {
                let ran = stage.run(&["persona", "new", name]);
                assert_eq!(ran.status, 0, "{}", ran.stderr);
            });
        }
    });
    std::thread::scope(|scope| {
        for n in 0..4 {
            let stage = &stage;
            scope.spawn(move || {
                let gist = format!("Fact number {n} of the house.");
                let ran = stage.run(&["memory", "add", &gist, "--persona", "tina"]);
                assert_eq!(ran.status, 0, "{}", ran.stderr);
            });
        }
    });
    assert_eq!(stage.run(&["memory", "list"]).stdout.lines().count(), 4);
}

#[test]
fn a_running_server_does_by_itself_what_is_due() {
    let stage = Stage::with_inara();
    let made = stage.path("home").metadata().unwrap().modified().unwrap();
    let minute = (made.duration_since(UNIX_EPOCH).unwrap().as_secs() / 60 + 1) % (24 * 60);
    let crons = format!(
        r#"[{{"id":"c1","schedule":"daily:{:02}:{:02}","type":"note","text":"feed the starter"}}]"#,
        minute / 60,
        minute % 60
    );
    stage.write("home/default/persona/inara/CRONS.json", crons);
    let server = stage.serve(&[]);
    let (started, scratch) = (Instant::now(), stage.path("home/default/persona/inara/SCRATCH.md"));
    while !fs::read_to_string(&scratch).unwrap_or_default().contains("feed the starter") {
        assert!(started.elapsed() < Duration::from_secs(75), "nothing was noted");
        sleep(Duration::from_millis(100));
    }
    assert_eq!(server.end().0, 0);
    let jobs = stage.run(&["jobs", "-o", "json"]).rows();
    let ran = jobs.iter().find(|job| job["name"].as_str().unwrap().starts_with("cron-")).unwrap();
    assert_eq!(ran["last"]["outcome"], "done", "{ran}");
}
