//! Finds a persona, and keeps recently used ones open within a budget of bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::PersonaId;
use store::{Deployment, PersonaEntry, Scope};
use tokio::sync::OnceCell;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::persona::document::LoadedDocument;
use crate::persona::open::{OpenPersona, View};

/// The open personas.
pub(crate) struct OpenPersonas {
    slots: Mutex<HashMap<PersonaId, Slot>>,
    budget: usize,
}

struct Slot {
    /// Filled once by the first caller; the others wait for the same opening.
    persona: Arc<OnceCell<Arc<OpenPersona>>>,
    used: u64,
    bytes: usize,
}

impl OpenPersonas {
    pub(crate) fn within(budget: usize) -> Self {
        Self { slots: Mutex::default(), budget }
    }

    fn slot(&self, id: PersonaId) -> Arc<OnceCell<Arc<OpenPersona>>> {
        let mut slots = self.slots();
        let newest = slots.values().map(|slot| slot.used).max().unwrap_or(0) + 1;
        let slot = slots.entry(id).or_insert_with(|| Slot { persona: Arc::default(), used: 0, bytes: 0 });
        slot.used = newest;
        Arc::clone(&slot.persona)
    }

    /// Records the size of a persona that was just opened, and closes the least recently used ones.
    pub(crate) fn weigh(&self, id: PersonaId, bytes: usize) {
        let mut slots = self.slots();
        if let Some(slot) = slots.get_mut(&id) {
            slot.bytes = bytes;
        }
        while slots.len() > 1 && slots.values().map(|slot| slot.bytes).sum::<usize>() > self.budget {
            let others = slots.iter().filter(|(other, _)| **other != id);
            let Some(oldest) = others.min_by_key(|(_, slot)| slot.used).map(|(oldest, _)| *oldest) else {
                return;
            };
            slots.remove(&oldest);
        }
    }

    /// The persona, if it is open.
    pub(crate) fn if_open(&self, id: PersonaId) -> Option<Arc<OpenPersona>> {
        self.slots().get(&id).and_then(|slot| slot.persona.get().cloned())
    }

    /// Every persona that is open.
    pub(crate) fn all_open(&self) -> Vec<Arc<OpenPersona>> {
        self.slots().values().filter_map(|slot| slot.persona.get().cloned()).collect()
    }

    /// Closes a persona at once.
    pub(crate) fn close(&self, id: PersonaId) {
        self.slots().remove(&id);
    }

    /// Closes every persona, and waits for running recalls.
    pub(crate) async fn close_all(&self) {
        let open: Vec<Arc<OpenPersona>> =
            self.slots().drain().filter_map(|(_, slot)| slot.persona.get().cloned()).collect();
        for persona in open {
            drop(persona.recalling.write().await);
        }
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<PersonaId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A persona that a verb works on.
pub(crate) struct PersonaContext {
    pub(crate) entry: PersonaEntry,
    pub(crate) loaded: Arc<LoadedDocument>,
}

impl Engine {
    /// The persona that `key` names in the caller's tenant. Another tenant's is not found.
    pub(crate) async fn find(&self, call: &Call, key: &PersonaKey) -> Result<PersonaContext, Problem> {
        let entry = self.entry(call, key).await?;
        match self.load_document(&entry, call.now).await {
            Err(problem) if problem.code == Code::PersonaNotFound => {
                // Its folder may have been renamed.
                self.adopt_waiting(&call.caller.tenant, call.now).await?;
                let entry = self.entry(call, key).await?;
                self.persona_context(call, &entry).await
            }
            loaded => Ok(PersonaContext { entry, loaded: loaded? }),
        }
    }

    /// The context of a registered persona.
    pub(crate) async fn persona_context(
        &self,
        call: &Call,
        entry: &PersonaEntry,
    ) -> Result<PersonaContext, Problem> {
        let loaded = self.load_document(entry, call.now).await?;
        Ok(PersonaContext { entry: entry.clone(), loaded })
    }

    /// Updates the aliases of an open persona.
    pub(crate) async fn learn_aliases(&self, entry: &PersonaEntry) -> Result<(), Problem> {
        match self.persona_state.open.if_open(entry.id) {
            Some(open) => open.learn_aliases(&self.store).await.map_err(Problem::from),
            None => Ok(()),
        }
    }

    /// The registry entry of the persona that `key` names.
    pub(crate) async fn entry(&self, call: &Call, key: &PersonaKey) -> Result<PersonaEntry, Problem> {
        let tenant = &call.caller.tenant;
        let found = match key {
            PersonaKey::Name(name) => self.store.persona_named(tenant, name).await?,
            PersonaKey::Id(id) => self.store.persona_with_id(tenant, *id).await?,
        };
        let found = match (found, key) {
            (Some(entry), _) => Some(entry),
            (None, PersonaKey::Name(name)) if self.adopt(tenant, name, call.now).await? => {
                self.store.persona_named(tenant, name).await?
            }
            (None, _) => None,
        };
        match found.filter(|entry| call.caller.sees(entry.id)) {
            Some(entry) => Ok(entry),
            None => Err(self.unknown_persona(call, key).await),
        }
    }

    /// The personas visible to the caller: those of the tenant, or the one that the caller is bound to.
    pub(crate) async fn visible_personas(&self, call: &Call) -> Result<Vec<PersonaEntry>, Problem> {
        let mut personas = self.store.personas(&call.caller.tenant).await?;
        personas.retain(|entry| call.caller.sees(entry.id));
        Ok(personas)
    }

    /// The problem of an unknown name, with a similar name as a suggestion.
    pub(crate) async fn unknown_persona(&self, call: &Call, key: &PersonaKey) -> Problem {
        let PersonaKey::Name(typed) = key else { return nobody(key) };
        let known = self.visible_personas(call).await.unwrap_or_default();
        let names = known.iter().map(|entry| entry.name.as_str());
        match domain::nearest::nearest(typed.as_str(), names) {
            None => nobody(key),
            Some(meant) => {
                let detail =
                    format!("no persona `{key}`; did you mean `{meant}`? See `selfhood persona list`");
                Problem::new(Code::PersonaNotFound, detail)
            }
        }
    }

    /// Drops everything this process holds of a persona: its index, and conversations off the record.
    pub(crate) fn evict_persona(&self, id: PersonaId) {
        self.persona_state.open.close(id);
        self.talk_state.evict(id);
        self.job_state.evict(id);
    }

    /// Drops everything this process holds of all personas, because keys were destroyed on some node. Writes
    /// that wait after recalls are dropped too, since they may contain text of a forgotten person.
    pub(crate) async fn evict_all(&self) {
        self.persona_state.open.close_all().await;
        self.evict_encoded_texts().await;
        self.memory_state.discard_writes().await;
        self.talk_state.evict_all();
        self.job_state.evict_all();
        self.access_state.evict_all();
    }

    /// The open persona and its current view.
    pub(crate) async fn view(&self, persona: &PersonaContext) -> Result<(Arc<OpenPersona>, View), Problem> {
        let open = self.open(persona).await?;
        let view = open.view(&self.store).await?;
        self.encode_missing(&open);
        Ok((open, view))
    }

    /// The open persona.
    pub(crate) async fn open(&self, persona: &PersonaContext) -> Result<Arc<OpenPersona>, Problem> {
        let id = persona.entry.id;
        let slot = self.persona_state.open.slot(id);
        if let Some(open) = slot.get() {
            return Ok(Arc::clone(open));
        }
        let (store, scope, cpu) = (self.store.clone(), persona.entry.scope(), Arc::clone(&self.cpu));
        let language = persona.loaded.document.identity.language.clone();
        // A task of its own: if the caller is cancelled, the next one doesn't have to start again.
        let opening = tokio::spawn(async move {
            let opening = || async { OpenPersona::open(&store, scope, &language, cpu).await.map(Arc::new) };
            slot.get_or_try_init(opening).await.map(Arc::clone)
        });
        let open = opening.await.unwrap_or(Err(store::StoreError::Closed))?;
        self.persona_state.open.weigh(id, open.bytes().await);
        self.memory_state.encode_soon(id);
        Ok(open)
    }

    /// Waits for all running recalls of a persona, and commits what they wrote, or drops it if their memories
    /// are gone.
    pub(crate) async fn wait_for_recalls(&self, scope: &Scope) -> Result<(), Problem> {
        if let Some(open) = self.persona_state.open.if_open(scope.persona) {
            drop(open.recalling.write().await);
            self.evict_encoded_texts().await;
            // This removes destroyed memories from the index.
            open.view(&self.store).await?;
            open.compared_memories().0.forget_all();
        }
        self.flush_writes(scope).await
    }
}

fn nobody(key: &PersonaKey) -> Problem {
    Problem::new(Code::PersonaNotFound, format!("no persona `{key}`; see `selfhood persona list`"))
}
