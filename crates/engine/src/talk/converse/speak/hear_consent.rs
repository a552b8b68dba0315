//! Hears whether a message consents to keeping sensitive details, and records a consent that was confirmed.

use std::collections::BTreeSet;

use domain::creation::permits_sensitive;
use domain::{ConsentBasis, PrivacyClass, SubjectConsent, Text};
use store::Speaker;
use wire::Problem;

use super::ReplyInProgress;
use crate::cpu_pool::Cancellation;
use crate::talk::converse::offline::consent::{self, SpokenConsent};
use crate::talk::converse::record::Regeneration;

/// How a consent came about, as its register says.
const HOW: &str = "said so in conversation, and confirmed it";

impl ReplyInProgress {
    /// What the message says about consent, where the persona's policy lets consent have an effect. A yes to the
    /// question whether it is meant is recorded at once.
    pub(super) async fn hear_consent(&self) -> Result<SpokenConsent, Problem> {
        let persona = &self.prepared.persona;
        let may_ask = permits_sensitive(&persona.loaded.document) && persona.loaded.demand_memory().is_ok();
        let Some(recorded_turn) = self.recorded_turn.as_ref().filter(|_| may_ask) else {
            return Ok(SpokenConsent::Nothing);
        };
        let message = self.utterance.message.clone();
        let before = recorded_turn.before.last().filter(|turn| turn.speaker == Speaker::Persona);
        let language = self.spoken_language();
        // Another reply to an old yes must not bring a withdrawn consent back.
        if recorded_turn.again == Regeneration::None
            && before.is_some_and(|reply| consent::was_asked(reply.text.as_str()))
            && consent::is_confirmed(message.as_str(), language)
        {
            let consent = SubjectConsent {
                basis: ConsentBasis::explicit_consent(),
                classes: BTreeSet::from([PrivacyClass::SensitivePii]),
                how: Text::new(HOW),
                given_at: self.call.now,
                withdrawn_at: None,
            };
            self.engine.record_consent(&self.call, persona, &recorded_turn.session.subject, &consent).await?;
            return Ok(SpokenConsent::Given);
        }
        let encoder = self.engine.cue_encoder().cloned();
        let read = move |_: &Cancellation| consent::is_offered(message.as_str(), language, encoder.as_ref());
        if !self.engine.run_cpu_work(&self.call, read).await? {
            return Ok(SpokenConsent::Nothing);
        }
        let scope = persona.entry.scope();
        let is_given = self.engine.has_consented_to_sensitive(&scope, &recorded_turn.session.subject).await?;
        Ok(if is_given { SpokenConsent::Nothing } else { SpokenConsent::Offered })
    }
}
