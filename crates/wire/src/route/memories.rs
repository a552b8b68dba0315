//! Memories: create, show, recall, move.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::Remember>("POST", "/v1/personas/{p}/memories", KeyScope::Write, "Creates a memory.")
        .by_speaker()
        .gives(201),
    Route::of::<verb::ListMemories>(
        "GET",
        "/v1/personas/{p}/memories",
        KeyScope::Read,
        "Lists memories, heaviest first, or searches for those that match a text.",
    ),
    Route::of::<verb::InspectMemory>(
        "GET",
        "/v1/personas/{p}/memories/{id}",
        KeyScope::Read,
        "Shows a memory, how it fades, and when it was rehearsed.",
    ),
    Route::of::<verb::CorrectMemory>(
        "PATCH",
        "/v1/personas/{p}/memories/{id}",
        KeyScope::Write,
        "Replaces this memory with a corrected one; `cues` alone are changed in place.",
    )
    .by_speaker(),
    Route::of::<verb::DrawCurve>(
        "GET",
        "/v1/personas/{p}/memories/{id}/curve",
        KeyScope::Read,
        "Shows the weight of a memory over time.",
    ),
    Route::of::<verb::RedactMemory>(
        "POST",
        "/v1/personas/{p}/memories/{id}/redact",
        KeyScope::Write,
        "Sets a memory aside, archives it, or destroys it (needs `erase` as well).",
    )
    .by_speaker()
    .off_record()
    .only_once(),
    Route::of::<verb::RestoreMemory>(
        "POST",
        "/v1/personas/{p}/memories/{id}/restore",
        KeyScope::Write,
        "Restores a memory that was set aside or archived.",
    )
    .by_speaker(),
    Route::of::<verb::PinMemory>(
        "POST",
        "/v1/personas/{p}/memories/{id}/pin",
        KeyScope::Write,
        "Pins a memory, so that it keeps its weight; its details still fade.",
    )
    .by_speaker(),
    Route::of::<verb::UnpinMemory>(
        "DELETE",
        "/v1/personas/{p}/memories/{id}/pin",
        KeyScope::Write,
        "Unpins a memory, so that it fades again.",
    )
    .by_speaker(),
    Route::of::<verb::Recall>(
        "POST",
        "/v1/personas/{p}/recall",
        KeyScope::Read,
        "Recalls what the persona remembers, as text for a prompt.",
    )
    .off_record()
    .reads(),
    Route::of::<verb::ExplainRecall>(
        "GET",
        "/v1/recalls/{recallId}",
        KeyScope::Read,
        "Explains why a recall returned what it did.",
    ),
    Route::of::<verb::ReportUsed>(
        "POST",
        "/v1/recalls/{recallId}/used",
        KeyScope::Write,
        "Reports which memories a reply used.",
    )
    .by_speaker(),
    Route::of::<verb::PreviewContext>(
        "POST",
        "/v1/personas/{p}/context",
        KeyScope::Read,
        "Shows the whole prompt, without a model.",
    )
    .off_record()
    .reads(),
    Route::of::<verb::VectorProgress>(
        "GET",
        "/v1/personas/{p}/vectors",
        KeyScope::Read,
        "Shows how many memories and events have sentence vectors, which are computed after the write.",
    ),
    Route::of::<verb::Import>(
        "POST",
        "/v1/personas/{p}/import",
        KeyScope::Admin,
        "Imports memories and events, skipping what is already stored.",
    ),
    Route::of::<verb::ReadImport>(
        "POST",
        "/v1/personas/{p}/import/read",
        KeyScope::Admin,
        "Reads a file of another program into lines that `import` takes; nothing is stored.",
    )
    .reads(),
    Route::of::<verb::ListImports>(
        "GET",
        "/v1/personas/{p}/imports",
        KeyScope::Admin,
        "Lists the imports with remaining records.",
    ),
    Route::of::<verb::UndoImport>(
        "DELETE",
        "/v1/personas/{p}/imports/{importId}",
        KeyScope::Admin,
        "Undoes an import as a whole: its memories and turns are destroyed, its events superseded.",
    ),
    Route::of::<verb::Export>(
        "GET",
        "/v1/personas/{p}/export",
        KeyScope::Admin,
        "Exports memories and events, in pages.",
    ),
    Route::of::<verb::ExportConversations>(
        "GET",
        "/v1/personas/{p}/export/conversations",
        KeyScope::Admin,
        "Exports conversations, in pages, in the format of `import`.",
    ),
    Route::of::<verb::SignBundle>(
        "POST",
        "/v1/personas/{p}/bundle",
        KeyScope::Admin,
        "Signs the manifest of a bundle of this persona.",
    ),
    Route::of::<verb::ImportPersona>(
        "POST",
        "/v1/personas/import",
        KeyScope::Admin,
        "Creates a persona from another deployment's document and files; its memories follow by `import`.",
    )
    .gives(201),
    Route::of::<verb::ImportCard>(
        "POST",
        "/v1/cards",
        KeyScope::Admin,
        "Creates a persona from a character card: PNG, JSON or CHARX.",
    )
    .gives(201),
    Route::of::<verb::ExportCard>(
        "GET",
        "/v1/personas/{p}/card",
        KeyScope::Admin,
        "Exports a persona as a character card.",
    ),
    Route::of::<verb::ExportSubject>(
        "GET",
        "/v1/subjects/{s}/export",
        KeyScope::Admin,
        "Exports everything stored about a person, for that person.",
    ),
];
