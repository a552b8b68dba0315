//! API keys and maintenance of a home.

use super::Route;
use crate::key::KeyScope;
use crate::{agent, backup, chat_model, doctor, key, local_model, persona, schema, vault};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/v1/personas/{p}/sign",
        "sign_persona",
        KeyScope::Admin,
        "Signs the current document, so that the memory of a persona edited by hand resumes.",
    )
    .gives(200, schema::of::<persona::PersonaAnswer>),
    Route::new(
        "POST",
        "/v1/keys",
        "new_key",
        KeyScope::Admin,
        "Creates an API key with at most the rights of the creating key; its secret is shown once.",
    )
    .takes(schema::of::<key::NewKey>)
    .gives(201, schema::of::<key::NewKeyAnswer>),
    Route::new("GET", "/v1/keys", "list_keys", KeyScope::Admin, "Lists the tenant's keys.")
        .gives(200, schema::of::<key::KeyList>),
    Route::new(
        "GET",
        "/v1/agents",
        "list_agents",
        KeyScope::Admin,
        "Lists the agents that have come over MCP in the last day, as this server has seen them.",
    )
    .gives(200, schema::of::<agent::AgentList>),
    Route::new(
        "DELETE",
        "/v1/keys/{keyId}",
        "revoke_key",
        KeyScope::Admin,
        "Revokes a key, with the page sessions, links and streams opened with it.",
    )
    .gives(200, schema::of::<key::KeyAnswer>),
    Route::new(
        "POST",
        "/v1/backups",
        "back_up",
        KeyScope::Admin,
        "Copies everything but the keys into one file (operators only).",
    )
    .takes(schema::of::<backup::BackUp>)
    .gives(201, schema::of::<backup::BackupAnswer>),
    Route::new(
        "GET",
        "/v1/doctor",
        "examine",
        KeyScope::Admin,
        "Checks records, logs, keys, documents and clock, and reports what is wrong.",
    )
    .gives(200, schema::of::<doctor::Examination>),
    Route::new(
        "POST",
        "/v1/doctor/decay",
        "update_decay",
        KeyScope::Admin,
        "Offers a template to documents made before there were templates, and half-lives by kind to their \
        memories.",
    )
    .may_take(schema::of::<doctor::UpdateDecay>)
    .gives(200, schema::of::<doctor::UpdateDecayAnswer>),
    Route::new(
        "GET",
        "/v1/local-models",
        "find_local_models",
        KeyScope::Admin,
        "Shows the chat model and, if none is configured, the model servers on the machine.",
    )
    .gives(200, schema::of::<local_model::LocalModels>),
    Route::new(
        "GET",
        "/v1/chat-model",
        "show_chat_model",
        KeyScope::Admin,
        "Shows the model that answers in talk, and which ones could be connected.",
    )
    .gives(200, schema::of::<chat_model::ChatModel>),
    Route::new(
        "POST",
        "/v1/chat-model/models",
        "list_connectable_models",
        KeyScope::Admin,
        "Asks a provider, or a model server found on this machine, for its models. Only for the owner's own key.",
    )
    .takes(schema::of::<chat_model::ListModels>)
    .reads()
    .gives(200, schema::of::<chat_model::ListedModels>),
    Route::new(
        "PUT",
        "/v1/chat-model",
        "connect_model",
        KeyScope::Admin,
        "Connects a model that answers from now on; its API key is stored sealed. Only for the owner's own key.",
    )
    .takes(schema::of::<chat_model::ConnectModel>)
    .gives(200, schema::of::<chat_model::ChatModel>),
    Route::new(
        "DELETE",
        "/v1/chat-model",
        "disconnect_model",
        KeyScope::Admin,
        "Disconnects the model and deletes its API key. Only for the owner's own key.",
    )
    .gives(200, schema::of::<chat_model::ChatModel>),
    Route::new("GET", "/v1/vault", "show_vault", KeyScope::Admin, "Shows the state of the tenant's keys.")
        .gives(200, schema::of::<vault::VaultAnswer>),
    Route::new(
        "POST",
        "/v1/vault/rotate",
        "rotate_keys",
        KeyScope::Admin,
        "Rotates to the next key epoch; everything sealed under destroyed keys becomes unreadable \
        everywhere.",
    )
    .gives(200, schema::of::<vault::VaultAnswer>),
    Route::new(
        "POST",
        "/v1/vault/verify",
        "verify_vault",
        KeyScope::Admin,
        "Opens every record of the tenant, and verifies its logs and its keyring.",
    )
    .reads()
    .gives(200, schema::of::<doctor::Examination>),
    Route::new(
        "GET",
        "/v1/vault/mirrors",
        "list_mirrors",
        KeyScope::Admin,
        "Lists the registered copies of the key directory (operators only).",
    )
    .gives(200, schema::of::<vault::MirrorList>),
    Route::new(
        "POST",
        "/v1/vault/mirrors",
        "add_mirror",
        KeyScope::Admin,
        "Registers a copy of the key directory and fills it (operators only).",
    )
    .takes(schema::of::<vault::MirrorPath>)
    .gives(201, schema::of::<vault::MirrorList>),
    Route::new(
        "DELETE",
        "/v1/vault/mirrors",
        "remove_mirror",
        KeyScope::Admin,
        "Removes a copy of the key directory from the list (operators only).",
    )
    .asks(schema::of::<vault::MirrorPath>)
    .gives(200, schema::of::<vault::MirrorList>),
];
