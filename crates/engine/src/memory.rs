//! Memories: remember, recall, list, correct, pin, redact, import and export; and the vectors behind them.

pub(crate) mod remember;
pub(crate) mod room;
pub(crate) mod classify;
pub(crate) mod recall;
pub(crate) mod recall_sequence;
pub(crate) mod without_memory;
pub(crate) mod stored_trace;
pub(crate) mod recent_recalls;
pub(crate) mod read_shortlist;
pub(crate) mod rehearsal;
pub(crate) mod list;
pub(crate) mod inspect;
pub(crate) mod correct;
pub(crate) mod undo_supersession;
pub(crate) mod pin;
pub(crate) mod redact;
pub(crate) mod retention;
pub(crate) mod import;
pub(crate) mod undo_import;
pub(crate) mod export;
pub(crate) mod card;
pub(crate) mod embedding;
pub(crate) mod cues;
pub(crate) mod vectors;
pub(crate) mod unencoded;

use std::sync::Arc;

use domain::PersonaId;

use crate::Engine;
use read_shortlist::{Readings, Selections};
use recent_recalls::RecentRecalls;
use rehearsal::PendingWrites;
use vectors::VectorWorker;

/// The work behind memories: sentence vectors, writes that follow an answer, and recall by reading. Its fields
/// are visible in this room only.
pub(crate) struct MemoryState {
    vectors: Arc<VectorWorker>,
    /// Computes the sentence vectors of cues; absent when the encoders can't be used.
    cue_encoder: Option<::recall::CueEncoder>,
    pending_writes: PendingWrites,
    recent_recalls: RecentRecalls,
    selections: Selections,
    readings: Readings,
}

impl MemoryState {
    /// The state at the start.
    pub(crate) fn new(vectors: Arc<VectorWorker>, cue_encoder: Option<::recall::CueEncoder>) -> Self {
        Self {
            vectors,
            cue_encoder,
            pending_writes: PendingWrites::default(),
            recent_recalls: RecentRecalls::default(),
            selections: Selections::default(),
            readings: Readings::default(),
        }
    }

    /// Queues the missing vectors of a persona.
    pub(crate) fn encode_soon(&self, persona: PersonaId) {
        self.vectors.nudge(persona);
    }

    /// Drops the writes that wait after recalls.
    pub(crate) async fn discard_writes(&self) {
        self.pending_writes.discard_all().await;
    }
}

impl Engine {
    /// Computes the sentence vectors of cues; absent when the encoders can't be used.
    pub(crate) fn cue_encoder(&self) -> Option<&::recall::CueEncoder> {
        self.memory_state.cue_encoder.as_ref()
    }
}
