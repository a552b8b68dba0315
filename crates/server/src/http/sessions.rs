//! Conversations, as their speakers see them.

use domain::{SessionId, TurnId};
use engine::TurnAddress;
use wire::search::SearchSessions;
use wire::session::{BySubject, EditTurn, HistoryFilter, RenameSession};
use wire::verb::{self, Verb};
use wire::{Code, Problem};

use super::chat::persona;
use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::SearchSessions::NAME, |context| Box::pin(search(context))),
    (verb::ListSessions::NAME, |context| Box::pin(list(context))),
    (verb::ShowSession::NAME, |context| Box::pin(show(context))),
    (verb::RenameSession::NAME, |context| Box::pin(rename(context))),
    (verb::DeleteSession::NAME, |context| Box::pin(delete(context))),
    (verb::EditTurn::NAME, |context| Box::pin(edit_turn(context))),
    (verb::DeleteTurn::NAME, |context| Box::pin(delete_turn(context))),
];

async fn search(context: RequestContext) -> HandlerResult {
    let asked: SearchSessions = context.query()?;
    context.check_tenant(asked.user.as_ref()).await?;
    let persona = persona(&asked.persona)?;
    Answer::json(&context.engine.search_sessions(&context.call, &persona, asked).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_sessions(&context.call, &context.persona()?, context.query()?).await?)
}

async fn show(context: RequestContext) -> HandlerResult {
    let (persona, session) = (context.persona()?, session(&context)?);
    let asked: HistoryFilter = context.query()?;
    Answer::json(&context.engine.show_session(&context.call, &persona, &session, asked).await?)
}

async fn rename(context: RequestContext) -> HandlerResult {
    let (persona, session) = (context.persona()?, session(&context)?);
    let asked: RenameSession = context.body()?;
    Answer::json(&context.engine.rename_session(&context.call, &persona, &session, asked).await?)
}

async fn delete(context: RequestContext) -> HandlerResult {
    let (persona, session) = (context.persona()?, session(&context)?);
    let BySubject { subject } = context.query()?;
    context.engine.delete_session(&context.call, &persona, &session, subject).await?;
    Ok(Answer::done())
}

async fn edit_turn(context: RequestContext) -> HandlerResult {
    let (persona, session, turn) = (context.persona()?, session(&context)?, turn(&context)?);
    let asked: EditTurn = context.body()?;
    Answer::json(
        &context.engine.edit_turn(&context.call, &persona, &TurnAddress { session, turn }, asked).await?,
    )
}

async fn delete_turn(context: RequestContext) -> HandlerResult {
    let (persona, session, turn) = (context.persona()?, session(&context)?, turn(&context)?);
    let BySubject { subject } = context.query()?;
    context.engine.delete_turn(&context.call, &persona, &TurnAddress { session, turn }, subject).await?;
    Ok(Answer::done())
}

fn session(context: &RequestContext) -> Result<SessionId, Problem> {
    context.named("sessionId", Code::SessionNotFound)
}

fn turn(context: &RequestContext) -> Result<TurnId, Problem> {
    context.named("turnId", Code::NotFound)
}
