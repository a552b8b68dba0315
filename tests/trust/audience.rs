//! Nobody's words reach anybody else: a random world of tenants, owners, staff, named and unnamed guests, in which
//! every text has a canary that says whose it is. Every route is asked by everybody, with ids of everybody's records,
//! on and off the record, at once; every answer, prompt, stream, log line and metric is searched for foreign canaries.
//!
//! The routes come from the one list in `wire`. One without an entry in [`routes`] fails the gate.

mod agents;
mod canary;
mod followers;
mod log;
mod model;
mod people;
mod routes;
mod village;

use std::sync::Arc;

use wire::route::ROUTES;

use log::log;
use testkit::dice::Dice;
use testkit::tally::{Tally, count, tries};
use village::{Meaning, Village};

/// How many operations one world of three tenants sees before the next begins: what everybody said is read again and
/// again, so that a world grows slower with its age.
const IN_ONE_WORLD: u64 = 1_500;
/// In a release's run every so many worlds one is large.
const LARGE_EVERY: u64 = 16;
const SMALL_TENANTS: u64 = 3;
/// A large world has as many operations for each of its tenants as a small one.
const LARGE_TENANTS: u64 = 64;
/// Every so many worlds one has the sentence encoders: they take most of the time of an operation, and who may see what
/// doesn't depend on them.
const SENTENCES_EVERY: u64 = 8;
/// How many operations are under way at once.
const AT_ONCE: u64 = 6;
/// The laws without which words must be found where they don't belong.
const CONTROLS: [&str; 3] = ["audience", "sessions", "recall"];
/// How many operations with every change.
const USUAL: u64 = 80_000;

#[test]
fn every_route_has_an_entry_in_the_gate() {
    let mut dice = Dice::new(1);
    let missing: Vec<&str> = ROUTES
        .iter()
        .filter(|route| routes::example(route.verb, &mut dice).is_none())
        .map(|it| it.verb)
        .collect();
    assert!(missing.is_empty(), "say in `tests/trust/audience/routes.rs` how the gate asks {missing:?}");
}

#[tokio::test]
async fn every_tool_that_the_mcp_door_lists_has_an_entry_in_the_gate() {
    let village = Village::new(1, 1, Meaning::Words).await;
    let mut dice = Dice::new(1);
    let mut missing = Vec::new();
    for (profile, known) in agents::PROFILES {
        let listed = village.tools(profile).await;
        assert!(!listed.is_empty(), "{profile} lists nothing");
        let mut is_asked =
            |tool: &String| known.contains(&tool.as_str()) && agents::example(tool, &mut dice).is_some();
        missing.extend(listed.into_iter().filter(|tool| !is_asked(tool)));
    }
    village.followed();
    assert!(missing.is_empty(), "say in `tests/trust/audience/agents.rs` how the gate calls {missing:?}");
}

#[test]
fn no_word_reaches_anybody_but_whom_it_is_for() {
    let mut tally = Tally::guarding("tenants and subjects: foreign canaries", &CONTROLS);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let all = count(USUAL);
    let (mut done, mut prompts, mut answers, mut formed) = (0, 0, 0, 0);
    for world in tries(all) {
        if done >= all {
            break;
        }
        let is_large = all >= 1_000_000 && world % LARGE_EVERY == LARGE_EVERY - 1;
        let tenants = if is_large { LARGE_TENANTS } else { SMALL_TENANTS };
        let operations = (IN_ONE_WORLD * tenants / SMALL_TENANTS).min(all - done);
        let meaning = if world % SENTENCES_EVERY == 0 { Meaning::Sentences } else { Meaning::Words };
        let village = Village::new(world, usize::try_from(tenants).unwrap(), meaning);
        let seen = runtime.block_on(async { one_world(village.await, world, operations).await });
        for (name, wrong) in &seen.operations {
            tally.count(name, wrong);
        }
        done += operations;
        prompts += seen.prompts;
        answers += seen.answered;
        formed += seen.formed;
    }
    let logged = log().foreign();
    tally.count("logs and metrics", &logged);
    let lines = log().lines();
    tally.note(format!(
        "{answers} answered with 2xx, {prompts} prompts, {formed} events, {lines} lines of logs"
    ));
    tally.close();
    assert!(formed > 0 || done < IN_ONE_WORLD, "nobody was told what was formed");
    assert!(answers * 4 > done && prompts * 50 > done && lines > done, "the worlds are mostly refusals");
}

/// What one world showed.
struct WorldReport {
    operations: Vec<(String, Vec<String>)>,
    answered: u64,
    prompts: u64,
    /// How many events said what was formed of an exchange.
    formed: u64,
}

async fn one_world(village: Village, seed: u64, operations: u64) -> WorldReport {
    let village = Arc::new(village);
    let mut lanes = Vec::new();
    for lane in 0..AT_ONCE {
        let village = Arc::clone(&village);
        let share = operations / AT_ONCE + u64::from(lane < operations % AT_ONCE);
        lanes.push(tokio::spawn(async move {
            let mut dice = Dice::new(seed * 64 + lane);
            let mut results = Vec::new();
            for number in 0..share {
                let (name, wrong, succeeded) = village.operate(&mut dice).await;
                results.push((format!("world {seed}, lane {lane}, {number}: {name}"), wrong, succeeded));
            }
            results
        }));
    }
    let mut observed = WorldReport { operations: Vec::new(), answered: 0, prompts: 0, formed: 0 };
    for lane in lanes {
        for (name, wrong, succeeded) in lane.await.unwrap() {
            observed.answered += u64::from(succeeded);
            observed.operations.push((name, wrong));
        }
    }
    let (prompts, wrong) = village.model.seen();
    observed.prompts = prompts;
    observed.operations.push((format!("world {seed}: prompts"), wrong));
    let (formed, wrong) = village.followed();
    observed.formed = formed;
    observed.operations.push((format!("world {seed}: events"), wrong));
    observed.operations.push((format!("world {seed}: metrics"), village.metrics()));
    village.close().await;
    observed
}
