//! How long memories and turns are kept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Days, PrivacyClass, SubjectRef, Timestamp};

/// How long memories are kept; rehearsal never extends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RetentionPolicy {
    /// Days for a class that is not listed.
    #[schemars(range(min = 1))]
    pub default_retention_days: u32,
    /// Days per class; `null` keeps a class indefinitely, which is not allowed for classes that identify a
    /// person.
    #[schemars(extend("propertyNames" = { "enum": PrivacyClass::ALL.map(PrivacyClass::as_str) }))]
    pub per_privacy_class: BTreeMap<PrivacyClass, Option<u32>>,
    /// The start of the retention period for guest and staff PII; for every other class it is the creation.
    pub count_from: CountFrom,
    /// Days after its creation at which every memory is deleted, however recently its subject was in
    /// contact.
    #[schemars(range(min = 1))]
    pub max_days: u32,
    /// Days for which memories of the owner are kept; `null` keeps them until the owner asks for deletion.
    #[schemars(range(min = 1))]
    pub owner_days: Option<u32>,
    /// Days for which the owner's own turns are kept; `null` keeps them indefinitely.
    pub record_days: Option<u32>,
}

impl RetentionPolicy {
    /// The days memories of `class` are kept, or `None` for indefinitely.
    #[must_use]
    pub fn days(&self, class: PrivacyClass) -> Option<u32> {
        match self.per_privacy_class.get(&class) {
            Some(None) if !class.is_pii() => None,
            Some(Some(days)) => Some(*days),
            Some(None) | None => Some(self.default_retention_days),
        }
    }

    /// The days the turns of `subject` are kept, or `None` for indefinitely.
    #[must_use]
    pub fn record_days_of(&self, subject: &SubjectRef) -> Option<u32> {
        if subject.is_owner() { self.record_days } else { self.days(PrivacyClass::GuestPii) }
    }

    /// When a turn of `subject` that was said at `at` is deleted; `None` if it is kept.
    #[must_use]
    pub fn record_ends(&self, subject: &SubjectRef, at: Timestamp) -> Option<Timestamp> {
        self.record_days_of(subject).map(|days| at.plus(Days(f64::from(days))))
    }

    /// When a memory of `class` must be deleted; `None` if it may be kept.
    ///
    /// Memories of the owner follow `ownerDays`. Where days count from the last contact, that is the later
    /// of the memory's creation and the subject's last conversation, and `maxDays` after creation is the
    /// limit all the same; the days of sensitive PII and of classes that identify nobody always count from
    /// creation.
    #[must_use]
    pub fn ends(
        &self,
        class: PrivacyClass,
        subject: Option<&SubjectRef>,
        created_at: Timestamp,
        last_contact: Option<Timestamp>,
    ) -> Option<Timestamp> {
        let after = |start: Timestamp, days: u32| start.plus(Days(f64::from(days)));
        if class.is_pii() && subject.is_some_and(SubjectRef::is_owner) {
            return self.owner_days.map(|days| after(created_at, days));
        }
        let days = self.days(class)?;
        let is_extended = match (self.count_from, class) {
            (CountFrom::LastContact, PrivacyClass::GuestPii | PrivacyClass::StaffPii) => true,
            (
                CountFrom::LastContact,
                PrivacyClass::SensitivePii
                | PrivacyClass::NonPii
                | PrivacyClass::Aggregate
                | PrivacyClass::CommercialConfidential,
            )
            | (CountFrom::Created, _) => false,
        };
        if !is_extended {
            return Some(after(created_at, days));
        }
        let start = last_contact.map_or(created_at, |contact| contact.max(created_at));
        Some(after(start, days).min(after(created_at, self.max_days)))
    }

    /// Whether any retention period is shorter than under `before`, so that the next sweep would delete
    /// memories that exist today.
    #[must_use]
    pub fn shortens(&self, before: &Self) -> bool {
        let is_sooner = |now: Option<u32>, before: Option<u32>| {
            now.is_some_and(|days| before.is_none_or(|before| days < before))
        };
        let counts_sooner =
            self.count_from == CountFrom::Created && before.count_from == CountFrom::LastContact;
        PrivacyClass::ALL.into_iter().any(|class| is_sooner(self.days(class), before.days(class)))
            || is_sooner(Some(self.max_days), Some(before.max_days))
            || is_sooner(self.owner_days, before.owner_days)
            || is_sooner(self.record_days, before.record_days)
            || counts_sooner
    }
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        let days = |class| match class {
            PrivacyClass::NonPii | PrivacyClass::Aggregate => None,
            PrivacyClass::GuestPii => Some(90),
            PrivacyClass::StaffPii => Some(365),
            PrivacyClass::SensitivePii => Some(30),
            PrivacyClass::CommercialConfidential => Some(1095),
        };
        Self {
            default_retention_days: 365,
            per_privacy_class: PrivacyClass::ALL.into_iter().map(|class| (class, days(class))).collect(),
            count_from: CountFrom::Created,
            max_days: 1095,
            owner_days: None,
            record_days: None,
        }
    }
}

/// The start of a retention period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum CountFrom {
    /// The creation of the memory.
    #[default]
    Created,
    /// The last conversation with its subject.
    LastContact,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retention_is_shorter_if_any_of_its_periods_is() {
        let before = RetentionPolicy {
            count_from: CountFrom::LastContact,
            record_days: Some(100),
            ..RetentionPolicy::default()
        };
        let with = |change: fn(&mut RetentionPolicy)| {
            let mut changed = before.clone();
            change(&mut changed);
            changed.shortens(&before)
        };
        let class = |policy: &mut RetentionPolicy, class, days| {
            policy.per_privacy_class.insert(class, days);
        };
        assert!(!with(|_| ()));
        assert!(!with(|policy| policy.record_days = None));
        assert!(!with(|policy| policy.max_days += 1));
        assert!(with(|policy| policy.record_days = Some(99)));
        assert!(with(|policy| policy.owner_days = Some(10_000)), "from indefinite to any number");
        assert!(with(|policy| policy.max_days -= 1));
        assert!(with(|policy| policy.count_from = CountFrom::Created));
        let mut listed = before.clone();
        class(&mut listed, PrivacyClass::GuestPii, Some(89));
        assert!(listed.shortens(&before));
        assert!(!before.shortens(&listed));
        class(&mut listed, PrivacyClass::GuestPii, Some(90));
        class(&mut listed, PrivacyClass::NonPii, Some(5000));
        assert!(listed.shortens(&before));
        let mut unlisted = before.clone();
        unlisted.per_privacy_class.remove(&PrivacyClass::CommercialConfidential);
        assert!(unlisted.shortens(&before), "a class that is not listed takes the default");
    }

    #[test]
    fn indefinite_retention_is_never_applied_to_a_person() {
        let mut policy = RetentionPolicy::default();
        policy.per_privacy_class.insert(PrivacyClass::GuestPii, None);
        policy.per_privacy_class.remove(&PrivacyClass::StaffPii);
        for (class, days) in [
            (PrivacyClass::NonPii, None),
            (PrivacyClass::GuestPii, Some(365)),
            (PrivacyClass::StaffPii, Some(365)),
            (PrivacyClass::SensitivePii, Some(30)),
        ] {
            assert_eq!(policy.days(class), days, "{}", class.as_str());
        }
    }

    #[test]
    fn retention_counts_from_the_last_contact_only_where_the_policy_and_the_class_allow() {
        use PrivacyClass::{CommercialConfidential, GuestPii, NonPii, SensitivePii, StaffPii};
        let created = RetentionPolicy::default();
        let contact = RetentionPolicy { count_from: CountFrom::LastContact, ..RetentionPolicy::default() };
        let (guest, owner): (SubjectRef, SubjectRef) =
            ("guest:ana".parse().unwrap(), "owner".parse().unwrap());
        let day = |n: i64| Timestamp::from_millis(n * 86_400_000);
        for (policy, class, subject, last_contact, end) in [
            (&created, GuestPii, &guest, Some(80), Some(90)),
            (&contact, GuestPii, &guest, None, Some(90)),
            (&contact, GuestPii, &guest, Some(80), Some(170)),
            (&contact, GuestPii, &guest, Some(-5), Some(90)),
            (&contact, GuestPii, &guest, Some(1080), Some(1095)),
            (&contact, StaffPii, &guest, Some(100), Some(465)),
            (&contact, SensitivePii, &guest, Some(20), Some(30)),
            (&contact, CommercialConfidential, &guest, Some(80), Some(1095)),
            (&contact, NonPii, &guest, Some(80), None),
            (&created, GuestPii, &owner, None, None),
            (&created, NonPii, &owner, None, None),
        ] {
            let ends = policy.ends(class, Some(subject), day(0), last_contact.map(day));
            assert_eq!(ends, end.map(day), "{} after a contact on {last_contact:?}", class.as_str());
        }
        let owners = RetentionPolicy { owner_days: Some(400), ..RetentionPolicy::default() };
        assert_eq!(owners.ends(GuestPii, Some(&owner), day(0), Some(day(50))), Some(day(400)));
    }
}
