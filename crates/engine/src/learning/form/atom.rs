//! Builds a memory from a draft, or extends one.

use std::collections::BTreeMap;

use domain::{
    Atom, Brightness, Detail, Extensions, Provenance, RedactionStatus, SessionId, SubjectRef, Text,
    Timestamp, Trust,
};
use formation::{Author, Draft};
use serde_json::Value;
use store::{ExchangeId, Formation, Rewording, Session, Speaker, StoredAtom, Turn, TurnId, TurnState};
use wire::Problem;

use super::Forming;
use super::propose::FormedBy;
use crate::Engine;
use crate::memory::cues;
use crate::memory::embedding;

/// The brightness of a detail that was just learnt.
const FRESH: f64 = 0.8;
/// The longest a speaker's name may be, in characters.
const LONGEST_NAME: usize = 80;
/// The property of a memory that names the model which proposed it.
const FORMED_BY: &str = "x-formedBy";

impl Engine {
    /// A new memory of what `draft` says, superseding `old` if given.
    pub(super) fn new_atom(
        &self,
        forming: &Forming<'_>,
        draft: &Draft,
        old: Option<&Atom>,
    ) -> Result<Atom, Problem> {
        let Forming { persona, open, session, now, by, .. } = forming;
        let pinned = draft.is_asked_for || old.is_some_and(|old| old.pinned);
        let id = self.new_memory_id(|id| open.cards().contains_key(&id))?;
        let detail = |(content, brightness): &(Text, Brightness)| Detail {
            content: content.clone(),
            brightness: *brightness,
            brightened_at: None,
        };
        let consent_basis = self.consent_basis_of(draft.privacy_class);
        Ok(Atom {
            id,
            kind: draft.kind,
            created_at: *now,
            last_rehearsed_at: *now,
            rehearsal_count: 0,
            gist: draft.gist.clone(),
            details: draft.details.iter().map(detail).collect(),
            cues: cues::allowed_cues(draft.gist.as_str(), &draft.cues),
            salience: draft.salience,
            emotional_valence: draft.valence,
            decay_profile: persona.loaded.document.memory_policy.decay_profile(draft.kind),
            privacy_class: draft.privacy_class,
            consent_basis,
            redaction_status: RedactionStatus::Active,
            provenance: Provenance {
                session_id: session.id.clone(),
                turn_index: forming.turn_index(draft.author),
                deployment_did: self.deployment.clone(),
            },
            tags: draft.tags.clone(),
            derived_from: Vec::new(),
            subject: Some(session.subject.clone()),
            mentions: mentions(forming, draft),
            trust: match draft.author {
                Author::Speaker => Trust::User,
                Author::Persona => Trust::Persona,
            },
            pinned,
            pinned_at: pinned.then_some(*now),
            event_date: draft.event_date,
            language: forming.foreign_language.clone(),
            said_by: draft.said_by.as_ref().map(clipped_name),
            archived_at: None,
            revises: old.map(|old| old.id),
            released_at: None,
            review: None,
            audit_hold: false,
            extensions: formed_by(by),
        })
    }
}

/// The people, other than the speaker, whom the draft names by one of their aliases.
fn mentions(forming: &Forming<'_>, draft: &Draft) -> Vec<SubjectRef> {
    let details = draft.details.iter().map(|(content, _)| content.as_str());
    let words: Vec<&str> = std::iter::once(draft.gist.as_str())
        .chain(details)
        .flat_map(|text| text::words(text).map(|(_, word)| word))
        .collect();
    let is_named = |alias: &str| alias.starts_with(char::is_uppercase) && words.contains(&alias);
    let mut people = forming.open.people_with_alias(is_named);
    people.retain(|person| *person != forming.session.subject);
    people
}

/// A speaker's name, cut to its greatest length.
fn clipped_name(name: &Text) -> Text {
    Text::new(name.as_str().chars().take(LONGEST_NAME).collect::<String>())
}

fn formed_by(by: &FormedBy) -> Extensions {
    let formed_by = by.formed_by().map(|name| (FORMED_BY.to_owned(), Value::String(name)));
    formed_by.into_iter().collect::<BTreeMap<_, _>>().try_into().unwrap_or_default()
}

/// The memory with added details; its existing details keep their position and brightness.
pub(super) fn with_details(stored: &StoredAtom, added: Vec<Text>, now: Timestamp) -> Rewording {
    let fresh = |content| fresh_detail(content, Some(now));
    let details = stored.atom.details.iter().cloned().chain(added.into_iter().map(fresh)).collect();
    let atom = Atom { details, ..stored.atom.clone() };
    Rewording {
        id: atom.id,
        vector: Some(embedding::packed(&atom)),
        gist: atom.gist,
        details: atom.details,
        cues: atom.cues,
        tags: atom.tags,
    }
}

/// A detail that was just learnt; of a memory that was known before it says when.
pub(super) fn fresh_detail(content: Text, brightened_at: Option<Timestamp>) -> Detail {
    Detail { content, brightness: Brightness::clamped(FRESH), brightened_at }
}

/// A turn outside of any record, for text without a conversation.
pub(super) fn detached_turn(
    subject: &SubjectRef,
    session: SessionId,
    index: u32,
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
        model: None,
        formed: None,
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
