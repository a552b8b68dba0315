//! What stories ask the persona, and what follows from it.

use domain::{MemoryId, RecallId};
use engine::Call;
use serde_json::{Value, json};
use wire::read::read_value;

use crate::stage::{Stage, StepResult, by_operator, looking_from};
use crate::step::Step;
use crate::telling;

impl Stage {
    pub(crate) async fn recall(&mut self, call: &Call, step: &Step) -> StepResult {
        let mut asked = spoken(step, "cue");
        let at = looking_from(step)?;
        let off_record = step.option("off").is_some();
        asked["offRecord"] = json!(off_record);
        asked["topics"] = step.option("about").map_or(json!([]), |topics| topics.split(',').collect());
        asked["maxMemories"] = number(step, "most")?;
        asked["at"] = json!(at);
        let answer = self.engine.recall(call, &self.persona, read_value(asked)?).await?;
        self.last_recall = Some(answer.recall_id);
        self.names.give(&format!("recall-of-line-{}", step.line), &answer.recall_id.to_string())?;
        // What follows a recall is kept after the answer; asking why waits for it.
        if at.is_none() && !off_record && answer.notices.is_empty() {
            self.engine.explain_recall(&by_operator(call.now), answer.recall_id).await?;
        }
        let rendered = answer.rendered.as_str();
        Ok(if rendered.is_empty() { telling::NOTHING.to_owned() } else { rendered.to_owned() })
    }

    pub(crate) async fn why(&mut self, call: &Call) -> StepResult {
        let why = self.engine.explain_recall(call, self.last()?).await?;
        Ok(telling::reasons(&why.trace, &self.names))
    }

    pub(crate) async fn used(&mut self, call: &Call, step: &Step) -> StepResult {
        let named = step.option("ids").into_iter().flat_map(|ids| ids.split(','));
        let ids = named.map(|name| self.names.id(name)).collect::<Result<Vec<MemoryId>, String>>()?;
        let asked = read_value(json!({ "ids": ids, "reply": step.said }))?;
        let reported = self.engine.report_used(call, self.last()?, asked).await?;
        Ok(telling::rehearsed(&reported.rehearsed, &self.names))
    }

    pub(crate) async fn context(&mut self, call: &Call, step: &Step) -> StepResult {
        let mut asked = spoken(step, "message");
        asked["tier"] = number(step, "tier")?;
        let shown = self.engine.preview_context(call, &self.persona, read_value(asked)?).await?;
        Ok(telling::prompt(&shown, step.option("show")))
    }

    fn last(&self) -> Result<RecallId, String> {
        self.last_recall.ok_or_else(|| "nothing was recalled yet".to_owned())
    }
}

/// What someone says, to whom it is said, and in which conversation.
fn spoken(step: &Step, words: &str) -> Value {
    json!({ words: step.said, "subject": step.option("for"), "sessionId": step.option("in") })
}

fn number(step: &Step, option: &str) -> Result<Value, String> {
    let read = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is no number"));
    Ok(json!(step.option(option).map(read).transpose()?))
}
