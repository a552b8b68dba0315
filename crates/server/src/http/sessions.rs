//! Conversations, as their speakers see them.

use domain::{SessionId, TurnId};
use wire::search::SearchSessions;
use wire::session::{BySubject, EditTurn, HistoryFilter, RenameSession};
use wire::{Code, Problem};

use super::chat::persona;
use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("search_sessions", |visit| Box::pin(search(visit))),
    ("list_sessions", |visit| Box::pin(list(visit))),
    ("show_session", |visit| Box::pin(show(visit))),
    ("rename_session", |visit| Box::pin(rename(visit))),
    ("delete_session", |visit| Box::pin(delete(visit))),
    ("edit_turn", |visit| Box::pin(edit_turn(visit))),
    ("delete_turn", |visit| Box::pin(delete_turn(visit))),
];

async fn search(visit: RequestContext) -> HandlerResult {
    let asked: SearchSessions = visit.query()?;
    visit.check_tenant(asked.user.as_ref()).await?;
    let persona = persona(&asked.persona)?;
    Answer::json(&visit.engine.search_sessions(&visit.call, &persona, asked).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_sessions(&visit.call, &visit.persona()?, visit.query()?).await?)
}

async fn show(visit: RequestContext) -> HandlerResult {
    let (persona, session) = (visit.persona()?, session(&visit)?);
    let asked: HistoryFilter = visit.query()?;
    Answer::json(&visit.engine.show_session(&visit.call, &persona, &session, asked).await?)
}

async fn rename(visit: RequestContext) -> HandlerResult {
    let (persona, session) = (visit.persona()?, session(&visit)?);
    let asked: RenameSession = visit.body()?;
    Answer::json(&visit.engine.rename_session(&visit.call, &persona, &session, asked).await?)
}

async fn delete(visit: RequestContext) -> HandlerResult {
    let (persona, session) = (visit.persona()?, session(&visit)?);
    let BySubject { subject } = visit.query()?;
    visit.engine.delete_session(&visit.call, &persona, &session, subject).await?;
    Ok(Answer::done())
}

async fn edit_turn(visit: RequestContext) -> HandlerResult {
    let (persona, session, turn) = (visit.persona()?, session(&visit)?, turn(&visit)?);
    let asked: EditTurn = visit.body()?;
    Answer::json(&visit.engine.edit_turn(&visit.call, &persona, (&session, turn), asked).await?)
}

async fn delete_turn(visit: RequestContext) -> HandlerResult {
    let (persona, session, turn) = (visit.persona()?, session(&visit)?, turn(&visit)?);
    let BySubject { subject } = visit.query()?;
    visit.engine.delete_turn(&visit.call, &persona, (&session, turn), subject).await?;
    Ok(Answer::done())
}

fn session(visit: &RequestContext) -> Result<SessionId, Problem> {
    visit.named("sessionId", Code::SessionNotFound)
}

fn turn(visit: &RequestContext) -> Result<TurnId, Problem> {
    visit.named("turnId", Code::NotFound)
}
