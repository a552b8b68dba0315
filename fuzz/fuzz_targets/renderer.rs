//! Whatever a memory says, its section of a prompt parses back to exactly that memory.
#![no_main]

use domain::{Listener, MemoryPolicy, Salience, Tokens, example};
use libfuzzer_sys::fuzz_target;
use recall::index::{Entry, Index, meaning_of};
use recall::{Biography, Question, Request, SessionSoFar, parse_rendered, recollect};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.splitn(3, '|');
    let (gist, detail, about) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let details: Vec<(&str, f64)> = detail.into_iter().map(|detail| (detail, 0.9)).collect();
    let mut atom = example::atom(gist, &details);
    atom.salience = Salience::clamped(1.0);
    let mut index = Index::new("en");
    index.put([Entry { atom: &atom, meaning: meaning_of(&atom), sentences: None }]);
    let (policy, session) = (MemoryPolicy::default(), SessionSoFar::default());
    let listener = Listener { subject: atom.subject.clone(), ..Listener::default() };
    let recollection = recollect(&Request {
        question: Question { cue: gist, topics: &[], listener: &listener, policy: &policy, now: example::day(1), encoder: None },
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
});
