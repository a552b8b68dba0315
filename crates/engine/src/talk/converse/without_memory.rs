//! What a persona with memory switched off still knows: the events of its timeline.

use std::sync::Arc;

use domain::{Listener, MemoryId};
use recall::Recollection;
use recall::index::Index;
use wire::Problem;

use crate::Engine;
use crate::call::Call;
use crate::memory::recall::{CueWords, RecallContext, RecallTurn, Remembered};
use crate::persona::document::LoadedDocument;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;

impl Engine {
    /// A recall while memory is off: timeline events, which are nobody's memories.
    pub(super) async fn life_only(
        &self,
        call: &Call,
        found: &PersonaContext,
        listener: &Listener,
        cue: &str,
    ) -> Result<(Remembered, View), Problem> {
        let open = self.open(found).await?;
        let _recalling = open.recalling.read().await;
        let view = self.active_view(found, &open, call.now).await?;
        let recalling = RecallContext {
            found,
            open: &open,
            view: &view,
            listener: listener.clone(),
            now: call.now,
            encoder: self.cue_encoder(),
        };
        let recollection = remembered(&recalling, RecallTurn::Next, &CueWords::said(cue), None);
        Ok((Remembered { recollection, reading: None }, view))
    }
}

/// What the persona remembers for a cue; while memory is off, events of its timeline only.
pub(crate) fn remembered(
    recalling: &RecallContext<'_>,
    turn: RecallTurn,
    words: &CueWords<'_>,
    selected: Option<&[MemoryId]>,
) -> Recollection {
    if recalling.found.standing.demand_memory().is_ok() {
        return recalling.recollect(turn, words, selected);
    }
    let view = without_memories(recalling.view);
    let found = recalling_life(recalling.found);
    let of_life =
        RecallContext { found: &found, view: &view, listener: recalling.listener.clone(), ..*recalling };
    of_life.recollect(RecallTurn::WithoutCooldown, words, None)
}

/// The persona with memory switched on but without memories, so that its timeline is recalled as usual.
fn recalling_life(found: &PersonaContext) -> PersonaContext {
    let mut standing = LoadedDocument::clone(&found.standing);
    standing.document.memory_policy.enabled = true;
    PersonaContext { entry: found.entry.clone(), standing: Arc::new(standing) }
}

fn without_memories(view: &View) -> View {
    let nothing: Arc<_> = Index::new(view.snapshot.language()).snapshot();
    View { snapshot: nothing, ..view.clone() }
}
