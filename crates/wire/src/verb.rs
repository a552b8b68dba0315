//! The verbs: one type each, which ties the name of a verb to the type of its answer.
//!
//! A route is built from its verb, and handlers, MCP tools and the command line name the verb as a type, so a
//! misspelt verb or the wrong type of an answer does not compile.

use std::sync::Arc;

use serde_json::Value;

use crate::schema;

/// A verb of the API.
pub trait Verb {
    /// Its name.
    const NAME: &'static str;
    /// The schema of its answer, if it has one.
    const ANSWER: Option<fn() -> Arc<Value>>;
    /// The type of its answer; `()` if it has none, or if it is only streamed.
    type Answer;
}

macro_rules! verbs {
    ($($verb:ident $name:literal $(=> $answer:ty)?;)*) => {$(
        #[doc = concat!("`", $name, "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $verb;

        impl Verb for $verb {
            const NAME: &'static str = $name;
            const ANSWER: Option<fn() -> Arc<Value>> = answer_schema!($($answer)?);
            type Answer = answer_type!($($answer)?);
        }
    )*
        /// The names of all verbs.
        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];
    };
}

macro_rules! answer_schema {
    () => {
        None
    };
    ($answer:ty) => {
        Some(schema::of::<$answer>)
    };
}

macro_rules! answer_type {
    () => {
        ()
    };
    ($answer:ty) => {
        $answer
    };
}

verbs! {
    // Personas.
    CreatePersona "create_persona" => crate::persona::PersonaAnswer;
    ListPersonas "list_personas" => crate::persona::PersonaList;
    ShowPersona "show_persona" => crate::persona::PersonaDetails;
    UpdatePersona "update_persona" => crate::persona::PersonaAnswer;
    DeletePersona "delete_persona";
    ValidatePersona "validate_persona" => crate::persona::Validation;
    CopyPersona "copy_persona" => crate::persona::PersonaAnswer;
    SetUpPersona "set_up_persona" => crate::persona::PersonaAnswer;
    // The timeline.
    AppendEntry "append_entry" => crate::timeline::TimelineEntryAnswer;
    ListTimeline "list_timeline" => crate::timeline::TimelinePage;
    SupersedeEntry "supersede_entry" => crate::timeline::TimelineEntryAnswer;
    CheckConsistency "check_consistency" => crate::timeline::ConsistencyAnswer;
    RedactEntry "redact_entry" => crate::redaction::RedactEntryAnswer;
    // Memories.
    Remember "remember" => crate::memory::MemoryAnswer;
    ListMemories "list_memories" => crate::memory::MemoryPage;
    InspectMemory "inspect_memory" => crate::memory::InspectedMemory;
    CorrectMemory "correct_memory" => crate::memory::MemoryAnswer;
    DrawCurve "draw_curve" => crate::memory::CurveAnswer;
    RedactMemory "redact_memory" => crate::redaction::RedactAnswer;
    RestoreMemory "restore_memory" => crate::memory::MemoryAnswer;
    PinMemory "pin_memory" => crate::memory::MemoryAnswer;
    UnpinMemory "unpin_memory" => crate::memory::MemoryAnswer;
    Recall "recall" => crate::recall::RecallAnswer;
    ExplainRecall "explain_recall" => crate::recall::RecallTrace;
    ReportUsed "report_used" => crate::recall::UsedAnswer;
    PreviewContext "preview_context" => crate::context::ContextAnswer;
    VectorProgress "vector_progress" => crate::vectors::VectorProgress;
    Import "import" => crate::transfer::ImportAnswer;
    ReadImport "read_import" => crate::transfer::ReadImportAnswer;
    ListImports "list_imports" => crate::transfer::ImportList;
    UndoImport "undo_import" => crate::transfer::ImportUndone;
    Export "export" => crate::transfer::ExportPage;
    ExportConversations "export_conversations" => crate::transfer::ConversationPage;
    SignBundle "sign_bundle" => crate::bundle::BundleSignature;
    ImportPersona "import_persona" => crate::bundle::ImportedPersona;
    ImportCard "import_card" => crate::card::ImportedCard;
    ExportCard "export_card" => crate::card::CardFile;
    ExportSubject "export_subject" => crate::subject::SubjectExport;
    // Talk.
    Chat "chat";
    PromptPersona "prompt_persona" => crate::chat::Prompted;
    StreamPrompt "stream_prompt";
    ShowPromptJob "show_prompt_job" => crate::chat::PromptJobAnswer;
    ListPromptSessions "list_prompt_sessions" => crate::session::SessionList;
    PutSafetyPolicy "put_safety_policy" => crate::safety::SafetyPolicyAnswer;
    ShowSafetyPolicy "show_safety_policy" => crate::safety::SafetyPolicyAnswer;
    CompleteChat "complete_chat" => crate::openai::ChatCompletion;
    CreateResponse "create_response" => crate::responses::Response;
    ListModels "list_models" => crate::openai::ModelList;
    ShowModel "show_model" => crate::openai::ModelView;
    EmbedTexts "embed_texts" => crate::openai::EmbeddingList;
    // Conversations, files and tools.
    SearchSessions "search_sessions" => crate::search::SearchAnswer;
    ListFiles "list_files" => crate::file::FileList;
    ReadFile "read_file" => crate::file::FileAnswer;
    WriteFile "write_file" => crate::file::FileAnswer;
    ListSessions "list_sessions" => crate::session::SessionPage;
    ShowSession "show_session" => crate::session::SessionHistory;
    RenameSession "rename_session" => crate::session::SessionAnswer;
    DeleteSession "delete_session";
    EditTurn "edit_turn" => crate::session::TurnAnswer;
    DeleteTurn "delete_turn";
    RecordExchange "record_exchange" => crate::exchange::ExchangeAnswer;
    ShowExchange "show_exchange" => crate::exchange::ExchangeAnswer;
    ListTools "list_tools" => crate::tool::ToolList;
    UseTool "use_tool" => crate::tool::ToolAnswer;
    // People.
    ListSubjects "list_subjects" => crate::subject::SubjectList;
    ShowSubject "show_subject" => crate::subject::SubjectAnswer;
    MergeSubjects "merge_subjects" => crate::subject::SubjectAnswer;
    AddAlias "add_alias" => crate::subject::SubjectAnswer;
    WithdrawConsent "withdraw_consent" => crate::subject::WithdrawalAnswer;
    GiveConsent "give_consent" => crate::consent::ConsentList;
    ListConsents "list_consents" => crate::consent::ConsentList;
    WithdrawConsents "withdraw_consents" => crate::consent::ConsentWithdrawal;
    HoldSubject "hold_subject" => crate::subject::SubjectAnswer;
    Sweep "sweep" => crate::sweep::SweepAnswer;
    // Forgetting.
    NewOperator "new_operator" => crate::operator::OperatorAnswer;
    ListOperators "list_operators" => crate::operator::OperatorList;
    RevokeOperator "revoke_operator" => crate::operator::OperatorAnswer;
    RequestErasure "request_erasure" => crate::erasure::ErasureAnswer;
    ListErasures "list_erasures" => crate::erasure::ErasureList;
    ForeseeErasure "foresee_erasure" => crate::erasure::PreviewAnswer;
    ShowErasure "show_erasure" => crate::erasure::ErasureAnswer;
    PreviewErasure "preview_erasure" => crate::erasure::PreviewAnswer;
    WithdrawErasure "withdraw_erasure" => crate::erasure::ErasureAnswer;
    SignErasure "sign_erasure" => crate::erasure::ErasureAnswer;
    ExecuteErasure "execute_erasure" => crate::erasure::ErasureAnswer;
    ErasureCertificate "erasure_certificate" => crate::erasure::CertificateAnswer;
    // Jobs.
    DistillShort "distill_short" => crate::distill::DistillAnswer;
    DistillMid "distill_mid" => crate::distill::DistillAnswer;
    DistillLong "distill_long" => crate::distill::DistillAnswer;
    WriteCues "write_cues" => crate::cues::CuesAnswer;
    DistillStatus "distill_status" => crate::distill::DistillStatus;
    ListJobs "list_jobs" => crate::job::JobList;
    PauseJob "pause_job" => crate::job::JobAnswer;
    // Keys, backups and upkeep.
    SignPersona "sign_persona" => crate::persona::PersonaAnswer;
    NewKey "new_key" => crate::key::NewKeyAnswer;
    ListKeys "list_keys" => crate::key::KeyList;
    ListAgents "list_agents" => crate::agent::AgentList;
    RevokeKey "revoke_key" => crate::key::KeyAnswer;
    BackUp "back_up" => crate::backup::BackupAnswer;
    Examine "examine" => crate::doctor::Examination;
    UpdateDecay "update_decay" => crate::doctor::UpdateDecayAnswer;
    FindLocalModels "find_local_models" => crate::local_model::LocalModels;
    ShowChatModel "show_chat_model" => crate::chat_model::ChatModel;
    ListConnectableModels "list_connectable_models" => crate::chat_model::ListedModels;
    ConnectModel "connect_model" => crate::chat_model::ChatModel;
    DisconnectModel "disconnect_model" => crate::chat_model::ChatModel;
    ShowVault "show_vault" => crate::vault::VaultAnswer;
    RotateKeys "rotate_keys" => crate::vault::VaultAnswer;
    VerifyVault "verify_vault" => crate::doctor::Examination;
    ListMirrors "list_mirrors" => crate::vault::MirrorList;
    AddMirror "add_mirror" => crate::vault::MirrorList;
    RemoveMirror "remove_mirror" => crate::vault::MirrorList;
    // Audit.
    ReportAudit "report_audit" => crate::audit::AuditReport;
    VerifyAudit "verify_audit" => crate::audit::AuditProof;
    ExportAudit "export_audit" => crate::audit::AuditExportPage;
    SeekResidue "seek_residue" => crate::residue::ResidueAnswer;
    // The page.
    OfferSignIn "offer_sign_in" => crate::sign_in::SignInLink;
    ShowMe "show_me" => crate::sign_in::Me;
    SignOut "sign_out";
    FollowEvents "follow_events";
    RenderMarkdown "render_markdown" => crate::markdown::Rendered;
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
