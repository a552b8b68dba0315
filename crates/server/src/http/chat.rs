//! Talking with a persona: `/chat`, and the prompts of the timeline design.

use std::time::Instant;

use domain::{RecallId, SessionId, Text, Timestamp};
use engine::PersonaKey;
use engine::Record;
use engine::converse::{ExchangeId, History, Layers, LeftOut, Reply, Utterance};
use llm::ToolCallDelta;
use serde_json::json;
use wire::chat::{
    Chat, ChatDone, ChatStart, ChatToken, Prompt, PromptAnswer, PromptMode, PromptReady, PromptToken,
    Prompted,
};
use wire::persona::Notice;
use wire::verb::{self, Verb};
use wire::{Code, Pointed, Problem};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, Stream, VerbContext};
use super::speech::{Script, conversation_headers, event, read_out};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::Chat, |context| chat(context)),
    verb_handler!(verb::PromptPersona, |context| prompt(context)),
    verb_handler!(verb::StreamPrompt, |context| stream_prompt(context)),
    verb_handler!(verb::ShowPromptJob, |context| show_job(context)),
    verb_handler!(verb::ListPromptSessions, |context| list_sessions(context)),
    verb_handler!(verb::PutSafetyPolicy, |context| put_policy(context)),
    verb_handler!(verb::ShowSafetyPolicy, |context| show_policy(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::Chat::NAME, RepeatPolicy::ByVerb),
    (verb::PromptPersona::NAME, RepeatPolicy::ByVerb),
    (verb::StreamPrompt::NAME, RepeatPolicy::ByVerb),
];

async fn chat(context: VerbContext<verb::Chat>) -> HandlerResult {
    let asked: Chat = context.body()?;
    context.check_tenant(asked.user.as_ref()).await?;
    let record = context.call.caller.recorded(asked.off_record.into());
    let history = history(&asked, record)?;
    let said = Utterance {
        history,
        subject: asked.subject,
        session: asked.session_id,
        tier: asked.tier,
        layers: Layers {
            short: asked.include_short.into(),
            mid: asked.include_mid.into(),
            long: asked.include_long.into(),
        },
        role: asked.role,
        record,
        ..Utterance::new(asked.message)
    };
    let place = context.stream_permit(Stream::Answer)?;
    let conversation = context.engine.converse(&context.call, &persona(&asked.persona)?, said).await?;
    let script = ChatScript {
        session_id: conversation.session.clone(),
        exchange_id: conversation.exchange.clone(),
        recall_id: conversation.recall,
        left_out: conversation.left_out.clone(),
        notices: conversation.notices.clone(),
        escalation: conversation.escalation.clone(),
        model: conversation.model.clone(),
    };
    let headers = conversation_headers(&conversation);
    Ok(headers(Answer::stream(place, read_out(conversation, script))))
}

/// The history of a message. Replacing a message needs a named, recorded conversation.
fn history(asked: &Chat, record: Record) -> Result<History, Problem> {
    let Some(replaced) = &asked.instead_of else { return Ok(History::Recorded) };
    if asked.session_id.is_none() || record == Record::Off {
        let detail = "needs `session_id`, and works on the record only".to_owned();
        return Err(wire::read::invalid(vec![Pointed { pointer: "/instead_of".to_owned(), detail }]));
    }
    Ok(History::InsteadOf(ExchangeId(replaced.clone())))
}

struct ChatScript {
    session_id: SessionId,
    exchange_id: Option<String>,
    recall_id: Option<RecallId>,
    left_out: LeftOut,
    notices: Vec<Notice>,
    escalation: Option<String>,
    model: String,
}

impl Script for ChatScript {
    fn begin(&mut self) -> String {
        let Self { session_id, recall_id, left_out, notices, .. } = self;
        event(
            "start",
            &ChatStart {
                session_id: session_id.clone(),
                recall_id: *recall_id,
                left_out: left_out.texts(),
                left_out_files: left_out.files.clone(),
                left_out_turns: left_out.turns,
                notices: notices.clone(),
            },
        )
    }

    fn words(&mut self, words: &Text) -> String {
        event("token", &ChatToken { text: words.clone() })
    }

    fn call(&mut self, _: &ToolCallDelta) -> String {
        String::new()
    }

    fn done(&mut self, reply: &Reply) -> String {
        let done = ChatDone {
            session_id: self.session_id.clone(),
            exchange_id: self.exchange_id.take(),
            response: reply.text.clone(),
            recall_id: self.recall_id,
            escalation: self.escalation.take(),
            notices: std::mem::take(&mut self.notices),
            model: Some(self.model.clone()),
            formed: reply.formed.clone(),
        };
        event("done", &done)
    }

    fn failed(&mut self, problem: &Problem) -> String {
        error_event(problem)
    }
}

fn error_event(problem: &Problem) -> String {
    event("error", &json!({ "error": problem.detail, "code": problem.code, "status": problem.status }))
}

async fn prompt(context: VerbContext<verb::PromptPersona>) -> HandlerResult {
    let asked: Prompt = context.body()?;
    context.check_tenant(Some(&asked.tenant_id)).await?;
    let (key, said) = (persona(&asked.persona_id)?, prompted(&asked));
    match asked.mode {
        PromptMode::Sync => {
            let answered = context.engine.prompt(&context.call, &key, said).await?;
            let (session, recall) = (answered.session_id.to_string(), answered.recall_id);
            let (exchange, notices) = (answered.exchange_id.clone(), answered.notices.clone());
            let answer = context.answer(&Prompted::Answered(answered))?;
            Ok(answer
                .with_header("x-session-id", Some(session))
                .with_header("x-recall-id", recall.map(|recall| recall.to_string()))
                .with_header("x-exchange-id", exchange)
                .with_notices(&notices))
        }
        PromptMode::Async => context
            .answer(&Prompted::Later(context.engine.start_prompt_job(&context.call, &key, said).await?)),
    }
}

fn prompted(asked: &Prompt) -> Utterance {
    Utterance {
        subject: asked.subject.clone(),
        session: asked.session_id.clone(),
        ..Utterance::new(asked.user_prompt.clone())
    }
}

async fn stream_prompt(context: VerbContext<verb::StreamPrompt>) -> HandlerResult {
    let asked: Prompt = context.body()?;
    context.check_tenant(Some(&asked.tenant_id)).await?;
    let place = context.stream_permit(Stream::Answer)?;
    let conversation =
        context.engine.converse(&context.call, &persona(&asked.persona_id)?, prompted(&asked)).await?;
    let script = PromptScript {
        started: Instant::now(),
        started_at: context.call.now,
        prompt: asked.user_prompt,
        session_id: conversation.session.clone(),
        exchange_id: conversation.exchange.clone(),
        recall_id: conversation.recall,
        model_name: conversation.model.clone(),
        notices: conversation.notices.clone(),
        escalation: conversation.escalation.clone(),
    };
    let headers = conversation_headers(&conversation);
    Ok(headers(Answer::stream(place, read_out(conversation, script))))
}

struct PromptScript {
    started: Instant,
    started_at: Timestamp,
    prompt: Text,
    session_id: SessionId,
    exchange_id: Option<String>,
    recall_id: Option<RecallId>,
    model_name: String,
    notices: Vec<Notice>,
    escalation: Option<String>,
}

impl Script for PromptScript {
    fn begin(&mut self) -> String {
        event("ready", &PromptReady { started_at: self.started_at })
    }

    fn words(&mut self, words: &Text) -> String {
        event("token", &PromptToken { delta: words.clone() })
    }

    fn call(&mut self, _: &ToolCallDelta) -> String {
        String::new()
    }

    fn done(&mut self, reply: &Reply) -> String {
        let done = PromptAnswer {
            session_id: self.session_id.clone(),
            exchange_id: self.exchange_id.take(),
            prompt: self.prompt.clone(),
            response: reply.text.clone(),
            model_name: self.model_name.clone(),
            tokens_in: reply.usage.prompt_tokens,
            tokens_out: reply.usage.completion_tokens,
            latency_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            recall_id: self.recall_id,
            escalation: self.escalation.take(),
            notices: std::mem::take(&mut self.notices),
            formed: reply.formed.clone(),
        };
        event("done", &done)
    }

    fn failed(&mut self, problem: &Problem) -> String {
        error_event(problem)
    }
}

async fn show_job(context: VerbContext<verb::ShowPromptJob>) -> HandlerResult {
    context.answer(&context.engine.prompt_job(&context.call, context.segment("jobId")).await?)
}

async fn list_sessions(context: VerbContext<verb::ListPromptSessions>) -> HandlerResult {
    let asked: wire::chat::PromptSessions = context.query()?;
    context.check_tenant(asked.tenant_id.as_ref()).await?;
    let key = persona(&asked.persona_id)?;
    context.answer(&context.engine.prompt_sessions(&context.call, &key, asked.subject).await?)
}

async fn put_policy(context: VerbContext<verb::PutSafetyPolicy>) -> HandlerResult {
    context.answer(&context.engine.put_safety_policy(&context.call, context.body()?).await?)
}

async fn show_policy(context: VerbContext<verb::ShowSafetyPolicy>) -> HandlerResult {
    context.answer(&context.engine.show_safety_policy(&context.call).await?)
}

/// The persona named in a body.
pub(super) fn persona(name: &str) -> Result<PersonaKey, Problem> {
    name.parse().map_err(|rule| {
        Problem::new(
            Code::PersonaNotFound,
            format!("`{name}` is not a persona: {rule}; see `selfhood persona list`"),
        )
    })
}
