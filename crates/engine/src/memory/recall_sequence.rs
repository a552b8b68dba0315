//! The one sequence from a cue to what is remembered, for every verb that recalls: a model may read the
//! shortlist, then destruction has to wait, the index is brought up to date, and the ranking decides.

use std::sync::Arc;

use domain::{Listener, Timestamp};
use tokio::sync::OwnedRwLockReadGuard;
use wire::Problem;

use crate::Engine;
use crate::call::Call;
use crate::memory::read_shortlist::{Reader, Reading};
use crate::memory::recall::{CueWords, RecallContext, RecallResult, RecallTurn};
use crate::memory::without_memory::remembered;
use crate::persona::open::{OpenPersona, View};
use crate::persona::registry::PersonaContext;

/// A recall to be done.
pub(crate) struct RecallRequest<'a> {
    pub(crate) persona: &'a PersonaContext,
    pub(crate) listener: &'a Listener,
    pub(crate) turn: RecallTurn,
    pub(crate) words: CueWords<'a>,
    /// The time to recall as of, if it isn't the present.
    pub(crate) as_of: Option<Timestamp>,
    pub(crate) selection: Selection,
}

/// Who selects from the shortlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// The model with the role `recall`, if there is one.
    ByModel,
    /// The ranking alone.
    ByRanking,
}

/// What was recalled, and the state it was recalled from.
pub(crate) struct FinishedRecall {
    pub(crate) recalled: RecallResult,
    pub(crate) view: View,
    pub(crate) open: Arc<OpenPersona>,
    /// Until it is dropped, a request that destroys a memory waits for the answer made of this.
    pub(crate) running: OwnedRwLockReadGuard<()>,
}

impl Engine {
    /// Recalls for `asked.listener`. Nothing is written. While memory is off, only the timeline is searched.
    pub(crate) async fn recall_memories(
        &self,
        call: &Call,
        asked: &RecallRequest<'_>,
    ) -> Result<FinishedRecall, Problem> {
        let RecallRequest { persona, listener, turn, words, .. } = *asked;
        let now = asked.as_of.unwrap_or(call.now);
        let has_memory = persona.loaded.demand_memory().is_ok();
        // A model reads only for the present, and while no lock is held.
        let reading = match (asked.selection, asked.as_of) {
            (Selection::ByModel, None) if has_memory => {
                self.read_shortlist(&Reader { persona, listener, now, turn, words }).await?
            }
            (Selection::ByModel | Selection::ByRanking, _) => None,
        };
        let open = self.open(persona).await?;
        let running = Arc::clone(&open.recalling).read_owned().await;
        let mut view = self.active_view(persona, &open, call.now).await?;
        if now != call.now {
            view = self.view_as_of(persona, &view, now, call.now).await?;
        }
        let recalling = RecallContext {
            persona,
            open: &open,
            view: &view,
            listener: listener.clone(),
            now,
            encoder: self.cue_encoder(),
        };
        let selected = reading.as_ref().and_then(Reading::selection);
        let recollection = remembered(&recalling, turn, &words, selected);
        Ok(FinishedRecall { recalled: RecallResult { recollection, reading }, view, open, running })
    }
}
