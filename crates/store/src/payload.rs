//! The sealed payload of each record as bytes: all its text, and nothing that has a clear column.
//!
//! No payload contains its subject: the key that seals it identifies the subject.

use domain::{
    Atom, Brightness, ConsentBasis, Detail, ErasureId, EventDate, Extensions, Provenance, SubjectRef, Text,
    TimelineEntry, Timestamp,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use zeroize::Zeroizing;

use crate::atom::Vector;
use crate::conversation::{ExchangeId, FormationResult, Session, SessionCheckpoint, Turn};
use crate::private::PrivateJson;
use crate::subject::Subject;

/// Bytes that are zeroed when dropped.
pub(crate) type Plain = Zeroizing<Vec<u8>>;

/// The owner of a data key. The label is sealed under that same key, so the owner's name becomes unreadable
/// when the key is destroyed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Label {
    /// A subject.
    Subject(Subject),
    /// A month, `2026-04`, for records without a subject.
    Month(String),
    /// An erasure request.
    Erasure(ErasureId),
}

/// The text of an atom.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AtomWords {
    pub(crate) gist: Text,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) details: Vec<Text>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) cues: Vec<Text>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<Text>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) mentions: Vec<SubjectRef>,
    pub(crate) consent_basis: ConsentBasis,
    pub(crate) provenance: Provenance,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) event_date: Option<EventDate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_by: Option<Text>,
    #[serde(default, skip_serializing_if = "no_extensions")]
    pub(crate) extensions: Extensions,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) embedder: Option<String>,
}

/// The text of a timeline entry. The reason it was superseded is sealed separately, because it is written
/// later.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryWords {
    pub(crate) event_label: Text,
    pub(crate) facts: Text,
    pub(crate) feelings: Text,
    pub(crate) interpretation: Text,
    pub(crate) emotion_tags: Vec<Text>,
    #[serde(default)]
    pub(crate) metadata: std::collections::BTreeMap<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revision_reason: Option<Text>,
}

impl EntryWords {
    /// Replaces the cues in the metadata.
    pub(crate) fn set_cues(&mut self, cues: &[Text]) {
        domain::timeline::set_cues(&mut self.metadata, cues);
    }
}

/// The text of a session.
#[derive(Serialize, Deserialize)]
pub(crate) struct SessionWords {
    pub(crate) id: domain::SessionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) checkpoint: Option<SessionCheckpoint>,
    #[serde(default, skip_serializing_if = "PrivateJson::is_null")]
    pub(crate) state: PrivateJson,
}

/// The text of a turn.
#[derive(Serialize, Deserialize)]
pub(crate) struct TurnWords {
    pub(crate) exchange: ExchangeId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<ExchangeId>,
    pub(crate) text: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) recall: Option<domain::RecallId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) formed: Option<FormationResult>,
}

/// An atom's text and vector as bytes: the length of the text, the text as JSON, the vector.
pub(crate) fn encode_atom(atom: &Atom, vector: Option<&Vector>) -> Plain {
    let words = AtomWords {
        gist: atom.gist.clone(),
        details: atom.details.iter().map(|detail| detail.content.clone()).collect(),
        cues: atom.cues.clone(),
        tags: atom.tags.clone(),
        mentions: atom.mentions.clone(),
        consent_basis: atom.consent_basis.clone(),
        provenance: atom.provenance.clone(),
        event_date: atom.event_date,
        language: atom.language.clone(),
        said_by: atom.said_by.clone(),
        extensions: atom.extensions.clone(),
        embedder: vector.map(|vector| vector.embedder.clone()),
    };
    let words = encode(&words);
    let length = u32::try_from(words.len()).unwrap_or(u32::MAX).to_le_bytes();
    let vector = vector.map(|vector| vector.bytes.as_slice()).unwrap_or_default();
    Zeroizing::new([length.as_slice(), &words, vector].concat())
}

/// Decodes the output of [`encode_atom`].
pub(crate) fn decode_atom(bytes: &[u8]) -> Option<(AtomWords, Option<Vector>)> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (words, vector) = rest.split_at_checked(length)?;
    let words: AtomWords = decode(words)?;
    let vector = words.embedder.clone().map(|embedder| Vector { embedder, bytes: vector.to_vec() });
    Some((words, vector))
}

/// Sentence vectors as bytes: the length of their encoder's name, the name, the vectors.
pub(crate) fn encode_vectors(vectors: &Vector) -> Plain {
    let maker = vectors.embedder.as_bytes();
    let length = u16::try_from(maker.len()).unwrap_or(u16::MAX);
    let maker = maker.get(..usize::from(length)).unwrap_or_default();
    Zeroizing::new([length.to_le_bytes().as_slice(), maker, &vectors.bytes].concat())
}

/// Decodes the output of [`encode_vectors`].
pub(crate) fn decode_vectors(bytes: &[u8]) -> Option<Vector> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (maker, vectors) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    Some(Vector { embedder: String::from_utf8(maker.to_vec()).ok()?, bytes: vectors.to_vec() })
}

pub(crate) fn entry_words(entry: &TimelineEntry) -> EntryWords {
    let event = &entry.event;
    EntryWords {
        event_label: event.event_label.clone(),
        facts: event.facts.clone(),
        feelings: event.feelings.clone(),
        interpretation: event.interpretation.clone(),
        emotion_tags: event.emotion_tags.clone(),
        metadata: event.metadata.clone(),
        revision_reason: entry.revision_reason.clone(),
    }
}

pub(crate) fn session_words(session: &Session) -> SessionWords {
    SessionWords {
        id: session.id.clone(),
        title: session.title.clone(),
        checkpoint: session.checkpoint.clone(),
        state: session.state.clone(),
    }
}

pub(crate) fn turn_words(turn: &Turn) -> TurnWords {
    TurnWords {
        exchange: turn.exchange.clone(),
        parent: turn.parent.clone(),
        text: turn.text.clone(),
        recall: turn.recall,
        model: turn.model.clone(),
        formed: turn.formed.clone(),
    }
}

/// A value as JSON bytes.
pub(crate) fn encode(words: &impl Serialize) -> Plain {
    // Serialising our own types to memory can't fail: every map has string keys.
    Zeroizing::new(serde_json::to_vec(words).unwrap_or_default())
}

/// Decodes the output of [`encode`].
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

/// The changing numbers of an atom's details: sixteen bytes each, brightness and the time it was measured.
pub(crate) fn encode_anchors(details: &[Detail]) -> Vec<u8> {
    let anchor = |detail: &Detail| {
        let at = detail.brightened_at.map_or(i64::MIN, Timestamp::as_millis);
        [detail.brightness.get().to_le_bytes(), at.to_le_bytes()].concat()
    };
    details.iter().flat_map(anchor).collect()
}

/// Rebuilds details from their text and their numbers.
pub(crate) fn decode_details(words: Vec<Text>, anchors: &[u8]) -> Option<Vec<Detail>> {
    let (anchors, rest) = anchors.as_chunks::<16>();
    if !rest.is_empty() || anchors.len() != words.len() {
        return None;
    }
    let detail = |(content, anchor): (Text, &[u8; 16])| {
        let (brightness, at) = anchor.split_first_chunk::<8>()?;
        let brightness = Brightness::new(f64::from_le_bytes(*brightness)).ok()?;
        let at = i64::from_le_bytes(at.try_into().ok()?);
        let brightened_at = (at != i64::MIN).then(|| Timestamp::from_millis(at));
        Some(Detail { content, brightness, brightened_at })
    };
    words.into_iter().zip(anchors).map(detail).collect()
}

fn no_extensions(extensions: &Extensions) -> bool {
    *extensions == Extensions::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;

    #[test]
    fn an_atoms_words_and_vector_read_as_they_were_written() {
        let mut atom = example::guest_atom();
        atom.details[1].brightened_at = Some(example::day(3));
        let vector = Vector { embedder: "built-in".to_owned(), bytes: vec![1, 2, 255] };
        for vector in [None, Some(vector)] {
            let bytes = encode_atom(&atom, vector.as_ref());
            let (words, read) = decode_atom(&bytes).unwrap();
            assert_eq!((words.gist, read), (atom.gist.clone(), vector));
            assert_eq!(
                decode_details(words.details, &encode_anchors(&atom.details)),
                Some(atom.details.clone())
            );
        }
    }

    #[test]
    fn sentence_vectors_read_as_they_were_written_and_damaged_ones_are_refused() {
        let vectors = Vector { embedder: "encoder 1".to_owned(), bytes: vec![0, 127, 129] };
        let bytes = encode_vectors(&vectors);
        assert_eq!(decode_vectors(&bytes), Some(vectors));
        assert_eq!(decode_vectors(&bytes[..4]), None);
        assert_eq!(decode_vectors(&[]), None);
    }

    #[test]
    fn the_payload_does_not_say_whose_it_is() {
        let bytes = encode_atom(&example::guest_atom(), None);
        assert!(!String::from_utf8_lossy(&bytes).contains("guest:ana"));
    }

    #[test]
    fn details_whose_words_and_numbers_disagree_are_refused() {
        let atom = example::guest_atom();
        let anchors = encode_anchors(&atom.details);
        let words = || atom.details.iter().map(|detail| detail.content.clone()).collect::<Vec<_>>();
        assert!(decode_details(words(), &anchors[..32]).is_none());
        assert!(decode_details(words(), &anchors[..47]).is_none());
        let mut wrong = anchors;
        wrong[..8].copy_from_slice(&f64::NAN.to_le_bytes());
        assert!(decode_details(words(), &wrong).is_none());
    }

    #[test]
    fn a_payload_written_before_there_were_cues_opens() {
        let atom = example::guest_atom();
        let earlier = encode_atom(&atom, None);
        let text = String::from_utf8_lossy(&earlier).into_owned();
        assert!(
            !["cues", "eventDate", "language", "saidBy"].iter().any(|name| text.contains(name)),
            "{text}"
        );
        let (words, _) = decode_atom(&earlier).unwrap();
        assert!(words.cues.is_empty() && words.event_date.is_none() && words.said_by.is_none());
    }
}
