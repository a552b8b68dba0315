//! The people personas have met, and sweeps.

use domain::SubjectRef;
use wire::{Code, Problem};

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[
    ("list_subjects", |visit| Box::pin(list(visit))),
    ("show_subject", |visit| Box::pin(show(visit))),
    ("export_subject", |visit| Box::pin(export(visit))),
    ("merge_subjects", |visit| Box::pin(merge(visit))),
    ("add_alias", |visit| Box::pin(alias(visit))),
    ("withdraw_consent", |visit| Box::pin(withdraw(visit))),
    ("hold_subject", |visit| Box::pin(hold(visit))),
    ("sweep", |visit| Box::pin(sweep(visit))),
];

async fn list(visit: Visit) -> Told {
    Answer::json(&visit.engine.list_subjects(&visit.call).await?)
}

async fn show(visit: Visit) -> Told {
    Answer::json(&visit.engine.show_subject(&visit.call, &subject(&visit)?).await?)
}

async fn export(visit: Visit) -> Told {
    Answer::json(&visit.engine.export_subject(&visit.call, &subject(&visit)?).await?)
}

async fn merge(visit: Visit) -> Told {
    Answer::json(&visit.engine.merge_subjects(&visit.call, &subject(&visit)?, visit.body()?).await?)
}

async fn alias(visit: Visit) -> Told {
    Answer::json(&visit.engine.add_alias(&visit.call, &subject(&visit)?, visit.body()?).await?)
}

async fn withdraw(visit: Visit) -> Told {
    Answer::json(&visit.engine.withdraw_consent(&visit.call, &subject(&visit)?).await?)
}

async fn hold(visit: Visit) -> Told {
    Answer::json(&visit.engine.hold_subject(&visit.call, &subject(&visit)?, visit.body()?).await?)
}

async fn sweep(visit: Visit) -> Told {
    Answer::json(&visit.engine.sweep(&visit.call, visit.body()?).await?)
}

/// The person the path names. A problem does not repeat the name: it may be somebody's address.
fn subject(visit: &Visit) -> Result<SubjectRef, Problem> {
    visit
        .segment("s")
        .parse()
        .map_err(|rule| Problem::new(Code::SubjectNotFound, format!("nobody goes by that: {rule}")))
}
