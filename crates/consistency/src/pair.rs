//! Two claims side by side, and what can be said of them together.

use recall::words::Term;

use super::claim::Claim;
use super::occasion::{Relation, relation};
use super::overlap::{Overlap, overlap, owners_differ, same_subject, shared_once};
use super::vocabulary::{List, Vocabulary};

/// Two claims, the earlier first.
pub(super) struct Pair<'p, 'a> {
    /// The earlier claim.
    pub(super) earlier: &'p Claim<'a>,
    /// The later claim.
    pub(super) later: &'p Claim<'a>,
    /// How they lie in time.
    pub(super) relation: Relation,
    /// What both tell of that happens only once or has only one value.
    pub(super) once: Vec<Term>,
    /// What the two share when nothing is left out.
    shared: Overlap,
    /// The words that are known.
    pub(super) vocabulary: &'p Vocabulary,
}

impl<'p, 'a> Pair<'p, 'a> {
    /// Puts two claims side by side.
    pub(super) fn new(left: &'p Claim<'a>, right: &'p Claim<'a>, vocabulary: &'p Vocabulary) -> Self {
        let (earlier, later) = if left.at <= right.at { (left, right) } else { (right, left) };
        let shared = overlap(earlier, later, &[], vocabulary);
        let once = shared_once(earlier, later);
        Self { earlier, later, relation: relation(earlier, later), once, shared, vocabulary }
    }

    /// Whether both can be about one person or thing; a mark of the persona's body is always its own.
    pub(super) fn has_one_subject(&self) -> bool {
        let mine = |claim: &Claim<'_>| claim.words.iter().any(|word| word.lower == "my");
        let feature = self.once.iter().any(|term| self.vocabulary.is(List::Feature, *term));
        let people =
            [self.earlier, self.later].iter().filter(|claim| claim.subject.person().is_some()).count();
        let occasion = self.relation == Relation::Same && people < 2 && self.overlap(&[]).label >= 0.5;
        !owners_differ(self.earlier, self.later)
            && (same_subject(self.earlier, self.later)
                || occasion && people == 0
                || feature && people < 2 && mine(self.earlier) && mine(self.later))
    }

    /// What the claims share, leaving out the words that are being compared.
    pub(super) fn overlap(&self, ignoring: &[Term]) -> Overlap {
        if ignoring.is_empty() {
            return self.shared;
        }
        overlap(self.earlier, self.later, ignoring, self.vocabulary)
    }

    /// Whether they tell of the same time: one occasion, or one remembered in the other.
    pub(super) fn tells_the_same_time(&self) -> bool {
        matches!(self.relation, Relation::Same | Relation::Recalled)
            || self.is_likely_one_thing()
            || self.is_still_so()
    }

    /// Whether they are so near in time, and share so much, that nothing will have changed between them.
    fn is_still_so(&self) -> bool {
        let shared = self.overlap(&[]);
        let unchanged = !self.recurs() && !self.changes() && !self.is_set_apart();
        self.relation == Relation::Near && unchanged && shared.shared >= 0.75 && shared.part >= 0.4
    }

    /// Whether one is about what happens again and again.
    pub(super) fn recurs(&self) -> bool {
        let recurs = |term: &&Term| self.vocabulary.is(List::Repeatable, **term);
        let topic = self
            .earlier
            .topic
            .iter()
            .filter(|term| self.later.has(**term) || self.later.context.contains(term));
        let context = self
            .earlier
            .context
            .iter()
            .filter(|term| self.later.has(**term) || self.later.context.contains(term));
        topic.chain(context).any(|term| recurs(&term))
    }

    /// Whether they share so much, of a kind that neither recurs nor changes, that it is likely one thing.
    fn is_likely_one_thing(&self) -> bool {
        let shared = self.overlap(&[]);
        shared.shared >= 1.5
            && shared.part >= 0.35
            && !self.recurs()
            && !self.changes()
            && !self.is_set_apart()
            && !self.introduces_two()
    }

    /// `I bought a red car`, and years later `I bought a blue car`: what is brought in as new each time is two things.
    fn introduces_two(&self) -> bool {
        let introduced = |claim: &Claim<'_>, thing: Term| {
            let at = claim.words.iter().position(|word| word.key == thing).unwrap_or(0);
            let before = claim.words.get(at.saturating_sub(3)..at).unwrap_or_default();
            before.iter().any(|word| matches!(word.lower.as_str(), "a" | "an"))
        };
        let shared = self.earlier.topic.iter().filter(|term| self.later.has(**term));
        shared.into_iter().any(|thing| introduced(self.earlier, *thing) && introduced(self.later, *thing))
    }

    /// Whether both tell of something that happens once.
    pub(super) fn is_one_event(&self) -> bool {
        let of_one_thing = self.earlier.anchors.iter().any(|term| self.later.anchors.contains(term));
        let met = self.is_first_meeting();
        let shared = self.overlap(&[]);
        let one = !self.once.is_empty() || met || of_one_thing && shared.shared >= 1.5;
        one && !self.is_set_apart()
    }

    /// Whether both tell how the persona met one person.
    pub(super) fn is_first_meeting(&self) -> bool {
        is_first_meeting(self.earlier, self.later) || is_first_meeting(self.later, self.earlier)
    }

    /// Whether one sets itself apart from an earlier one: again, another, second.
    pub(super) fn is_set_apart(&self) -> bool {
        let replaced = self.later.tone.newer && self.relation != Relation::Same;
        self.earlier.tone.another || self.later.tone.another || replaced
    }

    /// Whether the later one tells of a change; what changed before the earlier one is told in it.
    pub(super) const fn changes(&self) -> bool {
        self.later.tone.changes
    }

    /// Whether neither denies anything.
    pub(super) const fn is_asserted(&self) -> bool {
        !self.earlier.tone.negated && !self.later.tone.negated
    }

    /// Whether the same people are named, or one names nobody.
    pub(super) fn names_agree(&self) -> bool {
        let (left, right) = (&self.earlier.proper.names, &self.later.proper.names);
        left.is_empty() || right.is_empty() || left.iter().any(|name| right.contains(name))
    }

    /// Whether both entries are of weddings or first meetings with different people.
    pub(super) fn is_with_others(&self) -> bool {
        let mutual = self.once.iter().any(|term| self.vocabulary.is(List::Mutual, *term));
        let named = |claim: &Claim<'_>| -> Vec<Term> {
            claim.cast.iter().copied().filter(|person| !self.vocabulary.is(List::Kin, *person)).collect()
        };
        let (left, right) = (named(self.earlier), named(self.later));
        mutual && !left.is_empty() && !right.is_empty() && !left.iter().any(|name| right.contains(name))
    }

    /// Pairs of words, one of each claim, that exclude each other and that neither claim has both of.
    pub(super) fn exclusive_words(&self, exclude: impl Fn(Term, Term) -> bool) -> Vec<(Term, Term)> {
        let lefts = self.earlier.topic.iter().filter(|term| !self.later.has(**term));
        let pairs = lefts.flat_map(|left| self.later.topic.iter().map(move |right| (*left, *right)));
        pairs.filter(|(left, right)| !self.earlier.has(*right) && exclude(*left, *right)).collect()
    }

    /// The opposites in the two claims.
    pub(super) fn opposites(&self) -> Vec<(Term, Term)> {
        self.exclusive_words(|left, right| self.vocabulary.are_opposites(left, right))
    }

    /// The words that are too special to be in every topic.
    pub(super) fn weighty<'t>(&'t self, terms: &'t [Term]) -> impl Iterator<Item = Term> + 't {
        terms.iter().copied().filter(|term| !self.vocabulary.is(List::Light, *term))
    }

}

/// `I met Anneke in Utrecht`, and `how we met`, told where Anneke is.
fn is_first_meeting(meeting: &Claim<'_>, story: &Claim<'_>) -> bool {
    let told =
        story.words.iter().any(|word| word.lower == "met") && !story.once.is_empty() && story.met.is_none();
    told && meeting.met.is_some_and(|person| story.cast.contains(&person))
}
