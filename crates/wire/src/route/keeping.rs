//! API keys and maintenance of a home.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::SignPersona>("POST", "/v1/personas/{p}/sign",
        KeyScope::Admin,
        "Signs the current document, so that the memory of a persona edited by hand resumes.",
    )
    ,
    Route::of::<verb::NewKey>("POST", "/v1/keys",
        KeyScope::Admin,
        "Creates an API key with at most the rights of the creating key; its secret is shown once.",
    )
    .gives(201),
    Route::of::<verb::ListKeys>("GET", "/v1/keys", KeyScope::Admin, "Lists the tenant's keys.")
        ,
    Route::of::<verb::ListAgents>("GET", "/v1/agents",
        KeyScope::Admin,
        "Lists the MCP clients seen in the last day by this server.",
    )
    ,
    Route::of::<verb::RevokeKey>("DELETE", "/v1/keys/{keyId}",
        KeyScope::Admin,
        "Revokes a key, with the page sessions, links and streams opened with it.",
    )
    ,
    Route::of::<verb::BackUp>("POST", "/v1/backups",
        KeyScope::Admin,
        "Copies everything but the keys into one file (operators only).",
    )
    .gives(201),
    Route::of::<verb::Examine>("GET", "/v1/doctor",
        KeyScope::Admin,
        "Checks records, logs, keys, documents and clock, and reports what is wrong.",
    )
    ,
    Route::of::<verb::UpdateDecay>("POST", "/v1/doctor/decay",
        KeyScope::Admin,
        "Offers a template to documents made before there were templates, and half-lives by kind to their \
        memories.",
    )
    .body_is_optional()
    ,
    Route::of::<verb::FindLocalModels>("GET", "/v1/local-models",
        KeyScope::Admin,
        "Shows the chat model and, if none is configured, the model servers on the machine.",
    )
    ,
    Route::of::<verb::ShowChatModel>("GET", "/v1/chat-model",
        KeyScope::Admin,
        "Shows the model that answers in talk, and which ones could be connected.",
    )
    ,
    Route::of::<verb::ListConnectableModels>("POST", "/v1/chat-model/models",
        KeyScope::Admin,
        "Asks a provider, or a model server found on this machine, for its models. Only for the owner's own key.",
    )
    .reads()
    ,
    Route::of::<verb::ConnectModel>("PUT", "/v1/chat-model",
        KeyScope::Admin,
        "Connects a model that answers from now on; its API key is stored sealed. Only for the owner's own key.",
    )
    ,
    Route::of::<verb::DisconnectModel>("DELETE", "/v1/chat-model",
        KeyScope::Admin,
        "Disconnects the model and deletes its API key. Only for the owner's own key.",
    )
    ,
    Route::of::<verb::ShowVault>("GET", "/v1/vault", KeyScope::Admin, "Shows the state of the tenant's keys.")
        ,
    Route::of::<verb::RotateKeys>("POST", "/v1/vault/rotate",
        KeyScope::Admin,
        "Rotates to the next key epoch; everything sealed under destroyed keys becomes unreadable \
        everywhere.",
    )
    ,
    Route::of::<verb::VerifyVault>("POST", "/v1/vault/verify",
        KeyScope::Admin,
        "Opens every record of the tenant, and verifies its logs and its keyring.",
    )
    .reads()
    ,
    Route::of::<verb::ListMirrors>("GET", "/v1/vault/mirrors",
        KeyScope::Admin,
        "Lists the registered copies of the key directory (operators only).",
    )
    ,
    Route::of::<verb::AddMirror>("POST", "/v1/vault/mirrors",
        KeyScope::Admin,
        "Registers a copy of the key directory and fills it (operators only).",
    )
    .gives(201),
    Route::of::<verb::RemoveMirror>("DELETE", "/v1/vault/mirrors",
        KeyScope::Admin,
        "Removes a copy of the key directory from the list (operators only).",
    )
    ,
];
