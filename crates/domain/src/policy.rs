//! The memory policy: what a persona may store, for how long, and what is logged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DecayProfile, Kind, RehearsalPolicy, RetentionPolicy, Salience};

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
