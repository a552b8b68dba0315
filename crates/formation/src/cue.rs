//! What a phrase in the word lists stands for.

use crate::special::SpecialCategory;

/// What a recognised phrase says about the statement it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cue {
    Function,
    Remember,
    Forget,
    That,
    Negation,
    Myself,
    Singular,
    Person,
    Somebody,
    Kin,
    Fact,
    Called,
    Introduction,
    Preference,
    Standing,
    Plan,
    Decision,
    Correction,
    Event,
    Past,
    Property,
    Work,
    Staff,
    Confidential,
    Commercial,
    Insider,
    Observe,
    HowTo,
    Tip,
    Positive,
    Negative,
    Intense,
    SmallTalk,
    Thanks,
    Filler,
    Need,
    Mood,
    Weather,
    Announce,
    Request,
    Question,
    Because,
    Link,
    Anaphora,
    Hypothetical,
    Hedge,
    Joke,
    Fiction,
    Injection,
    Payment,
    Asks,
    Name,
    Benign,
    Employee,
    Attendant,
    Post,
    Served,
    Firm,
    Trade,
    Sum,
    Hush,
    Own,
    World,
    Opening,
    Special(SpecialCategory),
    Weekday(i8),
    Month(i8),
    Today,
    Tomorrow,
    Overmorrow,
    Yesterday,
    Next,
    Last,
    In,
    Ago,
    Days,
    Weeks,
    Months,
    Years,
    Count(i8),
    Tag(&'static str),
}

impl Cue {
    /// The cue of a list's section.
    pub(crate) fn of_section(name: &'static str) -> Option<Self> {
        if let Some(tag) = name.strip_prefix("tag ") {
            return Some(Self::Tag(tag));
        }
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, cue)| *cue)
    }

    /// The special category it tells.
    pub(crate) fn special(self) -> Option<SpecialCategory> {
        if let Self::Special(category) = self { Some(category) } else { None }
    }

    /// The day of the week it names, Monday the first.
    pub(crate) fn weekday(self) -> Option<i8> {
        if let Self::Weekday(day) = self { Some(day) } else { None }
    }

    /// The number it names.
    pub(crate) fn counted(self) -> Option<i8> {
        if let Self::Count(count) = self { Some(count) } else { None }
    }

    /// What a memory with it is labelled.
    pub(crate) fn label(self) -> Option<&'static str> {
        let labels = [
            (Self::Preference, "preference"),
            (Self::Plan, "plan"),
            (Self::Decision, "decision"),
            (Self::Staff, "staff"),
        ];
        let named = labels.into_iter().find(|(cue, _)| *cue == self).map(|(_, label)| label);
        if let Self::Tag(tag) = self { Some(tag) } else { named }
    }
}

#[rustfmt::skip]
const NAMED: &[(&str, Cue)] = &[
    ("function", Cue::Function), ("remember", Cue::Remember), ("forget", Cue::Forget), ("that", Cue::That),
    ("negation", Cue::Negation), ("self", Cue::Myself), ("singular", Cue::Singular), ("person", Cue::Person), ("somebody", Cue::Somebody),
    ("kin", Cue::Kin), ("fact", Cue::Fact), ("called", Cue::Called), ("introduction", Cue::Introduction), ("preference", Cue::Preference), ("standing", Cue::Standing),
    ("plan", Cue::Plan), ("decision", Cue::Decision), ("correction", Cue::Correction), ("event", Cue::Event), ("past", Cue::Past),
    ("property", Cue::Property), ("work", Cue::Work), ("staff", Cue::Staff),
    ("confidential", Cue::Confidential), ("commercial", Cue::Commercial), ("insider", Cue::Insider), ("observe", Cue::Observe), ("howto", Cue::HowTo),
    ("tip", Cue::Tip), ("positive", Cue::Positive), ("negative", Cue::Negative), ("intense", Cue::Intense),
    ("smalltalk", Cue::SmallTalk), ("thanks", Cue::Thanks), ("filler", Cue::Filler), ("need", Cue::Need), ("mood", Cue::Mood),
    ("weather", Cue::Weather), ("announce", Cue::Announce), ("request", Cue::Request), ("question", Cue::Question),
    ("because", Cue::Because), ("link", Cue::Link), ("anaphora", Cue::Anaphora),
    ("hypothetical", Cue::Hypothetical), ("hedge", Cue::Hedge), ("joke", Cue::Joke),
    ("fiction", Cue::Fiction), ("injection", Cue::Injection), ("payment", Cue::Payment), ("asks", Cue::Asks),
    ("name", Cue::Name), ("benign", Cue::Benign),
    ("employee", Cue::Employee), ("attendant", Cue::Attendant), ("post", Cue::Post), ("served", Cue::Served),
    ("firm", Cue::Firm), ("trade", Cue::Trade), ("sum", Cue::Sum), ("hush", Cue::Hush), ("own", Cue::Own), ("world", Cue::World), ("opening", Cue::Opening),
    ("health", Cue::Special(SpecialCategory::Health)), ("religion", Cue::Special(SpecialCategory::Religion)),
    ("sexuality", Cue::Special(SpecialCategory::Sexuality)),
    ("politics", Cue::Special(SpecialCategory::Politics)), ("union", Cue::Special(SpecialCategory::Union)),
    ("ethnicity", Cue::Special(SpecialCategory::Ethnicity)),
    ("biometric", Cue::Special(SpecialCategory::Biometric)), ("criminal", Cue::Special(SpecialCategory::Criminal)),
    ("today", Cue::Today), ("tomorrow", Cue::Tomorrow), ("overmorrow", Cue::Overmorrow),
    ("yesterday", Cue::Yesterday), ("next", Cue::Next), ("last", Cue::Last), ("in", Cue::In),
    ("ago", Cue::Ago), ("days", Cue::Days), ("weeks", Cue::Weeks), ("months", Cue::Months),
    ("years", Cue::Years),
];
