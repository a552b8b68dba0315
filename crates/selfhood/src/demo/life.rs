//! Nora's timeline.

use std::collections::BTreeMap;

use domain::{Days, TenantName, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};
use wire::Problem;
use wire::fields::{Fields, fields};
use wire::persona::PersonaView;
use wire::timeline::{AppendEntry, TimelineEntryAnswer, TimelineFilter, TimelinePage};
use wire::verb;

use super::read;
use crate::home_client::HomeClient;
use crate::request::Request;

const LIFE: &str = include_str!("../../demo/life.json");
const DAYS_PER_YEAR: f64 = 365.25;

/// An event, dated by her age.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lived {
    age: f64,
    event_label: String,
    /// The label of the event it revises.
    revises: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Appends the missing events.
pub(super) fn load(client: &HomeClient, tenant: &TenantName, nora: &PersonaView) -> Result<(), Problem> {
    let name = nora.name.to_string();
    let request = Request::<verb::ListTimeline>::to(&[&name])?;
    let page: TimelinePage = client.ask(
        request.with_query(fields!(TimelineFilter { limit: Some(100), include_superseded: Some(true) })),
    )?;
    let mut known: BTreeMap<String, String> = page
        .timeline
        .iter()
        .map(|entry| (entry.event.event_label.as_str().to_owned(), entry.id.to_string()))
        .collect();
    let lived: Vec<Lived> = read(LIFE)?;
    for event in lived {
        if known.contains_key(&event.event_label) {
            continue;
        }
        let body = Fields::from_object(event.rest)
            .overridden_by(fields!(domain::Event {
                event_label: Some(event.event_label.as_str()),
                event_at: Some(at_age(nora, event.age).to_string()),
            }))
            .flattened()
            .overridden_by(fields!(AppendEntry {
                tenant_id: Some(tenant.as_str()),
                revises_timeline_id: event.revises.and_then(|label| known.get(&label).cloned()),
            }));
        let answer: TimelineEntryAnswer =
            client.ask(Request::<verb::AppendEntry>::to(&[&name])?.with_body(body))?;
        known.insert(event.event_label, answer.timeline_entry.id.to_string());
    }
    Ok(())
}

/// The date at which she had that age.
fn at_age(nora: &PersonaView, age: f64) -> Timestamp {
    let now = nora.seed.as_ref().map_or(0.0, |seed| f64::from(seed.age));
    nora.created_at.plus(Days((age - now) * DAYS_PER_YEAR))
}
