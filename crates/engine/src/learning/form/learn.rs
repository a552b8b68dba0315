//! From a draft to the stored result: a new memory, an extended one, a superseding one, or a refusal.

use domain::creation::{CreationRefusal, permits_sensitive};
use domain::{
    Actor, Atom, EventKind, Listener, MemoryId, MemoryPolicy, PrivacyClass, Ranking, RedactionStatus,
    Rehearsal, RehearsalKind, Salience, Text, Timestamp, Trust,
};
use formation::{
    Author, Draft, Formed, KnownMemory, Refusal, Replaces, Similarity, SpecialCategory, Verdict, similarity,
};
use recall::{Question, rank};
use store::{Batch, Change, EventDraft, FormationResult, Mark, NotKept, Records, Session, StoredAtom};
use wire::Problem;

use super::Forming;
use super::atom::{fresh_detail, with_details};
use crate::Engine;
use crate::memory::embedding;
use crate::persona::registry::PersonaContext;
use crate::talk::session::SessionKey;

/// How many of the most similar memories are compared with a draft.
const NEAREST: usize = 12;

/// The result of forming one turn so far.
pub(super) struct Learning {
    pub(super) batch: Batch,
    pub(super) result: FormationResult,
    /// The memories created by this turn, which are not in the store yet.
    created: Vec<Atom>,
    /// The memories superseded by this turn.
    superseded: Vec<MemoryId>,
    /// The known memories that this turn rehearses.
    pub(super) rehearsed: Vec<MemoryId>,
    /// Whether it tells again what was known.
    repeats: bool,
}

impl Learning {
    pub(super) fn new(batch: Batch) -> Self {
        Self {
            batch,
            result: FormationResult::default(),
            created: Vec::new(),
            superseded: Vec::new(),
            rehearsed: Vec::new(),
            repeats: false,
        }
    }

    /// Whether something of the turn is remembered, or was known before.
    pub(super) fn knows_something(&self) -> bool {
        self.repeats || !self.result.remembered.is_empty()
    }

    fn refuse(&mut self, reason: &str, category: Option<&str>) {
        self.say(EventDraft::new(EventKind::MemoryRefused, Actor::engine()).about(reason));
        let refused = NotKept { reason: reason.to_owned(), category: category.map(str::to_owned) };
        if !self.result.not_kept.contains(&refused) {
            self.result.not_kept.push(refused);
        }
    }

    fn remember(&mut self, id: MemoryId) {
        if !self.result.remembered.contains(&id) {
            self.result.remembered.push(id);
        }
    }

    /// The memory of this turn that `draft` tells again, with the details it adds.
    fn created_about(&self, draft: &Draft, language: &str) -> Option<(MemoryId, Vec<Text>)> {
        self.created.iter().find_map(|atom| match compared(atom, draft, language) {
            Similarity::Same => Some((atom.id, Vec::new())),
            Similarity::Adds(details) => Some((atom.id, details)),
            Similarity::Different => None,
        })
    }

    /// Adds what `draft` tells besides to a memory that this turn creates, and pins it if that was asked for.
    fn extend_created(&mut self, forming: &Forming<'_>, id: MemoryId, added: Vec<Text>, draft: &Draft) {
        let pinned =
            self.created.iter().filter(|atom| atom.pinned && atom.id != id).map(|_| 1_u32).sum::<u32>();
        let is_new = |change: &&mut Change| matches!(change, Change::PutAtom(new) if new.atom.id == id);
        let Some(Change::PutAtom(new)) = self.batch.changes.iter_mut().find(is_new) else { return };
        new.atom.details.extend(added.into_iter().map(|content| fresh_detail(content, None)));
        new.atom.event_date = new.atom.event_date.or(draft.event_date);
        let subject = new.atom.subject.as_ref();
        let has_room = forming.open.pinned_of(subject) + pinned < domain::creation::MOST_PINS;
        let is_pinned_now = draft.is_asked_for && !new.atom.pinned && has_room;
        if is_pinned_now {
            (new.atom.pinned, new.atom.pinned_at) = (true, Some(forming.now));
        }
        new.vector = Some(embedding::packed(&new.atom));
        let atom = new.atom.clone();
        if is_pinned_now {
            self.say(EventDraft::new(EventKind::MemoryPinned, Actor::engine()).about(id));
        }
        self.created.retain(|other| other.id != id);
        self.created.push(atom);
    }

    fn say(&mut self, event: EventDraft) {
        self.batch.events.push(event);
    }

    fn change(&mut self, change: Change) {
        self.batch.changes.push(change);
    }
}

/// How a draft relates to a known memory.
enum Comparison {
    /// It says the same.
    Same(Box<StoredAtom>),
    /// It says the same, and the draft adds details.
    Extend(Box<StoredAtom>, Vec<Text>),
    /// The draft supersedes it.
    Supersede(Box<StoredAtom>),
    /// No known memory is about it.
    New,
}

impl Engine {
    /// Adds what was formed to `batch`; what may not be stored is added as a refusal.
    pub(super) async fn learn_all(
        &self,
        forming: &Forming<'_>,
        batch: Batch,
        verdicts: Vec<Verdict>,
    ) -> Result<Learning, Problem> {
        let mut learning = Learning::new(batch);
        if verdicts.is_empty() {
            return Ok(learning);
        }
        let confidential = self.confidential_words(forming).await?;
        for verdict in verdicts {
            match verdict {
                Verdict::Formed(Formed::Refused { category, words }) => {
                    let refusal = self.sensitive_refusal(forming).await?;
                    learning.refuse(refusal.code(), category_code(category));
                    learning.result.withheld.add(Some(words.as_str()), forming.turn.text.as_str());
                }
                Verdict::Formed(Formed::Remember(mut draft)) => {
                    confidential.classify(&mut draft, forming.turn.text.as_str());
                    self.learn(forming, &draft, &mut learning).await?;
                }
                // The fact itself was stored; only the replacement was refused.
                Verdict::Refused(refusal @ Refusal::UnknownMemory) => {
                    let event = EventDraft::new(EventKind::MemoryRefused, Actor::engine());
                    learning.say(event.about(refusal.code()));
                }
                Verdict::Refused(refusal) | Verdict::Formed(Formed::Dropped(refusal)) => {
                    learning.refuse(refusal.code(), None);
                }
            }
        }
        Ok(learning)
    }

    /// Why a sensitive passage is not stored: missing consent, if nothing else is missing.
    async fn sensitive_refusal(&self, forming: &Forming<'_>) -> Result<CreationRefusal, Problem> {
        let Forming { persona, session, .. } = forming;
        let scope = persona.entry.scope();
        let needs_only_consent = permits_sensitive(&persona.loaded.document)
            && !self.has_consented_to_sensitive(&scope, &session.subject).await?;
        Ok(if needs_only_consent {
            CreationRefusal::ConsentNotOnRecord
        } else {
            CreationRefusal::SensitiveForbidden
        })
    }

    async fn learn(
        &self,
        forming: &Forming<'_>,
        draft: &Draft,
        learning: &mut Learning,
    ) -> Result<(), Problem> {
        if let Some((id, added)) = learning.created_about(draft, &forming.language()) {
            learning.extend_created(forming, id, added, draft);
            return Ok(());
        }
        match self.compare_with_known(forming, draft, learning).await? {
            Comparison::Same(known) => {
                learning.repeats = true;
                self.rehearse_known(forming, learning, &known.atom);
                pin(forming, learning, draft, &known.atom);
            }
            Comparison::Extend(known, details) => {
                self.rehearse_known(forming, learning, &known.atom);
                pin(forming, learning, draft, &known.atom);
                let rewording = with_details(&known, details, forming.now);
                learning.change(Change::RewordAtom(Box::new(rewording)));
                learning.remember(known.atom.id);
            }
            Comparison::Supersede(known) => self.create(forming, draft, learning, Some(&known)).await?,
            Comparison::New => self.create(forming, draft, learning, None).await?,
        }
        Ok(())
    }

    /// Compares `draft` with the known memories of the same person.
    async fn compare_with_known(
        &self,
        forming: &Forming<'_>,
        draft: &Draft,
        learning: &Learning,
    ) -> Result<Comparison, Problem> {
        let language = forming.language();
        if let Replaces::Memory(id) = draft.replaces
            && let Some(old) = self.own_memory(forming, id).await?
        {
            return Ok(Comparison::Supersede(Box::new(old)));
        }
        let mut nearest =
            self.nearest(forming.persona, forming.session, draft.gist.as_str(), forming.now).await?;
        nearest.retain(|known| !learning.superseded.contains(&known.atom.id));
        let mut extended = None;
        for known in &nearest {
            match compared(&known.atom, draft, &language) {
                Similarity::Same => return Ok(Comparison::Same(Box::new(known.clone()))),
                Similarity::Adds(details) if extended.is_none() => extended = Some((known, details)),
                Similarity::Adds(_) | Similarity::Different => {}
            }
        }
        if let Some(old) = self.revised(forming, draft, &nearest, &learning.superseded).await? {
            return Ok(Comparison::Supersede(Box::new(old)));
        }
        Ok(match extended {
            Some((known, details)) => Comparison::Extend(Box::new(known.clone()), details),
            None => Comparison::New,
        })
    }

    /// Creates the memory of `draft`, superseding `old` if given.
    async fn create(
        &self,
        forming: &Forming<'_>,
        draft: &Draft,
        learning: &mut Learning,
        old: Option<&StoredAtom>,
    ) -> Result<(), Problem> {
        let mut atom = self.new_atom(forming, draft, old.map(|old| &old.atom))?;
        let actor = Actor::engine();
        let mut admitted = self
            .with_new(forming.persona, forming.open, atom.clone(), &actor, learning.batch.clone())
            .await?;
        if admitted.as_ref().is_err_and(|refusal| *refusal == CreationRefusal::TooManyPins) {
            (atom.pinned, atom.pinned_at) = (false, None);
            admitted = self
                .with_new(forming.persona, forming.open, atom.clone(), &actor, learning.batch.clone())
                .await?;
        }
        match admitted {
            Ok(batch) => learning.batch = batch,
            Err(refusal) => {
                learning.refuse(refusal.code(), None);
                if refusal.is_of_sensitive() {
                    learning.result.withheld.add(None, forming.turn.text.as_str());
                }
                return Ok(());
            }
        }
        if let Some(old) = old {
            let batch = std::mem::replace(&mut learning.batch, Batch::at(forming.now));
            learning.batch = self.superseding(forming.persona, batch, old.atom.id, &atom, &actor).await?;
            learning.superseded.push(old.atom.id);
        }
        learning.remember(atom.id);
        learning.created.push(atom);
        Ok(())
    }

    /// The memory `id`, if it is active and belongs to the person of the conversation.
    async fn own_memory(&self, forming: &Forming<'_>, id: MemoryId) -> Result<Option<StoredAtom>, Problem> {
        let found = self.store.atoms(&forming.persona.entry.scope(), &[id]).await?.pop();
        Ok(found.filter(|stored| is_own(stored, forming.session) && is_active(&stored.atom)))
    }

    /// The memories of the same person most similar to `cue`, including faded ones, most similar first.
    pub(super) async fn nearest(
        &self,
        persona: &PersonaContext,
        session: &Session,
        cue: &str,
        now: Timestamp,
    ) -> Result<Vec<StoredAtom>, Problem> {
        // A memory past its retention counts as unknown, even before it is deleted.
        let open = self.open(persona).await?;
        let view = self.active_view(persona, &open, now).await?;
        let policy = by_relevance(&persona.loaded.document.memory_policy);
        let listener = Listener {
            subject: Some(session.subject.clone()),
            session: Some(session.id.clone()),
            staff: true,
        };
        let question = Question {
            cue,
            topics: &[],
            listener: &listener,
            policy: &policy,
            now,
            encoder: self.cue_encoder(),
        };
        let best = rank(&view.snapshot, &question).best;
        let ids: Vec<MemoryId> = best.iter().take(NEAREST).map(|scored| scored.id).collect();
        let atoms = self.store.atoms(&persona.entry.scope(), &ids).await?;
        let own =
            |id: &MemoryId| atoms.iter().find(|stored| stored.atom.id == *id && is_own(stored, session));
        Ok(ids.iter().filter_map(|id| own(id).cloned()).collect())
    }

    /// Rehearses a memory that was learnt again, once per conversation.
    fn rehearse_known(&self, forming: &Forming<'_>, learning: &mut Learning, known: &Atom) {
        let Forming { persona, open, now, .. } = forming;
        let is_rehearsed = open.sessions.is_rehearsed(&forming.conversation(), known.id);
        if is_rehearsed || learning.rehearsed.contains(&known.id) {
            return;
        }
        learning.rehearsed.push(known.id);
        let rehearsal = Rehearsal { at: *now, kind: RehearsalKind::Reencoded, spoken: Vec::new() };
        let rate = persona.loaded.document.memory_policy.audit_policy.log_rehearsal;
        let batch = std::mem::replace(&mut learning.batch, Batch::at(*now));
        learning.batch = self.with_rehearsal(batch, known.id, rehearsal, rate, &Actor::engine());
    }
}

impl Forming<'_> {
    fn conversation(&self) -> SessionKey {
        SessionKey { session: self.session.id.to_string(), subject: Some(self.session.subject.clone()) }
    }

    /// Counts memories as rehearsed in this conversation, once that is stored.
    pub(super) fn mark_rehearsed(&self, rehearsed: &[MemoryId]) {
        self.open.sessions.first_rehearsals(&self.conversation(), rehearsed, self.now);
    }
}

/// Pins a known memory at the person's request, if the limit of pins allows.
fn pin(forming: &Forming<'_>, learning: &mut Learning, draft: &Draft, known: &Atom) {
    if !draft.is_asked_for {
        return;
    }
    learning.remember(known.id);
    let has_room = forming.open.pinned_of(known.subject.as_ref()) < domain::creation::MOST_PINS;
    if !known.pinned && has_room {
        learning.change(Change::MarkAtom(known.id, Mark::Pinned(Some(forming.now))));
        learning.say(EventDraft::new(EventKind::MemoryPinned, Actor::engine()).about(known.id));
    }
}

/// The policy under which relevance alone decides.
fn by_relevance(policy: &MemoryPolicy) -> MemoryPolicy {
    MemoryPolicy {
        retrieval_threshold: Salience::clamped(0.0),
        ranking: Ranking {
            salience_weight: 0.0,
            relevance_weight: 1.0,
            recency_weight: 0.0,
            topical_weight: 0.0,
            min_relevance: 0.0,
            ..Ranking::default()
        },
        ..policy.clone()
    }
}

pub(super) fn is_own(stored: &StoredAtom, session: &Session) -> bool {
    stored.atom.subject.as_ref() == Some(&session.subject)
}

fn is_active(atom: &Atom) -> bool {
    atom.redaction_status == RedactionStatus::Active && atom.archived_at.is_none()
}

/// Compares `draft` with `atom`. What the persona did and what a person said are never the same memory.
/// Neither are a sensitive and a non-sensitive one: details added to the latter would survive a withdrawn
/// consent.
fn compared(atom: &Atom, draft: &Draft, language: &str) -> Similarity {
    let is_own_words = draft.author == Author::Persona;
    let is_sensitive = |class: PrivacyClass| class == PrivacyClass::SensitivePii;
    if (atom.trust == Trust::Persona) != is_own_words
        || is_sensitive(atom.privacy_class) != is_sensitive(draft.privacy_class)
    {
        return Similarity::Different;
    }
    let details: Vec<&str> = atom.details.iter().map(|detail| detail.content.as_str()).collect();
    similarity(&KnownMemory { gist: atom.gist.as_str(), details: &details }, draft, language)
}

/// The name of a special category in answers; `None` if it has none.
const fn category_code(category: SpecialCategory) -> Option<&'static str> {
    match category {
        SpecialCategory::Health => Some("health"),
        SpecialCategory::Religion => Some("religion"),
        SpecialCategory::Sexuality => Some("sexuality"),
        SpecialCategory::Politics => Some("politics"),
        SpecialCategory::Union => Some("union"),
        SpecialCategory::Ethnicity => Some("ethnicity"),
        SpecialCategory::Biometric => Some("biometric"),
        SpecialCategory::Criminal => Some("criminal"),
        SpecialCategory::Unnamed => None,
    }
}
