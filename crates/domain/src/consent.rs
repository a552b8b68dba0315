//! The consents a subject has given to a persona: what they cover, and until when they are valid.
//!
//! The register is append-only except for withdrawals, and it is parsed strictly: an invalid line is not a
//! consent.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Atom, ConsentBasis, PrivacyClass, SubjectRef, Text, Timestamp};

/// One consent of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectConsent {
    /// The consent basis of memories stored under it.
    pub basis: ConsentBasis,
    /// The privacy classes it covers.
    pub classes: BTreeSet<PrivacyClass>,
    /// How it was given, described so that it can be checked later.
    pub how: Text,
    /// When it was given.
    pub given_at: Timestamp,
    /// When it was withdrawn, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_at: Option<Timestamp>,
}

impl SubjectConsent {
    fn covers(&self, basis: &ConsentBasis, class: PrivacyClass) -> bool {
        self.basis == *basis && self.classes.contains(&class)
    }
}

/// Every consent that one subject has given to one persona, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsentRegister(Vec<SubjectConsent>);

impl ConsentRegister {
    /// The maximum length of a register; the oldest withdrawn consents are dropped first. The audit log
    /// still records that they were given and withdrawn.
    pub const LONGEST: usize = 200;

    /// Parses a stored register: one JSON object per line, so that concatenating two registers merges them.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut consents: Vec<SubjectConsent> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        consents.sort_by_key(|consent| consent.given_at);
        Self(consents)
    }

    /// The register in its stored form.
    #[must_use]
    pub fn to_text(&self) -> Text {
        let lines = self.0.iter().filter_map(|consent| serde_json::to_string(consent).ok());
        Text::new(lines.fold(String::new(), |text, line| text + &line + "\n"))
    }

    /// The consents, oldest first.
    #[must_use]
    pub fn consents(&self) -> &[SubjectConsent] {
        &self.0
    }

    /// Whether a valid consent covers memories of `class` on `basis`. A withdrawal ends every earlier
    /// consent to the same, also one given under another reference to the same person.
    #[must_use]
    pub fn covers(&self, basis: &ConsentBasis, class: PrivacyClass) -> bool {
        let same = || self.0.iter().filter(|consent| consent.covers(basis, class));
        let last_withdrawal = same().filter_map(|consent| consent.withdrawn_at).max();
        same().any(|consent| {
            consent.withdrawn_at.is_none() && last_withdrawal.is_none_or(|at| consent.given_at > at)
        })
    }

    /// Adds `consent`, unless valid consents cover all of it already. Returns whether it was added.
    pub fn give(&mut self, consent: SubjectConsent) -> bool {
        if consent.classes.iter().all(|class| self.covers(&consent.basis, *class)) {
            return false;
        }
        // A consent that follows a withdrawal within the same millisecond is still later than it.
        let last = self.0.iter().filter_map(|earlier| earlier.withdrawn_at).max();
        let after_last = last.map(|at| Timestamp::from_millis(at.as_millis() + 1));
        let given_at = after_last.map_or(consent.given_at, |after| consent.given_at.max(after));
        self.0.push(SubjectConsent { given_at, ..consent });
        while self.0.len() > Self::LONGEST {
            let oldest = self.0.iter().position(|consent| consent.withdrawn_at.is_some()).unwrap_or(0);
            self.0.remove(oldest);
        }
        true
    }

    /// Withdraws every consent at `now`, and returns the withdrawn ones.
    pub fn withdraw(&mut self, now: Timestamp) -> Vec<SubjectConsent> {
        let mut withdrawn = Vec::new();
        for consent in self.0.iter_mut().filter(|consent| consent.withdrawn_at.is_none()) {
            consent.withdrawn_at = Some(now.max(consent.given_at));
            withdrawn.push(consent.clone());
        }
        withdrawn
    }
}

/// The consent registers of the subjects whose memories are to be created. A subject without one has
/// consented to nothing.
#[derive(Clone, Debug, Default)]
pub struct ConsentsOnRecord(BTreeMap<SubjectRef, ConsentRegister>);

impl ConsentsOnRecord {
    /// Whether the subject of `atom` has consented to its class on its basis.
    #[must_use]
    pub fn cover(&self, atom: &Atom) -> bool {
        let register = atom.subject.as_ref().and_then(|subject| self.0.get(subject));
        register.is_some_and(|register| register.covers(&atom.consent_basis, atom.privacy_class))
    }
}

impl FromIterator<(SubjectRef, ConsentRegister)> for ConsentsOnRecord {
    fn from_iter<T: IntoIterator<Item = (SubjectRef, ConsentRegister)>>(registers: T) -> Self {
        Self(registers.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENSITIVE: PrivacyClass = PrivacyClass::SensitivePii;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn consent(class: PrivacyClass, given: i64) -> SubjectConsent {
        SubjectConsent {
            basis: ConsentBasis::explicit_consent(),
            classes: [class].into(),
            how: Text::new("signed at the desk"),
            given_at: at(given),
            withdrawn_at: None,
        }
    }

    fn covers(register: &ConsentRegister, class: PrivacyClass) -> bool {
        register.covers(&ConsentBasis::explicit_consent(), class)
    }

    #[test]
    fn a_consent_covers_its_classes_on_its_basis_until_it_is_withdrawn() {
        let mut register = ConsentRegister::default();
        assert!(!covers(&register, SENSITIVE));
        assert!(register.give(consent(SENSITIVE, 1)));
        assert!(!register.give(consent(SENSITIVE, 2)), "it is on record already");
        assert!(covers(&register, SENSITIVE));
        assert!(!covers(&register, PrivacyClass::GuestPii));
        assert!(!register.covers(&ConsentBasis::service_delivery(), SENSITIVE));
        assert_eq!(register.withdraw(at(3)).len(), 1);
        assert!(!covers(&register, SENSITIVE));
        assert!(register.withdraw(at(4)).is_empty());
        assert!(register.give(consent(SENSITIVE, 3)), "also within the same millisecond");
        assert!(covers(&register, SENSITIVE));
    }

    #[test]
    fn a_register_reads_as_it_was_written_and_a_broken_line_is_no_consent() {
        let mut register = ConsentRegister::default();
        register.give(consent(SENSITIVE, 1));
        register.withdraw(at(2));
        register.give(consent(PrivacyClass::GuestPii, 3));
        let text = register.to_text();
        assert_eq!(ConsentRegister::parse(text.as_str()), register);
        let broken =
            ConsentRegister::parse("{\"basis\":\"explicit-consent\",\"classes\":[\"sensitive-pii\"]}");
        assert!(!covers(&broken, SENSITIVE));
    }

    #[test]
    fn a_withdrawal_under_one_name_ends_an_earlier_consent_under_another() {
        let (mut one, mut other) = (ConsentRegister::default(), ConsentRegister::default());
        one.give(consent(SENSITIVE, 1));
        other.give(consent(SENSITIVE, 2));
        other.withdraw(at(5));
        let merged = |one: &ConsentRegister| {
            ConsentRegister::parse(&format!("{}\n\n{}", one.to_text().as_str(), other.to_text().as_str()))
        };
        assert!(!covers(&merged(&one), SENSITIVE));
        let mut later = ConsentRegister::default();
        later.give(consent(SENSITIVE, 6));
        assert!(covers(&merged(&later), SENSITIVE), "a consent after the withdrawal holds");
    }

    #[test]
    fn a_register_stays_within_its_length() {
        let mut register = ConsentRegister::default();
        for round in 0..300 {
            assert!(register.give(consent(SENSITIVE, round * 2)));
            register.withdraw(at(round * 2 + 1));
        }
        assert!(register.give(consent(SENSITIVE, 1000)));
        assert_eq!(register.consents().len(), ConsentRegister::LONGEST);
        assert!(covers(&register, SENSITIVE));
    }
}
