//! `kill -9` at random while writing: what was acknowledged is there, what was not is absent or whole.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use store::{Records as _, Store, Upkeep as _};
use tempfile::TempDir;

use crate::invariants;
use crate::reference::{self, Reference};
use crate::workload::lane_atom;
use crate::world::{INARA, ZOE, block_on, open_again, records, scope};
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};

const LANES: usize = 4;
/// A home is killed this often before the next one starts empty, so that late cycles stay quick.
const CYCLES_PER_HOME: usize = 10;
const LONGEST_LIFE: u64 = 200;

#[test]
fn no_acknowledged_write_is_lost_to_a_kill() {
    let mut tally = Tally::new("crash: kill -9 at random while writing", "ack");
    let (mut acknowledged, mut lived) = (0, 0);
    let mut cycles = tries(100).peekable();
    while cycles.peek().is_some() {
        block_on(async {
            let mut life = Life::new().await;
            for cycle in cycles.by_ref().take(CYCLES_PER_HOME) {
                let wrong = life.cycle(cycle).await;
                acknowledged += life.acknowledged;
                lived += 1;
                tally.count(&format!("cycle {cycle}"), &wrong);
                if !wrong.is_empty() {
                    break;
                }
            }
        });
    }
    tally.note(format!("{acknowledged} writes acknowledged"));
    tally.close();
    assert!(
        acknowledged > lived,
        "{acknowledged} writes in {lived} lives: the writers are killed before they write"
    );
}

/// One home, killed again and again.
struct Life {
    directory: TempDir,
    reference: Reference,
    steps: u64,
    lanes: [u64; LANES],
    acknowledged: u64,
}

impl Life {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory, reference: Reference::new().await, steps: 0, lanes: [0; LANES], acknowledged: 0 }
    }

    /// Lets a writer live for a while, kills it, and says what is wrong with what it left.
    async fn cycle(&mut self, seed: u64) -> Vec<String> {
        let before = (self.steps, self.lanes);
        self.write_and_kill(Duration::from_millis(Dice::new(seed).below(LONGEST_LIFE)));
        self.acknowledged =
            self.steps - before.0 + self.lanes.iter().sum::<u64>() - before.1.iter().sum::<u64>();
        match self.look().await {
            Ok(wrong) => wrong,
            Err(error) => vec![error],
        }
    }

    fn write_and_kill(&mut self, lifetime: Duration) {
        let numbers = [self.steps].into_iter().chain(self.lanes).map(|number| number.to_string());
        let mut writer = Command::new(env!("CARGO_BIN_EXE_crash_writer"))
            .arg(self.directory.path())
            .args(numbers)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let ready = lines.next();
        assert!(
            ready.is_some_and(|line| line.is_ok_and(|line| line == "ready")),
            "the writer could not start"
        );
        std::thread::sleep(lifetime);
        writer.kill().unwrap();
        writer.wait().unwrap();
        for line in lines.map_while(Result::ok) {
            self.hear(&line);
        }
    }

    /// Takes note of what the writer said was acknowledged. A line cut off by the kill says nothing.
    fn hear(&mut self, said: &str) {
        let words: Vec<&str> = said.split(' ').collect();
        match words.as_slice() {
            ["step", step] => self.steps = step.parse::<u64>().unwrap() + 1,
            ["lane", lane, i] => {
                self.lanes[lane.parse::<usize>().unwrap() - 1] = i.parse::<u64>().unwrap() + 1;
            }
            _ => {}
        }
    }

    async fn look(&mut self) -> Result<Vec<String>, String> {
        let store = open_again(self.directory.path()).await.map_err(|error| format!("reopening: {error}"))?;
        let found = dump(&store, INARA).await?;
        self.steps = self.reference.recognise(&found, self.steps).await?;
        let mut wrong = self.look_at_lanes(&store).await?;
        for name in [INARA, ZOE] {
            let integrity = store.integrity(&scope(name)).await.map_err(|error| error.to_string())?;
            if !integrity.is_whole() {
                wrong.push(format!("{name}: {integrity:?}"));
            }
        }
        let lanes = dump(&store, ZOE).await?;
        drop(store);
        wrong.extend(self.look_again(&[(INARA, found), (ZOE, lanes)]).await?);
        for name in [INARA, ZOE] {
            wrong.extend(invariants::broken(&records(self.directory.path(), name)));
        }
        Ok(wrong)
    }

    /// Each lane has what was acknowledged, perhaps the one memory that was under way, each of them whole,
    /// and one event for each.
    async fn look_at_lanes(&mut self, store: &Store) -> Result<Vec<String>, String> {
        let found = store.load(&scope(ZOE)).await.map_err(|error| error.to_string())?;
        let events = store.events(&scope(ZOE), 0..u64::MAX).await.map_err(|error| error.to_string())?;
        let mut wrong = Vec::new();
        if events.len() != found.atoms.len() {
            wrong.push(format!("{} memories, but {} events", found.atoms.len(), events.len()));
        }
        for (lane, acknowledged) in (1_u64..).zip(&mut self.lanes) {
            let of_lane = found.atoms.iter().filter(|stored| stored.atom.id.as_u64() >> 32 == lane);
            let kept: Vec<_> = of_lane.map(|stored| &stored.atom).collect();
            let whole = (0..).zip(&kept).all(|(i, atom)| **atom == lane_atom(lane, i));
            let count = kept.len() as u64;
            if !whole || count < *acknowledged || count > *acknowledged + 1 {
                wrong
                    .push(format!("lane {lane}: {acknowledged} acknowledged, {count} there, whole: {whole}"));
            }
            *acknowledged = count;
        }
        Ok(wrong)
    }

    /// Opens the home once more; nothing may look different.
    async fn look_again(&self, before: &[(&str, Value)]) -> Result<Vec<String>, String> {
        let store =
            open_again(self.directory.path()).await.map_err(|error| format!("opening twice: {error}"))?;
        let mut wrong = Vec::new();
        for (name, first) in before {
            if dump(&store, name).await? != *first {
                wrong.push(format!("{name} differs when opened twice"));
            }
        }
        let closed = store.close(domain::example::day(10_000)).await;
        wrong.extend(closed.err().map(|error| format!("closing: {error}")));
        Ok(wrong)
    }
}

async fn dump(store: &Store, name: &str) -> Result<Value, String> {
    reference::dump(store, &scope(name)).await.map_err(|error| format!("reading {name}: {error}"))
}
