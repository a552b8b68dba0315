//! How private words are that an agent wants kept: decided here, by the same laws as what is learnt in talk.

use domain::{ConsentBasis, PrivacyClass, Text};
use wire::Problem;

use crate::call::{Call, PersonaKey};
use crate::cpu_pool::{Cancellation, CpuOwner};
use crate::{Engine, boxed};

impl Engine {
    /// The privacy class of `words`, whatever their author thinks it is; `labels` can only make it sensitive. Off the
    /// async workers, because the sentence encoders take part.
    #[boxed]
    pub async fn class_of_words(
        &self,
        call: &Call,
        key: &PersonaKey,
        words: Text,
        labels: Text,
    ) -> Result<PrivacyClass, Problem> {
        let persona = self.find(call, key).await?;
        let owner = CpuOwner { tenant: persona.entry.tenant.clone(), persona: None };
        let language = persona.loaded.document.identity.language.clone();
        let encoders = self.cue_encoder().map(|encoder| encoder.encoders().clone());
        let judge = move |_: &Cancellation| {
            let class =
                |text: &Text| formation::privacy_class_of(text.as_str(), &language, encoders.as_ref());
            match class(&labels) {
                PrivacyClass::SensitivePii => PrivacyClass::SensitivePii,
                PrivacyClass::NonPii
                | PrivacyClass::Aggregate
                | PrivacyClass::CommercialConfidential
                | PrivacyClass::StaffPii
                | PrivacyClass::GuestPii => class(&words),
            }
        };
        Ok(self.cpu.run(owner, judge).await?)
    }

    /// The consent that a memory of this class rests on when its author names none.
    #[must_use]
    pub fn consent_basis_of(&self, class: PrivacyClass) -> ConsentBasis {
        match class {
            PrivacyClass::SensitivePii => ConsentBasis::explicit_consent(),
            PrivacyClass::GuestPii | PrivacyClass::StaffPii => self.consent.formation.clone(),
            PrivacyClass::NonPii | PrivacyClass::Aggregate | PrivacyClass::CommercialConfidential => {
                ConsentBasis::not_applicable()
            }
        }
    }
}
