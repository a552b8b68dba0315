//! What a persona goes through, step by step: the same steps for the store and for the reference.
//!
//! Every ten steps a few memories come, one is rehearsed, one set aside, one destroyed; an entry of the
//! timeline, a turn and a document are written. Days pass, so months, keys and checkpoints change too.

use domain::{
    Actor, Atom, EventKind, MemoryId, ReasonCode, RedactionStatus, Rehearsal, RehearsalKind, SubjectRef,
    TimelineEntry, Timestamp, example,
};
use serde_json::json;
use store::{
    Batch, Change, Destruction, DocumentName, EventDraft, ExchangeId, Formation, Mark, NewAtom, Receipt,
    Records, Remains, Scope, Session, Speaker, Store, StoreError, Target, Turn, TurnId, TurnState, Vector,
};
use uuid::Uuid;

/// Takes step `n`. When this returns `Ok`, the step was acknowledged.
pub(crate) async fn take(store: &Store, scope: &Scope, n: u64) -> Result<Receipt, StoreError> {
    match n % 10 {
        9 => store.destroy(scope, forgetting(n)).await,
        _ => store.commit(scope, batch(scope, n)).await,
    }
}

/// Memory `i` of `lane`; several lanes write to one persona at the same time.
pub(crate) fn lane_atom(lane: u64, i: u64) -> Atom {
    let id = MemoryId::from_u64(lane << 32 | i);
    Atom { id, subject: Some(guest(lane)), ..example::atom(&format!("lane {lane} said {i}"), &[]) }
}

fn batch(scope: &Scope, n: u64) -> Batch {
    let batch = Batch::at(day(n));
    match n % 10 {
        3 => batch.with(Change::AppendEntry(Box::new(entry(scope, n)))),
        4 => batch.with(telling(memory(n - 4), n)),
        6 => batch.with(Change::PutSession(Box::new(session(n)))).with(Change::AppendTurn(Box::new(turn(n)))),
        7 => batch.with(Change::PutDocument(
            guest(n / 10),
            DocumentName::User,
            format!("met on {n}").as_str().into(),
        )),
        8 => {
            let set_aside = Change::MarkAtom(memory(n - 7), Mark::Status(RedactionStatus::Redacted));
            batch.with(set_aside).with_event(event(EventKind::MemoryRedactedSoft, memory(n - 7)))
        }
        _ => remembering(batch, atom(n)),
    }
}

fn forgetting(n: u64) -> Destruction {
    let id = memory(n - 7);
    Destruction {
        now: day(n),
        targets: vec![Target::Atom(id, Remains::Tombstone(ReasonCode::Request))],
        events: vec![event(EventKind::MemoryRedactedHard, id)],
    }
}

/// The batch with one more memory in it, and the event that tells of it.
pub(crate) fn remembering(batch: Batch, atom: Atom) -> Batch {
    let private = json!({ "why": format!("{} was worth it", atom.id) });
    let created = event(EventKind::MemoryCreated, atom.id).privately(atom.subject.clone(), private.into());
    let vector = Some(Vector { embedder: "built-in".to_owned(), bytes: vec![3; 64] });
    batch.with(Change::PutAtom(Box::new(NewAtom { atom, vector }))).with_event(created)
}

fn atom(n: u64) -> Atom {
    let gist = format!("on step {n} somebody thanked me for the seafood");
    match n % 10 {
        5 => Atom { id: memory(n), derived_from: vec![memory(n - 5)], ..example::plain_atom(&gist) },
        1 => Atom { id: memory(n), ..example::plain_atom(&gist) },
        _ => {
            let details = [("a blue scarf", 0.4), ("rain outside", 0.2)];
            Atom { id: memory(n), subject: Some(guest(n)), ..example::atom(&gist, &details) }
        }
    }
}

fn entry(scope: &Scope, n: u64) -> TimelineEntry {
    let (sequence, label) = (n / 10 + 1, format!("what happened on step {n}"));
    let entry = example::entry(sequence, &label, i64::try_from(n).unwrap());
    TimelineEntry { persona_id: scope.persona, tenant_id: scope.tenant.clone(), ..entry }
}

fn telling(id: MemoryId, n: u64) -> Change {
    Change::Rehearse(id, Rehearsal { at: day(n), kind: RehearsalKind::Mentioned, spoken: vec![0] })
}

fn session(n: u64) -> Session {
    Session {
        id: format!("sess:{}", n / 40).parse().unwrap(),
        subject: guest(n / 40),
        started_at: day(n / 40 * 40),
        last_at: day(n),
        title: Some("about the seafood".into()),
        checkpoint: None,
        state: json!({ "at": n }).into(),
    }
}

fn turn(n: u64) -> Turn {
    Turn {
        id: TurnId(Uuid::from_u128(0x0198_c0de_0000_7000_a000_0000_0000_0000 + u128::from(n))),
        session: session(n).id,
        exchange: ExchangeId(format!("exchange-{n}")),
        parent: None,
        index: u32::try_from(n % 40 / 10).unwrap(),
        speaker: Speaker::Subject,
        at: day(n),
        text: format!("I came back, for the {n}th time").as_str().into(),
        state: TurnState::Whole,
        formation: Formation::Pending,
        recall: None,
        model: None,
        formed: None,
    }
}

fn memory(n: u64) -> MemoryId {
    MemoryId::from_u64(n + 1)
}

fn guest(n: u64) -> SubjectRef {
    let names = ["guest:ana", "guest:ben", "guest:cora"];
    names[usize::try_from(n).unwrap() % names.len()].parse().unwrap()
}

fn event(kind: EventKind, about: MemoryId) -> EventDraft {
    EventDraft::new(kind, Actor::engine()).about(about)
}

/// The day on which step `n` is taken.
pub(crate) fn day(n: u64) -> Timestamp {
    example::day(i64::try_from(n).unwrap())
}
