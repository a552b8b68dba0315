//! A disk that fills up while a person is forgotten: the erasure is never called done too early, nobody else loses a
//! word, and it ends with a valid certificate once there is space.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use domain::{ErasureId, ErasureStatus};
use engine::{Engine, PersonaKey};
use serde_json::Value;
use store::{Deployment as _, Scope};
use tempfile::TempDir;
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};

use crate::copying::copy;
use crate::disk::{Verdict, Watch, watch};
use crate::erasing::{self, call};
use crate::erasure::{bytes_of, everything_of_others, resumed, surfaces, template, words_left};
use crate::faults::working;
use crate::world::{TENANT, block_on};

#[test]
fn an_erasure_on_a_full_disk_ends_once_there_is_space() {
    let mut tally = Tally::new("right to be forgotten: ENOSPC in the flow, then resumed", "fault");
    let template = block_on(template());
    let calls = block_on(async {
        let attempt = Attempt::on(copy(template.path())).await;
        let disk = Disk::failing(&attempt.directory, u64::MAX, Lasting::Once);
        attempt.engine.execute_erasure(&call(1), attempt.job).await.unwrap();
        disk.calls.load(Ordering::SeqCst)
    });
    let mut refused = 0;
    for seed in tries(50) {
        let mut dice = Dice::new(seed);
        let nth = 1 + dice.below(calls);
        let lasting = if dice.happens(50) { Lasting::UntilFreed } else { Lasting::Once };
        let then = if dice.happens(50) { Then::GoOn } else { Then::Restart };
        let (failed, wrong) = block_on(async {
            let attempt = Attempt::on(copy(template.path())).await;
            Box::pin(attempt.run(nth, lasting, then)).await
        });
        refused += u64::from(failed);
        tally.count(&format!("seed {seed}, call {nth} of {calls}, {lasting:?}, {then:?}"), &wrong);
    }
    tally.note(format!("{calls} writes and flushes an erasure, {refused} could not end at first"));
    tally.close();
}

/// How long the disk is full.
#[derive(Clone, Copy, Debug)]
enum Lasting {
    Once,
    UntilFreed,
}

/// What happens when there is space again.
#[derive(Clone, Copy, Debug)]
enum Then {
    GoOn,
    Restart,
}

/// A home whose disk can fill up.
struct Disk {
    calls: Arc<AtomicU64>,
    freed: Arc<AtomicBool>,
    _watching: Watch,
}

impl Disk {
    /// Fails at the `nth` write or flush from now on.
    fn failing(directory: &TempDir, nth: u64, lasting: Lasting) -> Self {
        let (calls, freed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, lifted) = (Arc::clone(&calls), Arc::clone(&freed));
        let watching = watch(directory.path(), move |call, _| {
            let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
            let fails = match lasting {
                Lasting::Once => number == nth,
                Lasting::UntilFreed => number >= nth && !lifted.load(Ordering::SeqCst),
            };
            if fails { Verdict::Fail(libc::ENOSPC) } else { working(call) }
        });
        Self { calls, freed, _watching: watching }
    }
}

/// A signed erasure in a home of its own.
struct Attempt {
    directory: TempDir,
    engine: Engine,
    scope: Scope,
    job: ErasureId,
    others: Value,
}

impl Attempt {
    async fn on(directory: TempDir) -> Self {
        let engine = erasing::engine(directory.path()).await.unwrap();
        let job = engine.list_erasures(&call(1)).await.unwrap().erasures[0].id;
        let scope = engine.store().personas(&TENANT.parse().unwrap()).await.unwrap().remove(0).scope();
        let others = everything_of_others(&engine, &scope).await;
        Self { directory, engine, scope, job, others }
    }

    /// Whether the erasure was stopped by the disk, and what is wrong.
    async fn run(self, nth: u64, lasting: Lasting, then: Then) -> (bool, Vec<String>) {
        let disk = Disk::failing(&self.directory, nth, lasting);
        let executed = self.engine.execute_erasure(&call(1), self.job).await;
        let ended = executed.is_ok_and(|answer| answer.erasure.status == ErasureStatus::Done);
        let mut wrong = self.look(&self.engine, "while the disk is full").await;
        disk.freed.store(true, Ordering::SeqCst);
        let Self { directory, engine, scope, job, others } = self;
        let engine = match then {
            Then::GoOn => engine,
            Then::Restart => {
                drop(engine);
                match erasing::engine_again(directory.path()).await {
                    Ok(engine) => engine,
                    Err(error) => return (!ended, vec![format!("opening: {error}")]),
                }
            }
        };
        let again = Self { directory, engine, scope, job, others };
        wrong.extend(again.finish().await);
        (!ended, wrong)
    }

    /// Ends the erasure, as the message asks people to, and looks at everything.
    async fn finish(&self) -> Vec<String> {
        let status = self.engine.show_erasure(&call(2), self.job).await.unwrap().erasure.status;
        let mut wrong = Vec::new();
        if status == ErasureStatus::Partial {
            let again = self.engine.execute_erasure(&call(2), self.job).await;
            wrong.extend(again.err().map(|problem| format!("executing it again: {problem}")));
        }
        wrong.extend(resumed(&self.engine, self.directory.path()).await);
        wrong.extend(self.look(&self.engine, "in the end").await);
        wrong.extend(self.engine.shutdown(call(2).now).await.err().map(|error| format!("closing: {error}")));
        wrong
    }

    /// What is wrong with what is there: something lost of others, or something left although it is called done.
    async fn look(&self, engine: &Engine, when: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        if everything_of_others(engine, &self.scope).await != self.others {
            wrong.push(format!("{when} somebody else lost something"));
        }
        let job = engine.show_erasure(&call(2), self.job).await.unwrap().erasure;
        if job.status == ErasureStatus::Done {
            let persona: PersonaKey = "inara".parse().unwrap();
            let heard = surfaces(engine, &persona, &self.scope).await + &bytes_of(self.directory.path());
            let left = words_left(&heard).into_iter();
            wrong.extend(left.map(|left| format!("{when} it is called done, and {left}")));
        }
        wrong
    }
}
