//! Create, show, update and delete personas.

use wire::persona::OfTenant;
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::CreatePersona::NAME, |context| Box::pin(create(context))),
    (verb::SetUpPersona::NAME, |context| Box::pin(set_up(context))),
    (verb::CopyPersona::NAME, |context| Box::pin(copy(context))),
    (verb::ValidatePersona::NAME, |context| Box::pin(validate(context))),
    (verb::ListPersonas::NAME, |context| Box::pin(list(context))),
    (verb::ShowPersona::NAME, |context| Box::pin(show(context))),
    (verb::UpdatePersona::NAME, |context| Box::pin(update(context))),
    (verb::DeletePersona::NAME, |context| Box::pin(delete(context))),
    (verb::SignPersona::NAME, |context| Box::pin(sign(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::CreatePersona::NAME, RepeatPolicy::ByVerb),
    (verb::SetUpPersona::NAME, RepeatPolicy::Made("/persona/id", |context, id| Box::pin(made(context, id)))),
    (verb::CopyPersona::NAME, RepeatPolicy::Made("/persona/id", |context, id| Box::pin(made(context, id)))),
    (verb::SignPersona::NAME, RepeatPolicy::Rendered(|context| Box::pin(signed(context)))),
];

async fn create(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.create_persona(&context.call, context.body()?).await?)
}

async fn set_up(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.set_up_persona(&context.call, context.body()?).await?)
}

async fn copy(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.copy_persona(&context.call, &context.persona()?, context.body()?).await?)
}

async fn validate(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.validate_persona(&context.call, &context.persona()?).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    context.check_tenant(context.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&context.engine.list_personas(&context.call).await?)
}

async fn show(context: RequestContext) -> HandlerResult {
    context.check_tenant(context.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&context.engine.show_persona(&context.call, &context.persona()?).await?)
}

async fn update(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.update_persona(&context.call, &context.persona()?, context.body()?).await?)
}

async fn delete(context: RequestContext) -> HandlerResult {
    context.check_tenant(context.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    context.engine.delete_persona(&context.call, &context.persona()?).await?;
    Ok(Answer::done())
}

async fn sign(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.sign_persona(&context.call, &context.persona()?).await?)
}

async fn made(context: RequestContext, id: String) -> HandlerResult {
    Answer::json(&context.engine.persona_again(&context.call, &id).await?)
}

async fn signed(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.persona_again(&context.call, &context.persona()?.to_string()).await?)
}
