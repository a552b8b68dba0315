//! Create, show, update and delete personas.

use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::CreatePersona, |context| create(context)),
    verb_handler!(verb::SetUpPersona, |context| set_up(context)),
    verb_handler!(verb::CopyPersona, |context| copy(context)),
    verb_handler!(verb::ValidatePersona, |context| validate(context)),
    verb_handler!(verb::ListPersonas, |context| list(context)),
    verb_handler!(verb::ShowPersona, |context| show(context)),
    verb_handler!(verb::UpdatePersona, |context| update(context)),
    verb_handler!(verb::DeletePersona, |context| delete(context)),
    verb_handler!(verb::SignPersona, |context| sign(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::CreatePersona::NAME, RepeatPolicy::ByVerb),
    (verb::SetUpPersona::NAME, RepeatPolicy::Made("/persona/id", |context, id| Box::pin(made(context, id)))),
    (verb::CopyPersona::NAME, RepeatPolicy::Made("/persona/id", |context, id| Box::pin(made(context, id)))),
    (verb::SignPersona::NAME, RepeatPolicy::Rendered(|context| Box::pin(signed(context)))),
];

async fn create(context: VerbContext<verb::CreatePersona>) -> HandlerResult {
    context.answer(&context.engine.create_persona(&context.call, context.body()?).await?)
}

async fn set_up(context: VerbContext<verb::SetUpPersona>) -> HandlerResult {
    context.answer(&context.engine.set_up_persona(&context.call, context.body()?).await?)
}

async fn copy(context: VerbContext<verb::CopyPersona>) -> HandlerResult {
    context.answer(&context.engine.copy_persona(&context.call, &context.persona()?, context.body()?).await?)
}

async fn validate(context: VerbContext<verb::ValidatePersona>) -> HandlerResult {
    context.answer(&context.engine.validate_persona(&context.call, &context.persona()?).await?)
}

async fn list(context: VerbContext<verb::ListPersonas>) -> HandlerResult {
    context.check_tenant(context.query()?.tenant_id.as_ref()).await?;
    context.answer(&context.engine.list_personas(&context.call).await?)
}

async fn show(context: VerbContext<verb::ShowPersona>) -> HandlerResult {
    context.check_tenant(context.query()?.tenant_id.as_ref()).await?;
    context.answer(&context.engine.show_persona(&context.call, &context.persona()?).await?)
}

async fn update(context: VerbContext<verb::UpdatePersona>) -> HandlerResult {
    context.answer(&context.engine.update_persona(&context.call, &context.persona()?, context.body()?).await?)
}

async fn delete(context: VerbContext<verb::DeletePersona>) -> HandlerResult {
    context.check_tenant(context.query()?.tenant_id.as_ref()).await?;
    context.engine.delete_persona(&context.call, &context.persona()?).await?;
    Ok(Answer::done())
}

async fn sign(context: VerbContext<verb::SignPersona>) -> HandlerResult {
    context.answer(&context.engine.sign_persona(&context.call, &context.persona()?).await?)
}

async fn made(context: RequestContext, id: String) -> HandlerResult {
    Answer::json(&context.engine.persona_again(&context.call, &id).await?)
}

async fn signed(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.persona_again(&context.call, &context.persona()?.to_string()).await?)
}
