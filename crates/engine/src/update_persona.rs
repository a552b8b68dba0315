//! Changing a persona, and signing its document.

use domain::EventKind;
use store::{Batch, DocumentName, Documents, EventDraft, Records};
use wire::key::KeyScope;
use wire::persona::{PersonaAnswer, UpdatePersona};
use wire::{Code, Pointed, Problem};

use crate::Engine;
use crate::call::{Call, Caller, PersonaKey};
use crate::face::NewFace;
use crate::failure::told;
use crate::personas::Found;
use crate::show_persona::portray;

impl Engine {
    /// Changes what is given and signs the document anew; refused while an edit by hand is unsigned.
    pub async fn update_persona(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: UpdatePersona,
    ) -> Result<PersonaAnswer, Problem> {
        if let Some(tenant) = &asked.tenant_id {
            self.check_tenant(call, tenant).await?;
        }
        let found = self.find(call, key).await?;
        check_policy_scopes(&call.caller, &asked, &found.standing.document)?;
        if !found.standing.is_signed {
            return Err(domain::creation::CreationRefusal::DocumentUnsigned.into());
        }
        let mut document = found.standing.document.clone();
        let identity = &mut document.identity;
        identity.seed = asked.seed.or_else(|| identity.seed.take());
        identity.display_name =
            asked.display_name.unwrap_or_else(|| std::mem::take(&mut identity.display_name));
        identity.timezone = asked.timezone.unwrap_or_else(|| std::mem::take(&mut identity.timezone));
        identity.language = asked.language.unwrap_or_else(|| std::mem::take(&mut identity.language));
        NewFace { emoji: asked.emoji, greeting: asked.greeting, picture: asked.picture }
            .write(&mut document)?;
        let policy_changed = asked.memory_policy.is_some();
        document.memory_policy = asked.memory_policy.unwrap_or(document.memory_policy);
        document.compliance_profiles = asked.compliance_profiles.unwrap_or(document.compliance_profiles);
        document.safety_tier = asked.safety_tier.unwrap_or(document.safety_tier);
        self.write_signed(call, &found, &document, policy_changed).await?;
        let found = self.find(call, key).await?;
        Ok(PersonaAnswer { persona: portray(&found) })
    }

    /// Signs the document as it is, so that a persona edited by hand remembers again.
    pub async fn sign_persona(&self, call: &Call, key: &PersonaKey) -> Result<PersonaAnswer, Problem> {
        let found = self.find(call, key).await?;
        if !found.standing.is_signed {
            self.write_signed(call, &found, &found.standing.document, false).await?;
        }
        let found = self.find(call, key).await?;
        Ok(PersonaAnswer { persona: portray(&found) })
    }

    /// Writes `document`, signed with the operator key, if it obeys its rules.
    pub(crate) async fn write_signed(
        &self,
        call: &Call,
        found: &Found,
        document: &domain::PersonaDocument,
        policy_changed: bool,
    ) -> Result<(), Problem> {
        let text = self.signed(document, call.now)?;
        let value = serde_json::from_str(text.as_str()).unwrap_or_default();
        let given = domain::validate::Given { now: call.now, added_bases: &self.consent.added };
        let problems = domain::validate::validate(&value, &given);
        if !domain::validate::is_usable(&problems) {
            let errors = problems.into_iter().map(Pointed::from).collect();
            return Err(wire::read::invalid(errors));
        }
        let scope = found.entry.scope();
        let event = |kind| EventDraft::new(kind, call.caller.actor.clone()).about(found.entry.id);
        let mut batch = Batch::at(call.now).saying(event(EventKind::PersonaSigned));
        if policy_changed {
            batch = batch.saying(event(EventKind::PolicyChanged));
        }
        // The document first: an event without its change would be a lie, a change without its event is seen as unsigned.
        let written = self.store.write(&scope, DocumentName::Persona, Some(found.standing.hash), text).await;
        written.map_err(told)?;
        self.standings.forget(found.entry.id);
        self.personas.close(found.entry.id);
        self.store.commit(&scope, batch).await.map_err(told)?;
        Ok(())
    }
}

/// What a persona may remember, and for how long, is an operator's decision: `admin`, and `erase` besides
/// where memories would be destroyed sooner.
fn check_policy_scopes(
    caller: &Caller,
    asked: &UpdatePersona,
    before: &domain::PersonaDocument,
) -> Result<(), Problem> {
    let governed = [
        ("memoryPolicy", asked.memory_policy.is_some()),
        ("safetyTier", asked.safety_tier.is_some()),
        ("complianceProfiles", asked.compliance_profiles.is_some()),
    ];
    if let Some((member, _)) = governed.iter().find(|(_, is_asked)| *is_asked)
        && !caller.may(KeyScope::Admin)
    {
        let detail = format!("changing `{member}` needs a key with the scope `admin`");
        return Err(Problem::new(Code::Forbidden, detail));
    }
    let shortens = asked
        .memory_policy
        .as_ref()
        .is_some_and(|policy| policy.retention_policy.shortens(&before.memory_policy.retention_policy));
    if shortens && !caller.may(KeyScope::Erase) {
        let detail =
            "a shorter retention destroys memories sooner, so it needs a key with the scope `erase` too";
        return Err(Problem::new(Code::Forbidden, detail));
    }
    Ok(())
}
