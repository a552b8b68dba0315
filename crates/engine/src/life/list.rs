//! `GET /personas/{id}/timeline`.

use wire::Problem;
use wire::timeline::{TimelineFilter, TimelinePage};

use crate::call::{Call, PersonaKey};
use crate::{Engine, boxed};

/// The default page size.
const PAGE: usize = 20;

impl Engine {
    /// A part of the timeline, by sequence.
    #[boxed]
    pub async fn list_timeline(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: TimelineFilter,
    ) -> Result<TimelinePage, Problem> {
        if let Some(tenant) = &asked.tenant_id {
            self.check_tenant(call, tenant).await?;
        }
        let persona = self.find(call, key).await?;
        let (_, view) = self.view(&persona).await?;
        let shown = || view.timeline.iter().filter(|e| asked.include_superseded || e.superseded_at.is_none());
        let limit = asked.limit.unwrap_or(PAGE);
        Ok(TimelinePage {
            timeline: shown().skip(asked.offset).take(limit).cloned().collect(),
            total: shown().count(),
            limit,
            offset: asked.offset,
        })
    }
}
