//! The part of every atom that stays in memory, so that lists and counts need not open a record.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use domain::audience::belongs_to_its_subject;
use domain::{
    Atom, AudienceFacts, Days, DecayProfile, ImportId, Kind, Listener, MemoryId, PrivacyClass,
    RedactionStatus, RetentionPolicy, Salience, SubjectRef, Timestamp, Valence,
};
use recall::words::{Term, tag_term};
use wire::memory::MemoryFilter;

use crate::memory::import::IMPORT;
use crate::memory::retention::Contacts;

/// One atom, without its text.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) id: MemoryId,
    pub(crate) created_at: Timestamp,
    pub(crate) is_active: bool,
    pub(crate) is_held: bool,
    pub(crate) pinned_since: Option<Timestamp>,
    /// A hash of the content, by which an import recognises memories that are already stored.
    pub(crate) content: u64,
    pub(crate) derived_from: Box<[MemoryId]>,
    /// The import that created it.
    pub(crate) import: Option<ImportId>,
    kind: Kind,
    privacy_class: PrivacyClass,
    /// Whether only its subject may see it.
    is_personal: bool,
    subject: Option<SubjectRef>,
    tags: Box<[Term]>,
    baseline: Salience,
    count: u32,
    valence: Valence,
    last_rehearsed_at: Timestamp,
    profile: DecayProfile,
}

impl Card {
    pub(crate) fn of(atom: &Atom) -> Self {
        Self {
            id: atom.id,
            created_at: atom.created_at,
            is_active: atom.redaction_status == RedactionStatus::Active && atom.archived_at.is_none(),
            is_held: atom.audit_hold,
            pinned_since: atom.pinned.then(|| atom.pinned_at.unwrap_or(atom.created_at)),
            content: content_of(atom),
            derived_from: atom.derived_from.clone().into(),
            import: atom.extensions.get(IMPORT).and_then(|id| id.as_str()?.parse().ok()),
            kind: atom.kind,
            privacy_class: atom.privacy_class,
            is_personal: belongs_to_its_subject(atom),
            subject: atom.subject.clone(),
            tags: atom.tags.iter().map(|tag| tag_term(tag.as_str())).collect(),
            baseline: atom.salience,
            count: atom.rehearsal_count,
            valence: atom.emotional_valence,
            last_rehearsed_at: atom.last_rehearsed_at,
            profile: atom.decay_profile,
        }
    }

    /// Whether it is about `subject`.
    pub(crate) fn is_of(&self, subject: &SubjectRef) -> bool {
        self.subject.as_ref() == Some(subject)
    }

    /// Whether `words` are one of its labels or the name of its subject, with or without a prefix such as
    /// `guest:`.
    pub(crate) fn is_called(&self, words: &str) -> bool {
        let names = |subject: &SubjectRef| {
            let whole = subject.as_str().to_lowercase();
            let words = words.trim().to_lowercase();
            whole == words || whole.rsplit(':').next() == Some(words.as_str())
        };
        self.tags.contains(&tag_term(words)) || self.subject.as_ref().is_some_and(names)
    }

    /// Whether only staff may see it.
    pub(crate) fn is_confidential(&self) -> bool {
        self.privacy_class == PrivacyClass::CommercialConfidential
    }

    /// Whether it identifies a person.
    pub(crate) fn is_pii(&self) -> bool {
        self.privacy_class.is_pii()
    }

    /// The facts that decide whether `listener` may see it. A card doesn't know its conversation, so an
    /// atom whose audience depends on the conversation passes here and is checked again when its record is
    /// open.
    pub(crate) fn audience(&self, listener: &Listener) -> AudienceFacts<'_> {
        AudienceFacts {
            subject: self.subject.as_ref(),
            class: self.privacy_class,
            is_personal: self.is_personal,
            same_session: listener.session.is_some(),
            own_session: listener.own_session().is_some(),
        }
    }

    /// The memory's weight at `now`.
    pub(crate) fn salience_at(&self, now: Timestamp) -> Salience {
        let is_pinned = self.pinned_since.is_some_and(|pinned| pinned <= now);
        let elapsed = if is_pinned { Days(0.0) } else { now.since(self.last_rehearsed_at) };
        self.profile.salience(self.baseline, self.count, self.valence, elapsed)
    }

    /// When it must be deleted; `None` if it may stay.
    pub(crate) fn retention_ends(&self, policy: &RetentionPolicy, contacts: &Contacts) -> Option<Timestamp> {
        let subject = self.subject.as_ref();
        policy.ends(self.privacy_class, subject, self.created_at, contacts.with(subject))
    }

    /// Whether a list restricted by `filter` shows it, as remembered at `now`.
    pub(crate) fn passes(&self, filter: &MemoryFilter, now: Timestamp) -> bool {
        let tagged = |tag: &domain::Text| self.tags.contains(&tag_term(tag.as_str()));
        (self.is_active || filter.include_redacted)
            && self.created_at <= now
            && filter.privacy_class.is_none_or(|class| class == self.privacy_class)
            && (!filter.pinned || self.pinned_since.is_some_and(|pinned| pinned <= now))
            && filter.kind.is_none_or(|kind| kind == self.kind)
            && filter.subject.as_ref().is_none_or(|subject| Some(subject) == self.subject.as_ref())
            && filter.tag.as_ref().is_none_or(tagged)
            && filter.min_salience.is_none_or(|least| self.salience_at(now) >= least)
    }
}

/// How many active memories of `subject` are pinned; `None` counts those without a subject.
pub(crate) fn pinned_of(cards: &BTreeMap<MemoryId, Card>, subject: Option<&SubjectRef>) -> u32 {
    let is_counted =
        |card: &&Card| card.is_active && card.pinned_since.is_some() && card.subject.as_ref() == subject;
    u32::try_from(cards.values().filter(is_counted).count()).unwrap_or(u32::MAX)
}

/// A hash of what a memory says and about whom; dates and current state are not part of it.
pub(crate) fn content_of(atom: &Atom) -> u64 {
    let mut hasher = DefaultHasher::new();
    (atom.kind, &atom.gist, &atom.subject).hash(&mut hasher);
    for detail in &atom.details {
        detail.content.hash(&mut hasher);
    }
    hasher.finish()
}
