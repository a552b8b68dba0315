//! One client that does its worst, while another tenant recalls and the probes ask how the server is: both must
//! be answered within five times what they take alone, measured in the same run.
//!
//! It compares times, so `.config/nextest.toml` gives it the machine for itself. Others may still be busy on it: a
//! window counts by its p99 and a round by the median of its windows; a few milliseconds more are no finding.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::hostile::{ALL, Attack, Running};
use crate::stage::{PATIENCE, Stage};
use testkit::tally::{Tally, tries};

/// How many times as long an answer may take as alone.
const FACTOR: u32 = 5;
/// Below this nothing is a finding.
const FLOOR: Duration = Duration::from_millis(50);
/// How long a window is, and how many make a measurement.
const WINDOW: Duration = Duration::from_millis(500);
const WINDOWS: usize = 3;
/// Between two questions of the quiet one, so that its key keeps to its pace.
const PAUSE: Duration = Duration::from_millis(5);
/// How often an attack is tried before it counts.
const ATTEMPTS: u32 = 3;
/// How often the server is asked again whether it is over an attack.
const RECOVERIES: u32 = 8;
/// What operators' tools ask.
const PROBES: [&str; 4] = ["/livez", "/readyz", "/healthz", "/metrics"];

/// The p99 of what was asked.
#[derive(Clone, Copy, Debug)]
struct Latency {
    recall: Duration,
    probe: Duration,
}

#[test]
fn one_client_does_not_stop_the_others() {
    let stage = Stage::new();
    let mut tally = Tally::new("a hostile client of each kind; another tenant and the probes", "caps");
    // The first requests open personas and files; that is not what is compared.
    let _ = measure(&stage, WINDOWS);
    let takes: Vec<_> = ALL.iter().map(|attack| attack.takes_alone(&stage)).collect();
    tally.note(format!("a request of each alone: {takes:.1?}"));
    for round in tries(1) {
        for attack in ALL {
            let Measured { wrong, note } = repeated(&stage, attack);
            tally.count(&format!("round {round}, {attack:?}"), &wrong);
            if round == 0 {
                tally.note(note);
            }
        }
    }
    tally.close();
}

/// How an attack went.
struct Measured {
    wrong: Vec<String>,
    note: String,
}

/// Tries an attack until nothing is wrong, a few times: what somebody else's work on the machine does to a second
/// does not come again, and what an attack does comes each time.
fn repeated(stage: &Stage, attack: Attack) -> Measured {
    let mut measured = once(stage, attack);
    for _ in 1..ATTEMPTS {
        if measured.wrong.is_empty() {
            break;
        }
        measured = once(stage, attack);
    }
    measured
}

fn once(stage: &Stage, attack: Attack) -> Measured {
    let alone = match alone(stage) {
        Ok(alone) => alone,
        Err(wrong) => return Measured { note: format!("before {attack:?}: {wrong}"), wrong: vec![wrong] },
    };
    let running = Running::default();
    let (wrong, attacked) = under(stage, attack, alone, &running);
    let note = format!("{attack:?} ({} answers) {}", running.answers(), shown(alone, attacked));
    Measured { wrong, note }
}

/// What is taken alone, once what the attack before left behind is gone; what is wrong if that takes too long.
fn alone(stage: &Stage) -> Result<Latency, String> {
    let mut measured = Err(String::new());
    for _ in 0..RECOVERIES {
        thread::sleep(WINDOW);
        measured = measure(stage, WINDOWS);
        if measured.is_ok() {
            break;
        }
    }
    measured.map_err(|wrong| format!("not answered after the attack had ended: {wrong}"))
}

/// What goes wrong for others while `attack` goes on.
fn under(stage: &Stage, attack: Attack, alone: Latency, running: &Running) -> (Vec<String>, Option<Latency>) {
    thread::scope(|scope| {
        scope.spawn(|| attack.run(stage, running));
        let waiting = Instant::now();
        while !running.has_begun() && waiting.elapsed() < PATIENCE * 3 {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(WINDOW * 3);
        let measured = measure(stage, WINDOWS);
        let neighbour = neighbour(stage, attack);
        running.stop();
        let misfires = running.misfires();
        assert!(misfires.is_empty(), "{attack:?} was answered {misfires:?}, so nothing was tried");
        let mut wrong: Vec<String> = neighbour.into_iter().collect();
        match measured {
            Ok(attacked) => {
                wrong.extend(slower("recall", alone.recall, attacked.recall));
                wrong.extend(slower("probe", alone.probe, attacked.probe));
                (wrong, Some(attacked))
            }
            Err(failed) => {
                wrong.push(failed);
                (wrong, None)
            }
        }
    })
}

/// Whether slow bodies of one key keep another key of the same tenant out.
fn neighbour(stage: &Stage, attack: Attack) -> Option<String> {
    let locked_out = match attack {
        Attack::SlowBodies => stage.exchange(&recall(stage, &stage.other_key)).1 != 200,
        Attack::HalfSentHeads
        | Attack::HalfSentBodies
        | Attack::EventStreams
        | Attack::NestedMarkdown
        | Attack::Consistency
        | Attack::AsOf
        | Attack::Search => false,
    };
    locked_out.then(|| "another key of the same tenant is locked out".to_owned())
}

fn slower(what: &str, alone: Duration, attacked: Duration) -> Option<String> {
    let most = (alone * FACTOR).max(FLOOR);
    (attacked > most).then(|| format!("{what}: {attacked:?} at p99, {alone:?} alone"))
}

/// The median of the p99s of some windows, or what was not answered.
fn measure(stage: &Stage, windows: usize) -> Result<Latency, String> {
    let mut all = Vec::new();
    for _ in 0..windows {
        all.push(window(stage)?);
    }
    let median = |of: fn(&Latency) -> Duration| {
        let mut times: Vec<Duration> = all.iter().map(of).collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    Ok(Latency { recall: median(|it| it.recall), probe: median(|it| it.probe) })
}

fn window(stage: &Stage) -> Result<Latency, String> {
    let recall = recall(stage, &stage.quiet_key);
    let (mut recalls, mut probes) = (Vec::new(), Vec::new());
    let begun = Instant::now();
    while begun.elapsed() < WINDOW {
        recalls.push(answered(stage, "recall", &recall)?);
        thread::sleep(PAUSE);
        let path = PROBES[probes.len() % PROBES.len()];
        probes.push(answered(stage, path, &stage.request("GET", path, &stage.quiet_key, ""))?);
    }
    Ok(Latency { recall: p99(recalls), probe: p99(probes) })
}

fn answered(stage: &Stage, what: &str, request: &str) -> Result<Duration, String> {
    match stage.exchange(request) {
        (took, 200) => Ok(took),
        (took, status) => Err(format!("{what}: status {status} after {took:?}")),
    }
}

fn recall(stage: &Stage, key: &str) -> String {
    let body = json!({ "cue": "who spoke of the violin?", "offRecord": true }).to_string();
    stage.request("POST", "/v1/personas/maya-chen/recall", key, &body)
}

fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let at = (times.len() * 99).div_ceil(100).saturating_sub(1);
    times.get(at).copied().unwrap_or_default()
}

fn shown(alone: Latency, attacked: Option<Latency>) -> String {
    let millis = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
    let attacked = attacked.map(|it| format!("{}/{}", millis(it.recall), millis(it.probe)));
    let alone = format!("{}/{}", millis(alone.recall), millis(alone.probe));
    format!("{alone} → {} ms", attacked.unwrap_or_else(|| "no answer".to_owned()))
}
