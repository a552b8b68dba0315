//! Create, show, update and delete personas.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::CreatePersona>(
        "POST",
        "/personas",
        KeyScope::Write,
        "Creates a persona from a few facts.",
    )
    .gives(201),
    Route::of::<verb::ListPersonas>("GET", "/personas", KeyScope::Read, "Lists the tenant's personas."),
    Route::of::<verb::ShowPersona>("GET", "/personas/{p}", KeyScope::Read, "Shows a persona."),
    Route::of::<verb::UpdatePersona>(
        "PATCH",
        "/personas/{p}",
        KeyScope::Write,
        "Changes a persona and signs it again; the memory policy, safety tier and profiles need `admin`, a \
        shorter retention `erase` too.",
    ),
    Route::of::<verb::DeletePersona>(
        "DELETE",
        "/personas/{p}",
        KeyScope::Erase,
        "Destroys a persona, its folder and its keys.",
    )
    .gives_nothing(),
    Route::of::<verb::ValidatePersona>(
        "GET",
        "/v1/personas/{p}/validation",
        KeyScope::Admin,
        "Checks a persona's document, and its memories against its policy.",
    ),
    Route::of::<verb::CopyPersona>(
        "POST",
        "/v1/personas/{p}/copy",
        KeyScope::Write,
        "Creates a persona from the files of another, with an empty memory.",
    )
    .gives(201),
    Route::of::<verb::SetUpPersona>(
        "POST",
        "/setup/persona",
        KeyScope::Write,
        "Creates a persona's folder from templates.",
    )
    .gives(201),
];
