//! A memory as talk makes it, or adds to it.

use std::collections::BTreeMap;

use domain::{
    Atom, Brightness, Detail, Extensions, Provenance, RedactionStatus, SessionId, SubjectRef, Text,
    Timestamp, Trust,
};
use formation::Draft;
use serde_json::Value;
use store::{ExchangeId, Formation, Rewording, Session, Speaker, StoredAtom, Turn, TurnId, TurnState};
use wire::Problem;

use super::Forming;
use super::propose::By;
use crate::{Engine, meaning};

/// How bright a detail is that was just learnt.
const FRESH: f64 = 0.8;
/// Says of a memory that a model had part in it.
const FORMED_BY: &str = "x-formedBy";

impl Engine {
    /// A new memory of what `draft` says.
    pub(super) fn new_atom(&self, forming: &Forming<'_>, draft: &Draft) -> Result<Atom, Problem> {
        let Forming { found, open, session, turn, now, by, .. } = forming;
        let id = self.new_memory_id(|id| open.cards().contains_key(&id))?;
        let detail = |(content, brightness): &(Text, Brightness)| Detail {
            content: content.clone(),
            brightness: *brightness,
            brightened_at: None,
        };
        let consent_basis = if draft.privacy_class.is_pii() {
            self.consent.formation.clone()
        } else {
            domain::ConsentBasis::not_applicable()
        };
        Ok(Atom {
            id,
            kind: draft.kind,
            created_at: *now,
            last_rehearsed_at: *now,
            rehearsal_count: 0,
            gist: draft.gist.clone(),
            details: draft.details.iter().map(detail).collect(),
            cues: Vec::new(),
            salience: draft.salience,
            emotional_valence: draft.valence,
            decay_profile: found.standing.document.memory_policy.decay_profile(draft.kind),
            privacy_class: draft.privacy_class,
            consent_basis,
            redaction_status: RedactionStatus::Active,
            provenance: Provenance {
                session_id: session.id.clone(),
                turn_index: turn.index,
                deployment_did: self.deployment.clone(),
            },
            tags: draft.tags.clone(),
            derived_from: Vec::new(),
            subject: Some(session.subject.clone()),
            mentions: Vec::new(),
            trust: Trust::User,
            pinned: false,
            pinned_at: None,
            event_date: None,
            language: None,
            said_by: None,
            archived_at: None,
            revises: None,
            released_at: None,
            review: None,
            audit_hold: false,
            extensions: formed_by(by),
        })
    }
}

fn formed_by(by: &By) -> Extensions {
    let told = by.told().map(|told| (FORMED_BY.to_owned(), Value::String(told)));
    told.into_iter().collect::<BTreeMap<_, _>>().try_into().unwrap_or_default()
}

/// The memory with what it did not have; its old details keep their places and their brightness.
pub(super) fn with_details(stored: &StoredAtom, added: Vec<Text>, now: Timestamp) -> Rewording {
    let fresh =
        |content| Detail { content, brightness: Brightness::clamped(FRESH), brightened_at: Some(now) };
    let details = stored.atom.details.iter().cloned().chain(added.into_iter().map(fresh)).collect();
    let atom = Atom { details, ..stored.atom.clone() };
    Rewording {
        id: atom.id,
        vector: Some(meaning::packed(&atom)),
        gist: atom.gist,
        details: atom.details,
        cues: atom.cues,
        tags: atom.tags,
    }
}

/// A turn that is in no record, for words that were told apart from any.
pub(super) fn told_apart(
    subject: &SubjectRef,
    (session, index): (SessionId, u32),
    words: &Text,
    now: Timestamp,
) -> (Session, Turn) {
    let turn = Turn {
        id: TurnId(uuid::Uuid::nil()),
        session: session.clone(),
        exchange: ExchangeId(String::new()),
        parent: None,
        index,
        speaker: Speaker::Subject,
        at: now,
        text: Text::new(format!("Remember that {}", words.as_str().trim())),
        state: TurnState::Whole,
        formation: Formation::NotDue,
        recall: None,
    };
    let session = Session {
        id: session,
        subject: subject.clone(),
        started_at: now,
        last_at: now,
        title: None,
        checkpoint: None,
        state: serde_json::Value::Null.into(),
    };
    (session, turn)
}
