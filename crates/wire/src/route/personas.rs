//! Create, show, update and delete personas.

use super::Route;
use crate::key::KeyScope;
use crate::{persona, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new("POST", "/personas", "create_persona", KeyScope::Write, "Creates a persona from a few facts.")
        .takes(schema::of::<persona::CreatePersona>)
        .gives(201, schema::of::<persona::PersonaAnswer>),
    Route::new("GET", "/personas", "list_personas", KeyScope::Read, "Lists the tenant's personas.")
        .asks(schema::of::<persona::OfTenant>)
        .gives(200, schema::of::<persona::PersonaList>),
    Route::new("GET", "/personas/{p}", "show_persona", KeyScope::Read, "Shows a persona.")
        .asks(schema::of::<persona::OfTenant>)
        .gives(200, schema::of::<persona::PersonaDetails>),
    Route::new(
        "PATCH",
        "/personas/{p}",
        "update_persona",
        KeyScope::Write,
        "Changes a persona and signs it again; the memory policy, safety tier and profiles need `admin`, a \
        shorter retention `erase` too.",
    )
    .takes(schema::of::<persona::UpdatePersona>)
    .gives(200, schema::of::<persona::PersonaAnswer>),
    Route::new(
        "DELETE",
        "/personas/{p}",
        "delete_persona",
        KeyScope::Erase,
        "Destroys a persona, its folder and its keys.",
    )
    .asks(schema::of::<persona::OfTenant>)
    .gives_nothing(),
    Route::new(
        "GET",
        "/v1/personas/{p}/validation",
        "validate_persona",
        KeyScope::Admin,
        "Checks a persona's document, and its memories against its policy.",
    )
    .gives(200, schema::of::<persona::Validation>),
    Route::new(
        "POST",
        "/v1/personas/{p}/copy",
        "copy_persona",
        KeyScope::Write,
        "Creates a persona from the files of another, with an empty memory.",
    )
    .takes(schema::of::<persona::CopyPersona>)
    .gives(201, schema::of::<persona::PersonaAnswer>),
    Route::new(
        "POST",
        "/setup/persona",
        "set_up_persona",
        KeyScope::Write,
        "Creates a persona's folder from templates.",
    )
    .takes(schema::of::<persona::SetUpPersona>)
    .gives(201, schema::of::<persona::PersonaAnswer>),
];
