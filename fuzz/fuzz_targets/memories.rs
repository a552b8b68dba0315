//! What must hold of everything that is done with words: splitting, ranking and rendering them.
#![allow(dead_code, reason = "each target uses its own part")]

use std::sync::{Arc, LazyLock};

use domain::{Atom, Listener, MemoryPolicy, Salience, Tokens, example};
use recall::embed::embed;
use recall::index::{Entry, Index, Snapshot, meaning_of};
use recall::words::Lexicon;
use recall::{Biography, Question, Request, SessionSoFar, parse_rendered, rank, recollect};

static MEMORIES: LazyLock<Arc<Snapshot>> = LazyLock::new(|| {
    let gists = ["Ana thanked me for the restaurant.", "It rained on 8 May 2023.", "東京で寿司を食べました"];
    let mut index = Index::new("en");
    for (n, gist) in (0..).zip(gists) {
        let mut atom = example::plain_atom(gist);
        atom.id = example::memory_id(n);
        atom.subject = "guest:ana".parse().ok();
        put(&mut index, &atom);
    }
    index.snapshot()
});

fn put(index: &mut Index, atom: &Atom) {
    index.put([Entry { atom, meaning: meaning_of(atom), sentences: None }]);
}

fn question<'q>(cue: &'q str, listener: &'q Listener, policy: &'q MemoryPolicy) -> Question<'q> {
    Question { cue, topics: &[], listener, policy, now: example::day(1), encoder: None }
}

/// Words become pieces, terms and an embedding, which is a unit vector or zero.
pub fn split(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let meaning = embed(&text);
    let length = meaning.cosine(&meaning);
    assert!(length == 0.0 || (length - 1.0).abs() < 1e-4);
    for language in ["en", "de", "ar", "tr", "xx"] {
        let _ = Lexicon::new(language).terms(&text);
    }
}

/// A cue ranks all memories, twice in the same way.
pub fn ask(bytes: &[u8]) {
    let cue = String::from_utf8_lossy(bytes);
    let (listener, policy) = (Listener::default(), MemoryPolicy::default());
    let question = question(&cue, &listener, &policy);
    let scores = || -> Vec<_> {
        let best = rank(&MEMORIES, &question).best;
        best.iter().map(|scored| (scored.id, scored.score.to_bits())).collect()
    };
    let first = scores();
    assert_eq!(first.len(), 3);
    assert_eq!(first, scores());
}

/// A memory with these words (gist, detail and life, parted by `|`) is rendered as a section that parses back to it.
pub fn render(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.splitn(3, '|');
    let (gist, detail, about) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let details: Vec<(&str, f64)> = detail.into_iter().map(|detail| (detail, 0.9)).collect();
    let mut atom = example::atom(gist, &details);
    atom.salience = Salience::clamped(1.0);
    let mut index = Index::new("en");
    put(&mut index, &atom);
    let (policy, session) = (MemoryPolicy::default(), SessionSoFar::default());
    let listener = Listener { subject: atom.subject.clone(), ..Listener::default() };
    let recollection = recollect(&Request {
        question: question(gist, &listener, &policy),
        memories: &index.snapshot(),
        life: &Biography::default(),
        session: &session,
        most: None,
        window: Tokens(1_000_000),
        about: about.unwrap_or_default(),
        selected: None,
    });
    let ids: Vec<_> = recollection.memories.iter().map(|memory| memory.id).collect();
    let parsed = parse_rendered(&recollection.rendered).expect("a section that parses");
    let expected = ids.iter().map(|id| domain::short_id::shortened(*id, &ids));
    assert!(parsed.iter().map(|memory| memory.shown_id.clone()).eq(expected));
}
