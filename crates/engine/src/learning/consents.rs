//! `/v1/personas/{p}/subjects/{s}/consents`: the consents a subject has given to a persona.
//!
//! The register is a sealed document of the subject, so erasure destroys it, and exports, backups and store
//! copies include it. Every creation of a sensitive memory reads it through [`Engine::recorded_consents`].

use std::collections::BTreeSet;

use domain::{
    Atom, ConsentBasis, ConsentRegister, ConsentsOnRecord, EventKind, PrivacyClass, SubjectConsent,
    SubjectRef,
};
use serde_json::json;
use store::{Batch, Change, DocumentHash, DocumentName, EventDraft, Expect, Records, Scope};
use wire::consent::{ConsentList, ConsentWithdrawal, GiveConsent};
use wire::{Pointed, Problem};

use crate::call::{Call, PersonaKey};
use crate::persona::registry::PersonaContext;
use crate::retry::retry_conflicts;
use crate::{Engine, boxed};

/// A register as it was read.
pub(crate) struct StoredRegister {
    pub(crate) register: ConsentRegister,
    hash: Option<DocumentHash>,
}

/// The registers that a decision about new memories depends on.
#[derive(Default)]
pub(crate) struct RecordedConsents {
    pub(crate) on_record: ConsentsOnRecord,
    /// Preconditions: none of them has changed when the memories are stored.
    pub(crate) expect: Vec<Expect>,
}

impl Engine {
    /// Records a consent. No effect if it is already recorded.
    #[boxed]
    pub async fn give_consent(
        &self,
        call: &Call,
        key: &PersonaKey,
        subject: SubjectRef,
        asked: GiveConsent,
    ) -> Result<ConsentList, Problem> {
        let persona = self.find(call, key).await?;
        let subject = self.consenting_subject(call, &persona, subject).await?;
        self.check_consent(&asked)?;
        let consent = SubjectConsent {
            basis: asked.basis,
            classes: asked.classes,
            how: asked.how.trimmed(),
            given_at: call.now,
            withdrawn_at: None,
        };
        let register = self.record_consent(call, &persona, &subject, &consent).await?;
        Ok(ConsentList { data: register.consents().to_vec() })
    }

    /// The consents of a subject, including withdrawn ones.
    #[boxed]
    pub async fn list_consents(
        &self,
        call: &Call,
        key: &PersonaKey,
        subject: SubjectRef,
    ) -> Result<ConsentList, Problem> {
        let persona = self.find(call, key).await?;
        let subject = self.consenting_subject(call, &persona, subject).await?;
        let stored = self.consent_register(&persona.entry.scope(), &subject).await?;
        Ok(ConsentList { data: stored.register.consents().to_vec() })
    }

    /// Withdraws every consent of a subject to one persona. Memories that depend on it are hidden from now
    /// on.
    #[boxed]
    pub async fn withdraw_consents(
        &self,
        call: &Call,
        key: &PersonaKey,
        subject: SubjectRef,
    ) -> Result<ConsentWithdrawal, Problem> {
        let persona = self.find(call, key).await?;
        let subject = self.consenting_subject(call, &persona, subject).await?;
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        let memories = self.withdraw_from_persona(call, &persona.entry, &subject).await?;
        let stored = self.consent_register(&scope, &subject).await?;
        Ok(ConsentWithdrawal { data: stored.register.consents().to_vec(), memories })
    }

    /// Adds `consent` to the register of `subject`, with its audit event.
    pub(crate) async fn record_consent(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: &SubjectRef,
        consent: &SubjectConsent,
    ) -> Result<ConsentRegister, Problem> {
        retry_conflicts(|| self.record_consent_once(call, persona, subject, consent)).await
    }

    async fn record_consent_once(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: &SubjectRef,
        consent: &SubjectConsent,
    ) -> Result<ConsentRegister, Problem> {
        let scope = persona.entry.scope();
        let mut stored = self.consent_register(&scope, subject).await?;
        if !stored.register.give(consent.clone()) {
            return Ok(stored.register);
        }
        let event = EventDraft::new(EventKind::ConsentGiven, call.caller.actor.clone())
            .about(class_names(&consent.classes))
            .privately(Some(subject.clone()), json!({ "basis": consent.basis, "how": consent.how }).into());
        let batch = stored.write(subject, Batch::at(call.now)).with_event(event);
        self.store.commit(&scope, batch).await?;
        Ok(stored.register)
    }

    /// The consents of `subject`, with the hash of the document they were read from.
    pub(crate) async fn consent_register(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
    ) -> Result<StoredRegister, Problem> {
        let document = self.store.subject_document(scope, subject, DocumentName::Consents).await?;
        let text = document.as_ref().map_or("", |document| document.content.as_str());
        Ok(StoredRegister {
            register: ConsentRegister::parse(text),
            hash: document.map(|document| document.hash),
        })
    }

    /// The registers of the subjects of those `atoms` that need a recorded consent.
    pub(crate) async fn recorded_consents(
        &self,
        scope: &Scope,
        atoms: impl IntoIterator<Item = &Atom> + Send,
    ) -> Result<RecordedConsents, Problem> {
        let sensitive = atoms.into_iter().filter(|atom| atom.privacy_class == PrivacyClass::SensitivePii);
        let subjects: BTreeSet<SubjectRef> = sensitive.filter_map(|atom| atom.subject.clone()).collect();
        let (mut registers, mut expect) = (Vec::new(), Vec::new());
        for subject in subjects {
            let stored = self.consent_register(scope, &subject).await?;
            expect.push(stored.unchanged(&subject));
            registers.push((subject, stored.register));
        }
        Ok(RecordedConsents { on_record: registers.into_iter().collect(), expect })
    }

    /// Whether `subject` has consented to storing sensitive memories.
    pub(crate) async fn has_consented_to_sensitive(
        &self,
        scope: &Scope,
        subject: &SubjectRef,
    ) -> Result<bool, Problem> {
        let stored = self.consent_register(scope, subject).await?;
        Ok(stored.register.covers(&ConsentBasis::explicit_consent(), PrivacyClass::SensitivePii))
    }

    /// Refuses a basis without consent, classes that identify nobody, and empty text.
    fn check_consent(&self, asked: &GiveConsent) -> Result<(), Problem> {
        let mut errors = Vec::new();
        let mut error = |pointer: &str, detail: &str| {
            errors.push(Pointed { pointer: pointer.to_owned(), detail: detail.to_owned() });
        };
        if asked.basis != ConsentBasis::explicit_consent() && !self.consent.added.contains(&asked.basis) {
            error("/basis", "must be `explicit-consent`, or a basis that `[consent]` in selfhood.toml adds");
        }
        if asked.classes.iter().any(|class| !class.is_pii()) {
            error("/classes", "must be among `guest-pii`, `staff-pii` and `sensitive-pii`");
        }
        if asked.how.trimmed().length() == 0 {
            error("/how", "must have at least 1 character that isn't a space");
        }
        if errors.is_empty() { Ok(()) } else { Err(wire::read::invalid(errors)) }
    }
}

impl StoredRegister {
    /// `batch` with this register written, on condition that it hasn't changed.
    pub(crate) fn write(&self, subject: &SubjectRef, batch: Batch) -> Batch {
        let put = Change::PutDocument(subject.clone(), DocumentName::Consents, self.register.to_text());
        batch.expecting(self.unchanged(subject)).with(put)
    }

    fn unchanged(&self, subject: &SubjectRef) -> Expect {
        Expect::DocumentHash(subject.clone(), DocumentName::Consents, self.hash)
    }
}

/// The classes of a consent as written in the audit log.
pub(crate) fn class_names(classes: &BTreeSet<PrivacyClass>) -> String {
    let names: Vec<&str> = classes.iter().map(|class| class.as_str()).collect();
    names.join(",")
}
