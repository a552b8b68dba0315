//! Everyday conversations: what a persona knows about a person after months, and what that person says
//! next.

use std::collections::BTreeMap;

use domain::{
    Atom, Days, DecayDefaults, DecayFunction, Kind, Listener, MemoryId, MemoryPolicy, PrivacyClass, Salience,
    SubjectRef, Timestamp, Tokens,
};
use serde::Deserialize;

use super::spoken::Turn;
use super::{Unreadable, encode_all};
use crate::index::{Entry, Index, meaning_of};
use crate::language::language_of;
use crate::sentences::Encoders;
use crate::{
    Biography, CueEncoder, Question, Recollection, Request, SessionSoFar, Shortlisted, rank, recollect,
    shortlist,
};

/// The reference day of the file, at noon.
const TODAY: &str = "2026-11-16T12:00:00.000Z";

/// The memories of a person, and messages with the memories each should recall.
pub struct Person {
    /// The name of the case in the file.
    pub name: String,
    /// The language of the memories.
    pub language: &'static str,
    memories: Vec<Atom>,
    asks: Vec<Ask>,
}

struct Ask {
    cue: String,
    kind: String,
    expected: Vec<MemoryId>,
}

/// One message, and the result.
pub struct Answer {
    /// The kind of message: `paraphrase`, `need`, `greeting` …
    pub kind: String,
    /// The language it was said in.
    pub language: &'static str,
    /// The share of the expected memories that were recalled; an unknown topic expects none.
    pub recalled: f64,
    /// How clearly the message is about the memory it is most clearly about.
    pub about: f32,
}

/// How old the memories are when they are recalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// All were formed just now.
    Fresh,
    /// As old as the file says, fading as in the assistant template.
    AsStated,
}

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    subject: String,
    memories: Vec<Memory>,
    asks: Vec<CueRow>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Memory {
    id: String,
    gist: String,
    kind: Kind,
    #[serde(default)]
    details: Vec<String>,
    salience: f64,
    #[serde(default)]
    days_ago: f64,
}

#[derive(Deserialize)]
struct CueRow {
    cue: String,
    expect: Vec<String>,
    #[serde(rename = "type")]
    kind: String,
}

type Cues = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Reads an everyday file and, if given, the file with cues for its memories.
pub fn read_everyday(file: &[u8], cues: Option<&[u8]>) -> Result<Vec<Person>, Unreadable> {
    let file: File = serde_json::from_slice(file)?;
    let cues: Cues = cues.map(serde_json::from_slice).transpose()?.unwrap_or_default();
    file.cases.into_iter().zip(1..).map(|(case, number)| person(case, number, &cues)).collect()
}

/// All people of one language combined into one, with all their memories and messages.
#[must_use]
pub fn pooled(people: Vec<Person>) -> Vec<Person> {
    let mut pools: BTreeMap<&'static str, Person> = BTreeMap::new();
    for person in people {
        let Person { language, memories, asks, .. } = person;
        let empty = || Person { name: language.to_owned(), language, memories: Vec::new(), asks: Vec::new() };
        let pool = pools.entry(language).or_insert_with(empty);
        pool.memories.extend(memories);
        pool.asks.extend(asks);
    }
    pools.into_values().collect()
}

/// How many memories a reader is shown, as in the product.
const SHORTLIST: u32 = 40;

/// Selects from a shortlist for a message, best first; `None` leaves the ranking as it is.
pub type Reader<'a> = dyn Fn(&str, &[Shortlisted]) -> Option<Vec<MemoryId>> + 'a;

/// Sends every message of a person, each in a conversation of its own, with `places` memories a turn. A
/// `reader` selects from the shortlist of each recall.
#[must_use]
pub fn ask_everyday(
    person: &Person,
    age: Age,
    places: u32,
    encoders: Option<&Encoders>,
    reader: Option<&Reader<'_>>,
) -> Vec<Answer> {
    let index = indexed(person, age, encoders);
    let snapshot = index.snapshot();
    let encoder = encoders.cloned().map(CueEncoder::new);
    let (policy, life, session) = (policy(places), Biography::default(), SessionSoFar::default());
    let listener = Listener { subject: everyone(), ..Listener::default() };
    let answer = |ask: &Ask| {
        let question = Question {
            cue: &ask.cue,
            topics: &[],
            listener: &listener,
            policy: &policy,
            now: today(),
            encoder: encoder.as_ref(),
        };
        let request = Request {
            question,
            memories: &snapshot,
            life: &life,
            session: &session,
            most: None,
            window: Tokens(u32::MAX),
            about: "",
            selected: None,
        };
        let selected = reader.and_then(|reader| reader(&ask.cue, &shortlist(&request, SHORTLIST)));
        let recalled = recollect(&Request { selected: selected.as_deref(), ..request });
        Answer {
            kind: ask.kind.clone(),
            language: person.language,
            recalled: share_recalled(&recalled, &ask.expected),
            about: rank(&snapshot, &question).best.iter().map(|scored| scored.about).fold(0.0, f32::max),
        }
    };
    person.asks.iter().map(answer).collect()
}

/// How reliably aboutness separates known topics from unknown ones: the probability that a known one has the
/// higher. Greetings are left out.
#[must_use]
pub fn known_from_unknown(answers: &[Answer]) -> f64 {
    let of = |known: bool| {
        let kinds = answers.iter().filter(move |answer| answer.kind != "greeting");
        kinds.filter(move |answer| (answer.kind != "unknown") == known).map(|answer| answer.about)
    };
    let pairs = of(true).flat_map(|known| of(false).map(move |unknown| known > unknown));
    let (right, all) = pairs.fold((0, 0), |(right, all), is_right| (right + u32::from(is_right), all + 1));
    f64::from(right) / f64::from(all.max(1))
}

fn person(case: Case, number: u64, cues: &Cues) -> Result<Person, Unreadable> {
    let ids: BTreeMap<&str, MemoryId> = case
        .memories
        .iter()
        .zip(number << 32..)
        .map(|(memory, id)| (memory.id.as_str(), MemoryId::from_u64(id)))
        .collect();
    let gists: Vec<&str> = case.memories.iter().map(|memory| memory.gist.as_str()).collect();
    let language = language_of(&gists.join("\n"), "en");
    let mut memories = Vec::with_capacity(case.memories.len());
    for memory in &case.memories {
        let missing = |what| Unreadable::Missing { name: case.id.clone(), what };
        let id = *ids.get(memory.id.as_str()).ok_or_else(|| missing("memory ids"))?;
        let mut atom = remembered(memory, id).ok_or_else(|| missing("gist"))?;
        let cues = cues.get(&case.id).and_then(|case| case.get(&memory.id));
        atom.cues = cues.into_iter().flatten().map(|cue| cue.as_str().into()).collect();
        atom.language = Some(language.to_owned());
        memories.push(atom);
    }
    let ask = |ask: CueRow| {
        let expected = ask.expect.iter().filter_map(|id| ids.get(id.as_str()).copied()).collect();
        Ask { cue: ask.cue, kind: ask.kind, expected }
    };
    let name = format!("{} ({})", case.id, case.subject);
    Ok(Person { name, language, memories, asks: case.asks.into_iter().map(ask).collect() })
}

/// A memory formed as many days ago as the file says.
fn remembered(memory: &Memory, id: MemoryId) -> Option<Atom> {
    let formed = today().plus(Days(-memory.days_ago));
    let turn = Turn {
        number: id.as_u64(),
        session: format!("sess:{}", id.as_u64()),
        index: 0,
        at: formed,
        speaker: everyone(),
        by_persona: false,
        words: &memory.gist,
        picture: None,
    };
    let mut atom = turn.remembered()?;
    atom.details = memory.details.iter().map(|detail| super::spoken::detail(detail)).collect();
    atom.kind = memory.kind;
    atom.salience = Salience::clamped(memory.salience);
    atom.privacy_class = PrivacyClass::GuestPii;
    atom.decay_profile = half_lives().of(memory.kind);
    Some(atom)
}

fn indexed(person: &Person, age: Age, encoders: Option<&Encoders>) -> Index {
    let mut memories = person.memories.clone();
    if age == Age::Fresh {
        for atom in &mut memories {
            (atom.created_at, atom.last_rehearsed_at) = (today(), today());
            atom.decay_profile.function = DecayFunction::None;
        }
    }
    let vectors = encode_all(&memories, person.language, encoders);
    let mut index = Index::new(person.language);
    let entries = memories.iter().zip(vectors);
    index.put(entries.map(|(atom, sentences)| Entry { atom, meaning: meaning_of(atom), sentences }));
    index
}

/// The assistant template's policy, as far as recall uses it.
fn policy(places: u32) -> MemoryPolicy {
    let mut policy = MemoryPolicy { max_memories_per_turn: places, ..MemoryPolicy::default() };
    policy.decay_defaults = Some(half_lives());
    policy.ranking.min_relevance = 0.0;
    policy.ranking.cued_recall = true;
    policy
}

fn half_lives() -> DecayDefaults {
    DecayDefaults::with_half_lives(60.0, 730.0, 730.0)
}

fn everyone() -> Option<SubjectRef> {
    "guest:everyday".parse().ok()
}

fn today() -> Timestamp {
    TODAY.parse().unwrap_or(Timestamp::from_millis(0))
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
fn share_recalled(recalled: &Recollection, expected: &[MemoryId]) -> f64 {
    let found = recalled.memories.iter().filter(|rendered| expected.contains(&rendered.id)).count();
    found as f64 / expected.len().max(1) as f64
}
