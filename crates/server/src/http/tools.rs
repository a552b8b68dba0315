//! What a model may do on a persona's behalf, by hand.

use wire::tool::UseTool;

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("list_tools", |visit| Box::pin(list(visit))), ("use_tool", |visit| Box::pin(use_tool(visit)))];

async fn list(visit: Visit) -> Told {
    Answer::json(&visit.engine.list_tools(&visit.call, &visit.persona()?).await?)
}

async fn use_tool(visit: Visit) -> Told {
    let (persona, asked): (_, UseTool) = (visit.persona()?, visit.body()?);
    Answer::json(&visit.engine.use_tool(&visit.call, &persona, visit.segment("tool"), asked).await?)
}
