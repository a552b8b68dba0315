//! The verbs a story can use, and the parameters of each besides its names.

/// Something a story does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// A memory comes to be.
    Remember,
    /// A corrected memory takes the place of one.
    Correct,
    /// A memory is set aside, archived or destroyed; tells what became of those that came from it.
    Redact,
    /// A memory is brought back.
    Restore,
    /// An event is added to the persona's life.
    Append,
    /// An event is seen anew.
    Revise,
    /// An event no longer stands.
    Supersede,
    /// Words bring memories back; tells the section for the prompt.
    Recall,
    /// Why the last recall brought back what it did.
    Why,
    /// The text of the reply to the last recall.
    Used,
    /// One memory in full.
    Inspect,
    /// All memories, heaviest first.
    List,
    /// The persona's life by sequence.
    Timeline,
    /// The prompt a message would lead to.
    Context,
    /// The persona is changed through the door, and signed.
    Persona,
    /// `persona.json` is edited by hand.
    Edit,
    /// The document is signed as it is.
    Sign,
    /// A file of the home is edited by hand; a guest's sealed document is made.
    Write,
    /// Two references turn out to be one person.
    Merge,
    /// A person gets another reference.
    Alias,
    /// A person gives consent.
    Consent,
    /// A person withdraws consent; tells what becomes of the memories.
    Withdraw,
    /// A person's records come under a legal hold, or out of it again.
    Hold,
    /// Everyone with records.
    People,
    /// What has faded is archived and what has outlived its time is deleted; tells what.
    Sweep,
}

/// How a verb is written.
pub(crate) struct Shape {
    pub(crate) word: &'static str,
    pub(crate) verb: Verb,
    /// How many names follow it.
    pub(crate) names: usize,
    /// Which words with a value may follow.
    pub(crate) options: &'static [&'static str],
}

const fn shape(word: &'static str, verb: Verb, names: usize, options: &'static [&'static str]) -> Shape {
    Shape { word, verb, names, options }
}

/// Every verb.
pub(crate) const SHAPES: [Shape; 25] = [
    shape("remember", Verb::Remember, 1, &["for", "in", "as", "once"]),
    shape("correct", Verb::Correct, 2, &["anew"]),
    shape("redact", Verb::Redact, 1, &["as", "anew"]),
    shape("restore", Verb::Restore, 1, &[]),
    shape("append", Verb::Append, 1, &["once"]),
    shape("revise", Verb::Revise, 2, &["once"]),
    shape("supersede", Verb::Supersede, 1, &[]),
    shape("recall", Verb::Recall, 0, &["for", "in", "as", "at", "about", "most", "off"]),
    shape("why", Verb::Why, 0, &[]),
    shape("used", Verb::Used, 0, &["ids"]),
    shape("inspect", Verb::Inspect, 1, &["at"]),
    shape("list", Verb::List, 0, &["with"]),
    shape("timeline", Verb::Timeline, 0, &["with"]),
    shape("context", Verb::Context, 0, &["for", "in", "as", "tier", "show"]),
    shape("persona", Verb::Persona, 0, &[]),
    shape("edit", Verb::Edit, 0, &[]),
    shape("sign", Verb::Sign, 0, &[]),
    shape("write", Verb::Write, 1, &["for"]),
    shape("merge", Verb::Merge, 1, &["into"]),
    shape("alias", Verb::Alias, 2, &[]),
    shape("consent", Verb::Consent, 1, &[]),
    shape("withdraw", Verb::Withdraw, 1, &[]),
    shape("hold", Verb::Hold, 1, &["and"]),
    shape("people", Verb::People, 0, &[]),
    shape("sweep", Verb::Sweep, 0, &["as"]),
];
