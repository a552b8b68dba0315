//! The conditions under which a memory may be created. A refusal is a value with its own code, and nothing
//! is stored.

use crate::{Atom, ConsentBasis, ConsentsOnRecord, PersonaDocument, PrivacyClass};

/// The facts, besides the atom itself, that decide whether it may be created.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The persona it is for.
    pub persona: &'a PersonaDocument,
    /// Whether the document's signature is valid.
    pub is_signed: bool,
    /// Consent bases added by the deployment's configuration.
    pub added_bases: &'a [ConsentBasis],
    /// The subjects' consents; needed for sensitive atoms.
    pub consents: &'a ConsentsOnRecord,
    /// Whether the atom would restore forgotten data.
    pub restores_forgotten: Option<Forgotten>,
    /// The number of active atoms.
    pub active_atoms: u32,
    /// The number of pinned active atoms of the same subject.
    pub pinned_atoms: u32,
    /// Whether any of them may be archived to make room.
    pub can_archive: bool,
}

/// Forgotten data that an atom would restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// The atom's own id has a tombstone.
    Memory,
    /// It contains an identifier of an erased subject (checked for imports).
    Subject,
}

/// How room is made for a new atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// There is room.
    Free,
    /// The active atom with the lowest weight is archived first, the oldest on ties.
    ArchiveLightest,
}

/// Why a memory may not be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CreationRefusal {
    /// The policy's `enabled` is false.
    #[error("memory is switched off; set `memoryPolicy.enabled` and sign the document")]
    MemoryDisabled,
    /// The document was edited since it was signed, or never signed.
    #[error("the persona document is not signed; see `selfhood persona sign`")]
    DocumentUnsigned,
    /// Its salience is below `minSalienceForCreation`.
    #[error("the memory weighs less than `creationPolicy.minSalienceForCreation`")]
    SalienceTooLow,
    /// It identifies a person and has no consent basis.
    #[error("a memory that identifies a person needs a consent basis other than `not-applicable`")]
    ConsentBasisRequired,
    /// The consent basis is unknown.
    #[error(
        "the consent basis is not a listed one; add it under `[consent]` in selfhood.toml if it should be"
    )]
    ConsentBasisUnknown,
    /// It identifies a person and has neither a subject nor a session.
    #[error("a memory that identifies a person needs a subject or a session")]
    SubjectRequired,
    /// It is sensitive and the persona may not store such memories on this basis.
    #[error(
        "sensitive memories need safety tier 0 or 1, a healthcare, hipaa or research profile, and explicit consent"
    )]
    SensitiveForbidden,
    /// It is sensitive, the persona may store such memories, and its subject has not consented.
    #[error(
        "the persona may keep sensitive memories, but their subject's explicit consent is not on record; see `selfhood consent give`"
    )]
    ConsentNotOnRecord,
    /// It was formed in another deployment.
    #[error("the memory was formed in another deployment; memories do not cross deployments")]
    ForeignDeployment,
    /// Its id belongs to a forgotten memory.
    #[error("this memory was forgotten for good and cannot come back")]
    IdTombstoned,
    /// It would restore data of a person who was erased.
    #[error("the memory names someone who was forgotten; it cannot be imported")]
    SubjectErased,
    /// There is no room, and no atom may be archived.
    #[error(
        "the persona holds `maxAtoms` memories and none may be archived; raise `maxAtoms` or redact some"
    )]
    MemoryFull,
    /// It is pinned, and its subject has the maximum number of pinned memories.
    #[error("200 memories of this subject are pinned, which is the most; unpin one, or leave `pinned` out")]
    TooManyPins,
}

/// The maximum number of pinned memories of one subject.
pub const MOST_PINS: u32 = 200;

impl CreationRefusal {
    /// Every refusal.
    pub const ALL: [Self; 13] = [
        Self::MemoryDisabled,
        Self::DocumentUnsigned,
        Self::SalienceTooLow,
        Self::ConsentBasisRequired,
        Self::ConsentBasisUnknown,
        Self::SubjectRequired,
        Self::SensitiveForbidden,
        Self::ConsentNotOnRecord,
        Self::ForeignDeployment,
        Self::IdTombstoned,
        Self::SubjectErased,
        Self::MemoryFull,
        Self::TooManyPins,
    ];

    /// Whether it is about what is too sensitive to be kept.
    #[must_use]
    pub const fn is_of_sensitive(self) -> bool {
        matches!(self, Self::SensitiveForbidden | Self::ConsentNotOnRecord)
    }

    /// The stable code clients match on.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::MemoryDisabled => "memory_disabled",
            Self::DocumentUnsigned => "document_unsigned",
            Self::SalienceTooLow => "salience_too_low",
            Self::ConsentBasisRequired => "consent_basis_required",
            Self::ConsentBasisUnknown => "consent_basis_unknown",
            Self::SubjectRequired => "subject_required",
            Self::SensitiveForbidden => "sensitive_forbidden",
            Self::ConsentNotOnRecord => "consent_not_on_record",
            Self::ForeignDeployment => "foreign_deployment",
            Self::IdTombstoned => "id_tombstoned",
            Self::SubjectErased => "subject_erased",
            Self::MemoryFull => "memory_full",
            Self::TooManyPins => "too_many_pins",
        }
    }
}

/// Decides whether `atom` may be created, and how room is made for it.
pub fn admit(atom: &Atom, given: &Circumstances<'_>) -> Result<Room, CreationRefusal> {
    let policy = &given.persona.memory_policy;
    if !policy.enabled {
        return Err(CreationRefusal::MemoryDisabled);
    }
    if !given.is_signed {
        return Err(CreationRefusal::DocumentUnsigned);
    }
    match given.restores_forgotten {
        Some(Forgotten::Memory) => return Err(CreationRefusal::IdTombstoned),
        Some(Forgotten::Subject) => return Err(CreationRefusal::SubjectErased),
        None => {}
    }
    if atom.provenance.deployment_did != given.persona.identity.deployment_did {
        return Err(CreationRefusal::ForeignDeployment);
    }
    if atom.salience < policy.creation_policy.min_salience_for_creation {
        return Err(CreationRefusal::SalienceTooLow);
    }
    check_ground(atom, given)?;
    if atom.pinned && given.pinned_atoms >= MOST_PINS {
        return Err(CreationRefusal::TooManyPins);
    }
    find_room(given)
}

fn check_ground(atom: &Atom, given: &Circumstances<'_>) -> Result<(), CreationRefusal> {
    if !atom.consent_basis.is_listed(given.added_bases) {
        return Err(CreationRefusal::ConsentBasisUnknown);
    }
    if !atom.privacy_class.is_pii() {
        return Ok(());
    }
    if atom.consent_basis.is_not_applicable() {
        return Err(CreationRefusal::ConsentBasisRequired);
    }
    if atom.subject.is_none() && is_without_session(atom) {
        return Err(CreationRefusal::SubjectRequired);
    }
    match atom.privacy_class {
        PrivacyClass::SensitivePii => check_sensitive(atom, given),
        PrivacyClass::NonPii
        | PrivacyClass::Aggregate
        | PrivacyClass::CommercialConfidential
        | PrivacyClass::StaffPii
        | PrivacyClass::GuestPii => Ok(()),
    }
}

fn check_sensitive(atom: &Atom, given: &Circumstances<'_>) -> Result<(), CreationRefusal> {
    if !permits_sensitive(given.persona) || atom.consent_basis != ConsentBasis::explicit_consent() {
        return Err(CreationRefusal::SensitiveForbidden);
    }
    if !given.consents.cover(atom) {
        return Err(CreationRefusal::ConsentNotOnRecord);
    }
    Ok(())
}

/// Whether the policy of `persona` permits sensitive memories of subjects who have consented.
#[must_use]
pub fn permits_sensitive(persona: &PersonaDocument) -> bool {
    persona.safety_tier.permits_sensitive()
        && persona.compliance_profiles.iter().any(|profile| profile.permits_sensitive())
}

/// Whether the session in the provenance is a placeholder, because the caller named none.
#[must_use]
pub fn is_without_session(atom: &Atom) -> bool {
    atom.provenance.session_id.as_str().starts_with("sess:api-")
}

fn find_room(given: &Circumstances<'_>) -> Result<Room, CreationRefusal> {
    if given.active_atoms < given.persona.memory_policy.max_atoms {
        Ok(Room::Free)
    } else if given.can_archive {
        Ok(Room::ArchiveLightest)
    } else {
        Err(CreationRefusal::MemoryFull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ComplianceProfile, ConsentRegister, SafetyTier, Salience, SubjectConsent, Text, example};

    /// The subject of `atom` has consented to sensitive memories.
    fn consents_of(atom: &Atom) -> ConsentsOnRecord {
        let mut register = ConsentRegister::default();
        register.give(SubjectConsent {
            basis: ConsentBasis::explicit_consent(),
            classes: [PrivacyClass::SensitivePii].into(),
            how: Text::new("signed at the desk"),
            given_at: atom.created_at,
            withdrawn_at: None,
        });
        atom.subject.clone().map(|subject| (subject, register)).into_iter().collect()
    }

    fn given(persona: &PersonaDocument) -> Circumstances<'_> {
        static NONE: std::sync::LazyLock<ConsentsOnRecord> = std::sync::LazyLock::new(Default::default);
        Circumstances {
            persona,
            consents: &NONE,
            is_signed: true,
            added_bases: &[],
            restores_forgotten: None,
            active_atoms: 10,
            pinned_atoms: 0,
            can_archive: true,
        }
    }

    fn consented<'c>(persona: &'c PersonaDocument, consents: &'c ConsentsOnRecord) -> Circumstances<'c> {
        Circumstances { consents, ..given(persona) }
    }

    #[test]
    fn an_ordinary_memory_is_admitted() {
        let persona = example::persona();
        assert_eq!(admit(&example::guest_atom(), &given(&persona)), Ok(Room::Free));
    }

    type Change = fn(&mut Atom, &mut PersonaDocument);

    #[test]
    fn each_rule_refuses_with_its_own_code() {
        let cases: [(&str, Change); 8] = [
            ("memory_disabled", |_, persona| persona.memory_policy.enabled = false),
            ("salience_too_low", |atom, _| atom.salience = Salience::clamped(0.24)),
            ("consent_basis_required", |atom, _| atom.consent_basis = ConsentBasis::not_applicable()),
            ("consent_basis_unknown", |atom, _| atom.consent_basis = ConsentBasis::new("because")),
            ("subject_required", |atom, _| {
                atom.subject = None;
                atom.provenance.session_id = "sess:api-0198".parse().unwrap();
            }),
            ("sensitive_forbidden", |atom, _| atom.privacy_class = PrivacyClass::SensitivePii),
            ("foreign_deployment", |atom, _| {
                atom.provenance.deployment_did = "did:gosum:elsewhere".parse().unwrap();
            }),
            ("memory_disabled", |atom, persona| {
                atom.salience = Salience::LEAST;
                persona.memory_policy.enabled = false;
            }),
        ];
        for (code, change) in cases {
            let (mut atom, mut persona) = (example::guest_atom(), example::persona());
            change(&mut atom, &mut persona);
            assert_eq!(admit(&atom, &given(&persona)).map_err(CreationRefusal::code), Err(code));
        }
    }

    #[test]
    fn what_only_the_store_knows_refuses_too() {
        let persona = example::persona();
        for (code, circumstances) in [
            ("document_unsigned", Circumstances { is_signed: false, ..given(&persona) }),
            (
                "id_tombstoned",
                Circumstances { restores_forgotten: Some(Forgotten::Memory), ..given(&persona) },
            ),
            (
                "subject_erased",
                Circumstances { restores_forgotten: Some(Forgotten::Subject), ..given(&persona) },
            ),
            ("memory_full", Circumstances { active_atoms: 50_000, can_archive: false, ..given(&persona) }),
        ] {
            let refused = admit(&example::guest_atom(), &circumstances).map_err(CreationRefusal::code);
            assert_eq!(refused, Err(code));
        }
    }

    #[test]
    fn sensitive_memories_need_tier_profile_and_explicit_consent_on_record_together() {
        let mut atom = example::guest_atom();
        atom.privacy_class = PrivacyClass::SensitivePii;
        atom.consent_basis = ConsentBasis::explicit_consent();
        let mut persona = example::persona();
        persona.safety_tier = SafetyTier::new(1).unwrap();
        let consents = consents_of(&atom);
        assert_eq!(admit(&atom, &consented(&persona, &consents)), Err(CreationRefusal::SensitiveForbidden));
        persona.compliance_profiles = vec![ComplianceProfile::Research];
        assert_eq!(admit(&atom, &given(&persona)), Err(CreationRefusal::ConsentNotOnRecord));
        assert_eq!(admit(&atom, &consented(&persona, &consents)), Ok(Room::Free));
        let of_another = Atom { subject: "guest:somebody-else".parse().ok(), ..atom.clone() };
        assert_eq!(
            admit(&of_another, &consented(&persona, &consents)),
            Err(CreationRefusal::ConsentNotOnRecord)
        );
        atom.consent_basis = ConsentBasis::service_delivery();
        assert_eq!(admit(&atom, &consented(&persona, &consents)), Err(CreationRefusal::SensitiveForbidden));
    }

    #[test]
    fn a_full_memory_archives_its_lightest_atom() {
        let persona = example::persona();
        let full = Circumstances { active_atoms: 50_000, ..given(&persona) };
        assert_eq!(admit(&example::guest_atom(), &full), Ok(Room::ArchiveLightest));
    }
}
