//! `GET /v1/personas/{p}/validation`: checks a persona's document, and its memories against its policy.

use domain::Atom;
use domain::validate::{ValidationContext, validate, validate_stored};
use store::Records;
use wire::Problem;
use wire::persona::Validation;

use crate::call::{Call, PersonaKey};
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

impl Engine {
    /// Every rule that a persona's document or one of its memories violates.
    #[boxed]
    pub async fn validate_persona(&self, call: &Call, key: &PersonaKey) -> Result<Validation, Problem> {
        let persona = self.find(call, key).await?;
        let given = ValidationContext { now: call.now, added_bases: &self.consent.added };
        let document = serde_json::to_value(&persona.loaded.document).unwrap_or_default();
        let mut problems = validate(&document, &given);
        problems.extend(self.stored_problems(&persona, call.now).await?);
        Ok(Validation { problems })
    }

    /// The problems of the memories in a persona's store.
    pub(crate) async fn stored_problems(
        &self,
        persona: &PersonaContext,
        now: domain::Timestamp,
    ) -> Result<Vec<domain::Problem>, Problem> {
        let loaded = self.store.load(&persona.entry.scope()).await?;
        let atoms: Vec<Atom> = loaded.atoms.into_iter().map(|stored| stored.atom).collect();
        let given = ValidationContext { now, added_bases: &self.consent.added };
        Ok(validate_stored(&persona.loaded.document, &atoms, &given))
    }
}
