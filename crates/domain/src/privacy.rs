//! Privacy classes of memories, and the legal basis for storing them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of information in a memory, from least to most protected.
///
/// The order is the order of strictness: a memory derived from several has the strictest of their classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PrivacyClass {
    /// Nothing that identifies anyone: "the property has a strong coffee program".
    NonPii,
    /// Derived from many people, none of them identifiable: "guests often ask about parking".
    Aggregate,
    /// Prices, contract terms, internal procedures: for staff only.
    CommercialConfidential,
    /// Identifies a staff member.
    StaffPii,
    /// Identifies the person the persona talked with.
    GuestPii,
    /// Health, religion, sexuality, politics, biometrics: Article 9 GDPR.
    SensitivePii,
}

impl PrivacyClass {
    /// Every class, in order of strictness.
    pub const ALL: [Self; 6] = [
        Self::NonPii,
        Self::Aggregate,
        Self::CommercialConfidential,
        Self::StaffPii,
        Self::GuestPii,
        Self::SensitivePii,
    ];

    /// The number of distinct subjects that must support a memory before it counts as aggregate.
    pub const AGGREGATE_SUBJECTS: usize = 5;

    /// Whether a memory of this class identifies a person.
    #[must_use]
    pub const fn is_pii(self) -> bool {
        match self {
            Self::StaffPii | Self::GuestPii | Self::SensitivePii => true,
            Self::NonPii | Self::Aggregate | Self::CommercialConfidential => false,
        }
    }

    /// The name used in documents.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NonPii => "non-pii",
            Self::Aggregate => "aggregate",
            Self::CommercialConfidential => "commercial-confidential",
            Self::StaffPii => "staff-pii",
            Self::GuestPii => "guest-pii",
            Self::SensitivePii => "sensitive-pii",
        }
    }
}

/// The legal basis for storing a memory.
///
/// A string and not an enum, since a deployment's configuration may add its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ConsentBasis(#[schemars(length(min = 1, max = 64))] String);

impl ConsentBasis {
    /// The bases every deployment knows.
    pub const LISTED: [&'static str; 7] = [
        "explicit-consent",
        "service-delivery",
        "legal-obligation",
        "vital-interest",
        "public-interest",
        "legitimate-interest",
        Self::NOT_APPLICABLE,
    ];
    const NOT_APPLICABLE: &'static str = "not-applicable";

    /// A basis by name; whether it is known is checked with [`ConsentBasis::is_listed`].
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The person agreed to exactly this.
    #[must_use]
    pub fn explicit_consent() -> Self {
        Self::new("explicit-consent")
    }

    /// Needed for the service the person asked for; used by formation unless configured otherwise.
    #[must_use]
    pub fn service_delivery() -> Self {
        Self::new("service-delivery")
    }

    /// No basis is needed, because nobody is identified.
    #[must_use]
    pub fn not_applicable() -> Self {
        Self::new(Self::NOT_APPLICABLE)
    }

    /// The name used in documents.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this means that no basis is needed.
    #[must_use]
    pub fn is_not_applicable(&self) -> bool {
        self.0 == Self::NOT_APPLICABLE
    }

    /// Whether this basis is known, built in or `added` by the deployment.
    #[must_use]
    pub fn is_listed(&self, added: &[Self]) -> bool {
        Self::LISTED.contains(&self.as_str()) || added.contains(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_the_documents() {
        for class in PrivacyClass::ALL {
            assert_eq!(serde_json::to_value(class).unwrap(), class.as_str());
        }
    }

    #[test]
    fn sensitive_is_the_strictest_and_three_classes_identify_a_person() {
        assert_eq!(PrivacyClass::ALL.iter().max(), Some(&PrivacyClass::SensitivePii));
        assert_eq!(PrivacyClass::ALL.iter().filter(|class| class.is_pii()).count(), 3);
    }

    #[test]
    fn a_deployment_may_add_a_ground() {
        let works_council = ConsentBasis::new("works-council");
        assert!(!works_council.is_listed(&[]));
        assert!(works_council.is_listed(std::slice::from_ref(&works_council)));
        assert!(ConsentBasis::service_delivery().is_listed(&[]));
    }
}
