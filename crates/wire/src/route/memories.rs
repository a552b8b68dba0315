//! Memories: create, show, recall, move.

use super::Route;
use crate::key::KeyScope;
use crate::{bundle, card, context, memory, recall, redaction, schema, subject, transfer, vectors};

pub(super) const ROUTES: &[Route] = &[
    Route::new("POST", "/v1/personas/{p}/memories", "remember", KeyScope::Write, "Creates a memory.")
        .takes(schema::of::<memory::Remember>)
        .gives(201, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/memories",
        "list_memories",
        KeyScope::Read,
        "Lists memories, heaviest first, or searches for those that match a text.",
    )
    .asks(schema::of::<memory::MemoryFilter>)
    .gives(200, schema::of::<memory::MemoryPage>),
    Route::new(
        "GET",
        "/v1/personas/{p}/memories/{id}",
        "inspect_memory",
        KeyScope::Read,
        "Shows a memory, how it fades, and when it was rehearsed.",
    )
    .asks(schema::of::<memory::AsOf>)
    .gives(200, schema::of::<memory::MemoryInspection>),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/memories/{id}",
        "correct_memory",
        KeyScope::Write,
        "Replaces this memory with a corrected one; `cues` alone are changed in place.",
    )
    .takes(schema::of::<memory::Correct>)
    .gives(200, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/memories/{id}/curve",
        "draw_curve",
        KeyScope::Read,
        "Shows the weight of a memory over time.",
    )
    .asks(schema::of::<memory::CurveSpan>)
    .gives(200, schema::of::<memory::CurveAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/memories/{id}/redact",
        "redact_memory",
        KeyScope::Write,
        "Sets a memory aside, archives it, or destroys it (needs `erase` as well).",
    )
    .takes(schema::of::<redaction::Redact>)
    .only_once()
    .gives(200, schema::of::<redaction::RedactAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/memories/{id}/restore",
        "restore_memory",
        KeyScope::Write,
        "Restores a memory that was set aside or archived.",
    )
    .gives(200, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/memories/{id}/pin",
        "pin_memory",
        KeyScope::Write,
        "Pins a memory, so that it keeps its weight; its details still fade.",
    )
    .gives(200, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/memories/{id}/pin",
        "unpin_memory",
        KeyScope::Write,
        "Unpins a memory, so that it fades again.",
    )
    .gives(200, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/recall",
        "recall",
        KeyScope::Read,
        "Recalls what the persona remembers, as text for a prompt.",
    )
    .takes(schema::of::<recall::Recall>)
    .reads()
    .gives(200, schema::of::<recall::RecallAnswer>),
    Route::new(
        "GET",
        "/v1/recalls/{recallId}",
        "explain_recall",
        KeyScope::Read,
        "Explains why a recall returned what it did.",
    )
    .gives(200, schema::of::<recall::RecallTrace>),
    Route::new(
        "POST",
        "/v1/recalls/{recallId}/used",
        "report_used",
        KeyScope::Write,
        "Reports which memories a reply used.",
    )
    .takes(schema::of::<recall::Used>)
    .gives(200, schema::of::<recall::UsedAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/context",
        "preview_context",
        KeyScope::Read,
        "Shows the whole prompt, without a model.",
    )
    .takes(schema::of::<context::PreviewContext>)
    .reads()
    .gives(200, schema::of::<context::ContextAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/vectors",
        "vector_progress",
        KeyScope::Read,
        "Shows how many memories and events have sentence vectors, which are computed after the write.",
    )
    .gives(200, schema::of::<vectors::VectorProgress>),
    Route::new(
        "POST",
        "/v1/personas/{p}/import",
        "import",
        KeyScope::Admin,
        "Imports memories and events, skipping what is already stored.",
    )
    .takes(schema::of::<transfer::Import>)
    .gives(200, schema::of::<transfer::ImportAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/import/read",
        "read_import",
        KeyScope::Admin,
        "Reads a file of another program into lines that `import` takes; nothing is stored.",
    )
    .takes(schema::of::<transfer::ReadImport>)
    .reads()
    .gives(200, schema::of::<transfer::ReadImportAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/imports",
        "list_imports",
        KeyScope::Admin,
        "Lists the imports with remaining records.",
    )
    .gives(200, schema::of::<transfer::ImportList>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/imports/{importId}",
        "undo_import",
        KeyScope::Admin,
        "Undoes an import as a whole: its memories and turns are destroyed, its events superseded.",
    )
    .gives(200, schema::of::<transfer::ImportUndone>),
    Route::new(
        "GET",
        "/v1/personas/{p}/export",
        "export",
        KeyScope::Admin,
        "Exports memories and events, in pages.",
    )
    .asks(schema::of::<transfer::Export>)
    .gives(200, schema::of::<transfer::ExportPage>),
    Route::new(
        "GET",
        "/v1/personas/{p}/export/conversations",
        "export_conversations",
        KeyScope::Admin,
        "Exports conversations, in pages, in the format of `import`.",
    )
    .asks(schema::of::<transfer::ExportConversations>)
    .gives(200, schema::of::<transfer::ConversationPage>),
    Route::new(
        "POST",
        "/v1/personas/{p}/bundle",
        "sign_bundle",
        KeyScope::Admin,
        "Signs the manifest of a bundle of this persona.",
    )
    .takes(schema::of::<bundle::SignBundle>)
    .gives(200, schema::of::<bundle::BundleSignature>),
    Route::new(
        "POST",
        "/v1/personas/import",
        "import_persona",
        KeyScope::Admin,
        "Creates a persona from another deployment's document and files; its memories follow by `import`.",
    )
    .takes(schema::of::<bundle::ImportPersona>)
    .gives(201, schema::of::<bundle::ImportedPersona>),
    Route::new(
        "POST",
        "/v1/cards",
        "import_card",
        KeyScope::Admin,
        "Creates a persona from a character card: PNG, JSON or CHARX.",
    )
    .takes(schema::of::<card::ImportCard>)
    .gives(201, schema::of::<card::ImportedCard>),
    Route::new(
        "GET",
        "/v1/personas/{p}/card",
        "export_card",
        KeyScope::Admin,
        "Exports a persona as a character card.",
    )
    .asks(schema::of::<card::ExportCard>)
    .gives(200, schema::of::<card::CardFile>),
    Route::new(
        "GET",
        "/v1/subjects/{s}/export",
        "export_subject",
        KeyScope::Admin,
        "Exports everything stored about a person, for that person.",
    )
    .gives(200, schema::of::<subject::SubjectExport>),
];
