//! What a derived memory inherits from its sources.

use std::collections::BTreeSet;

use crate::{Atom, MemoryId, PrivacyClass, SubjectRef, Trust};

/// The properties a derived atom inherits from its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inheritance {
    /// Its sources.
    pub derived_from: Vec<MemoryId>,
    /// The strictest class of its sources.
    pub privacy_class: PrivacyClass,
    /// Its subject, if all sources have the same one.
    pub subject: Option<SubjectRef>,
    /// The other subjects in its sources.
    pub mentions: Vec<SubjectRef>,
    /// The persona's own, unless no source was formed from a conversation.
    pub trust: Trust,
}

/// Why nothing may be derived from a set of memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DerivationRefusal {
    /// There are no sources.
    #[error("a derived memory needs at least one source")]
    NoSources,
    /// Its sources belong to two to four subjects: shown to any of them, it would reveal the others.
    #[error("the sources belong to several people, too few to stand behind an aggregate")]
    MixedSubjects,
    /// It would be both personal and confidential, and reach an audience that neither allows.
    #[error("the sources mix confidential matters with a person's")]
    MixedClasses,
}

/// Computes what a memory derived from `sources` inherits.
///
/// With enough subjects it becomes `aggregate` and belongs to none of them; therefore such a memory must
/// not repeat anything that only one of them said.
pub fn inherit(sources: &[Atom]) -> Result<Inheritance, DerivationRefusal> {
    let privacy_class =
        sources.iter().map(|atom| atom.privacy_class).max().ok_or(DerivationRefusal::NoSources)?;
    let confidential = |atom: &Atom| atom.privacy_class == PrivacyClass::CommercialConfidential;
    if privacy_class.is_pii() && sources.iter().any(confidential) {
        return Err(DerivationRefusal::MixedClasses);
    }
    let derived_from = sources.iter().map(|atom| atom.id).collect();
    let from_talk = sources.iter().any(|atom| atom.trust.is_from_conversation());
    let trust = if from_talk { Trust::Persona } else { Trust::Operator };
    let owners: BTreeSet<&SubjectRef> = sources.iter().filter_map(|atom| atom.subject.as_ref()).collect();
    if owners.len() >= PrivacyClass::AGGREGATE_SUBJECTS && privacy_class <= PrivacyClass::GuestPii {
        let confidential = privacy_class == PrivacyClass::CommercialConfidential;
        let privacy_class = if confidential { privacy_class } else { PrivacyClass::Aggregate };
        return Ok(Inheritance { derived_from, privacy_class, subject: None, mentions: Vec::new(), trust });
    }
    if owners.len() > 1 {
        return Err(DerivationRefusal::MixedSubjects);
    }
    let subject = owners.first().map(|owner| (*owner).clone());
    let others =
        sources.iter().flat_map(|atom| &atom.mentions).filter(|person| Some(*person) != subject.as_ref());
    let mentions = others.cloned().collect::<BTreeSet<_>>().into_iter().collect();
    Ok(Inheritance { derived_from, privacy_class, subject, mentions, trust })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn of(subjects: &[&str]) -> Vec<Atom> {
        let with = |(n, subject): (usize, &&str)| Atom {
            id: MemoryId::from_u64(n as u64),
            subject: subject.parse().ok(),
            ..example::guest_atom()
        };
        subjects.iter().enumerate().map(with).collect()
    }

    #[test]
    fn one_persons_memories_give_that_persons_memory_of_the_strictest_class() {
        let mut sources = of(&["guest:ana", "guest:ana"]);
        sources[0].privacy_class = PrivacyClass::NonPii;
        sources[1].mentions = vec!["guest:mihai".parse().unwrap(), "guest:ana".parse().unwrap()];
        let inherited = inherit(&sources).unwrap();
        assert_eq!(inherited.privacy_class, PrivacyClass::GuestPii);
        assert_eq!(inherited.subject, "guest:ana".parse().ok());
        assert_eq!(inherited.mentions, vec!["guest:mihai".parse().unwrap()]);
        assert_eq!(inherited.derived_from.len(), 2);
    }

    #[test]
    fn fewer_than_five_people_cannot_be_mixed_and_five_are_an_aggregate() {
        assert_eq!(inherit(&of(&["a", "b", "c", "d"])), Err(DerivationRefusal::MixedSubjects));
        let aggregate = inherit(&of(&["a", "b", "c", "d", "e"])).unwrap();
        assert_eq!((aggregate.privacy_class, aggregate.subject), (PrivacyClass::Aggregate, None));
    }

    #[test]
    fn sensitive_matters_never_become_aggregate() {
        let mut sources = of(&["a", "b", "c", "d", "e"]);
        sources[0].privacy_class = PrivacyClass::SensitivePii;
        assert_eq!(inherit(&sources), Err(DerivationRefusal::MixedSubjects));
    }

    #[test]
    fn confidential_matters_are_not_mixed_with_a_persons() {
        let mut sources = of(&["guest:ana", "guest:ana"]);
        sources[0].privacy_class = PrivacyClass::CommercialConfidential;
        assert_eq!(inherit(&sources), Err(DerivationRefusal::MixedClasses));
        assert_eq!(inherit(&[]), Err(DerivationRefusal::NoSources));
    }
}
