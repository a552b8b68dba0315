//! Validates a persona document in three passes: structure, policy, references.
//!
//! All problems are reported at once, each with its rule and its position, so that nobody has to fix a file
//! one message at a time.

use serde_json::Value;

use crate::creation::{Circumstances, CreationRefusal, admit};
use crate::problem::{Problem, ProblemCode, Severity};
use crate::references::{check_references, check_stored_references};
use crate::structure::{check_trimmed, child};
use crate::{
    Atom, ConsentBasis, ConsentsOnRecord, CreationPolicy, ForgettingDeadlines, Kind, MemoryPolicy,
    PersonaDocument, PrivacyClass, RedactionStatus, Timestamp, lifecycle, persona, schema,
};

/// Where a policy has its days per privacy class.
const PER_CLASS: &str = "retentionPolicy/perPrivacyClass";

/// Facts needed besides the document itself.
#[derive(Clone, Copy, Debug)]
pub struct ValidationContext<'a> {
    /// The current time; nothing in the document may be later.
    pub now: Timestamp,
    /// Consent bases added by the deployment's configuration.
    pub added_bases: &'a [ConsentBasis],
}

/// Every problem of the persona document `value`.
#[must_use]
pub fn validate(value: &Value, given: &ValidationContext<'_>) -> Vec<Problem> {
    let mut problems = check_trimmed(schema::persona(), value);
    let atoms = readable_atoms(value);
    for (at, atom) in &atoms {
        problems.extend(check_times(at, atom, given.now));
    }
    if let Ok(mut document) = serde_json::from_value::<PersonaDocument>(without_memory(value)) {
        problems.extend(check_document(&document));
        // With memory disabled, the memories must still conform to the policy.
        document.memory_policy.enabled = true;
        problems.extend(check_policy(&document, &atoms, given));
    }
    problems.extend(check_references(&atoms));
    problems
}

/// Every problem of one memory atom by itself.
#[must_use]
pub fn validate_atom(value: &Value, now: Timestamp) -> Vec<Problem> {
    let mut problems = check_trimmed(schema::memory(), value);
    if let Ok(atom) = serde_json::from_value::<Atom>(value.clone()) {
        problems.extend(check_times("", &atom, now));
    }
    problems
}

/// What is wrong with the memories in a persona's store by the policy it has now.
#[must_use]
pub fn validate_stored(
    document: &PersonaDocument,
    atoms: &[Atom],
    given: &ValidationContext<'_>,
) -> Vec<Problem> {
    let is_in_use = |atom: &&Atom| {
        atom.redaction_status == RedactionStatus::Active
            && atom.archived_at.is_none()
            && atom.revises.is_none()
    };
    let named = atoms.iter().filter(is_in_use).map(|atom| (format!("/memory/{}", atom.id), atom.clone()));
    let named: Vec<(String, Atom)> = named.collect();
    let active = atoms
        .iter()
        .filter(|atom| atom.redaction_status == RedactionStatus::Active && atom.archived_at.is_none())
        .count();
    let mut problems = check_policy(document, &named, given);
    // Whether a memory is past its retention depends on its subject's last contact, which a sweep knows.
    problems.retain(|problem| {
        problem.code != ProblemCode::PastRetention && problem.code != ProblemCode::TooManyAtoms
    });
    if active > usize::try_from(document.memory_policy.max_atoms).unwrap_or(usize::MAX) {
        let most = document.memory_policy.max_atoms;
        let message = format!("has {active} active memories, more than `maxAtoms` {most}");
        problems.push(Problem::error(ProblemCode::TooManyAtoms, "/memory", message));
    }
    problems.extend(check_stored_references(&named, &atoms.iter().map(|atom| atom.id).collect()));
    problems
}

/// Whether a document with these problems can be opened: it may have values without an effect.
#[must_use]
pub fn is_usable(problems: &[Problem]) -> bool {
    problems.iter().all(|problem| problem.severity == Severity::Warning || is_without_effect(problem))
}

/// Whether a document with these problems may be written and signed.
#[must_use]
pub fn is_valid(problems: &[Problem]) -> bool {
    problems.iter().all(|problem| problem.severity == Severity::Warning)
}

/// The atoms with a valid structure, each with its position; the others have been reported already.
pub(crate) fn readable_atoms(value: &Value) -> Vec<(String, Atom)> {
    let listed = value.get("memory").and_then(Value::as_array).into_iter().flatten().enumerate();
    let read = |(n, atom): (usize, &Value)| {
        serde_json::from_value(atom.clone()).ok().map(|atom| (format!("/memory/{n}"), atom))
    };
    listed.filter_map(read).collect()
}

fn without_memory(value: &Value) -> Value {
    let mut document = value.clone();
    if let Some(properties) = document.as_object_mut() {
        properties.shift_remove("memory");
    }
    document
}

fn check_times(at: &str, atom: &Atom, now: Timestamp) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut out_of_order = |field: &str, message: &str| {
        problems.push(Problem::error(ProblemCode::TimesOutOfOrder, child(at, field), message));
    };
    if atom.last_rehearsed_at < atom.created_at {
        out_of_order("lastRehearsedAt", "must not be before `createdAt`");
    }
    if atom.created_at > now {
        out_of_order("createdAt", "must not be in the future");
    } else if atom.last_rehearsed_at > now {
        out_of_order("lastRehearsedAt", "must not be in the future");
    }
    if atom.rehearsal_count == 0 && atom.last_rehearsed_at > atom.created_at {
        let message = "must equal `createdAt` while `rehearsalCount` is 0";
        problems.push(
            Problem::error(ProblemCode::RehearsalMismatch, child(at, "lastRehearsedAt"), message).fixable(),
        );
    }
    problems
}

fn check_document(document: &PersonaDocument) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut error =
        |code, pointer: &str, message: &str| problems.push(Problem::error(code, pointer, message));
    let policy = &document.memory_policy;
    if jiff::tz::TimeZone::get(&document.identity.timezone).is_err() {
        error(
            ProblemCode::UnknownTimezone,
            "/identity/timezone",
            "must be an IANA time zone such as `Europe/Bucharest`",
        );
    }
    if !persona::may_confabulate(policy.confabulation_policy, &document.compliance_profiles) {
        let message = "is not allowed under these compliance profiles; `strict` always is";
        error(ProblemCode::ConfabulationForbidden, "/memoryPolicy/confabulationPolicy", message);
    }
    if policy.creation_policy.salience_classifier != CreationPolicy::BUILT_IN_CLASSIFIER {
        let message = "is not a known classifier; the built-in one is `gosum-default-v.01`";
        error(ProblemCode::UnknownClassifier, "/memoryPolicy/creationPolicy/salienceClassifier", message);
    }
    problems.extend(check_ignored(document));
    let mut error =
        |code, pointer: &str, message: &str| problems.push(Problem::error(code, pointer, message));
    for class in PrivacyClass::ALL.into_iter().filter(|class| class.is_pii()) {
        if policy.retention_policy.per_privacy_class.get(&class) == Some(&None) {
            let pointer = format!("/memoryPolicy/{PER_CLASS}/{}", class.as_str());
            error(
                ProblemCode::IndefiniteRetention,
                &pointer,
                "must be a number of days; a person's data is not kept for ever",
            );
        }
    }
    problems
}

/// Values that would have no effect. They are errors, and no document with one is signed; documents that were signed
/// before this was checked still open.
fn check_ignored(document: &PersonaDocument) -> Vec<Problem> {
    let policy = &document.memory_policy;
    let mut problems = Vec::new();
    let mut error = |code, pointer: &str, message: String| {
        problems.push(Problem::error(code, format!("/memoryPolicy/{pointer}"), message));
    };
    if policy.creation_policy.salience_classifier_version != CreationPolicy::BUILT_IN_VERSION {
        let message = "is not a known version of the classifier; the built-in one is `v.01`";
        error(ProblemCode::UnknownClassifier, "creationPolicy/salienceClassifierVersion", message.to_owned());
    }
    if !policy.audit_policy.log_creation {
        let message = "can't be false: every creation is one event of the audit log, so that the log proves what was kept";
        error(ProblemCode::CreationAlwaysLogged, "auditPolicy/logCreation", message.to_owned());
    }
    for (class, days) in &policy.retention_policy.per_privacy_class {
        if *days == Some(0) {
            let message = "must be at least 1: with 0 days every memory of this class would be past its \
                           retention when it is formed";
            error(ProblemCode::ZeroRetention, &format!("{PER_CLASS}/{}", class.as_str()), message.to_owned());
        }
    }
    let (asked, most) = (policy.right_to_be_forgotten_sla, ForgettingDeadlines::LATEST);
    for (name, asked, most, what) in [
        ("acknowledgmentHours", asked.acknowledgment_hours, most.acknowledgment_hours, "acknowledged"),
        ("completionHours", asked.completion_hours, most.completion_hours, "completed"),
    ] {
        if asked > most {
            let message =
                format!("must be at most {most}: a request to be forgotten is {what} by then in any case");
            error(ProblemCode::DeadlineTooLate, &format!("rightToBeForgottenSla/{name}"), message);
        }
    }
    if asked.completion_hours < asked.acknowledgment_hours {
        let message =
            "must not be below `acknowledgmentHours`: a request is acknowledged before it is completed";
        error(ProblemCode::DeadlineTooLate, "rightToBeForgottenSla/completionHours", message.to_owned());
    }
    let profiles = [Kind::Episodic, Kind::Semantic, Kind::Procedural].map(|kind| policy.decay_profile(kind));
    if let Some(profile) =
        profiles.iter().find(|profile| policy.retrieval_threshold < profile.minimum_salience)
    {
        let least = profile.minimum_salience.get();
        let message =
            format!("must not be below `minimumSalience` ({least}), under which memories are archived");
        error(ProblemCode::ThresholdBelowMinimum, "retrievalThreshold", message);
    }
    problems
}

/// Whether a problem is a value without an effect, as [`check_ignored`] reports them.
fn is_without_effect(problem: &Problem) -> bool {
    let ignored = [
        ProblemCode::UnknownClassifier,
        ProblemCode::CreationAlwaysLogged,
        ProblemCode::DeadlineTooLate,
        ProblemCode::ThresholdBelowMinimum,
        ProblemCode::ZeroRetention,
    ];
    ignored.contains(&problem.code)
        && problem.pointer.starts_with("/memoryPolicy/")
        && !problem.pointer.ends_with("/salienceClassifier")
}

fn check_policy(
    document: &PersonaDocument,
    atoms: &[(String, Atom)],
    given: &ValidationContext<'_>,
) -> Vec<Problem> {
    let policy = &document.memory_policy;
    let active = atoms.iter().filter(|(_, atom)| atom.redaction_status == RedactionStatus::Active).count();
    let mut problems = Vec::new();
    if active > usize::try_from(policy.max_atoms).unwrap_or(usize::MAX) {
        let message = format!("has {active} active memories, more than `maxAtoms` {}", policy.max_atoms);
        problems.push(Problem::error(ProblemCode::TooManyAtoms, "/memory", message));
    }
    // Consents are in the store, not in the document; a missing one is not a problem of the document.
    let consents = ConsentsOnRecord::default();
    let circumstances = Circumstances {
        persona: document,
        consents: &consents,
        is_signed: true,
        added_bases: given.added_bases,
        restores_forgotten: None,
        active_atoms: 0,
        pinned_atoms: 0,
        can_archive: true,
    };
    for (at, atom) in atoms {
        problems.extend(check_admission(at, atom, &circumstances));
        problems.extend(check_minimum(policy, atom).map(|problem| problem.below(at)));
        if lifecycle::retention_ends(atom, policy, None).is_some_and(|end| given.now > end)
            && !atom.audit_hold
        {
            let message = format!("is older than the retention of {}", atom.privacy_class.as_str());
            problems.push(Problem::error(ProblemCode::PastRetention, child(at, "createdAt"), message));
        }
    }
    problems
}

/// The problem of a memory whose own decay profile archives it while it is still recalled. One with the policy's profile
/// is a matter of the policy.
#[must_use]
pub fn check_minimum(policy: &MemoryPolicy, atom: &Atom) -> Option<Problem> {
    let own = atom.decay_profile;
    let is_above =
        policy.retrieval_threshold < own.minimum_salience && own != policy.decay_profile(atom.kind);
    is_above.then(|| {
        let most = policy.retrieval_threshold.get();
        let message = format!("must not be above `memoryPolicy.retrievalThreshold` ({most})");
        Problem::error(ProblemCode::ThresholdBelowMinimum, "/decayProfile/minimumSalience", message)
    })
}

/// Whether the atom could be created today; a document must not contain atoms its policy would refuse.
fn check_admission(at: &str, atom: &Atom, circumstances: &Circumstances<'_>) -> Option<Problem> {
    let refusal = admit(atom, circumstances).err()?;
    let (code, field) = match refusal {
        CreationRefusal::SalienceTooLow => (ProblemCode::BelowCreationFloor, "salience"),
        CreationRefusal::ConsentBasisRequired => (ProblemCode::ConsentBasisRequired, "consentBasis"),
        CreationRefusal::ConsentBasisUnknown => (ProblemCode::ConsentBasisUnknown, "consentBasis"),
        CreationRefusal::SubjectRequired => (ProblemCode::SubjectRequired, "subject"),
        CreationRefusal::SensitiveForbidden => (ProblemCode::SensitiveForbidden, "privacyClass"),
        CreationRefusal::ForeignDeployment => (ProblemCode::ForeignDeployment, "provenance/deploymentDid"),
        CreationRefusal::MemoryDisabled
        | CreationRefusal::DocumentUnsigned
        | CreationRefusal::ConsentNotOnRecord
        | CreationRefusal::IdTombstoned
        | CreationRefusal::SubjectErased
        | CreationRefusal::MemoryFull
        | CreationRefusal::TooManyPins => return None,
    };
    Some(Problem::error(code, format!("{at}/{field}"), refusal.to_string()))
}
