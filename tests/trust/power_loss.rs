//! Power loss: of what was not forced to the disk, any part may be gone; nothing acknowledged is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::example;
use store::{Store, StoreError, Upkeep as _};
use tempfile::TempDir;

use crate::disk::{Call, Verdict, watch};
use crate::invariants;
use crate::platter::Platter;
use crate::reference::{self, Reference};
use crate::workload;
use crate::world::{INARA, block_on, make_persona, open, open_again, records, scope};
use testkit::dice::Dice;
use testkit::tally::{Tally, tries};

/// So many steps are taken, then the store is closed and opened again for as many more.
const STEPS: u64 = 30;
/// A call that never comes, and the mark of a power that did not fail.
const NEVER: u64 = u64::MAX;

#[test]
fn no_acknowledged_write_is_lost_with_the_power() {
    let mut tally = Tally::new("power loss: un-fsynced writes dropped", "sync");
    let calls = block_on(async { Outage::new(0, NEVER).run().await.0.calls() });
    let mut spared = 0;
    for seed in tries(50) {
        let at = 1 + Dice::new(seed).fork().below(calls);
        let (is_over, wrong) = block_on(async {
            let (outage, failed) = Outage::new(seed, at).run().await;
            let failed = failed.err().map(|error| format!("before the power failed: {error}"));
            let wrong: Vec<String> = failed.into_iter().chain(outage.look().await).collect();
            (outage.is_over(), wrong)
        });
        // A run that was shorter than the first one is no try, unless something is wrong with it.
        if is_over || !wrong.is_empty() {
            tally.count(&format!("seed {seed}, call {at} of {calls}"), &wrong);
        } else {
            spared += 1;
        }
    }
    tally.note(format!("{calls} writes and flushes a run, {spared} ended before their call"));
    tally.close();
}

/// One run that the power ends.
struct Outage {
    directory: TempDir,
    image: TempDir,
    seed: u64,
    at: u64,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Progress {
    calls: AtomicU64,
    /// Steps acknowledged so far, and one for the persona itself.
    acknowledged: AtomicU64,
    /// What was acknowledged when the power failed.
    lost_at: AtomicU64,
}

impl Outage {
    fn new(seed: u64, at: u64) -> Self {
        let progress = Arc::new(Progress { lost_at: NEVER.into(), ..Progress::default() });
        Self {
            directory: tempfile::tempdir().unwrap(),
            image: tempfile::tempdir().unwrap(),
            seed,
            at,
            progress,
        }
    }

    fn calls(&self) -> u64 {
        self.progress.calls.load(Ordering::SeqCst)
    }

    fn is_over(&self) -> bool {
        self.progress.lost_at.load(Ordering::SeqCst) != NEVER
    }

    /// Writes until the power fails or all is written.
    async fn run(self) -> (Self, Result<(), StoreError>) {
        let root = self.directory.path().canonicalize().unwrap();
        let (image, progress, at) = (self.image.path().to_owned(), Arc::clone(&self.progress), self.at);
        let mut dice = Dice::new(self.seed);
        let percent = dice.below(5) * 25;
        let mut platter = Platter::default();
        let watched = root.clone();
        let watching = watch(&root, move |call, path| {
            if progress.calls.fetch_add(1, Ordering::SeqCst) + 1 == at {
                let acknowledged = progress.acknowledged.load(Ordering::SeqCst);
                platter.lose_power(&watched, &image, &mut dice, percent);
                progress.lost_at.store(acknowledged, Ordering::SeqCst);
            }
            match call {
                Call::Write => Verdict::Pass,
                Call::Sync => {
                    platter.sync(path);
                    Verdict::Pretend
                }
            }
        });
        let written = self.write().await;
        drop(watching);
        (self, written)
    }

    async fn write(&self) -> Result<(), StoreError> {
        for first in [0, STEPS] {
            let store = open_again(self.directory.path()).await?;
            make_persona(&store, INARA).await?;
            for step in first..first + STEPS {
                self.progress.acknowledged.fetch_max(step + 1, Ordering::SeqCst);
                if self.is_over() {
                    return Ok(());
                }
                workload::take(&store, &scope(INARA), step).await?;
            }
            store.close(example::day(10_000)).await?;
        }
        Ok(())
    }

    /// What is wrong with what the power left.
    async fn look(&self) -> Vec<String> {
        match (self.progress.lost_at.load(Ordering::SeqCst)).checked_sub(1) {
            // The run was shorter than the first one, and the power never failed.
            Some(steps) if steps == NEVER - 1 => Vec::new(),
            Some(steps) => self.look_at_steps(steps).await.unwrap_or_else(|error| vec![error]),
            None => match open(self.image.path()).await {
                Ok(_) => Vec::new(),
                Err(error) => vec![format!("an empty home can't be opened: {error}")],
            },
        }
    }

    async fn look_at_steps(&self, steps: u64) -> Result<Vec<String>, String> {
        let mut wrong = Vec::new();
        let mut dumps = Vec::new();
        for _ in 0..2 {
            let store = open_again(self.image.path()).await.map_err(|error| format!("reopening: {error}"))?;
            dumps.push(self.read(&store).await?);
            wrong.extend(damage(&store).await?);
        }
        let mut reference = Reference::new().await;
        wrong.extend(reference.recognise(&dumps[0], steps).await.err());
        if dumps[0] != dumps[1] {
            wrong.push("it differs when opened twice".to_owned());
        }
        wrong.extend(invariants::broken(&records(self.image.path(), INARA)));
        Ok(wrong)
    }

    async fn read(&self, store: &Store) -> Result<serde_json::Value, String> {
        reference::dump(store, &scope(INARA)).await.map_err(|error| format!("reading: {error}"))
    }
}

/// What the store itself finds wrong.
pub(crate) async fn damage(store: &Store) -> Result<Vec<String>, String> {
    let persona = store.integrity(&scope(INARA)).await.map_err(|error| error.to_string())?;
    let deployment = store.deployment_integrity().await.map_err(|error| error.to_string())?;
    let found = [("persona", persona), ("deployment", deployment)].into_iter();
    Ok(found.filter(|(_, found)| !found.is_whole()).map(|(of, found)| format!("{of}: {found:?}")).collect())
}
