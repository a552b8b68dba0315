//! The word lists of the detector; the name of each says what its words do to a clause.

/// A word list of `lexicon/lists.txt`; the name says what its words do to a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WordList {
    /// Relatives and other people one has.
    Kin,
    /// Relatives one has only one of.
    OnlyOne,
    /// Mother and father.
    Parents,
    /// Brothers and sisters, whose number is a fact of a whole life.
    Siblings,
    /// Words that deny what follows.
    Negation,
    /// Words that speak of all of a life.
    Universal,
    /// Words of wishes, plans and conditions.
    Unreal,
    /// Verbs that report what a person said.
    Speech,
    /// Words that look back.
    Retrospect,
    /// What happens only once, or has only one value.
    Once,
    /// What happens again and again, or changes by itself.
    Repeatable,
    /// Verbs that say too little of what is denied after them.
    GenericVerb,
    /// Things people give a name to.
    NamedThing,
    /// Words that open a subordinate clause.
    Subordinator,
    /// Words for what replaces an older one.
    Newer,
    /// Words that speak of how it is by now.
    Present,
    /// Words for those who make up a group.
    People,
    /// What no thing comes back from.
    Ended,
    /// Words that tell of a turn within one occasion.
    Turn,
    /// Verbs after which `that` begins what was said.
    Reporting,
    /// Bases of verbs among the listed forms.
    Verb,
    /// Adjectives that make the noun after them the only one.
    Superlative,
    /// Words of change.
    Change,
    /// Words that set a thing apart from one mentioned before.
    Another,
    /// Words that make a number inexact.
    Approximate,
    /// Words too general to make a topic.
    Light,
    /// Prepositions.
    Preposition,
    /// Articles and possessives.
    Article,
    /// Capitalised words that name nobody.
    NotName,
    /// Words around a dead person that need no living one.
    Mourning,
    /// Units that measure and so make no topic.
    Unit,
    /// Words that begin a subordinate or new clause.
    Splitter,
    /// What tells two relatives of one kind apart.
    KinModifier,
    /// Words that come before a subject.
    Opener,
    /// Nouns that make an opening such as `that evening`.
    TimeNoun,
    /// Words without meaning of their own that the word index keeps.
    Filler,
    /// Groups the persona is part of.
    Group,
    /// Words that part one occasion into moments.
    Phase,
    /// Verbs whose bare number is money.
    Money,
    /// Words of a way from one place to another, or of a part of the day.
    Way,
}

/// The lists by their names in `lexicon/lists.txt`.
pub(crate) const LISTS: &[(&str, WordList)] = &[
    ("kin", WordList::Kin),
    ("only-one", WordList::OnlyOne),
    ("parents", WordList::Parents),
    ("siblings", WordList::Siblings),
    ("negation", WordList::Negation),
    ("universal", WordList::Universal),
    ("unreal", WordList::Unreal),
    ("speech", WordList::Speech),
    ("retrospect", WordList::Retrospect),
    ("once", WordList::Once),
    ("repeatable", WordList::Repeatable),
    ("generic-verbs", WordList::GenericVerb),
    ("named-things", WordList::NamedThing),
    ("subordinators", WordList::Subordinator),
    ("newer", WordList::Newer),
    ("present", WordList::Present),
    ("people", WordList::People),
    ("ended", WordList::Ended),
    ("turns", WordList::Turn),
    ("reporting", WordList::Reporting),
    ("verbs", WordList::Verb),
    ("superlative", WordList::Superlative),
    ("change", WordList::Change),
    ("another", WordList::Another),
    ("approximate", WordList::Approximate),
    ("light", WordList::Light),
    ("prepositions", WordList::Preposition),
    ("articles", WordList::Article),
    ("not-names", WordList::NotName),
    ("mourning", WordList::Mourning),
    ("units", WordList::Unit),
    ("splitters", WordList::Splitter),
    ("kin-modifiers", WordList::KinModifier),
    ("openers", WordList::Opener),
    ("time-nouns", WordList::TimeNoun),
    ("fillers", WordList::Filler),
    ("groups", WordList::Group),
    ("phases", WordList::Phase),
    ("money", WordList::Money),
    ("ways", WordList::Way),
];

impl WordList {
    /// The bit that stands for the list in a set of lists.
    pub(crate) const fn bit(self) -> u64 {
        1 << (self as u32)
    }
}
