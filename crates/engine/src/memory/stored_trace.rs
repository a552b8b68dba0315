//! Traces of recalls as they are stored: the numbers of the candidates packed into bytes, and text only of
//! what was rendered.
//!
//! Traces written before were JSON throughout; they are still read.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::{MemoryId, RecallId, SessionId, SubjectRef, Timestamp};
use recall::{ExcludedCounts, TracedEvent};
use serde::{Deserialize, Serialize};
use store::{Trace, WrittenJson};
use vault::encoding::{base64url, from_base64url};

use crate::memory::read_shortlist::Reading;
use crate::memory::recall::RecallResult;

/// The rendered details of each rendered memory, and the conversation they were rendered in: what is needed
/// to match a reply against a recall.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RenderedMemories {
    pub(crate) session: Option<SessionId>,
    pub(crate) subject: Option<SubjectRef>,
    pub(crate) details: BTreeMap<MemoryId, Vec<usize>>,
}

impl RenderedMemories {
    pub(crate) fn of(
        recalled: &RecallResult,
        session: Option<SessionId>,
        subject: Option<SubjectRef>,
    ) -> Self {
        let positions =
            |memory: &recall::RenderedMemory| memory.details.iter().map(|detail| detail.position).collect();
        let details = recalled.memories.iter().map(|memory| (memory.id, positions(memory))).collect();
        Self { session, subject, details }
    }
}

/// A stored trace, read.
pub(crate) struct StoredTrace {
    pub(crate) reasons: recall::Trace,
    /// How a model read the shortlist, if one did.
    pub(crate) reading: Option<Reading>,
    pub(crate) rendered: RenderedMemories,
}

/// A trace that is still to be written.
pub(crate) struct UnwrittenTrace {
    pub(crate) recall: RecallId,
    pub(crate) at: Timestamp,
    pub(crate) shown: Vec<MemoryId>,
    pub(crate) rendered: RenderedMemories,
    pub(crate) recalled: Arc<RecallResult>,
}

impl UnwrittenTrace {
    /// The trace as the store keeps it.
    pub(crate) fn written(self) -> Trace {
        let Self { recall, at, shown, rendered, recalled } = self;
        let RenderedMemories { session, subject, details } = rendered;
        let reasons = &recalled.trace;
        let words =
            reasons.candidates.iter().enumerate().filter(|(_, candidate)| !candidate.words.is_empty());
        let packed = Packed {
            candidates: base64url(&recall::pack(&reasons.candidates)),
            words: words.map(|(place, candidate)| (place, candidate.words.clone())).collect(),
            rejected: reasons.rejected,
            life: reasons.life.clone(),
            rendered: reasons.rendered.clone(),
            specificity: reasons.specificity,
            reading: recalled.reading.clone(),
            session,
            details,
        };
        // Serialising our own types can't fail: all map keys are strings.
        let body = WrittenJson::of(&packed).unwrap_or_default();
        Trace { recall, at, subject, shown, body }
    }
}

impl StoredTrace {
    /// Reads a trace of either format.
    pub(crate) fn read(trace: &Trace) -> Option<Self> {
        match trace.body.read::<Packed>() {
            Ok(packed) => packed.unpacked(trace.subject.clone()),
            Err(_) => trace.body.read::<Unpacked>().ok().map(|whole| whole.stored(trace.subject.clone())),
        }
    }
}

/// The format of traces.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Packed {
    /// The candidates as bytes, in Base64.
    candidates: String,
    /// The words of the cue that a candidate contains, by its place.
    words: Vec<(usize, Vec<String>)>,
    rejected: ExcludedCounts,
    /// Not packed: traces of a redacted event are found by its id.
    life: Vec<TracedEvent>,
    rendered: String,
    specificity: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reading: Option<Reading>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<SessionId>,
    details: BTreeMap<MemoryId, Vec<usize>>,
}

impl Packed {
    fn unpacked(self, subject: Option<SubjectRef>) -> Option<StoredTrace> {
        let mut candidates = recall::unpack(&from_base64url(&self.candidates)?)?;
        for (place, words) in self.words {
            candidates.get_mut(place)?.words = words;
        }
        let reasons = recall::Trace {
            candidates,
            rejected: self.rejected,
            life: self.life,
            rendered: self.rendered,
            specificity: self.specificity,
        };
        let rendered = RenderedMemories { session: self.session, subject, details: self.details };
        Some(StoredTrace { reasons, reading: self.reading, rendered })
    }
}

/// The format of traces before candidates were packed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Unpacked {
    reasons: recall::Trace,
    #[serde(default)]
    reading: Option<Reading>,
    session: Option<SessionId>,
    #[serde(rename = "told")]
    details: BTreeMap<MemoryId, Vec<usize>>,
}

impl Unpacked {
    fn stored(self, subject: Option<SubjectRef>) -> StoredTrace {
        let Self { reasons, reading, session, details } = self;
        StoredTrace { reasons, reading, rendered: RenderedMemories { session, subject, details } }
    }
}

#[cfg(test)]
mod tests {
    use recall::{Recollection, TracedMemory};
    use serde_json::json;

    use super::*;

    fn traced() -> recall::Trace {
        let memory = json!({
            "id": "mem:0123456789ab", "score": 0.7, "grounds": { "meaning": 0.5, "words": 0.2, "circumstances": 0.1 },
            "parts": { "salience": 0.1, "relevance": 0.9, "recency": 0.3, "topical": 0.0 },
            "vividness": "vivid", "closest": { "detail": 2 }, "words": ["ferry"], "outcome": "told", "reason": "asked_for",
        });
        let memory: TracedMemory = serde_json::from_value(memory).unwrap();
        let silent = TracedMemory { words: Vec::new(), ..memory.clone() };
        recall::Trace {
            candidates: vec![silent, memory],
            rendered: "- the late ferry".to_owned(),
            specificity: 0.75,
            ..recall::Trace::default()
        }
    }

    fn rendered() -> RenderedMemories {
        let details = BTreeMap::from([("mem:0123456789ab".parse().unwrap(), vec![0, 2])]);
        let subject = Some("guest:ana".parse().unwrap());
        RenderedMemories { session: Some("sess:1".parse().unwrap()), subject, details }
    }

    #[test]
    fn a_trace_reads_as_it_was_written() {
        let recollection = Recollection { trace: traced(), ..Recollection::default() };
        let unwritten = UnwrittenTrace {
            recall: RecallId(uuid::Uuid::nil()),
            at: Timestamp::from_millis(7),
            shown: Vec::new(),
            rendered: rendered(),
            recalled: Arc::new(RecallResult { recollection, reading: None }),
        };
        let read = StoredTrace::read(&unwritten.written()).unwrap();
        assert_eq!((read.reasons, read.rendered, read.reading), (traced(), rendered(), None));
    }

    #[test]
    fn a_trace_written_before_candidates_were_packed_is_read() {
        let body =
            json!({ "reasons": traced(), "session": "sess:1", "told": { "mem:0123456789ab": [0, 2] } });
        let trace = Trace {
            recall: RecallId(uuid::Uuid::nil()),
            at: Timestamp::from_millis(7),
            subject: rendered().subject,
            shown: Vec::new(),
            body: WrittenJson::of(&body).unwrap(),
        };
        let read = StoredTrace::read(&trace).unwrap();
        assert_eq!((read.reasons, read.rendered, read.reading), (traced(), rendered(), None));
    }
}
