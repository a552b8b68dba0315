//! A directory on a machine whose power fails once, at a call that the harness chooses.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;
use testkit::dice::Dice;

use crate::disk::{Call, Verdict, Watch, watch};
use crate::platter::Platter;

/// What is watched until this is dropped.
pub(crate) struct Power {
    state: Arc<Mutex<State>>,
    _watching: Watch,
}

struct State {
    root: PathBuf,
    platter: Platter,
    dice: Dice,
    percent: u64,
    calls: u64,
    /// What was on the disk when the power failed.
    image: Option<TempDir>,
}

impl Power {
    /// Watches `root`, whose power fails at the `nth` write or flush from now on.
    pub(crate) fn failing_at(nth: u64, root: &Path, seed: u64) -> Self {
        let root = root.canonicalize().unwrap();
        let mut dice = Dice::new(seed);
        let percent = dice.below(5) * 25;
        let platter = Platter::holding(&root);
        let state = State { root: root.clone(), platter, dice, percent, calls: 0, image: None };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let watching = watch(&root, move |call, path| {
            let mut state = open(&shared);
            state.calls += 1;
            if state.calls == nth {
                state.fail();
            }
            match call {
                Call::Write => Verdict::Pass,
                Call::Sync => {
                    state.platter.sync(path);
                    Verdict::Pretend
                }
            }
        });
        Self { state, _watching: watching }
    }

    /// How many writes and flushes there were.
    pub(crate) fn calls(&self) -> u64 {
        open(&self.state).calls
    }

    /// Whether the power has failed.
    pub(crate) fn has_failed(&self) -> bool {
        open(&self.state).image.is_some()
    }

    /// What the power left; it fails now, unless it did before.
    pub(crate) fn image(self) -> TempDir {
        let mut state = open(&self.state);
        if state.image.is_none() {
            state.fail();
        }
        state.image.take().unwrap()
    }
}

impl State {
    fn fail(&mut self) {
        let image = tempfile::tempdir().unwrap();
        self.platter.lose_power(&self.root, image.path(), &mut self.dice, self.percent);
        self.image = Some(image);
    }
}

fn open(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
