//! Example atoms, entries and days, to keep tests short.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "the examples are constants that tests check"
)]

use uuid::Uuid;

use crate::{
    Atom, Brightness, ConsentBasis, DecayProfile, Detail, Event, Extensions, Identity, Kind, MemoryId,
    MemoryPolicy, MemoryType, PersonaDocument, PersonaId, PrivacyClass, Provenance, RedactionStatus,
    SafetyTier, Salience, SchemaVersion, Strength, TimelineEntry, TimelineId, Timestamp, Trust, Valence,
};

const DAY_ZERO: &str = "2026-04-22T12:00:00.000Z";
const MILLIS_PER_DAY: i64 = 86_400_000;

/// Noon of day `n`; day 0 is the day the example memories were formed.
#[must_use]
pub fn day(n: i64) -> Timestamp {
    let zero: Timestamp = DAY_ZERO.parse().unwrap();
    Timestamp::from_millis(zero.as_millis() + n * MILLIS_PER_DAY)
}

/// The memory of the schema's own example: a guest who came back.
#[must_use]
pub fn guest_atom() -> Atom {
    atom(
        "A returning guest recognized me by name and thanked me for last week's restaurant suggestion.",
        &[
            ("she was wearing a blue scarf", 0.40),
            ("it was raining outside", 0.20),
            ("she said the seafood was excellent", 0.85),
        ],
    )
}

/// A guest's memory with this gist and these details.
#[must_use]
pub fn atom(gist: &str, details: &[(&str, f64)]) -> Atom {
    let detail = |(content, brightness): &(&str, f64)| Detail {
        content: (*content).into(),
        brightness: Brightness::clamped(*brightness),
        brightened_at: None,
    };
    Atom {
        privacy_class: PrivacyClass::GuestPii,
        consent_basis: ConsentBasis::service_delivery(),
        subject: "guest:ana".parse().ok(),
        details: details.iter().map(detail).collect(),
        emotional_valence: Valence::clamped(0.62),
        trust: Trust::User,
        ..plain_atom(gist)
    }
}

/// A memory that identifies nobody and that an operator wrote.
#[must_use]
pub fn plain_atom(gist: &str) -> Atom {
    Atom {
        id: "mem:7f3a8b2c0d3e".parse().unwrap(),
        kind: Kind::Episodic,
        created_at: day(0),
        last_rehearsed_at: day(0),
        rehearsal_count: 0,
        gist: gist.into(),
        details: Vec::new(),
        cues: Vec::new(),
        salience: Salience::clamped(0.74),
        emotional_valence: Valence::clamped(0.0),
        decay_profile: DecayProfile::default(),
        privacy_class: PrivacyClass::NonPii,
        consent_basis: ConsentBasis::not_applicable(),
        redaction_status: RedactionStatus::Active,
        provenance: Provenance {
            session_id: "sess:bonvoy-2026-04-22".parse().unwrap(),
            turn_index: 7,
            deployment_did: "did:gosum:marriott:property-cluj-001".parse().unwrap(),
        },
        tags: Vec::new(),
        derived_from: Vec::new(),
        subject: None,
        mentions: Vec::new(),
        trust: Trust::Operator,
        pinned: false,
        pinned_at: None,
        event_date: None,
        language: None,
        said_by: None,
        archived_at: None,
        revises: None,
        released_at: None,
        review: None,
        audit_hold: false,
        extensions: Extensions::default(),
    }
}

/// The `n`th of a series of memory ids.
#[must_use]
pub fn memory_id(n: u64) -> MemoryId {
    MemoryId::from_u64(n)
}

/// The `n`th of a series of timeline ids.
#[must_use]
pub fn timeline_id(n: u64) -> TimelineId {
    TimelineId(Uuid::from_u128(0x0198_c0de_0000_7000_8000_0000_0000_0000 + u128::from(n)))
}

/// The persona the example memories belong to.
#[must_use]
pub fn persona() -> PersonaDocument {
    PersonaDocument {
        identity: Identity {
            id: PersonaId(Uuid::from_u128(0x0198_c0de_0000_7000_9000_0000_0000_0000)),
            tenant: "marriott".parse().unwrap(),
            name: "inara".parse().unwrap(),
            display_name: "Inara".to_owned(),
            version: SchemaVersion::V01,
            created_at: day(-30),
            deployment_did: "did:gosum:marriott:property-cluj-001".parse().unwrap(),
            timezone: "Europe/Bucharest".to_owned(),
            language: "en".to_owned(),
            seed: None,
        },
        bindings: crate::Bindings::default(),
        safety_tier: SafetyTier::default(),
        compliance_profiles: Vec::new(),
        memory_policy: MemoryPolicy::default(),
        memory: Vec::new(),
        signature: None,
        extensions: Extensions::default(),
    }
}

/// Entry number `sequence` of the example persona's timeline, on day `n`.
#[must_use]
pub fn entry(sequence: u64, label: &str, n: i64) -> TimelineEntry {
    let persona = persona().identity;
    let event = Event {
        event_at: day(n),
        event_label: label.into(),
        facts: format!("{label}: what happened.").as_str().into(),
        feelings: "It felt new.".into(),
        interpretation: "It mattered.".into(),
        emotion_tags: vec!["joy".into()],
        memory_type: MemoryType::Normal,
        memory_strength: Strength::clamped(72.0),
        metadata: std::collections::BTreeMap::new(),
    };
    let owner = crate::EntryOwner { tenant: persona.tenant, persona: persona.id };
    TimelineEntry::new(timeline_id(sequence), owner, sequence, event, day(n))
}
