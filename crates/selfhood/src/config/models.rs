//! The models of `[models.NAME]`, and the model of each role of `[roles.NAME]`.

mod role_options;
mod model;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::converse::{Role, Roles};
use wire::{Code, Problem};

use super::catalogue::{self, Entry};
use super::layers::Layers;
pub(crate) use model::Model;
pub(crate) use role_options::RoleOptions;

/// The built-in roles. All but the first default to it.
const ROLES: [(&str, &Entry<'_>); 5] = [
    ("chat", &catalogue::CHAT_MODEL),
    ("distill_mid", &catalogue::DISTILL_MID_MODEL),
    ("distill_long", &catalogue::DISTILL_LONG_MODEL),
    ("formation", &catalogue::FORMATION_MODEL),
    ("consistency", &catalogue::CONSISTENCY_MODEL),
];
/// Uses the model of `formation` by default.
const CUES: (&str, &Entry<'_>) = ("cues", &catalogue::CUES_MODEL);
/// Has no default: reading is off unless a model is configured.
const RECALL: (&str, &Entry<'_>) = ("recall", &catalogue::RECALL_MODEL);

/// All models by name, and all roles with a model.
pub(crate) struct Models {
    /// The models, by the names people gave them.
    pub(crate) named: BTreeMap<String, Model>,
    /// The roles that have a model, and which.
    pub(crate) roles: BTreeMap<String, String>,
    /// The parameters of each role.
    role_options: BTreeMap<String, RoleOptions>,
}

impl Models {
    pub(super) fn take(layers: &mut Layers<'_>) -> Result<Self, Problem> {
        let mut named = BTreeMap::new();
        for name in layers.names_below("models") {
            named.insert(name.clone(), Model::take(layers, &name)?);
        }
        let roles = roles(layers)?;
        for (role, model) in &roles {
            if !named.contains_key(model) {
                return Err(unknown(layers, role, model, named.keys()));
            }
        }
        let named_roles = layers.names_below("roles");
        let all = named_roles.into_iter().chain(roles.keys().cloned()).chain(["chat".to_owned()]);
        let all: BTreeSet<String> = all.collect();
        let role_options = all
            .into_iter()
            .map(|role| RoleOptions::take(layers, &role).map(|options| (role, options)))
            .collect::<Result<_, _>>()?;
        Ok(Self { named, roles, role_options })
    }

    /// The roles for the engine; one without a model answers from memory alone.
    pub(crate) fn answering(&self) -> Result<Roles, Problem> {
        let mut roles = BTreeMap::new();
        for (name, options) in &self.role_options {
            let model = self.roles.get(name).and_then(|model| self.named.get(model));
            let offline = Role::offline();
            let (backend, model_name) = match model {
                Some(model) => (Arc::new(model.backend()?), model.served_as().to_owned()),
                None => (offline.backend.clone(), offline.model_name.clone()),
            };
            let RoleOptions { clock, tools, context, max_tokens, temperature, context_window, timeout } =
                options.clone();
            let role = Role {
                backend,
                model_name,
                clock,
                tools,
                context,
                max_tokens,
                temperature,
                context_window,
                timeout,
            };
            roles.insert(name.clone(), role);
        }
        Ok(Roles::new(roles))
    }

    /// Checks every model as far as possible without asking it: a missing key is reported at the start and
    /// not in the middle of a conversation.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        self.named.values().try_for_each(|model| model.backend().and(model.embedder()).map(drop))
    }
}

fn roles(layers: &mut Layers<'_>) -> Result<BTreeMap<String, String>, Problem> {
    let mut roles = BTreeMap::new();
    for (role, entry) in ROLES.into_iter().chain([CUES, RECALL]) {
        roles.extend(layers.take::<String>(entry)?.map(|model| (role.to_owned(), model)));
    }
    if let Some(chat) = roles.get("chat").cloned() {
        for (role, _) in ROLES {
            roles.entry(role.to_owned()).or_insert_with(|| chat.clone());
        }
    }
    if let Some(forming) = roles.get("formation").cloned() {
        roles.entry(CUES.0.to_owned()).or_insert(forming);
    }
    let is_known = |role: &String| ROLES.iter().chain([&CUES, &RECALL]).any(|(known, _)| known == role);
    let further: BTreeSet<_> = layers.names_below("roles");
    for role in further.into_iter().filter(|role| !is_known(role)) {
        let key = format!("roles.{role}.model");
        let model = layers.take::<String>(&Entry { key: &key, flag: None, environment: &[] })?;
        roles.extend(model.map(|model| (role, model)));
    }
    Ok(roles)
}

fn unknown<'a>(
    layers: &Layers<'_>,
    role: &str,
    model: &str,
    known: impl Iterator<Item = &'a String>,
) -> Problem {
    let origin = layers.origin_of(&format!("roles.{role}.model"));
    let known: Vec<_> = known.map(String::as_str).collect();
    let way_out = if known.is_empty() {
        format!("add `[models.{model}]` with its kind to selfhood.toml")
    } else {
        format!("the known ones are {}; or add `[models.{model}]` to selfhood.toml", known.join(", "))
    };
    let detail =
        format!("{origin}: role `{role}` names the model `{model}`, which is not defined; {way_out}");
    Problem::new(Code::ConfigInvalid, detail)
}
