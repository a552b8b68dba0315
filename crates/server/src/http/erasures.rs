//! The right to be forgotten.

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("request_erasure", |visit| Box::pin(request(visit))),
    ("foresee_erasure", |visit| Box::pin(foresee(visit))),
    ("list_erasures", |visit| Box::pin(list(visit))),
    ("show_erasure", |visit| Box::pin(show(visit))),
    ("preview_erasure", |visit| Box::pin(preview(visit))),
    ("sign_erasure", |visit| Box::pin(sign(visit))),
    ("execute_erasure", |visit| Box::pin(execute(visit))),
    ("erasure_certificate", |visit| Box::pin(certificate(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("request_erasure", Repeated::ByVerb),
    ("sign_erasure", Repeated::Rendered(|visit| Box::pin(show(visit)))),
    ("execute_erasure", Repeated::Rendered(|visit| Box::pin(show(visit)))),
];

async fn request(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.request_erasure(&visit.call, visit.body()?).await?)
}

async fn foresee(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.foresee_erasure(&visit.call, visit.body()?).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_erasures(&visit.call).await?)
}

async fn show(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.show_erasure(&visit.call, visit.erasure()?).await?)
}

async fn preview(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.preview_erasure(&visit.call, visit.erasure()?).await?)
}

async fn sign(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.sign_erasure(&visit.call, visit.erasure()?, visit.body()?).await?)
}

async fn execute(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.execute_erasure(&visit.call, visit.erasure()?).await?)
}

async fn certificate(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.erasure_certificate(&visit.call, visit.erasure()?).await?)
}
