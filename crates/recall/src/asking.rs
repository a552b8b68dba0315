//! Helpers for the tests of this crate.

use domain::{Atom, Listener, MemoryId, MemoryPolicy, TimelineEntry, Timestamp, Tokens, example};

use crate::index::{Entry, Index, meaning_of};
use crate::sentences::{Encoders, SentenceVectors};
use crate::{Biography, CueEncoder, Question, Recollection, Request, SessionSoFar, recollect};

/// A persona for tests, with everything a request may vary.
pub(crate) struct Asking {
    pub(crate) index: Index,
    pub(crate) life: Vec<TimelineEntry>,
    pub(crate) listener: Listener,
    pub(crate) policy: MemoryPolicy,
    pub(crate) session: SessionSoFar,
    pub(crate) now: Timestamp,
    pub(crate) window: Tokens,
    pub(crate) encoder: CueEncoder,
}

/// A persona with these memories, queried by an unknown listener on day 1.
pub(crate) fn remembering(atoms: &[Atom]) -> Asking {
    Asking {
        index: indexed(atoms),
        life: Vec::new(),
        listener: Listener::default(),
        policy: MemoryPolicy::default(),
        session: SessionSoFar::default(),
        now: example::day(1),
        window: Tokens(8192),
        encoder: CueEncoder::new(encoders()),
    }
}

/// Encoding more memories than this would take seconds; they are ranked by words and the built-in table
/// only.
const MOST_ENCODED: usize = 64;

pub(crate) fn indexed(atoms: &[Atom]) -> Index {
    let encoders = encoders();
    let mut index = Index::new("en");
    index.put(atoms.iter().map(|atom| Entry {
        atom,
        meaning: meaning_of(atom),
        sentences: (atoms.len() <= MOST_ENCODED).then(|| SentenceVectors::of_atom(atom, "en", &encoders)),
    }));
    index
}

fn encoders() -> Encoders {
    Encoders::built_in().expect("the encoders that are compiled in")
}

/// The `n`th of a series of memories: public, without a speaker, with this gist.
pub(crate) fn memory(n: u64, gist: &str) -> Atom {
    let mut atom = example::plain_atom(gist);
    atom.id = MemoryId::from_u64(n);
    atom.provenance.session_id = format!("sess:{n}").parse().expect("a session id");
    atom.provenance.turn_index = 0;
    atom
}

impl Asking {
    pub(crate) fn question<'a>(&'a self, cue: &'a str) -> Question<'a> {
        Question {
            cue,
            topics: &[],
            listener: &self.listener,
            policy: &self.policy,
            now: self.now,
            encoder: Some(&self.encoder),
        }
    }

    pub(crate) fn ask(&self, cue: &str) -> Recollection {
        let encoders = encoders();
        let encoded = |entry: &TimelineEntry| (entry.id, SentenceVectors::of_entry(entry, "en", &encoders));
        let life = Biography::of(&self.life, "en", &self.life.iter().map(encoded).collect());
        recollect(&Request {
            question: self.question(cue),
            memories: &self.index.snapshot(),
            life: &life,
            session: &self.session,
            most: None,
            window: self.window,
            about: "about this guest, this property, your work",
            selected: None,
        })
    }

    /// The ids that are rendered, best first.
    pub(crate) fn rendered_ids(&self, cue: &str) -> Vec<u64> {
        self.ask(cue).memories.iter().map(|rendered| rendered.id.as_u64()).collect()
    }
}
