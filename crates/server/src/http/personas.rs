//! Create, show, update and delete personas.

use wire::persona::OfTenant;

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("create_persona", |visit| Box::pin(create(visit))),
    ("set_up_persona", |visit| Box::pin(set_up(visit))),
    ("copy_persona", |visit| Box::pin(copy(visit))),
    ("validate_persona", |visit| Box::pin(validate(visit))),
    ("list_personas", |visit| Box::pin(list(visit))),
    ("show_persona", |visit| Box::pin(show(visit))),
    ("update_persona", |visit| Box::pin(update(visit))),
    ("delete_persona", |visit| Box::pin(delete(visit))),
    ("sign_persona", |visit| Box::pin(sign(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("create_persona", Repeated::ByVerb),
    ("set_up_persona", Repeated::Made("/persona/id", |visit, id| Box::pin(made(visit, id)))),
    ("copy_persona", Repeated::Made("/persona/id", |visit, id| Box::pin(made(visit, id)))),
    ("sign_persona", Repeated::Rendered(|visit| Box::pin(signed(visit)))),
];

async fn create(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.create_persona(&visit.call, visit.body()?).await?)
}

async fn set_up(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.set_up_persona(&visit.call, visit.body()?).await?)
}

async fn copy(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.copy_persona(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn validate(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.validate_persona(&visit.call, &visit.persona()?).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&visit.engine.list_personas(&visit.call).await?)
}

async fn show(visit: RequestContext) -> HandlerResult {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&visit.engine.show_persona(&visit.call, &visit.persona()?).await?)
}

async fn update(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.update_persona(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn delete(visit: RequestContext) -> HandlerResult {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    visit.engine.delete_persona(&visit.call, &visit.persona()?).await?;
    Ok(Answer::done())
}

async fn sign(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.sign_persona(&visit.call, &visit.persona()?).await?)
}

async fn made(visit: RequestContext, id: String) -> HandlerResult {
    Answer::json(&visit.engine.persona_again(&visit.call, &id).await?)
}

async fn signed(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.persona_again(&visit.call, &visit.persona()?.to_string()).await?)
}
