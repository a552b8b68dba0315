//! Making, seeing, changing and deleting personas.

use wire::persona::OfTenant;

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[
    ("create_persona", |visit| Box::pin(create(visit))),
    ("set_up_persona", |visit| Box::pin(set_up(visit))),
    ("list_personas", |visit| Box::pin(list(visit))),
    ("show_persona", |visit| Box::pin(show(visit))),
    ("update_persona", |visit| Box::pin(update(visit))),
    ("delete_persona", |visit| Box::pin(delete(visit))),
    ("sign_persona", |visit| Box::pin(sign(visit))),
];

async fn create(visit: Visit) -> Told {
    Answer::json(&visit.engine.create_persona(&visit.call, visit.body()?).await?)
}

async fn set_up(visit: Visit) -> Told {
    Answer::json(&visit.engine.set_up_persona(&visit.call, visit.body()?).await?)
}

async fn list(visit: Visit) -> Told {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&visit.engine.list_personas(&visit.call).await?)
}

async fn show(visit: Visit) -> Told {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&visit.engine.show_persona(&visit.call, &visit.persona()?).await?)
}

async fn update(visit: Visit) -> Told {
    Answer::json(&visit.engine.update_persona(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn delete(visit: Visit) -> Told {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    visit.engine.delete_persona(&visit.call, &visit.persona()?).await?;
    Ok(Answer::done())
}

async fn sign(visit: Visit) -> Told {
    Answer::json(&visit.engine.sign_persona(&visit.call, &visit.persona()?).await?)
}
