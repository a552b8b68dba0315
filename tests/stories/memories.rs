//! What stories do with memories.

use domain::MemoryId;
use engine::Call;
use serde_json::{Value, json};
use wire::memory::{MemoryAnswer, MemoryView};
use wire::read::read_value;

use crate::stage::{Silent, Stage, StepResult, looking_from, merge};
use crate::step::Step;
use crate::telling;

impl Stage {
    pub(crate) async fn remember(&mut self, call: &Call, step: &Step) -> Silent {
        let asked = read_value(memory(step, self.names.in_body(step.body())?))?;
        let answer = self.engine.remember(call, &self.persona, asked).await?;
        self.give(&step.names[0], &answer)
    }

    pub(crate) async fn correct(&mut self, call: &Call, step: &Step) -> Silent {
        let id: MemoryId = self.names.id(&step.names[0])?;
        let asked = read_value(step.body())?;
        let answer = self.engine.correct_memory(call, &self.persona, id, asked).await?;
        self.give(&step.names[1], &answer)?;
        if let Some(name) = step.option("anew") {
            let all = self.engine.list_memories(call, &self.persona, read_value(json!({}))?).await?;
            let right = &answer.memory.as_value()["id"];
            let comes_from = |memory: &&MemoryView| {
                memory.as_value()["derivedFrom"].as_array().is_some_and(|sources| sources.contains(right))
            };
            let rederived =
                all.data.iter().find(comes_from).ok_or_else(|| "nothing is derived again".to_owned())?;
            self.names.give(name, rederived.as_value()["id"].as_str().unwrap())?;
        }
        Ok(())
    }

    pub(crate) async fn redact(&mut self, call: &Call, step: &Step) -> StepResult {
        let id: MemoryId = self.names.id(&step.names[0])?;
        let answer = self.engine.redact_memory(call, &self.persona, id, read_value(step.body())?).await?;
        let rederived = answer.redaction.derived.iter().find_map(|derived| derived.rederived);
        if let (Some(name), Some(id)) = (step.option("anew"), rederived) {
            self.names.give(name, &id.to_string())?;
        }
        Ok(telling::redaction(&answer.redaction, &self.names))
    }

    pub(crate) async fn restore(&mut self, call: &Call, step: &Step) -> Silent {
        let id: MemoryId = self.names.id(&step.names[0])?;
        self.engine.restore_memory(call, &self.persona, id).await?;
        Ok(())
    }

    pub(crate) async fn inspect(&mut self, call: &Call, step: &Step) -> StepResult {
        let id: MemoryId = self.names.id(&step.names[0])?;
        let seen = self.engine.inspect_memory(call, &self.persona, id, looking_from(step)?).await?;
        Ok(telling::memory(&step.names[0], &seen))
    }

    pub(crate) async fn list(&mut self, call: &Call, step: &Step) -> StepResult {
        let asked = read_value(json!({ "includeRedacted": step.option("with").is_some() }))?;
        let page = self.engine.list_memories(call, &self.persona, asked).await?;
        Ok(telling::list(&page.data, &self.names))
    }

    fn give(&mut self, name: &str, answer: &MemoryAnswer) -> Silent {
        Ok(self.names.give(name, answer.memory.as_value()["id"].as_str().unwrap())?)
    }
}

/// The request of `remember`: what the step says, and otherwise an ordinary episode. `for` makes it a
/// guest's, `in` puts it into a conversation.
fn memory(step: &Step, body: Value) -> Value {
    let mut asked = json!({
        "kind": "episodic", "salience": 0.7, "privacyClass": "non-pii", "consentBasis": "not-applicable"
    });
    if let Some(subject) = step.option("for") {
        let guest = json!({
            "subject": subject, "privacyClass": "guest-pii", "consentBasis": "service-delivery"
        });
        merge(&mut asked, guest);
    }
    if let Some(session) = step.option("in") {
        let deployment = crate::stage::DEPLOYMENT;
        asked["provenance"] = json!({ "sessionId": session, "turnIndex": 0, "deploymentDid": deployment });
    }
    merge(&mut asked, body);
    asked
}
