//! Turns of a recorded conversation as memories, within the limits of every memory.

use domain::{
    Atom, Brightness, ConsentBasis, DecayProfile, Detail, Extensions, Kind, MemoryId, PrivacyClass,
    Provenance, RedactionStatus, Salience, SubjectRef, Text, Timestamp, Trust, Valence,
};

/// One turn of a conversation.
pub(super) struct Turn<'a> {
    pub(super) number: u64,
    pub(super) session: String,
    pub(super) index: u32,
    pub(super) at: Timestamp,
    pub(super) speaker: Option<SubjectRef>,
    pub(super) by_persona: bool,
    pub(super) words: &'a str,
    pub(super) picture: Option<&'a str>,
}

const LONGEST_GIST: usize = 280;
const LONGEST_DETAIL: usize = 200;

impl Turn<'_> {
    /// The turn as a public memory; `None` if it has no words.
    pub(super) fn remembered(&self) -> Option<Atom> {
        let (gist, rest) = cut(self.words.trim(), LONGEST_GIST);
        let shown = self.picture.map(|picture| cut(picture.trim(), LONGEST_DETAIL).0);
        let details = in_pieces(rest).into_iter().chain(shown).filter(|piece| !piece.is_empty()).map(detail);
        Some(Atom {
            id: MemoryId::from_u64(self.number),
            kind: Kind::Episodic,
            created_at: self.at,
            last_rehearsed_at: self.at,
            rehearsal_count: 0,
            gist: (!gist.is_empty()).then(|| Text::from(gist))?,
            details: details.collect(),
            cues: Vec::new(),
            salience: Salience::clamped(0.6),
            emotional_valence: Valence::clamped(0.0),
            decay_profile: DecayProfile::default(),
            privacy_class: PrivacyClass::NonPii,
            consent_basis: ConsentBasis::not_applicable(),
            redaction_status: RedactionStatus::Active,
            provenance: Provenance {
                session_id: self.session.parse().ok()?,
                turn_index: self.index,
                deployment_did: "did:selfhood:eval".parse().ok()?,
            },
            tags: Vec::new(),
            derived_from: Vec::new(),
            subject: self.speaker.clone(),
            mentions: Vec::new(),
            trust: if self.by_persona { Trust::Persona } else { Trust::Import },
            pinned: false,
            pinned_at: None,
            event_date: None,
            language: None,
            said_by: None,
            archived_at: None,
            revises: None,
            released_at: self.by_persona.then_some(self.at),
            review: None,
            audit_hold: false,
            extensions: Extensions::default(),
        })
    }
}

pub(super) fn detail(content: &str) -> Detail {
    Detail { content: content.into(), brightness: Brightness::clamped(0.8), brightened_at: None }
}

fn in_pieces(mut text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let (piece, rest) = cut(text, LONGEST_DETAIL);
        pieces.push(piece);
        text = rest;
    }
    pieces
}

/// The first `most` characters, cut at the end of a sentence or at least of a word if possible, and the
/// rest.
fn cut(text: &str, most: usize) -> (&str, &str) {
    let Some((limit, _)) = text.char_indices().nth(most) else { return (text, "") };
    let head = text.get(..limit).unwrap_or(text);
    let end = head
        .rfind(['.', '!', '?'])
        .map(|at| at + 1)
        .or_else(|| head.rfind(' '))
        .filter(|at| *at > 0)
        .unwrap_or(limit);
    text.split_at_checked(end).map_or((text, ""), |(head, rest)| (head.trim_end(), rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_turn_keeps_all_its_words_within_the_limits() {
        let sentence = "We walked along the river and talked about the old days. ";
        let words = sentence.repeat(30);
        let turn = Turn {
            number: 1,
            session: "s1".into(),
            index: 0,
            at: Timestamp::from_millis(0),
            speaker: None,
            by_persona: false,
            words: &words,
            picture: Some("a river at dusk"),
        };
        let atom = turn.remembered().unwrap();
        assert!(atom.gist.length() <= LONGEST_GIST && atom.gist.as_str().ends_with('.'));
        assert!(atom.details.iter().all(|detail| detail.content.length() <= LONGEST_DETAIL));
        let details: Vec<&str> = atom.details.iter().map(|detail| detail.content.as_str()).collect();
        let all = format!("{} {}", atom.gist.as_str(), details.join(" "));
        assert_eq!(all.matches("old days.").count(), 30);
        assert!(all.ends_with("a river at dusk"));
    }
}
