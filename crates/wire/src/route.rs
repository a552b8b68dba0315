//! The one list of routes: what the server answers, what OpenAPI tells, what the command line calls.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    backup, context, doctor, key, memory, persona, recall, redaction, schema, subject, sweep, timeline,
    transfer, vault,
};
use key::KeyScope;

/// One route.
#[derive(Clone, Copy)]
pub struct Route {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    pub method: &'static str,
    /// With parameters in braces.
    pub path: &'static str,
    /// The verb behind it.
    pub verb: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// What a key needs to come in.
    pub scope: KeyScope,
    /// What is answered when all went well.
    pub status: u16,
    /// What is sent, if anything is.
    pub request: Option<fn() -> Arc<Value>>,
    /// What may be asked for in the query, if anything may.
    pub query: Option<fn() -> Arc<Value>>,
    /// What comes back, if anything does.
    pub answer: Option<fn() -> Arc<Value>>,
    /// Whether the client must make sure that it is done once.
    pub once: Once,
}

/// Whether a request must carry an `Idempotency-Key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Once {
    /// It may.
    IfAsked,
    /// It must, because what is taken away can't be asked for again.
    Always,
}

impl Route {
    /// Whether the route is one of the published designs', which answer 400 where `/v1` answers 422.
    #[must_use]
    pub fn is_seed(&self) -> bool {
        !self.path.starts_with("/v1/")
    }

    const fn new(
        method: &'static str,
        path: &'static str,
        verb: &'static str,
        scope: KeyScope,
        summary: &'static str,
    ) -> Self {
        Self {
            method,
            path,
            verb,
            summary,
            scope,
            status: 200,
            request: None,
            query: None,
            answer: None,
            once: Once::IfAsked,
        }
    }

    const fn takes(mut self, request: fn() -> Arc<Value>) -> Self {
        self.request = Some(request);
        self
    }

    const fn asks(mut self, query: fn() -> Arc<Value>) -> Self {
        self.query = Some(query);
        self
    }

    const fn only_once(mut self) -> Self {
        self.once = Once::Always;
        self
    }

    const fn gives(mut self, status: u16, answer: fn() -> Arc<Value>) -> Self {
        self.status = status;
        self.answer = Some(answer);
        self
    }

    const fn gives_nothing(mut self) -> Self {
        self.status = 204;
        self
    }
}

/// Every route that needs a key.
pub const ROUTES: &[Route] = &[
    Route::new("POST", "/personas", "create_persona", KeyScope::Write, "Makes a persona from a few facts.")
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
        "Changes a persona and signs it anew.",
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
        "POST",
        "/setup/persona",
        "set_up_persona",
        KeyScope::Write,
        "Makes a persona's folder from templates.",
    )
    .takes(schema::of::<persona::SetUpPersona>)
    .gives(201, schema::of::<persona::PersonaAnswer>),
    Route::new(
        "POST",
        "/personas/{p}/timeline",
        "append_entry",
        KeyScope::Write,
        "Appends an event to a life, or sees one anew.",
    )
    .takes(schema::of::<timeline::AppendEntry>)
    .gives(201, schema::of::<timeline::TimelineEntryAnswer>),
    Route::new("GET", "/personas/{p}/timeline", "list_timeline", KeyScope::Read, "Lists a life by sequence.")
        .asks(schema::of::<timeline::TimelineFilter>)
        .gives(200, schema::of::<timeline::TimelinePage>),
    Route::new(
        "POST",
        "/personas/{p}/timeline/{timelineId}/supersede",
        "supersede_entry",
        KeyScope::Write,
        "Marks an entry as superseded.",
    )
    .takes(schema::of::<timeline::SupersedeEntry>)
    .gives(200, schema::of::<timeline::TimelineEntryAnswer>),
    Route::new(
        "GET",
        "/personas/{p}/consistency",
        "check_consistency",
        KeyScope::Read,
        "Looks for gaps, backward steps and contradictions.",
    )
    .asks(schema::of::<persona::OfTenant>)
    .gives(200, schema::of::<timeline::ConsistencyAnswer>),
    Route::new("POST", "/v1/personas/{p}/memories", "remember", KeyScope::Write, "Creates a memory.")
        .takes(schema::of::<memory::Remember>)
        .gives(201, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/memories",
        "list_memories",
        KeyScope::Read,
        "Lists memories, heaviest now first.",
    )
    .asks(schema::of::<memory::MemoryFilter>)
    .gives(200, schema::of::<memory::MemoryPage>),
    Route::new(
        "GET",
        "/v1/personas/{p}/memories/{id}",
        "inspect_memory",
        KeyScope::Read,
        "Shows a memory, how it fades, and when it was told.",
    )
    .asks(schema::of::<memory::AsOf>)
    .gives(200, schema::of::<memory::MemoryInspection>),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/memories/{id}",
        "correct_memory",
        KeyScope::Write,
        "Puts a corrected memory in the place of this one.",
    )
    .takes(schema::of::<memory::Correct>)
    .gives(200, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/memories/{id}/curve",
        "draw_curve",
        KeyScope::Read,
        "How a memory was and will be remembered.",
    )
    .asks(schema::of::<memory::CurveSpan>)
    .gives(200, schema::of::<memory::CurveAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/memories/{id}/redact",
        "redact_memory",
        KeyScope::Write,
        "Sets a memory aside, archives it, or destroys it for good (needs `erase` as well).",
    )
    .takes(schema::of::<redaction::Redact>)
    .only_once()
    .gives(200, schema::of::<redaction::RedactAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/memories/{id}/restore",
        "restore_memory",
        KeyScope::Write,
        "Brings back a memory that was set aside or archived.",
    )
    .gives(200, schema::of::<memory::MemoryAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/timeline/{timelineId}/redact",
        "redact_entry",
        KeyScope::Erase,
        "Destroys an event of a life with its earlier versions; its number stays.",
    )
    .takes(schema::of::<redaction::RedactEntry>)
    .only_once()
    .gives(200, schema::of::<redaction::RedactEntryAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/recall",
        "recall",
        KeyScope::Read,
        "What the persona remembers, as words for a prompt.",
    )
    .takes(schema::of::<recall::Recall>)
    .gives(200, schema::of::<recall::RecallAnswer>),
    Route::new(
        "GET",
        "/v1/recalls/{recallId}",
        "explain_recall",
        KeyScope::Read,
        "Why a recall brought back what it did.",
    )
    .gives(200, schema::of::<recall::RecallTrace>),
    Route::new(
        "POST",
        "/v1/recalls/{recallId}/used",
        "report_used",
        KeyScope::Write,
        "Tells which memories a reply used.",
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
    .gives(200, schema::of::<context::ContextAnswer>),
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
        "/v1/personas/{p}/import",
        "import",
        KeyScope::Admin,
        "Takes in memories and events, leaving alone what is there already.",
    )
    .takes(schema::of::<transfer::Import>)
    .gives(200, schema::of::<transfer::ImportAnswer>),
    Route::new(
        "GET",
        "/v1/personas/{p}/export",
        "export",
        KeyScope::Admin,
        "Gives out memories and events, page by page.",
    )
    .asks(schema::of::<transfer::Export>)
    .gives(200, schema::of::<transfer::ExportPage>),
    Route::new(
        "GET",
        "/v1/subjects",
        "list_subjects",
        KeyScope::Admin,
        "Lists everyone with records, across the tenant's personas.",
    )
    .gives(200, schema::of::<subject::SubjectList>),
    Route::new(
        "GET",
        "/v1/subjects/{s}",
        "show_subject",
        KeyScope::Admin,
        "What is known of a person, and until when it may be kept.",
    )
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "GET",
        "/v1/subjects/{s}/export",
        "export_subject",
        KeyScope::Admin,
        "Everything that is kept of a person, to be handed over.",
    )
    .gives(200, schema::of::<subject::SubjectExport>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/merge",
        "merge_subjects",
        KeyScope::Admin,
        "Makes all records of another reference this person's.",
    )
    .takes(schema::of::<subject::MergeSubjects>)
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/aliases",
        "add_alias",
        KeyScope::Admin,
        "Notes another reference to a person.",
    )
    .takes(schema::of::<subject::AddAlias>)
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/withdraw-consent",
        "withdraw_consent",
        KeyScope::Erase,
        "What rested on a person's consent is told no more, and deleted by the next sweep.",
    )
    .only_once()
    .gives(200, schema::of::<subject::WithdrawalAnswer>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/hold",
        "hold_subject",
        KeyScope::Admin,
        "Puts a person's records under a legal hold, or lifts it.",
    )
    .takes(schema::of::<subject::SetHold>)
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/sweeps",
        "sweep",
        KeyScope::Erase,
        "Archives what has faded, deletes what has outlived its time, and reports what became of it.",
    )
    .takes(schema::of::<sweep::Sweep>)
    .only_once()
    .gives(200, schema::of::<sweep::SweepAnswer>),
    Route::new("POST", "/v1/keys", "new_key", KeyScope::Admin, "Makes an API key; its secret is shown once.")
        .takes(schema::of::<key::NewKey>)
        .gives(201, schema::of::<key::NewKeyAnswer>),
    Route::new("GET", "/v1/keys", "list_keys", KeyScope::Admin, "Lists the tenant's keys.")
        .gives(200, schema::of::<key::KeyList>),
    Route::new("DELETE", "/v1/keys/{keyId}", "revoke_key", KeyScope::Admin, "Revokes a key.")
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
