//! The memory policy: what a persona may store, for how long, and what is logged.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Days, DecayProfile, Kind, PrivacyClass, RehearsalPolicy, Salience, SubjectRef, Timestamp};

/// The `memoryPolicy` block of a persona document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct MemoryPolicy {
    /// Whether memory is enabled. Everything else works without it.
    pub enabled: bool,
    /// The audience of a memory.
    pub scope: Scope,
    /// The maximum number of active atoms; beyond it, the one with the lowest weight is archived for each
    /// new one.
    #[schemars(range(min = 1))]
    pub max_atoms: u32,
    /// The maximum number of atoms in one prompt.
    pub max_memories_per_turn: u32,
    /// The number of turns before a rendered memory is rendered again.
    pub rehearsal_cooldown_turns: u32,
    /// The current weight below which a memory is not recalled.
    pub retrieval_threshold: Salience,
    /// Whether gaps in memory may be filled.
    pub confabulation_policy: ConfabulationPolicy,
    /// Which memories are created.
    pub creation_policy: CreationPolicy,
    /// How long memories are kept.
    pub retention_policy: RetentionPolicy,
    /// The deadlines for erasure requests.
    pub right_to_be_forgotten_sla: ForgettingDeadlines,
    /// What is written to the audit log.
    pub audit_policy: AuditPolicy,
    /// How candidates are ranked.
    pub ranking: Ranking,
    /// What counts as a rehearsal.
    pub rehearsal_policy: RehearsalPolicy,
    /// The decay profiles, by kind, of memories created without one; if absent, all kinds have the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay_defaults: Option<DecayDefaults>,
    /// The decay profile of the persona's own timeline; if absent, it does not fade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline_decay: Option<DecayProfile>,
}

impl Default for MemoryPolicy {
    fn default() -> Self {
        Self {
            enabled: true,
            scope: Scope::Deployment,
            max_atoms: 50_000,
            max_memories_per_turn: 5,
            rehearsal_cooldown_turns: 4,
            retrieval_threshold: Salience::clamped(0.15),
            confabulation_policy: ConfabulationPolicy::Strict,
            creation_policy: CreationPolicy::default(),
            retention_policy: RetentionPolicy::default(),
            right_to_be_forgotten_sla: ForgettingDeadlines::default(),
            audit_policy: AuditPolicy::default(),
            ranking: Ranking::default(),
            rehearsal_policy: RehearsalPolicy::Rendered,
            decay_defaults: None,
            timeline_decay: None,
        }
    }
}

impl MemoryPolicy {
    /// The decay profile of a memory of this kind that has none of its own.
    #[must_use]
    pub fn decay_profile(&self, kind: Kind) -> DecayProfile {
        self.decay_defaults.map(|defaults| defaults.of(kind)).unwrap_or_default()
    }
}

/// The decay profiles of memories by kind; a kind that is not listed has the default profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DecayDefaults {
    /// Events that happened or are planned.
    pub episodic: DecayProfile,
    /// Lasting facts.
    pub semantic: DecayProfile,
    /// Skills.
    pub procedural: DecayProfile,
}

impl DecayDefaults {
    /// The default profile with these half-lives, in days.
    #[must_use]
    pub fn with_half_lives(episodic: f64, semantic: f64, procedural: f64) -> Self {
        let lasting = |half_life_days| DecayProfile { half_life_days, ..DecayProfile::default() };
        Self { episodic: lasting(episodic), semantic: lasting(semantic), procedural: lasting(procedural) }
    }

    /// The decay profile of a memory of this kind.
    #[must_use]
    pub const fn of(&self, kind: Kind) -> DecayProfile {
        match kind {
            Kind::Episodic => self.episodic,
            Kind::Semantic => self.semantic,
            Kind::Procedural => self.procedural,
        }
    }
}

/// The audience of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Every listener that the audience rules permit.
    Deployment,
    /// Only the session it was formed in.
    Session,
    /// Only the subject it was formed with.
    User,
}

/// Whether gaps in memory may be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConfabulationPolicy {
    /// Only rendered memories may be asserted.
    Strict,
    /// Gaps may be filled with a hedge in the same sentence; no names, dates, numbers or promises.
    Moderate,
    /// Gaps may be filled freely.
    Permissive,
}

/// Which memories are created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CreationPolicy {
    /// The minimum salience of a stored memory.
    pub min_salience_for_creation: Salience,
    /// The classifier that determines the salience.
    pub salience_classifier: String,
    /// The version of that classifier.
    pub salience_classifier_version: String,
}

impl CreationPolicy {
    /// The built-in classifier.
    pub const BUILT_IN_CLASSIFIER: &'static str = "gosum-default-v.01";
    /// Its only version.
    pub const BUILT_IN_VERSION: &'static str = "v.01";
}

impl Default for CreationPolicy {
    fn default() -> Self {
        Self {
            min_salience_for_creation: Salience::clamped(0.25),
            salience_classifier: Self::BUILT_IN_CLASSIFIER.to_owned(),
            salience_classifier_version: Self::BUILT_IN_VERSION.to_owned(),
        }
    }
}

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

/// The deadlines for erasure requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ForgettingDeadlines {
    /// Hours until a request is acknowledged; at most 24.
    pub acknowledgment_hours: u32,
    /// Hours until it is completed; at most 720, and never later than one calendar month.
    pub completion_hours: u32,
    /// How long tombstones are kept.
    pub tombstone_retention_days: u32,
}

impl ForgettingDeadlines {
    /// The latest deadlines; a persona may have earlier ones.
    pub const LATEST: Self =
        Self { acknowledgment_hours: 24, completion_hours: 720, tombstone_retention_days: 2190 };
}

impl Default for ForgettingDeadlines {
    fn default() -> Self {
        Self::LATEST
    }
}

/// What is written to the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AuditPolicy {
    /// Whether creations are logged.
    pub log_creation: bool,
    /// Which retrievals are logged.
    pub log_retrieval: LogRate,
    /// Redactions are always logged.
    pub log_redaction: LogAlways,
    /// Which rehearsals are logged.
    pub log_rehearsal: LogRate,
}

impl Default for AuditPolicy {
    fn default() -> Self {
        Self {
            log_creation: true,
            log_retrieval: LogRate::Sampled,
            log_redaction: LogAlways::Always,
            log_rehearsal: LogRate::Sampled,
        }
    }
}

/// How many of the frequent events are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogRate {
    /// Every event.
    Always,
    /// One in ten, chosen by a keyed hash, so that the choice is reproducible.
    Sampled,
    /// No event.
    Never,
}

/// The logging rate of redactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogAlways {
    /// Every event.
    Always,
}

/// How candidates are ranked; each component is between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ranking {
    /// Weight of the current salience.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub salience_weight: f64,
    /// Weight of the relevance to the query.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance_weight: f64,
    /// Weight of the time since the last rehearsal.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub recency_weight: f64,
    /// Weight of shared tags.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub topical_weight: f64,
    /// Relevance below which no memory is rendered; a 0.3 written by an earlier version counts as 0.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min_relevance: f64,
    /// How clearly a query must be about a memory to count as being about it; if absent, the calibrated value is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub aboutness: Option<f64>,
    /// Whether a query that is clearly about a faded memory recalls its gist.
    pub cued_recall: bool,
}

impl Ranking {
    /// The relevance below which no memory is recalled. The 0.3 that templates used to write counts as
    /// unset: it suppressed memories people had asked for.
    #[must_use]
    pub fn relevance_floor(&self) -> f64 {
        const FORMER_DEFAULT: f64 = 0.3;
        if (self.min_relevance - FORMER_DEFAULT).abs() < 1e-9 { 0.0 } else { self.min_relevance }
    }
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            salience_weight: 0.1,
            relevance_weight: 0.83,
            recency_weight: 0.02,
            topical_weight: 0.05,
            min_relevance: 0.0,
            aboutness: None,
            cued_recall: false,
        }
    }
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

    #[test]
    fn a_memory_without_a_profile_fades_as_its_kind_does() {
        let mut policy = MemoryPolicy::default();
        for kind in [Kind::Episodic, Kind::Semantic, Kind::Procedural] {
            assert_eq!(policy.decay_profile(kind), DecayProfile::default());
        }
        policy.decay_defaults = serde_json::from_str(
            r#"{"semantic":{"function":"ebbinghaus","halfLifeDays":730,"rehearsalBoost":1.4,"valenceProtection":0.3}}"#,
        )
        .unwrap();
        let half_lives = [Kind::Episodic, Kind::Semantic, Kind::Procedural]
            .map(|kind| policy.decay_profile(kind).half_life_days.to_string());
        assert_eq!(half_lives, ["14", "730", "14"]);
    }
}
