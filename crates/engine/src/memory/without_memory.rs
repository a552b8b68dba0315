//! What a persona with memory switched off still knows: the events of its timeline.

use std::sync::Arc;

use domain::MemoryId;
use recall::Recollection;
use recall::index::Index;

use crate::memory::recall::{CueWords, RecallContext, RecallTurn};
use crate::persona::document::LoadedDocument;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;

/// What the persona remembers for a cue; while memory is off, events of its timeline only.
pub(crate) fn remembered(
    recalling: &RecallContext<'_>,
    turn: RecallTurn,
    words: &CueWords<'_>,
    selected: Option<&[MemoryId]>,
) -> Recollection {
    if recalling.persona.loaded.demand_memory().is_ok() {
        return recalling.recollect(turn, words, selected);
    }
    let view = without_memories(recalling.view);
    let persona = recalling_life(recalling.persona);
    let of_life =
        RecallContext { persona: &persona, view: &view, listener: recalling.listener.clone(), ..*recalling };
    of_life.recollect(RecallTurn::WithoutCooldown, words, None)
}

/// The persona with memory switched on but without memories, so that its timeline is recalled as usual.
fn recalling_life(persona: &PersonaContext) -> PersonaContext {
    let mut loaded = LoadedDocument::clone(&persona.loaded);
    loaded.document.memory_policy.enabled = true;
    PersonaContext { entry: persona.entry.clone(), loaded: Arc::new(loaded) }
}

fn without_memories(view: &View) -> View {
    let nothing: Arc<_> = Index::new(view.snapshot.language()).snapshot();
    View { snapshot: nothing, ..view.clone() }
}
