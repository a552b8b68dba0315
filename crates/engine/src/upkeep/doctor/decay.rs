//! Personas made before there were policy templates: what a template would change, and the change itself.

use domain::{
    Atom, DecayDefaults, DecayProfile, EventKind, MemoryId, MemoryPolicy, PersonaDocument, RedactionStatus,
    template,
};
use serde_json::Value;
use store::{Batch, Change, Deployment, EventDraft, Mark, PersonaEntry, Records};
use wire::doctor::{Check, DecayUpdate, PolicyChange, UpdateDecay, UpdateDecayAnswer};
use wire::{Code, Problem};

use crate::call::Call;
use crate::persona::registry::PersonaContext;
use crate::persona::update::SIGNED_POLICY;
use crate::{Engine, boxed};

/// How many memories are changed in one commit.
const AT_ONCE: usize = 500;

/// What would change in one persona.
struct DecayChanges {
    document: Option<(domain::Template, PersonaDocument)>,
    memories: Vec<(MemoryId, DecayProfile)>,
}

impl Engine {
    /// Writes templates into documents made before there were any, and half-lives by kind into their
    /// memories; or only says what would change.
    #[boxed]
    pub async fn update_decay(&self, call: &Call, asked: UpdateDecay) -> Result<UpdateDecayAnswer, Problem> {
        let mut personas = Vec::new();
        for entry in self.store.personas(&call.caller.tenant).await? {
            if asked.persona.as_ref().is_none_or(|only| *only == entry.name) {
                personas.extend(self.update_decay_of(call, &entry, &asked).await);
            }
        }
        if let Some(named) = &asked.persona
            && self.store.persona_named(&call.caller.tenant, named).await?.is_none()
        {
            let detail = format!("no persona `{named}`; see `selfhood persona list`");
            return Err(Problem::new(Code::PersonaNotFound, detail));
        }
        Ok(UpdateDecayAnswer { dry_run: asked.dry_run, personas })
    }

    /// A persona that can't be read or changed is reported, and the others continue.
    async fn update_decay_of(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        asked: &UpdateDecay,
    ) -> Option<DecayUpdate> {
        let refused = |problem: Problem| DecayUpdate {
            persona: entry.name.clone(),
            template: None,
            changes: Vec::new(),
            memories: 0,
            refused: Some(problem.detail),
        };
        let (persona, offer) = match self.offer(call, entry).await {
            Ok(offered) => offered,
            Err(problem) => return Some(refused(problem)),
        };
        if offer.is_empty() {
            return None;
        }
        let update = offer.described(&persona);
        if asked.dry_run {
            return Some(update);
        }
        match self.accept(call, &persona, offer).await {
            Ok(()) => Some(update),
            Err(problem) => Some(refused(problem)),
        }
    }

    async fn offer(
        &self,
        call: &Call,
        entry: &PersonaEntry,
    ) -> Result<(PersonaContext, DecayChanges), Problem> {
        let persona = self.persona_context(call, entry).await?;
        let offered = template::offered(&persona.loaded.document);
        let document = offered.map(|(template, memory_policy)| {
            (template, PersonaDocument { memory_policy, ..persona.loaded.document.clone() })
        });
        if document.is_some() && !persona.loaded.is_signed {
            return Err(domain::creation::CreationRefusal::DocumentUnsigned.into());
        }
        let policy = document.as_ref().map_or(&persona.loaded.document, |(_, new)| new);
        let memories = match policy.memory_policy.decay_defaults {
            Some(defaults) => self.undecided(entry, &defaults).await?,
            None => Vec::new(),
        };
        Ok((persona, DecayChanges { document, memories }))
    }

    /// The memories with the old common half-life, although their kind has another one.
    async fn undecided(
        &self,
        entry: &PersonaEntry,
        defaults: &DecayDefaults,
    ) -> Result<Vec<(MemoryId, DecayProfile)>, Problem> {
        let scope = entry.scope();
        self.flush_writes(&scope).await?;
        let loaded = self.store.load(&scope).await?;
        let changed = |atom: &Atom| {
            let profile = defaults.of(atom.kind);
            let was_made_alike = atom.decay_profile == DecayProfile::default();
            let is_changed = was_made_alike
                && profile != atom.decay_profile
                && atom.redaction_status == RedactionStatus::Active
                && atom.archived_at.is_none();
            is_changed.then_some((atom.id, profile))
        };
        Ok(loaded.atoms.iter().filter_map(|stored| changed(&stored.atom)).collect())
    }

    async fn accept(
        &self,
        call: &Call,
        persona: &PersonaContext,
        offer: DecayChanges,
    ) -> Result<(), Problem> {
        if let Some((_, document)) = &offer.document {
            self.write_signed(call, persona, document, SIGNED_POLICY).await?;
        }
        let scope = persona.entry.scope();
        for some in offer.memories.chunks(AT_ONCE) {
            let mut batch = Batch::at(call.now);
            for (id, profile) in some {
                let event = EventDraft::new(EventKind::MemoryDecayChanged, call.caller.actor.clone());
                batch = batch.with(Change::MarkAtom(*id, Mark::Decay(*profile))).with_event(event.about(id));
            }
            self.store.commit(&scope, batch).await?;
        }
        Ok(())
    }

    /// Whether a persona still has the decay from before the templates.
    pub(super) async fn examine_decay(&self, call: &Call, entry: &PersonaEntry) -> Option<Check> {
        let (persona, offer) = self.offer(call, entry).await.ok()?;
        if offer.is_empty() {
            return None;
        }
        let update = offer.described(&persona);
        let detail = match update.template {
            Some(template) => format!(
                "its document was made before there were templates: everything has a half-life of 14 days; \
                the template \
                 `{}` would change {} values of it, and the half-life of {} of its memories",
                template.as_str(),
                update.changes.len(),
                update.memories
            ),
            None => format!(
                "memories with a half-life of 14 days, although their kind has another: {}",
                update.memories
            ),
        };
        let way_out =
            "see what would change with `selfhood doctor --fix`; `selfhood doctor --fix --yes` changes it";
        Some(Check::warn("decay", detail, way_out))
    }
}

impl DecayChanges {
    fn is_empty(&self) -> bool {
        self.document.is_none() && self.memories.is_empty()
    }

    fn described(&self, persona: &PersonaContext) -> DecayUpdate {
        let old = &persona.loaded.document.memory_policy;
        let changes = self.document.as_ref().map(|(_, new)| differences(old, &new.memory_policy));
        DecayUpdate {
            persona: persona.entry.name.clone(),
            template: self.document.as_ref().map(|(template, _)| *template),
            changes: changes.unwrap_or_default(),
            memories: self.memories.len(),
            refused: None,
        }
    }
}

/// The values in which two policies differ.
fn differences(old: &MemoryPolicy, new: &MemoryPolicy) -> Vec<PolicyChange> {
    let as_value = |policy: &MemoryPolicy| serde_json::to_value(policy).unwrap_or_default();
    let mut changes = Vec::new();
    compare(&as_value(old), &as_value(new), String::new(), &mut changes);
    changes
}

fn compare(old: &Value, new: &Value, pointer: String, changes: &mut Vec<PolicyChange>) {
    if let (Value::Object(before), Value::Object(after)) = (old, new) {
        for (name, value) in after {
            let was = before.get(name).unwrap_or(&Value::Null);
            compare(was, value, format!("{pointer}/{name}"), changes);
        }
    } else if old != new {
        changes.push(PolicyChange { pointer, from: old.clone(), to: new.clone() });
    }
}
