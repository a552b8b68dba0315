//! The verbs: one type each, which ties the name of a verb to the types of its request, its query and its answer.
//!
//! A route is built from its verb, and handlers, MCP tools and the command line name the verb as a type, so a
//! misspelt verb, or the wrong type of a request or an answer, does not compile.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::schema;

/// A verb of the API.
pub trait Verb {
    /// Its name.
    const NAME: &'static str;
    /// The schema of its body, if it takes one.
    const REQUEST: Option<fn() -> Arc<Value>>;
    /// The schema of its query, if it takes one.
    const QUERY: Option<fn() -> Arc<Value>>;
    /// The schema of its answer, if it has one.
    const ANSWER: Option<fn() -> Arc<Value>>;
    /// The type of its body; `()` if it takes none.
    type Request: DeserializeOwned + JsonSchema + 'static;
    /// The type of its query; `()` if it takes none.
    type Query: DeserializeOwned + JsonSchema + 'static;
    /// The type of its answer; `()` if it has none, or if it is only streamed.
    type Answer;
}

macro_rules! verbs {
    ($($verb:ident $name:literal {
        $(request: $request:ty,)? $(query: $query:ty,)? $(answer: $answer:ty,)?
    })*) => {$(
        #[doc = concat!("`", $name, "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $verb;

        impl Verb for $verb {
            const NAME: &'static str = $name;
            const REQUEST: Option<fn() -> Arc<Value>> = schema_of!($($request)?);
            const QUERY: Option<fn() -> Arc<Value>> = schema_of!($($query)?);
            const ANSWER: Option<fn() -> Arc<Value>> = schema_of!($($answer)?);
            type Request = type_of!($($request)?);
            type Query = type_of!($($query)?);
            type Answer = type_of!($($answer)?);
        }
    )*
        /// The names of all verbs.
        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];
    };
}

macro_rules! schema_of {
    () => {
        None
    };
    ($type:ty) => {
        Some(schema::of::<$type>)
    };
}

macro_rules! type_of {
    () => {
        ()
    };
    ($type:ty) => {
        $type
    };
}

verbs! {
    // Personas.
    CreatePersona "create_persona" {
        request: crate::persona::CreatePersona,
        answer: crate::persona::PersonaAnswer,
    }
    ListPersonas "list_personas" { query: crate::persona::OfTenant, answer: crate::persona::PersonaList, }
    ShowPersona "show_persona" { query: crate::persona::OfTenant, answer: crate::persona::PersonaDetails, }
    UpdatePersona "update_persona" {
        request: crate::persona::UpdatePersona,
        answer: crate::persona::PersonaAnswer,
    }
    DeletePersona "delete_persona" { query: crate::persona::OfTenant, }
    ValidatePersona "validate_persona" { answer: crate::persona::Validation, }
    CopyPersona "copy_persona" {
        request: crate::persona::CopyPersona,
        answer: crate::persona::PersonaAnswer,
    }
    SetUpPersona "set_up_persona" {
        request: crate::persona::SetUpPersona,
        answer: crate::persona::PersonaAnswer,
    }
    // The timeline.
    AppendEntry "append_entry" {
        request: crate::timeline::AppendEntry,
        answer: crate::timeline::TimelineEntryAnswer,
    }
    ListTimeline "list_timeline" {
        query: crate::timeline::TimelineFilter,
        answer: crate::timeline::TimelinePage,
    }
    SupersedeEntry "supersede_entry" {
        request: crate::timeline::SupersedeEntry,
        answer: crate::timeline::TimelineEntryAnswer,
    }
    CheckConsistency "check_consistency" {
        query: crate::persona::OfTenant,
        answer: crate::timeline::ConsistencyAnswer,
    }
    RedactEntry "redact_entry" {
        request: crate::redaction::RedactEntry,
        answer: crate::redaction::RedactEntryAnswer,
    }
    // Memories.
    Remember "remember" { request: crate::memory::Remember, answer: crate::memory::MemoryAnswer, }
    ListMemories "list_memories" { query: crate::memory::MemoryFilter, answer: crate::memory::MemoryPage, }
    InspectMemory "inspect_memory" { query: crate::memory::Inspect, answer: crate::memory::InspectedMemory, }
    CorrectMemory "correct_memory" { request: crate::memory::Correct, answer: crate::memory::MemoryAnswer, }
    DrawCurve "draw_curve" { query: crate::memory::CurveSpan, answer: crate::memory::CurveAnswer, }
    RedactMemory "redact_memory" {
        request: crate::redaction::Redact,
        answer: crate::redaction::RedactAnswer,
    }
    RestoreMemory "restore_memory" { answer: crate::memory::MemoryAnswer, }
    PinMemory "pin_memory" { answer: crate::memory::MemoryAnswer, }
    UnpinMemory "unpin_memory" { answer: crate::memory::MemoryAnswer, }
    Recall "recall" { request: crate::recall::Recall, answer: crate::recall::RecallAnswer, }
    ExplainRecall "explain_recall" { answer: crate::recall::RecallTrace, }
    ReportUsed "report_used" { request: crate::recall::Used, answer: crate::recall::UsedAnswer, }
    PreviewContext "preview_context" {
        request: crate::context::PreviewContext,
        answer: crate::context::ContextAnswer,
    }
    VectorProgress "vector_progress" { answer: crate::vectors::VectorProgress, }
    Import "import" { request: crate::transfer::Import, answer: crate::transfer::ImportAnswer, }
    ReadImport "read_import" {
        request: crate::transfer::ReadImport,
        answer: crate::transfer::ReadImportAnswer,
    }
    ListImports "list_imports" { answer: crate::transfer::ImportList, }
    UndoImport "undo_import" { answer: crate::transfer::ImportUndone, }
    Export "export" { query: crate::transfer::Export, answer: crate::transfer::ExportPage, }
    ExportConversations "export_conversations" {
        query: crate::transfer::ExportConversations,
        answer: crate::transfer::ConversationPage,
    }
    SignBundle "sign_bundle" { request: crate::bundle::SignBundle, answer: crate::bundle::BundleSignature, }
    ImportPersona "import_persona" {
        request: crate::bundle::ImportPersona,
        answer: crate::bundle::ImportedPersona,
    }
    ImportCard "import_card" { request: crate::card::ImportCard, answer: crate::card::ImportedCard, }
    ExportCard "export_card" { query: crate::card::ExportCard, answer: crate::card::CardFile, }
    ExportSubject "export_subject" { answer: crate::subject::SubjectExport, }
    // Talk.
    Chat "chat" { request: crate::chat::Chat, }
    PromptPersona "prompt_persona" { request: crate::chat::Prompt, answer: crate::chat::Prompted, }
    StreamPrompt "stream_prompt" { request: crate::chat::Prompt, }
    ShowPromptJob "show_prompt_job" { answer: crate::chat::PromptJobAnswer, }
    ListPromptSessions "list_prompt_sessions" {
        query: crate::chat::PromptSessions,
        answer: crate::session::SessionList,
    }
    PutSafetyPolicy "put_safety_policy" {
        request: crate::safety::PutSafetyPolicy,
        answer: crate::safety::SafetyPolicyAnswer,
    }
    ShowSafetyPolicy "show_safety_policy" { answer: crate::safety::SafetyPolicyAnswer, }
    CompleteChat "complete_chat" {
        request: crate::openai::CompleteChat,
        answer: crate::openai::ChatCompletion,
    }
    CreateResponse "create_response" {
        request: crate::responses::CreateResponse,
        answer: crate::responses::Response,
    }
    ListModels "list_models" { answer: crate::openai::ModelList, }
    ShowModel "show_model" { answer: crate::openai::ModelView, }
    EmbedTexts "embed_texts" { request: crate::openai::EmbedTexts, answer: crate::openai::EmbeddingList, }
    // Conversations, files and tools.
    SearchSessions "search_sessions" {
        query: crate::search::SearchSessions,
        answer: crate::search::SearchAnswer,
    }
    ListFiles "list_files" { query: crate::file::OfPersona, answer: crate::file::FileList, }
    ReadFile "read_file" { query: crate::file::OfPersona, answer: crate::file::FileAnswer, }
    WriteFile "write_file" {
        request: crate::file::WriteFile,
        query: crate::file::OfPersona,
        answer: crate::file::FileAnswer,
    }
    ListSessions "list_sessions" {
        query: crate::session::SessionFilter,
        answer: crate::session::SessionPage,
    }
    ShowSession "show_session" {
        query: crate::session::HistoryFilter,
        answer: crate::session::SessionHistory,
    }
    RenameSession "rename_session" {
        request: crate::session::RenameSession,
        answer: crate::session::SessionAnswer,
    }
    DeleteSession "delete_session" { query: crate::session::BySubject, }
    EditTurn "edit_turn" { request: crate::session::EditTurn, answer: crate::session::TurnAnswer, }
    DeleteTurn "delete_turn" { query: crate::session::BySubject, }
    RecordExchange "record_exchange" {
        request: crate::exchange::RecordExchange,
        answer: crate::exchange::ExchangeAnswer,
    }
    ShowExchange "show_exchange" {
        query: crate::session::BySubject,
        answer: crate::exchange::ExchangeAnswer,
    }
    ListTools "list_tools" { answer: crate::tool::ToolList, }
    UseTool "use_tool" { request: crate::tool::UseTool, answer: crate::tool::ToolAnswer, }
    // People.
    ListSubjects "list_subjects" { answer: crate::subject::SubjectList, }
    ShowSubject "show_subject" { answer: crate::subject::SubjectAnswer, }
    MergeSubjects "merge_subjects" {
        request: crate::subject::MergeSubjects,
        answer: crate::subject::SubjectAnswer,
    }
    AddAlias "add_alias" { request: crate::subject::AddAlias, answer: crate::subject::SubjectAnswer, }
    WithdrawConsent "withdraw_consent" { answer: crate::subject::WithdrawalAnswer, }
    GiveConsent "give_consent" { request: crate::consent::GiveConsent, answer: crate::consent::ConsentList, }
    ListConsents "list_consents" { answer: crate::consent::ConsentList, }
    WithdrawConsents "withdraw_consents" { answer: crate::consent::ConsentWithdrawal, }
    HoldSubject "hold_subject" { request: crate::subject::SetHold, answer: crate::subject::SubjectAnswer, }
    Sweep "sweep" { request: crate::sweep::Sweep, answer: crate::sweep::SweepAnswer, }
    // Forgetting.
    NewOperator "new_operator" {
        request: crate::operator::NewOperator,
        answer: crate::operator::OperatorAnswer,
    }
    ListOperators "list_operators" { answer: crate::operator::OperatorList, }
    RevokeOperator "revoke_operator" { answer: crate::operator::OperatorAnswer, }
    RequestErasure "request_erasure" {
        request: crate::erasure::RequestErasure,
        answer: crate::erasure::ErasureAnswer,
    }
    ListErasures "list_erasures" { answer: crate::erasure::ErasureList, }
    ForeseeErasure "foresee_erasure" {
        request: crate::erasure::RequestErasure,
        answer: crate::erasure::PreviewAnswer,
    }
    ShowErasure "show_erasure" { answer: crate::erasure::ErasureAnswer, }
    PreviewErasure "preview_erasure" { answer: crate::erasure::PreviewAnswer, }
    WithdrawErasure "withdraw_erasure" { answer: crate::erasure::ErasureAnswer, }
    SignErasure "sign_erasure" {
        request: crate::erasure::SignErasure,
        answer: crate::erasure::ErasureAnswer,
    }
    ExecuteErasure "execute_erasure" { answer: crate::erasure::ErasureAnswer, }
    ErasureCertificate "erasure_certificate" { answer: crate::erasure::CertificateAnswer, }
    // Jobs.
    DistillShort "distill_short" { request: crate::distill::Distill, answer: crate::distill::DistillAnswer, }
    DistillMid "distill_mid" { request: crate::distill::Distill, answer: crate::distill::DistillAnswer, }
    DistillLong "distill_long" { request: crate::distill::Distill, answer: crate::distill::DistillAnswer, }
    WriteCues "write_cues" { request: crate::cues::WriteCues, answer: crate::cues::CuesAnswer, }
    DistillStatus "distill_status" { answer: crate::distill::DistillStatus, }
    ListJobs "list_jobs" { answer: crate::job::JobList, }
    PauseJob "pause_job" { request: crate::job::PauseJob, answer: crate::job::JobAnswer, }
    // Keys, backups and upkeep.
    SignPersona "sign_persona" { answer: crate::persona::PersonaAnswer, }
    NewKey "new_key" { request: crate::key::NewKey, answer: crate::key::NewKeyAnswer, }
    ListKeys "list_keys" { answer: crate::key::KeyList, }
    ListAgents "list_agents" { answer: crate::agent::AgentList, }
    RevokeKey "revoke_key" { answer: crate::key::KeyAnswer, }
    BackUp "back_up" { request: crate::backup::BackUp, answer: crate::backup::BackupAnswer, }
    Examine "examine" { answer: crate::doctor::Examination, }
    UpdateDecay "update_decay" {
        request: crate::doctor::UpdateDecay,
        answer: crate::doctor::UpdateDecayAnswer,
    }
    FindLocalModels "find_local_models" { answer: crate::local_model::LocalModels, }
    ShowChatModel "show_chat_model" { answer: crate::chat_model::ChatModel, }
    ListConnectableModels "list_connectable_models" {
        request: crate::chat_model::ListModels,
        answer: crate::chat_model::ListedModels,
    }
    ConnectModel "connect_model" {
        request: crate::chat_model::ConnectModel,
        answer: crate::chat_model::ChatModel,
    }
    DisconnectModel "disconnect_model" { answer: crate::chat_model::ChatModel, }
    ShowVault "show_vault" { answer: crate::vault::VaultAnswer, }
    RotateKeys "rotate_keys" { answer: crate::vault::VaultAnswer, }
    VerifyVault "verify_vault" { answer: crate::doctor::Examination, }
    ListMirrors "list_mirrors" { answer: crate::vault::MirrorList, }
    AddMirror "add_mirror" { request: crate::vault::MirrorPath, answer: crate::vault::MirrorList, }
    RemoveMirror "remove_mirror" { query: crate::vault::MirrorPath, answer: crate::vault::MirrorList, }
    // Audit.
    ReportAudit "report_audit" { query: crate::audit::AuditSpan, answer: crate::audit::AuditReport, }
    VerifyAudit "verify_audit" { request: crate::audit::VerifyAudit, answer: crate::audit::AuditProof, }
    ExportAudit "export_audit" { query: crate::audit::ExportAudit, answer: crate::audit::AuditExportPage, }
    SeekResidue "seek_residue" {
        request: crate::residue::SeekResidue,
        answer: crate::residue::ResidueAnswer,
    }
    // The page.
    OfferSignIn "offer_sign_in" { answer: crate::sign_in::SignInLink, }
    ShowMe "show_me" { answer: crate::sign_in::Me, }
    SignOut "sign_out" {}
    FollowEvents "follow_events" {}
    RenderMarkdown "render_markdown" {
        request: crate::markdown::RenderMarkdown,
        answer: crate::markdown::Rendered,
    }
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use crate::route::ROUTES;

    #[test]
    fn every_verb_has_one_route() {
        let mut verbs = NAMES.to_vec();
        let mut routed: Vec<&str> = ROUTES.iter().map(|route| route.verb).collect();
        verbs.sort_unstable();
        routed.sort_unstable();
        assert_eq!(verbs, routed);
    }
}
