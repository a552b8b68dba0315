//! The word lists of the detector; the name of each says what its words do to a clause.

/// A word list of `lexicon/lists.txt`; the name says what its words do to a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
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
    /// Verbs that report what somebody said.
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
    /// What a name is the name of.
    Institution,
    /// Words for those who make up a group.
    People,
    /// What no thing comes back from.
    Ended,
    /// Words that tell of a turn within one occasion.
    Turn,
    /// Verbs after which `that` begins what was said.
    Reporting,
    /// What one can or can't, and rarely unlearns.
    Ability,
    /// Bases of verbs among the listed forms.
    Verb,
    /// Verbs that happen once to the same thing.
    OnceWith,
    /// Adjectives that make the noun after them the only one.
    Superlative,
    /// Words of change.
    Change,
    /// Words that set a thing apart from one told of before.
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
    /// What one does only with the living.
    Contact,
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
    /// Marks of a body or a person that stay.
    Feature,
    /// What an ordinal numbers without telling of another one.
    OrdinalThing,
    /// Words that part one occasion into moments.
    Phase,
    /// Verbs whose bare number is money.
    Money,
    /// What happens once between two people.
    Mutual,
    /// Words of a way from one place to another, or of a part of the day.
    Way,
}

/// The lists by their names in `lexicon/lists.txt`.
pub(super) const LISTS: &[(&str, List)] = &[
    ("kin", List::Kin),
    ("only-one", List::OnlyOne),
    ("parents", List::Parents),
    ("siblings", List::Siblings),
    ("negation", List::Negation),
    ("universal", List::Universal),
    ("unreal", List::Unreal),
    ("speech", List::Speech),
    ("retrospect", List::Retrospect),
    ("once", List::Once),
    ("repeatable", List::Repeatable),
    ("generic-verbs", List::GenericVerb),
    ("named-things", List::NamedThing),
    ("subordinators", List::Subordinator),
    ("newer", List::Newer),
    ("present", List::Present),
    ("institutions", List::Institution),
    ("people", List::People),
    ("ended", List::Ended),
    ("turns", List::Turn),
    ("reporting", List::Reporting),
    ("abilities", List::Ability),
    ("verbs", List::Verb),
    ("once-with", List::OnceWith),
    ("superlative", List::Superlative),
    ("change", List::Change),
    ("another", List::Another),
    ("approximate", List::Approximate),
    ("light", List::Light),
    ("prepositions", List::Preposition),
    ("articles", List::Article),
    ("not-names", List::NotName),
    ("mourning", List::Mourning),
    ("contact", List::Contact),
    ("units", List::Unit),
    ("splitters", List::Splitter),
    ("kin-modifiers", List::KinModifier),
    ("openers", List::Opener),
    ("time-nouns", List::TimeNoun),
    ("fillers", List::Filler),
    ("groups", List::Group),
    ("features", List::Feature),
    ("ordinal-things", List::OrdinalThing),
    ("phases", List::Phase),
    ("money", List::Money),
    ("mutual", List::Mutual),
    ("ways", List::Way),
];

impl List {
    /// The bit that stands for the list in a set of lists.
    pub(super) const fn bit(self) -> u64 {
        1 << (self as u32)
    }
}
