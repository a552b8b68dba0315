//! Imports memories, events, texts and conversations, a batch of lines at a time.
//!
//! What is already stored is recognised by its content, so an interrupted import is simply run again. Each
//! line is accepted or refused by itself; a bad one doesn't stop the others. Everything new is marked with
//! the import's id, so that the import can be undone as a whole.

mod conversations;
mod events;
mod known;
mod read_file;
mod texts;

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::creation::{Circumstances, CreationRefusal, Room, admit};
use domain::{
    Atom, ImportId, MemoryId, MemoryPolicy, Provenance, RedactionStatus, SubjectRef, Timestamp, Trust,
    lifecycle,
};
use serde_json::Value;
use store::{Batch, Change, EventDraft, Expect, NewAtom, Records};
use wire::key::Speaks;
use wire::memory::Remember;
use wire::read::read_value;
use wire::transfer::{Import, ImportAnswer, RefusedLine};
use wire::{Code, Problem};

pub(crate) use self::conversations::IMPORTS;
use self::known::{Identity, KnownMemories, Line};
use crate::access::law::authored;
use crate::call::{Call, PersonaKey};
use crate::forgetting::erasure::bar::ForgottenIdentifiers;
use crate::memory::card::Card;
use crate::memory::embedding;
use crate::memory::remember::{check_minimum, check_words};
use crate::memory::retention::Contacts;
use crate::memory::room::Occupancy;
use crate::persona::open::OpenPersona;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// How many lines are read before the task yields to other requests.
const IN_ONE_GO: usize = 16;

/// How often lines are compared again because another node wrote in between.
const ATTEMPTS: usize = 10;

/// The property of a record that names the import it came with.
pub(crate) const IMPORT: &str = "x-import";
/// The property of a memory that names the deployment it was formed in, if that was another one.
const ORIGIN: &str = "x-originDeployment";

/// How the lines of an import are treated.
struct Terms {
    id: ImportId,
    /// The subject of texts and conversations that don't name one.
    subject: Option<SubjectRef>,
    /// The person that the caller named, whom memories of a person are about that don't say whom.
    named: Option<SubjectRef>,
    effect: Effect,
    history: History,
    order: events::Order,
}

/// Whether an import writes anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Preview,
    Store,
}

/// Which part of a persona's history is imported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum History {
    /// Active records.
    Active,
    /// Everything, because a whole persona is moved.
    Whole,
}

impl Engine {
    /// Imports the lines that are new.
    #[boxed]
    pub async fn import(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: Import,
    ) -> Result<ImportAnswer, Problem> {
        let persona = self.find(call, key).await?;
        persona.loaded.demand_memory()?;
        let mut answer = ImportAnswer::default();
        let terms = self.terms(call, &asked)?;
        let (events, others): (Vec<_>, Vec<_>) =
            asked.lines.into_iter().enumerate().partition(|(_, line)| line.get("eventLabel").is_some());
        let (conversations, memories): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(_, line)| line.get("turns").is_some());
        // Retention counts from the last conversation, so conversations are imported first.
        self.import_conversations(call, &persona, conversations, &terms, &mut answer).await?;
        self.import_memories(call, &persona, memories, &terms, &mut answer).await?;
        self.import_events(call, &persona, events, &terms, &mut answer).await?;
        answer.refused.sort_by_key(|refused| refused.line);
        let is_changed = answer.memories + answer.events + answer.turns > 0;
        answer.import_id = (terms.effect == Effect::Store && is_changed).then_some(terms.id);
        Ok(answer)
    }

    fn terms(&self, call: &Call, asked: &Import) -> Result<Terms, Problem> {
        let owner = || (call.caller.speaks == Speaks::Owner).then(SubjectRef::owner);
        Ok(Terms {
            id: match asked.import_id {
                Some(id) => id,
                None => ImportId(self.new_uuid(call.now)?),
            },
            subject: asked.subject.clone().or_else(owner),
            named: asked.subject.clone(),
            effect: if asked.dry_run { Effect::Preview } else { Effect::Store },
            history: if asked.moving { History::Whole } else { History::Active },
            order: if asked.allow_out_of_order { events::Order::AsGiven } else { events::Order::ByTime },
        })
    }

    /// All new memories of one call are one transaction: all of them are stored, or none.
    async fn import_memories(
        &self,
        call: &Call,
        persona: &PersonaContext,
        lines: Vec<(usize, Value)>,
        terms: &Terms,
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        if lines.is_empty() {
            return Ok(());
        }
        let read = self.read_memories(call, persona, lines, terms, answer).await?;
        for _ in 1..ATTEMPTS {
            if !self.store.is_shared() {
                break;
            }
            let mut counted = answer.clone();
            match self.store_memories(call, persona, read.clone(), terms, &mut counted).await {
                // Another node wrote between comparing and storing, perhaps the same lines.
                Err(problem) if problem.code == Code::Conflict => {}
                stored => {
                    *answer = counted;
                    return stored;
                }
            }
        }
        self.store_memories(call, persona, read, terms, answer).await
    }

    /// Compares what was read with what is known, and stores what is new.
    async fn store_memories(
        &self,
        call: &Call,
        persona: &PersonaContext,
        read: Vec<Line>,
        terms: &Terms,
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        let open = self.open(persona).await?;
        // Two simultaneous imports of the same lines would not see each other's memories.
        let alone = open.importing.lock().await;
        let compared = open.refresh_cards(&self.store).await?;
        let barred = self.barred(&persona.entry.tenant).await?;
        let read = authored_lines(call, &open, read, answer);
        let contacts = self.last_contacts(&persona.entry.scope()).await?;
        let policy = &persona.loaded.document.memory_policy;
        let read = within_retention(read, policy, &contacts, call.now, answer);
        let atoms = read.iter().map(|line| &line.draft.atom);
        let consents = self.recorded_consents(&persona.entry.scope(), atoms).await?;
        let occupancy = Occupancy::after(&open, &Batch::at(call.now));
        let admission = self.circumstances(persona, &occupancy, &consents.on_record);
        let (_, tombstones) = self.store.timeline(&persona.entry.scope()).await?;
        let forgotten: HashSet<MemoryId> =
            tombstones.iter().filter_map(|tombstone| tombstone.id().atom()).collect();
        let read = without_forgotten(read, &forgotten, answer);
        let new = self.admitted(&open, admission, &barred, read, answer)?;
        if terms.effect == Effect::Preview || new.is_empty() {
            return Ok(());
        }
        let mut batch = store_batch(call, &new);
        batch.expect = consents.expect;
        if self.store.is_shared() {
            // The lock above holds on this node only.
            batch.expect.push(Expect::Revision(compared));
        }
        let batch = occupancy.archiving(&open, batch, new.len(), policy.max_atoms, &call.caller.actor);
        let is_only_new = batch.changes.len() == new.len();
        let receipt = self.commit(&persona.entry.scope(), batch).await?;
        // What else the batch changed is read by the next request.
        let arriving = if is_only_new { open.arrive(receipt.revision, new).await } else { None };
        // Release the lock before indexing, so that the next import can check and commit meanwhile.
        drop(alone);
        tokio::task::yield_now().await;
        if let Some(arriving) = arriving {
            arriving.index().await?;
        }
        Ok(())
    }

    /// Reads the memories in `lines` and computes their vectors, without access to the persona. Yields to
    /// other requests in between.
    async fn read_memories(
        &self,
        call: &Call,
        persona: &PersonaContext,
        lines: Vec<(usize, Value)>,
        terms: &Terms,
        answer: &mut ImportAnswer,
    ) -> Result<Vec<Line>, Problem> {
        let from = self.default_provenance(call)?;
        let mut read = Vec::with_capacity(lines.len());
        for (number, value) in lines {
            let is_dated = value.get("createdAt").is_some_and(|at| !at.is_null());
            let identity =
                if is_dated && !is_text(&value) { Identity::ContentAndTime } else { Identity::Content };
            let atom = self.imported_atom(call, persona, &from, value, terms);
            if let Some(atom) = accepted_or_refused(number, atom, answer) {
                let atom = self.as_imported(atom, terms.id);
                let atom = if is_dated { atom } else { without_date(atom) };
                let vector = Some(embedding::packed(&atom));
                read.push(Line { number, draft: NewAtom { atom, vector }, is_dated, identity });
            }
            if number % IN_ONE_GO == 0 {
                tokio::task::yield_now().await;
            }
        }
        Ok(read)
    }

    /// The memories that are new to the persona and allowed by its policy, each with a new id.
    fn admitted(
        &self,
        open: &OpenPersona,
        mut circumstances: Circumstances<'_>,
        barred: &ForgottenIdentifiers<'_>,
        read: Vec<Line>,
        answer: &mut ImportAnswer,
    ) -> Result<Vec<NewAtom>, Problem> {
        let cards = open.cards();
        let mut known = KnownMemories::among(&cards, &read);
        let mut pins = Pins { cards: &cards, counted: HashMap::new() };
        let (mut ids, mut new) = (HashSet::new(), Vec::with_capacity(read.len()));
        let most = usize::try_from(circumstances.persona.memory_policy.max_atoms).unwrap_or(usize::MAX);
        for mut line in read {
            let is_news = known.is_news(&line);
            let (number, atom) = (line.number, &mut line.draft.atom);
            let is_taken = |id| cards.contains_key(&id) || ids.contains(&id);
            if is_taken(atom.id) {
                atom.id = self.new_memory_id(is_taken)?;
            }
            if let Err(refusal) = barred.refuse(atom) {
                answer.refused.push(refused(number, &refusal.into()));
            } else if !is_news {
                answer.duplicates += 1;
            } else {
                circumstances.pinned_atoms = if atom.pinned { pins.of(atom.subject.as_ref()) } else { 0 };
                match admit(atom, &circumstances) {
                    // All that was there may have to make room for what comes, and no more than that.
                    Ok(Room::ArchiveLightest) if new.len() >= most => {
                        answer.refused.push(refused(number, &CreationRefusal::MemoryFull.into()));
                    }
                    Ok(Room::Free | Room::ArchiveLightest) => {
                        circumstances.active_atoms += 1;
                        pins.add(atom);
                        answer.memories += 1;
                        answer.rewritten += usize::from(atom.extensions.get(ORIGIN).is_some());
                        answer.undated += usize::from(!line.is_dated);
                        *answer.classes.entry(atom.privacy_class).or_default() += 1;
                        ids.insert(atom.id);
                        new.push(line.draft);
                    }
                    Err(refusal) => answer.refused.push(refused(number, &refusal.into())),
                }
            }
        }
        Ok(new)
    }

    /// The memory with this deployment and this import as its origin. Where it was formed stays recorded
    /// in it.
    fn as_imported(&self, mut atom: Atom, import: ImportId) -> Atom {
        let origin = std::mem::replace(&mut atom.provenance.deployment_did, self.deployment.clone());
        if origin != self.deployment {
            atom.extensions = atom.extensions.with(ORIGIN, origin.as_str());
        }
        atom.extensions = atom.extensions.with(IMPORT, import.to_string());
        atom
    }

    /// The atom of a line: a complete one as written by `export`, a new one as accepted by `remember`, or
    /// a text. `from` is the origin of one that names none.
    fn imported_atom(
        &self,
        call: &Call,
        persona: &PersonaContext,
        from: &Provenance,
        value: Value,
        terms: &Terms,
    ) -> Result<Atom, Problem> {
        let policy = &persona.loaded.document.memory_policy;
        let mut atom = if is_text(&value) {
            self.text_atom(call, persona, from, read_value(value)?, terms)?
        } else if value.get("id").is_some() {
            let problems = domain::validate::validate_atom(&value, call.now);
            if !problems.is_empty() {
                return Err(wire::read::invalid(problems.into_iter().map(Into::into).collect()));
            }
            let atom: Atom = serde_json::from_value(value)
                .map_err(|error| Problem::new(Code::ValidationFailed, error.to_string()))?;
            Atom { trust: trust_of(&atom, terms.history), ..atom.trimmed() }
        } else {
            let mut asked: Remember = read_value(value)?;
            asked.provenance.get_or_insert_with(|| from.clone());
            self.draft(call, policy, self.new_memory_id(|_| false)?, asked)?
        };
        if atom.subject.is_none() && atom.privacy_class.is_pii() {
            atom.subject.clone_from(&terms.named);
        }
        let is_wanted = match (terms.history, atom.redaction_status) {
            (_, RedactionStatus::Active) | (History::Whole, RedactionStatus::Redacted) => true,
            (_, RedactionStatus::PendingDeletion) | (History::Active, RedactionStatus::Redacted) => false,
        };
        if !is_wanted {
            let detail = "only active memories are imported; restore it where it came from first";
            return Err(Problem::new(Code::ValidationFailed, detail));
        }
        check_words(&atom)?;
        if terms.history == History::Active {
            check_minimum(policy, &atom)?;
        }
        Ok(atom)
    }
}

/// Whether a line is a text, of which a memory is made here.
fn is_text(line: &Value) -> bool {
    line.get("text").is_some() && line.get("gist").is_none()
}

/// The trust of a memory that is imported back. What was learnt from talk stays visible to its subject
/// only.
fn trust_of(atom: &Atom, history: History) -> Trust {
    match history {
        History::Whole => atom.trust,
        History::Active if atom.trust.is_from_conversation() => atom.trust,
        History::Active => Trust::Import,
    }
}

/// How many memories of each subject are pinned, including those of this import.
struct Pins<'c> {
    cards: &'c BTreeMap<MemoryId, Card>,
    counted: HashMap<Option<SubjectRef>, u32>,
}

impl Pins<'_> {
    fn of(&mut self, subject: Option<&SubjectRef>) -> u32 {
        if let Some(counted) = self.counted.get(&subject.cloned()) {
            return *counted;
        }
        let counted = crate::memory::card::pinned_of(self.cards, subject);
        self.counted.insert(subject.cloned(), counted);
        counted
    }

    fn add(&mut self, atom: &Atom) {
        if atom.pinned {
            *self.counted.entry(atom.subject.clone()).or_default() += 1;
        }
    }
}

/// The lines that the caller's key may write, with each subject's canonical reference.
fn authored_lines(call: &Call, open: &OpenPersona, read: Vec<Line>, answer: &mut ImportAnswer) -> Vec<Line> {
    let authored = |line: Line| {
        let atom = accepted_or_refused(line.number, authored(call, open, line.draft.atom), answer)?;
        Some(Line { draft: NewAtom { atom, ..line.draft }, ..line })
    };
    read.into_iter().filter_map(authored).collect()
}

/// Removes the lines whose memories were destroyed before: they stay forgotten.
fn without_forgotten(read: Vec<Line>, forgotten: &HashSet<MemoryId>, answer: &mut ImportAnswer) -> Vec<Line> {
    let (gone, rest): (Vec<Line>, Vec<Line>) =
        read.into_iter().partition(|line| forgotten.contains(&line.draft.atom.id));
    answer
        .refused
        .extend(gone.iter().map(|line| refused(line.number, &CreationRefusal::IdTombstoned.into())));
    rest
}

/// Removes the lines that are past their retention; they would be due for deletion as soon as they are
/// stored.
fn within_retention(
    read: Vec<Line>,
    policy: &MemoryPolicy,
    contacts: &Contacts,
    now: Timestamp,
    answer: &mut ImportAnswer,
) -> Vec<Line> {
    let kept = |line: &Line| {
        let atom = &line.draft.atom;
        let end = lifecycle::retention_ends(atom, policy, contacts.with(atom.subject.as_ref()));
        let Some(end) = end.filter(|end| now > *end) else { return true };
        let detail = format!("its retention ended on {end}; memories of its class are not kept longer");
        answer.refused.push(refused(line.number, &Problem::new(Code::ValidationFailed, detail)));
        false
    };
    let mut read = read;
    read.retain(kept);
    read
}

/// The batch that stores `new`, with an audit event for each.
fn store_batch(call: &Call, new: &[NewAtom]) -> Batch {
    let mut batch = Batch::at(call.now);
    batch.changes = new.iter().map(|new| Change::PutAtom(Box::new(new.clone()))).collect();
    let created = |new: &NewAtom| EventDraft::created(&new.atom, call.caller.actor.clone());
    batch.events = new.iter().map(created).collect();
    batch
}

/// The value read from a line; a problem goes into the answer instead.
fn accepted_or_refused<T>(line: usize, read: Result<T, Problem>, answer: &mut ImportAnswer) -> Option<T> {
    read.map_err(|problem| answer.refused.push(refused(line, &problem))).ok()
}

fn refused(line: usize, problem: &Problem) -> RefusedLine {
    let everything: Vec<String> =
        problem.errors.iter().map(|error| format!("{} {}", error.pointer, error.detail)).collect();
    let detail = if everything.is_empty() { problem.detail.clone() } else { everything.join("; ") };
    RefusedLine { line, code: problem.code.to_string(), detail }
}

/// Records in a memory that its file has no date for it.
fn without_date(mut atom: Atom) -> Atom {
    atom.extensions = atom.extensions.with(Atom::DATE_UNKNOWN, true);
    atom
}
