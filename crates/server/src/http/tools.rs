//! What a model may do on a persona's behalf, by hand.

use domain::Text;
use engine::Engine;
use wire::tool::{ToolAnswer, UseTool};

use super::doors::Handler;
use super::idempotency::Repeated;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("list_tools", |visit| Box::pin(list(visit))), ("use_tool", |visit| Box::pin(use_tool(visit)))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("use_tool", Repeated::Rendered(|visit| Box::pin(used(visit))))];

async fn list(visit: Visit) -> Told {
    Answer::json(&visit.engine.list_tools(&visit.call, &visit.persona()?).await?)
}

async fn use_tool(visit: Visit) -> Told {
    let (persona, asked): (_, UseTool) = (visit.persona()?, visit.body()?);
    Answer::json(&visit.engine.use_tool(&visit.call, &persona, visit.segment("tool"), asked).await?)
}

/// What only reads is read anew.
async fn used(visit: Visit) -> Told {
    if !Engine::is_writing_tool(visit.segment("tool")) {
        return use_tool(visit).await;
    }
    let done = "Done before, by an earlier request with the same `Idempotency-Key`.";
    Answer::json(&ToolAnswer { result: Text::new(done) })
}
