//! Updates a persona, and signs its document.

use domain::{EventKind, Identity, MemoryPolicy, Seed, Severity, Text, policy_patch};
use serde_json::Value;
use store::{Batch, DocumentName, Documents, EventDraft, Records};
use wire::change::Change;
use wire::key::KeyScope;
use wire::persona::{PersonaAnswer, UpdatePersona};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, Caller, PersonaKey};
use crate::persona::face::NewFace;
use crate::persona::registry::PersonaContext;
use crate::persona::show::portray;
use crate::persona::templates as template;
use crate::{Engine, boxed};

/// The events of a signed document, and of one whose policy changed.
const SIGNED: &[EventKind] = &[EventKind::PersonaSigned];
pub(crate) const SIGNED_POLICY: &[EventKind] = &[EventKind::PersonaSigned, EventKind::PolicyChanged];

impl Engine {
    /// Changes the given values and signs the document again; refused while a manual edit is unsigned.
    #[boxed]
    pub async fn update_persona(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: UpdatePersona,
    ) -> Result<PersonaAnswer, Problem> {
        if let Some(tenant) = &asked.tenant_id {
            self.check_tenant(call, tenant).await?;
        }
        let persona = self.find(call, key).await?;
        let before = &persona.loaded.document;
        let policy =
            asked.memory_policy.as_ref().map(|patch| merged(&before.memory_policy, patch)).transpose()?;
        check_policy_scopes(&call.caller, &asked, policy.as_ref(), before)?;
        if !persona.loaded.is_signed {
            return Err(domain::creation::CreationRefusal::DocumentUnsigned.into());
        }
        let mut document = before.clone();
        let identity = &mut document.identity;
        if let Change::Remove = asked.seed {
            identity.seed = None;
        }
        if let Change::Set(patch) = asked.seed {
            let seed = patch.over(identity.seed.as_ref()).ok_or_else(incomplete_seed)?;
            let was_generated =
                identity.seed.as_ref().is_some_and(|old| identity.display_name == full_name(old));
            if was_generated {
                identity.display_name = full_name(&seed);
            }
            identity.seed = Some(seed);
        }
        identity.display_name =
            asked.display_name.unwrap_or_else(|| std::mem::take(&mut identity.display_name));
        identity.timezone = asked.timezone.unwrap_or_else(|| std::mem::take(&mut identity.timezone));
        identity.language = asked.language.unwrap_or_else(|| std::mem::take(&mut identity.language));
        NewFace { emoji: asked.emoji, greeting: asked.greeting, picture: asked.picture }
            .write(&mut document)?;
        let events = if policy.is_some() { SIGNED_POLICY } else { SIGNED };
        document.memory_policy = policy.unwrap_or(document.memory_policy);
        document.compliance_profiles = asked.compliance_profiles.unwrap_or(document.compliance_profiles);
        document.safety_tier = asked.safety_tier.unwrap_or(document.safety_tier);
        self.write_signed(call, &persona, &document, events).await?;
        self.rewrite_identity(&persona, &document.identity).await?;
        let persona = self.find(call, key).await?;
        Ok(PersonaAnswer { persona: portray(&persona) })
    }

    /// Rewrites the lines of IDENTITY.md that were generated from the facts and not edited since.
    async fn rewrite_identity(&self, persona: &PersonaContext, after: &Identity) -> Result<(), Problem> {
        let before = &persona.loaded.document.identity;
        let Some(old) = &before.seed else { return Ok(()) };
        let described = after.seed.as_ref().map(Seed::summary).unwrap_or_default();
        let scope = persona.entry.scope();
        let Some(file) = self.store.read(&scope, DocumentName::Identity).await? else {
            return Ok(());
        };
        let old = template::identity(&before.display_name, &old.summary());
        let new = template::identity(&after.display_name, &described);
        let changed: Vec<(&str, &str)> =
            old.lines().zip(new.lines()).filter(|(old, new)| old != new).collect();
        let renewed = |line: &str| {
            let known = changed.iter().find(|(old, _)| *old == line.trim_end());
            known.map_or_else(|| line.to_owned(), |(_, new)| (*new).to_owned())
        };
        let text: String = file.content.as_str().lines().map(|line| renewed(line) + "\n").collect();
        if text.trim_end() == file.content.as_str().trim_end() {
            return Ok(());
        }
        let written =
            self.store.write(&scope, DocumentName::Identity, Some(file.hash), Text::new(text)).await;
        written.map(drop).map_err(Problem::from)
    }

    /// Signs the current document, so that a persona edited by hand has its memory back.
    #[boxed]
    pub async fn sign_persona(&self, call: &Call, key: &PersonaKey) -> Result<PersonaAnswer, Problem> {
        let persona = self.find(call, key).await?;
        if !persona.loaded.is_signed {
            self.write_signed(call, &persona, &persona.loaded.document, SIGNED).await?;
        }
        let persona = self.find(call, key).await?;
        Ok(PersonaAnswer { persona: portray(&persona) })
    }

    /// Writes `document`, signed with the operator key, if it is valid. `events` say what was done.
    pub(crate) async fn write_signed(
        &self,
        call: &Call,
        persona: &PersonaContext,
        document: &domain::PersonaDocument,
        events: &[EventKind],
    ) -> Result<(), Problem> {
        let text = self.signed(document, call.now)?;
        let value = serde_json::from_str(text.as_str()).unwrap_or_default();
        let given = domain::validate::ValidationContext { now: call.now, added_bases: &self.consent.added };
        let problems = domain::validate::validate(&value, &given);
        if !domain::validate::is_valid(&problems) {
            let errors = problems.into_iter().filter(|problem| problem.severity == Severity::Error);
            return Err(wire::read::invalid(errors.map(Pointed::from).collect()));
        }
        let scope = persona.entry.scope();
        let event = |kind| EventDraft::new(kind, call.caller.actor.clone()).about(persona.entry.id);
        let batch = events.iter().fold(Batch::at(call.now), |batch, kind| batch.with_event(event(*kind)));
        // The document first: an event without its change would be wrong, while a change without its event
        // shows as unsigned.
        self.store.write(&scope, DocumentName::Persona, Some(persona.loaded.hash), text).await?;
        self.persona_state.reload(persona.entry.id);
        self.store.commit(&scope, batch).await?;
        self.request_sweep(&persona.entry.tenant, call.now).await
    }
}

/// The policy with `patch` applied. Absent values stay.
fn merged(before: &MemoryPolicy, patch: &Value) -> Result<MemoryPolicy, Problem> {
    let invalid = |problems: Vec<domain::Problem>| {
        wire::read::invalid(problems.into_iter().map(Pointed::from).collect())
    };
    let mut policy = serde_json::to_value(before).unwrap_or_default();
    policy_patch::merge(&mut policy, patch).map_err(invalid)?;
    let broken = domain::structure::check(&wire::schema::of::<MemoryPolicy>(), &policy);
    if !broken.is_empty() {
        let within = |problem: domain::Problem| domain::Problem {
            pointer: format!("/memoryPolicy{}", problem.pointer),
            ..problem
        };
        return Err(invalid(broken.into_iter().map(within).collect()));
    }
    serde_json::from_value(policy).map_err(|error| {
        wire::read::invalid(vec![Pointed { pointer: "/memoryPolicy".to_owned(), detail: error.to_string() }])
    })
}

fn incomplete_seed() -> Problem {
    let detail = "the persona was not made from facts, so all of them are needed: firstName, lastName, age, location \
                  and baseOccupation";
    wire::read::invalid(vec![Pointed { pointer: "/seed".to_owned(), detail: detail.to_owned() }])
}

/// The full name of a persona made from facts.
pub(crate) fn full_name(seed: &Seed) -> String {
    format!("{} {}", seed.first_name, seed.last_name)
}

/// What a persona may remember, and for how long, is an operator's decision: it needs `admin`, and `erase`
/// too if memories would be destroyed sooner.
fn check_policy_scopes(
    caller: &Caller,
    asked: &UpdatePersona,
    policy: Option<&MemoryPolicy>,
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
    let shortens =
        policy.is_some_and(|policy| policy.retention_policy.shortens(&before.memory_policy.retention_policy));
    if shortens && !caller.may(KeyScope::Erase) {
        let detail =
            "a shorter retention destroys memories sooner, so it needs a key with the scope `erase` too";
        return Err(Problem::new(Code::Forbidden, detail));
    }
    Ok(())
}
