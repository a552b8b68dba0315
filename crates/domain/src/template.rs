//! Templates for new personas: compliance profile and memory policy.
//!
//! A template is written in full into the signed document, so that a later version of the program never
//! changes how an existing persona remembers.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ComplianceProfile, ConfabulationPolicy, CountFrom, DecayDefaults, MemoryPolicy, PersonaDocument,
    PrivacyClass, Ranking, RehearsalPolicy, RetentionPolicy, SafetyTier,
};

/// The number of memories per prompt in the templates.
const PLACES: u32 = 12;

/// A kind of persona.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Template {
    /// Works with people over years.
    #[default]
    Assistant,
    /// Keeps a person company over years.
    Companion,
    /// Looks after guests during a stay.
    Hospitality,
    /// Plays a character in a story.
    Character,
}

impl Template {
    /// Every template.
    pub const ALL: [Self; 4] = [Self::Assistant, Self::Companion, Self::Hospitality, Self::Character];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::Companion => "companion",
            Self::Hospitality => "hospitality",
            Self::Character => "character",
        }
    }

    /// A one-line description for users.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Assistant => {
                "Facts and ways of working last for years, what happened for months; people are remembered for two \
                 years after their last conversation."
            }
            Self::Companion => {
                "Remembers like the assistant, and its profile says that it keeps a person company."
            }
            Self::Hospitality => {
                "What happened fades within weeks, preferences within a year; guests are forgotten 90 days after \
                 their last conversation."
            }
            Self::Character => {
                "A part in a story: it may fill gaps in its memory with a hedge; people are remembered for a year \
                 after their last conversation."
            }
        }
    }

    /// Its compliance profiles.
    #[must_use]
    pub fn compliance_profiles(self) -> Vec<ComplianceProfile> {
        match self {
            Self::Assistant => vec![ComplianceProfile::Gdpr],
            Self::Companion => vec![ComplianceProfile::Gdpr, ComplianceProfile::Companion],
            Self::Hospitality => vec![ComplianceProfile::Gdpr, ComplianceProfile::Hospitality],
            Self::Character => vec![ComplianceProfile::Entertainment],
        }
    }

    /// Its safety tier.
    #[must_use]
    pub fn safety_tier(self) -> SafetyTier {
        SafetyTier::default()
    }

    /// Its memory policy.
    #[must_use]
    pub fn memory_policy(self) -> MemoryPolicy {
        let mut retention_policy =
            RetentionPolicy { count_from: CountFrom::LastContact, ..RetentionPolicy::default() };
        retention_policy.per_privacy_class.insert(PrivacyClass::GuestPii, Some(self.guest_days()));
        MemoryPolicy {
            max_memories_per_turn: PLACES,
            confabulation_policy: self.confabulation_policy(),
            retention_policy,
            ranking: Ranking { cued_recall: true, ..Ranking::default() },
            rehearsal_policy: RehearsalPolicy::Mentioned,
            decay_defaults: Some(self.decay_defaults()),
            ..MemoryPolicy::default()
        }
    }

    /// Writes the template into `document`.
    pub fn apply(self, document: &mut PersonaDocument) {
        document.safety_tier = self.safety_tier();
        document.compliance_profiles = self.compliance_profiles();
        document.memory_policy = self.memory_policy();
    }

    const fn guest_days(self) -> u32 {
        match self {
            Self::Assistant | Self::Companion => 730,
            Self::Hospitality => 90,
            Self::Character => 365,
        }
    }

    fn decay_defaults(self) -> DecayDefaults {
        match self {
            Self::Assistant | Self::Companion => DecayDefaults::with_half_lives(60.0, 730.0, 730.0),
            Self::Hospitality => DecayDefaults::with_half_lives(14.0, 180.0, 365.0),
            Self::Character => DecayDefaults::with_half_lives(60.0, 365.0, 365.0),
        }
    }

    const fn confabulation_policy(self) -> ConfabulationPolicy {
        match self {
            Self::Assistant | Self::Companion | Self::Hospitality => ConfabulationPolicy::Strict,
            Self::Character => ConfabulationPolicy::Moderate,
        }
    }
}

impl FromStr for Template {
    type Err = UnknownTemplate;

    fn from_str(name: &str) -> Result<Self, UnknownTemplate> {
        Self::ALL.into_iter().find(|template| template.as_str() == name).ok_or(UnknownTemplate)
    }
}

/// The name of no template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a template is `assistant`, `companion`, `hospitality` or `character`")]
pub struct UnknownTemplate;

/// The policy that earlier versions wrote into a new document, before there were templates: 14 days for
/// everything, five memories per prompt, and a minimum relevance.
#[must_use]
pub fn earlier_policy() -> MemoryPolicy {
    MemoryPolicy { rehearsal_policy: RehearsalPolicy::Mentioned, ..MemoryPolicy::default() }
}

/// The template offered to a document of an earlier version, and the policy after applying it.
///
/// Only values that still have the earlier default are replaced; values that were changed are kept. `None`
/// when nothing would change.
#[must_use]
pub fn offered(document: &PersonaDocument) -> Option<(Template, MemoryPolicy)> {
    let old = &document.memory_policy;
    // Earlier versions wrote `mentioned` into each document; one without it was written by hand and is not
    // changed.
    if old.decay_defaults.is_some() || old.rehearsal_policy != RehearsalPolicy::Mentioned {
        return None;
    }
    let template = fitting(&document.compliance_profiles);
    let (before, written) = (earlier_policy(), template.memory_policy());
    let mut new = old.clone();
    new.decay_defaults = written.decay_defaults;
    if new.max_memories_per_turn == before.max_memories_per_turn {
        new.max_memories_per_turn = written.max_memories_per_turn;
    }
    if new.retention_policy == before.retention_policy {
        new.retention_policy = written.retention_policy;
    }
    new.ranking = Ranking {
        min_relevance: if is_earlier_floor(old.ranking.min_relevance) {
            written.ranking.min_relevance
        } else {
            old.ranking.min_relevance
        },
        cued_recall: true,
        ..old.ranking
    };
    Some((template, new))
}

/// Whether a stored `minRelevance` is the value that earlier versions wrote into every document.
#[must_use]
pub fn is_earlier_floor(min_relevance: f64) -> bool {
    (min_relevance - 0.3).abs() < 1e-9
}

/// The template that fits the compliance profiles of a document created without one.
fn fitting(profiles: &[ComplianceProfile]) -> Template {
    let has = |profile: ComplianceProfile| profiles.contains(&profile);
    if has(ComplianceProfile::Hospitality) {
        Template::Hospitality
    } else if has(ComplianceProfile::Companion) {
        Template::Companion
    } else if has(ComplianceProfile::Entertainment) {
        Template::Character
    } else {
        Template::Assistant
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, example, persona::may_confabulate};

    #[test]
    fn each_template_writes_the_numbers_it_promises() {
        for (template, guest_days, half_lives, places) in [
            (Template::Assistant, 730, ["60", "730", "730"], 12),
            (Template::Companion, 730, ["60", "730", "730"], 12),
            (Template::Hospitality, 90, ["14", "180", "365"], 12),
            (Template::Character, 365, ["60", "365", "365"], 12),
        ] {
            let policy = template.memory_policy();
            let name = template.as_str();
            assert_eq!(policy.retention_policy.days(PrivacyClass::GuestPii), Some(guest_days), "{name}");
            assert_eq!(policy.retention_policy.days(PrivacyClass::SensitivePii), Some(30), "{name}");
            assert_eq!(policy.retention_policy.count_from, CountFrom::LastContact, "{name}");
            let kinds = [Kind::Episodic, Kind::Semantic, Kind::Procedural];
            let written = kinds.map(|kind| policy.decay_profile(kind).half_life_days.to_string());
            assert_eq!(written, half_lives, "{name}");
            assert_eq!(policy.max_memories_per_turn, places, "{name}");
            assert_eq!(policy.rehearsal_policy, RehearsalPolicy::Mentioned, "{name}");
            assert!(policy.ranking.cued_recall && policy.ranking.min_relevance.abs() < 1e-9, "{name}");
            assert!(may_confabulate(policy.confabulation_policy, &template.compliance_profiles()), "{name}");
            assert_eq!(name.parse(), Ok(template));
        }
        assert_eq!("butler".parse::<Template>(), Err(UnknownTemplate));
    }

    #[test]
    fn an_earlier_document_is_offered_the_template_and_keeps_changed_values() {
        let mut document = example::persona();
        document.memory_policy = earlier_policy();
        document.memory_policy.ranking.min_relevance = 0.3;
        document.compliance_profiles = Vec::new();
        let (template, policy) = offered(&document).unwrap();
        assert_eq!((template, &policy), (Template::Assistant, &Template::Assistant.memory_policy()));
        document.compliance_profiles = vec![ComplianceProfile::Hospitality];
        document.memory_policy.max_memories_per_turn = 3;
        document.memory_policy.retention_policy.default_retention_days = 10;
        let (template, policy) = offered(&document).unwrap();
        assert_eq!(template, Template::Hospitality);
        assert_eq!(policy.max_memories_per_turn, 3);
        assert_eq!(policy.retention_policy, document.memory_policy.retention_policy);
        document.memory_policy = policy;
        assert_eq!(offered(&document), None, "what was taken is not offered again");
    }
}
