//! Keys, and what looks after a home.

use super::Route;
use crate::key::KeyScope;
use crate::{backup, doctor, key, local_model, persona, schema, vault};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/v1/personas/{p}/sign",
        "sign_persona",
        KeyScope::Admin,
        "Signs the document as it is, so that a persona edited by hand remembers again.",
    )
    .gives(200, schema::of::<persona::PersonaAnswer>),
    Route::new(
        "POST",
        "/v1/keys",
        "new_key",
        KeyScope::Admin,
        "Makes an API key that may no more than the key that makes it; its secret is shown once.",
    )
    .takes(schema::of::<key::NewKey>)
    .gives(201, schema::of::<key::NewKeyAnswer>),
    Route::new("GET", "/v1/keys", "list_keys", KeyScope::Admin, "Lists the tenant's keys.")
        .gives(200, schema::of::<key::KeyList>),
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
        "Copies everything but the keys into one file, at the machine itself.",
    )
    .takes(schema::of::<backup::BackUp>)
    .gives(201, schema::of::<backup::BackupAnswer>),
    Route::new(
        "GET",
        "/v1/doctor",
        "examine",
        KeyScope::Admin,
        "Looks at records, logs, keys, documents and clock, and says what is wrong.",
    )
    .gives(200, schema::of::<doctor::Examination>),
    Route::new(
        "POST",
        "/v1/doctor/decay",
        "update_decay",
        KeyScope::Admin,
        "Offers a template to documents made before there were templates, and half-lives by kind to their memories.",
    )
    .may_take(schema::of::<doctor::UpdateDecay>)
    .gives(200, schema::of::<doctor::UpdateDecayAnswer>),
    Route::new(
        "GET",
        "/v1/local-models",
        "find_local_models",
        KeyScope::Admin,
        "Tells which model answers in talk and, when none does, which model servers run on the machine.",
    )
    .gives(200, schema::of::<local_model::LocalModels>),
    Route::new("GET", "/v1/vault", "show_vault", KeyScope::Admin, "Shows the state of the tenant's keys.")
        .gives(200, schema::of::<vault::VaultAnswer>),
    Route::new(
        "POST",
        "/v1/vault/rotate",
        "rotate_keys",
        KeyScope::Admin,
        "Goes to the next key epoch; whatever destroyed keys sealed is unreadable everywhere.",
    )
    .gives(200, schema::of::<vault::VaultAnswer>),
    Route::new(
        "POST",
        "/v1/vault/verify",
        "verify_vault",
        KeyScope::Admin,
        "Opens every record of the tenant, and proves its logs and its keyring.",
    )
    .reads()
    .gives(200, schema::of::<doctor::Examination>),
    Route::new(
        "GET",
        "/v1/vault/mirrors",
        "list_mirrors",
        KeyScope::Admin,
        "Lists the registered copies of the key directory, at the machine itself.",
    )
    .gives(200, schema::of::<vault::MirrorList>),
    Route::new(
        "POST",
        "/v1/vault/mirrors",
        "add_mirror",
        KeyScope::Admin,
        "Registers a copy of the key directory and fills it, at the machine itself.",
    )
    .takes(schema::of::<vault::MirrorPath>)
    .gives(201, schema::of::<vault::MirrorList>),
    Route::new(
        "DELETE",
        "/v1/vault/mirrors",
        "remove_mirror",
        KeyScope::Admin,
        "Takes a copy of the key directory off the list, at the machine itself.",
    )
    .asks(schema::of::<vault::MirrorPath>)
    .gives(200, schema::of::<vault::MirrorList>),
];
