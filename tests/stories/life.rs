//! What stories do with the persona's own life.

use domain::TimelineId;
use engine::Call;
use serde_json::{Value, json};
use wire::read::read_value;

use crate::stage::{Silent, Stage, StepResult, merge};
use crate::step::Step;
use crate::telling;

impl Stage {
    pub(crate) async fn append(&mut self, call: &Call, step: &Step) -> Silent {
        let asked = read_value(of_tenant(call, step))?;
        let answer = self.engine.append_entry(call, &self.persona, asked).await?;
        Ok(self.names.give(&step.names[0], &answer.timeline_entry.id.to_string())?)
    }

    pub(crate) async fn revise(&mut self, call: &Call, step: &Step) -> Silent {
        let original: TimelineId = self.names.id(&step.names[0])?;
        let mut asked = of_tenant(call, step);
        merge(&mut asked, json!({ "memoryType": "revised", "revisesTimelineId": original }));
        let answer = self.engine.append_entry(call, &self.persona, read_value(asked)?).await?;
        Ok(self.names.give(&step.names[1], &answer.timeline_entry.id.to_string())?)
    }

    pub(crate) async fn supersede(&mut self, call: &Call, step: &Step) -> Silent {
        let id: TimelineId = self.names.id(&step.names[0])?;
        let asked = read_value(of_tenant(call, step))?;
        self.engine.supersede_entry(call, &self.persona, id, asked).await?;
        Ok(())
    }

    pub(crate) async fn timeline(&mut self, call: &Call, step: &Step) -> StepResult {
        let asked = read_value(json!({ "includeSuperseded": step.option("with").is_some() }))?;
        Ok(telling::life(&self.engine.list_timeline(call, &self.persona, asked).await?))
    }
}

/// The step's body, and the tenant that requests about a life name.
fn of_tenant(call: &Call, step: &Step) -> Value {
    let mut asked = json!({ "tenantId": call.caller.tenant });
    merge(&mut asked, step.body());
    asked
}
