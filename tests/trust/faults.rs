//! A full and a failing disk: nothing acknowledged is lost, the store says why it is read-only, and it
//! goes on by itself when the disk does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::example;
use store::{Health, Store, StoreError, Upkeep as _};
use tempfile::TempDir;

use crate::disk::{Call, Verdict, watch};
use crate::invariants;
use crate::power_loss::damage;
use crate::reference::{self, Reference};
use crate::workload;
use crate::world::{INARA, block_on, make_persona, open, open_again, records, scope};
use testkit::tally::{Tally, tries};

/// Steps that are taken before the disk fails.
const BEFORE: u64 = 3;
/// The disk fails within so many more, or the try says nothing.
const AT_MOST: u64 = 100;

/// How the disk fails.
#[derive(Clone, Copy, Debug)]
struct Fault {
    number: libc::c_int,
    /// Whether it goes on failing until somebody frees space.
    lasting: bool,
}

/// What the store may say. A flush that fails is a failing disk to SQLite, whatever made it fail.
const REASONS: [&str; 2] = ["the disk is full", "the disk failed to read or write"];

const FAULTS: [Fault; 4] = [
    Fault { number: libc::ENOSPC, lasting: true },
    Fault { number: libc::ENOSPC, lasting: false },
    Fault { number: libc::EIO, lasting: true },
    Fault { number: libc::EIO, lasting: false },
];

#[test]
fn no_acknowledged_write_is_lost_to_a_full_or_failing_disk() {
    let mut tally = Tally::new("ENOSPC and EIO at each of the first writes", "fault");
    // Every kind of fault at one call, then at the next: so they share the time that the run is given.
    for nth in tries(50).map(|number| number + 1) {
        for fault in FAULTS {
            let wrong = block_on(async { Try::new(fault, nth).await.run().await });
            tally.count(&format!("{fault:?} at call {nth}"), &wrong.err().into_iter().collect::<Vec<_>>());
        }
    }
    tally.close();
}

#[test]
fn a_home_that_could_not_be_made_is_made_once_the_disk_takes_writes() {
    let mut tally = Tally::new("ENOSPC while a home is made", "fault");
    for nth in tries(50).map(|number| number + 1) {
        let wrong = block_on(make_on_a_full_disk(nth)).err();
        tally.count(&format!("call {nth}"), &wrong.into_iter().collect::<Vec<_>>());
    }
    tally.close();
}

async fn make_on_a_full_disk(nth: u64) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let mut calls = 0;
    let watching = watch(directory.path(), move |call, _| {
        calls += 1;
        if calls >= nth { Verdict::Fail(libc::ENOSPC) } else { working(call) }
    });
    let made = match open(directory.path()).await {
        Ok(store) => make_persona(&store, INARA).await,
        Err(error) => Err(error),
    };
    drop(watching);
    if let Err(StoreError::Closed) = made {
        return Err("it stopped without a reason".to_owned());
    }
    let store = open_again(directory.path()).await.map_err(|error| format!("opening later: {error}"))?;
    make_persona(&store, INARA).await.map_err(|error| format!("making the persona later: {error}"))?;
    workload::take(&store, &scope(INARA), 0).await.map_err(|error| format!("writing later: {error}"))?;
    damage(&store).await.and_then(|found| if found.is_empty() { Ok(()) } else { Err(found.join("; ")) })
}

/// A home on a disk that fails at the `nth` call from now on.
struct Try {
    directory: TempDir,
    store: Store,
    reference: Reference,
    fault: Fault,
    nth: u64,
}

impl Try {
    async fn new(fault: Fault, nth: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let watching = watch(directory.path(), |call, _| working(call));
        let store = open(directory.path()).await.unwrap();
        make_persona(&store, INARA).await.unwrap();
        for step in 0..BEFORE {
            workload::take(&store, &scope(INARA), step).await.unwrap();
        }
        drop(watching);
        Self { directory, store, reference: Reference::new().await, fault, nth }
    }

    async fn run(mut self) -> Result<(), String> {
        let healed = Arc::new(AtomicBool::new(false));
        let (lifted, fault, nth, mut calls) = (Arc::clone(&healed), self.fault, self.nth, 0);
        let watching = watch(self.directory.path(), move |call, _| {
            calls += 1;
            let fails = if fault.lasting { calls >= nth } else { calls == nth };
            if fails && !lifted.load(Ordering::SeqCst) { Verdict::Fail(fault.number) } else { working(call) }
        });
        let acknowledged = self.write_until_refused().await?;
        if self.fault.lasting {
            self.check_read_only().await?;
        }
        let steps = self.recognise(acknowledged).await?;
        healed.store(true, Ordering::SeqCst);
        self.go_on(steps).await?;
        let looked = self.close_and_look(steps + 5).await;
        drop(watching);
        looked
    }

    async fn write_until_refused(&self) -> Result<u64, String> {
        for step in BEFORE..AT_MOST {
            match workload::take(&self.store, &scope(INARA), step).await {
                Ok(_) => {}
                Err(StoreError::Closed) => return Err("it stopped without a reason".to_owned()),
                Err(error) if names_the_disk(&error) => {
                    return Ok(step);
                }
                Err(error) => return Err(format!("refused, but not because of the disk: {error}")),
            }
        }
        Err("the disk failed, and every write was acknowledged".to_owned())
    }

    async fn check_read_only(&self) -> Result<(), String> {
        let health = self.store.health().await;
        if !matches!(&health, Health::ReadOnly { reason } if REASONS.contains(&reason.as_str())) {
            return Err(format!("the disk fails, and the store says {health:?}"));
        }
        match workload::take(&self.store, &scope(INARA), AT_MOST * 10).await {
            Err(StoreError::ReadOnly { .. }) => Ok(()),
            other => Err(format!("a write on a failing disk: {other:?}")),
        }
    }

    /// Reads go on, and show what was acknowledged.
    async fn recognise(&mut self, acknowledged: u64) -> Result<u64, String> {
        let found = reference::dump(&self.store, &scope(INARA)).await;
        let found = found.map_err(|error| format!("reading while the disk fails: {error}"))?;
        self.reference.recognise(&found, acknowledged).await
    }

    async fn go_on(&self, steps: u64) -> Result<(), String> {
        for step in steps..steps + 5 {
            let taken = workload::take(&self.store, &scope(INARA), step).await;
            taken.map_err(|error| format!("step {step} after the disk was well: {error}"))?;
        }
        let health = self.store.health().await;
        if health == Health::Well {
            Ok(())
        } else {
            Err(format!("the disk is well, and the store says {health:?}"))
        }
    }

    async fn close_and_look(mut self, steps: u64) -> Result<(), String> {
        self.store.close(example::day(10_000)).await.map_err(|error| format!("closing: {error}"))?;
        let store = open(self.directory.path()).await.map_err(|error| format!("reopening: {error}"))?;
        let found = reference::dump(&store, &scope(INARA)).await.map_err(|error| error.to_string())?;
        let mut wrong = damage(&store).await?;
        drop(store);
        wrong.extend(self.reference.recognise(&found, steps).await.err());
        wrong.extend(invariants::broken(&records(self.directory.path(), INARA)));
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }
}

/// A disk that works. Its flushes are pretended, since no power is lost here and they take their time.
pub(crate) fn working(call: Call) -> Verdict {
    match call {
        Call::Write => Verdict::Pass,
        Call::Sync => Verdict::Pretend,
    }
}

/// Whether the error says that it was the disk, or which file could not be written.
fn names_the_disk(error: &StoreError) -> bool {
    let said = error.to_string();
    REASONS.iter().any(|reason| said.contains(reason))
        || matches!(error, StoreError::Io { .. } | StoreError::Keyring(_) | StoreError::NotKept(_))
}
