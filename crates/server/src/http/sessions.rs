//! Conversations, as their speakers see them.

use domain::{SessionId, TurnId};
use engine::TurnAddress;
use wire::search::SearchSessions;
use wire::session::{BySubject, EditTurn, HistoryFilter, RenameSession};
use wire::verb;
use wire::{Code, Problem};

use super::chat::persona;
use super::handlers::{Handler, verb_handler};
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::SearchSessions, |context| search(context)),
    verb_handler!(verb::ListSessions, |context| list(context)),
    verb_handler!(verb::ShowSession, |context| show(context)),
    verb_handler!(verb::RenameSession, |context| rename(context)),
    verb_handler!(verb::DeleteSession, |context| delete(context)),
    verb_handler!(verb::EditTurn, |context| edit_turn(context)),
    verb_handler!(verb::DeleteTurn, |context| delete_turn(context)),
];

async fn search(context: VerbContext<verb::SearchSessions>) -> HandlerResult {
    let asked: SearchSessions = context.query()?;
    context.check_tenant(asked.user.as_ref()).await?;
    let persona = persona(&asked.persona)?;
    context.answer(&context.engine.search_sessions(&context.call, &persona, asked).await?)
}

async fn list(context: VerbContext<verb::ListSessions>) -> HandlerResult {
    context.answer(&context.engine.list_sessions(&context.call, &context.persona()?, context.query()?).await?)
}

async fn show(context: VerbContext<verb::ShowSession>) -> HandlerResult {
    let (persona, session) = (context.persona()?, session(&context)?);
    let asked: HistoryFilter = context.query()?;
    context.answer(&context.engine.show_session(&context.call, &persona, &session, asked).await?)
}

async fn rename(context: VerbContext<verb::RenameSession>) -> HandlerResult {
    let (persona, session) = (context.persona()?, session(&context)?);
    let asked: RenameSession = context.body()?;
    context.answer(&context.engine.rename_session(&context.call, &persona, &session, asked).await?)
}

async fn delete(context: VerbContext<verb::DeleteSession>) -> HandlerResult {
    let (persona, session) = (context.persona()?, session(&context)?);
    let BySubject { subject } = context.query()?;
    context.engine.delete_session(&context.call, &persona, &session, subject).await?;
    Ok(Answer::done())
}

async fn edit_turn(context: VerbContext<verb::EditTurn>) -> HandlerResult {
    let (persona, session, turn) = (context.persona()?, session(&context)?, turn(&context)?);
    let asked: EditTurn = context.body()?;
    context.answer(
        &context.engine.edit_turn(&context.call, &persona, &TurnAddress { session, turn }, asked).await?,
    )
}

async fn delete_turn(context: VerbContext<verb::DeleteTurn>) -> HandlerResult {
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
