//! A clock that jumps under a running engine, back and forth and over daylight saving: nothing is lost, counts and times
//! never fall, and nothing runs twice.

use std::collections::{BTreeMap, BTreeSet};

use domain::{MemoryId, Timestamp};
use engine::backup::Schedule;
use engine::{Call, Engine, PersonaKey};
use serde_json::json;
use store::{Deployment as _, DocumentName, Documents as _, JobOutcome, Records as _, Scope, Upkeep as _};
use testkit::tally::Tally;
use wire::read::read_value;

use crate::erasing::{self, call};
use crate::invariants;
use crate::world::{INARA, TENANT, block_on, records};

/// Where the clock stands, one after the other, in Berlin: 02:30 is skipped on 29 March and comes twice on 25 October.
const TIMES: [&str; 16] = [
    "2026-03-27T12:00:00Z",
    "2026-03-28T12:00:00Z",
    "2026-03-27T12:00:30Z",
    "2026-03-28T12:01:00Z",
    "2026-03-29T00:59:00Z",
    "2026-03-29T01:30:30Z",
    "2026-03-29T00:59:30Z",
    "2026-03-29T01:31:00Z",
    "2026-04-28T12:00:00Z",
    "2026-03-30T12:00:00Z",
    "2026-04-29T12:00:00Z",
    "2026-10-25T00:30:30Z",
    "2026-10-25T01:30:30Z",
    "2026-10-25T00:31:00Z",
    "2026-10-26T12:00:00Z",
    "2026-11-26T12:00:00Z",
];
const NOTE: &str = "feed the starter";

#[test]
fn nothing_is_lost_and_nothing_runs_twice_when_the_clock_jumps() {
    let mut tally = Tally::new("the clock jumps under a running engine", "ack");
    block_on(async {
        let directory = tempfile::tempdir().unwrap();
        let engine = erasing::engine(directory.path()).await.unwrap();
        let schedule = Schedule {
            every: domain::Days(1.0),
            keep: 100,
            to: directory.path().canonicalize().unwrap().join("backups"),
        };
        let mut fixture = Fixture::new(&engine, at(TIMES[0])).await;
        for time in TIMES {
            let mut wrong = fixture.live(at(time)).await;
            let backup = engine.back_up_if_due(&schedule, at(time)).await;
            wrong.extend(backup.err().map(|problem| format!("backing up: {problem}")));
            let there = schedule.there().unwrap();
            let made = there.iter().filter_map(|path| engine::backup::made_at(path));
            let newest = made.filter(|made| *made <= at(time)).max();
            if newest.is_none_or(|made| at(time).as_millis() - made.as_millis() >= 86_400_000) {
                wrong.push(format!("the newest backup is of {newest:?}"));
            }
            tally.count(time, &wrong);
        }
        tally.note(format!("{} memories, {} runs of jobs", fixture.rehearsals.len(), fixture.runs.len()));
        engine.shutdown(at(TIMES[TIMES.len() - 1])).await.unwrap();
        drop(engine);
        tally.count("the database", &invariants::broken(&records(directory.path(), INARA)));
    });
    tally.close();
}

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

/// A persona in Berlin, and what was seen of it so far.
struct Fixture<'e> {
    engine: &'e Engine,
    persona: PersonaKey,
    scope: Scope,
    /// How often each memory was rehearsed, and when last.
    rehearsals: BTreeMap<MemoryId, (u32, Timestamp)>,
    /// Which runs of which jobs were seen.
    runs: BTreeSet<(String, Timestamp)>,
    last_runs: BTreeMap<String, Timestamp>,
    revision: u64,
}

impl<'e> Fixture<'e> {
    async fn new(engine: &'e Engine, now: Timestamp) -> Self {
        let persona: PersonaKey = INARA.parse().unwrap();
        let call = Call { now, ..call(0) };
        engine.set_up_persona(&call, read_value(json!({ "name": INARA })).unwrap()).await.unwrap();
        let berlin = read_value(json!({ "timezone": "Europe/Berlin" })).unwrap();
        engine.update_persona(&call, &persona, berlin).await.unwrap();
        let scope = engine.store().personas(&TENANT.parse().unwrap()).await.unwrap().remove(0).scope();
        let crons = json!([{ "id": "c1", "schedule": "daily:02:30", "type": "note", "text": NOTE }]);
        let found = engine.store().read(&scope, DocumentName::Crons).await.unwrap();
        let found = found.map(|document| document.hash);
        engine
            .store()
            .write(&scope, DocumentName::Crons, found, crons.to_string().as_str().into())
            .await
            .unwrap();
        let (rehearsals, runs, last_runs) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Self { engine, persona, scope, rehearsals, runs, last_runs, revision: 0 }
    }

    /// Remembers, recalls and runs what is due at `now`, and says what is wrong afterwards.
    async fn live(&mut self, now: Timestamp) -> Vec<String> {
        let call = Call { now, ..call(0) };
        let memory = json!({
            "kind": "semantic", "gist": format!("At {now} the lake was calm."), "salience": 0.8,
            "privacyClass": "non-pii", "consentBasis": "not-applicable"
        });
        let kept = self.engine.remember(&call, &self.persona, read_value(memory).unwrap()).await.unwrap();
        let id: MemoryId = kept.memory.as_value()["id"].as_str().unwrap().parse().unwrap();
        self.rehearsals.insert(id, (0, now));
        let cue = json!({ "cue": "how was the lake?", "subject": "owner" });
        self.engine.recall(&call, &self.persona, read_value(cue).unwrap()).await.unwrap();
        self.engine.run_due_jobs(&|| now).await.unwrap();
        let mut wrong = self.new_runs().await;
        let again = self.engine.run_due_jobs(&|| now).await.unwrap();
        wrong.extend((again > 0).then(|| format!("{again} jobs ran twice")));
        wrong.extend(self.notes().await);
        wrong.extend(self.memories().await);
        wrong
    }

    /// What is wrong with the runs of jobs: one was repeated, failed, or went back in time.
    async fn new_runs(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        for job in self.engine.store().jobs(&self.scope.tenant).await.unwrap() {
            let Some(last) = job.last else { continue };
            let name = job.key.name.to_string();
            let before = self.last_runs.insert(name.clone(), last.due);
            if before.is_some_and(|before| before > last.due) {
                wrong.push(format!("{name} went back to {}", last.due));
            }
            if before != Some(last.due) && !self.runs.insert((name.clone(), last.due)) {
                wrong.push(format!("{name} ran twice for {}", last.due));
            }
            if last.outcome == JobOutcome::Failed {
                wrong.push(format!("{name} failed: {}", last.report));
            }
        }
        wrong
    }

    /// The notes that were made twice.
    async fn notes(&self) -> Vec<String> {
        let scratch = self.engine.store().read(&self.scope, DocumentName::Scratch).await.unwrap();
        let scratch = scratch.map(|document| document.content.as_str().to_owned()).unwrap_or_default();
        let mut seen = BTreeSet::new();
        let notes = scratch.lines().filter(|line| line.contains(NOTE));
        notes.filter(|note| !seen.insert(*note)).map(|note| format!("twice: {note}")).collect()
    }

    /// The memories that are lost, or whose counts and times fell; and what the store itself finds.
    async fn memories(&mut self) -> Vec<String> {
        let store = self.engine.store();
        let loaded = store.load(&self.scope).await.unwrap();
        let mut wrong = Vec::new();
        for (id, (count, last)) in &mut self.rehearsals {
            let Some(stored) = loaded.atoms.iter().find(|stored| stored.atom.id == *id) else {
                wrong.push(format!("{id} is lost"));
                continue;
            };
            let now = (stored.atom.rehearsal_count, stored.atom.last_rehearsed_at);
            if now.0 < *count || now.1 < *last {
                wrong.push(format!("{id} fell from {count}, {last} to {}, {}", now.0, now.1));
            }
            (*count, *last) = now;
        }
        let revision = store.revision(&self.scope).await.unwrap();
        if revision < self.revision {
            wrong.push(format!("the revision fell from {} to {revision}", self.revision));
        }
        self.revision = revision;
        for found in
            [store.integrity(&self.scope).await.unwrap(), store.deployment_integrity().await.unwrap()]
        {
            wrong.extend((!found.is_whole()).then(|| format!("{found:?}")));
        }
        wrong
    }
}
