//! What each verb of a story asks of the engine.

use domain::MemoryId;
use engine::Call;
use serde_json::{Value, json};
use wire::read::read_value;

use crate::stage::{Stage, Stop, looking_from, merge};
use crate::step::Step;
use crate::telling;
use crate::verb::Verb;

impl Stage {
    /// Memories that come to be and go.
    pub(crate) async fn keep(&mut self, call: &Call, step: &Step) -> Result<String, Stop> {
        let persona = self.persona();
        if step.verb == Verb::Remember {
            let asked = read_value(memory(step, self.body(step)?))?;
            let answer = self.engine.remember(call, &persona, asked).await?;
            self.names.give(&step.names[0], answer.memory.as_value()["id"].as_str().unwrap())?;
            return Ok(String::new());
        }
        let id: MemoryId = self.names.id(&step.names[0])?;
        let asked = self.body(step)?;
        match step.verb {
            Verb::Redact => drop(self.engine.redact_memory(call, &persona, id, read_value(asked)?).await?),
            Verb::Restore => drop(self.engine.restore_memory(call, &persona, id).await?),
            _ => {
                let answer = self.engine.correct_memory(call, &persona, id, read_value(asked)?).await?;
                self.names.give(&step.names[1], answer.memory.as_value()["id"].as_str().unwrap())?;
            }
        }
        Ok(String::new())
    }

    /// Events of the persona's own life.
    pub(crate) async fn live(&mut self, call: &Call, step: &Step) -> Result<String, Stop> {
        let persona = self.persona();
        let mut asked = json!({ "tenantId": call.caller.tenant });
        merge(&mut asked, self.body(step)?);
        let entry = match step.verb {
            Verb::Supersede => {
                let id = self.names.id(&step.names[0])?;
                self.engine.supersede_entry(call, &persona, id, read_value(asked)?).await?;
                return Ok(String::new());
            }
            Verb::Revise => {
                let original: domain::TimelineId = self.names.id(&step.names[0])?;
                merge(&mut asked, json!({ "memoryType": "revised", "revisesTimelineId": original }));
                self.engine.append_entry(call, &persona, read_value(asked)?).await?
            }
            _ => self.engine.append_entry(call, &persona, read_value(asked)?).await?,
        };
        let name = step.names.last().unwrap();
        self.names.give(name, &entry.timeline_entry.id.to_string())?;
        Ok(String::new())
    }

    /// Recall, what follows from it, and the prompt it is for.
    pub(crate) async fn bring_back(&mut self, call: &Call, step: &Step) -> Result<String, Stop> {
        match step.verb {
            Verb::Why => {
                let why = self.engine.explain_recall(call, self.last()?).await?;
                Ok(telling::reasons(&why.trace, &self.names))
            }
            Verb::Used => {
                let ids: Vec<&str> = step.option("ids").into_iter().flat_map(|ids| ids.split(',')).collect();
                let ids: Result<Vec<MemoryId>, String> = ids.into_iter().map(|id| self.names.id(id)).collect();
                let asked = read_value(json!({ "ids": ids?, "reply": step.said }))?;
                let told = self.engine.report_used(call, self.last()?, asked).await?;
                Ok(telling::rehearsed(&told.rehearsed, &self.names))
            }
            Verb::Context => {
                let mut asked = spoken(step, "message");
                asked["tier"] = json!(step.option("tier").and_then(|tier| tier.parse::<u8>().ok()));
                let shown = self.engine.preview_context(call, &self.persona(), read_value(asked)?).await?;
                Ok(telling::prompt(&shown, step.option("show")))
            }
            _ => self.recall(call, step).await,
        }
    }

    async fn recall(&mut self, call: &Call, step: &Step) -> Result<String, Stop> {
        let mut asked = spoken(step, "cue");
        let at = looking_from(step)?;
        let off_record = step.option("off").is_some();
        asked["offRecord"] = json!(off_record);
        asked["topics"] = step.option("about").map_or(json!([]), |topics| topics.split(',').collect());
        asked["maxMemories"] = json!(step.option("most").and_then(|most| most.parse::<u32>().ok()));
        asked["at"] = json!(at);
        let answer = self.engine.recall(call, &self.persona(), read_value(asked)?).await?;
        self.last_recall = Some(answer.recall_id);
        self.names.give(&format!("recall-of-line-{}", step.line), &answer.recall_id.to_string())?;
        // What follows a recall is kept after the answer; asking why waits for it.
        if at.is_none() && !off_record {
            self.engine.explain_recall(call, answer.recall_id).await?;
        }
        let rendered = answer.rendered.as_str();
        Ok(if rendered.is_empty() { telling::NOTHING.to_owned() } else { rendered.to_owned() })
    }

    /// What can be seen without changing anything.
    pub(crate) async fn look(&mut self, call: &Call, step: &Step) -> Result<String, Stop> {
        let persona = self.persona();
        let everything = step.option("with").is_some();
        match step.verb {
            Verb::Inspect => {
                let id = self.names.id(&step.names[0])?;
                let seen = self.engine.inspect_memory(call, &persona, id, looking_from(step)?).await?;
                Ok(telling::memory(&step.names[0], &seen))
            }
            Verb::List => {
                let asked = read_value(json!({ "includeRedacted": everything }))?;
                let page = self.engine.list_memories(call, &persona, asked).await?;
                Ok(telling::list(&page.data, &self.names))
            }
            _ => {
                let asked = read_value(json!({ "includeSuperseded": everything }))?;
                Ok(telling::life(&self.engine.list_timeline(call, &persona, asked).await?))
            }
        }
    }

    fn body(&self, step: &Step) -> Result<Value, String> {
        self.names.in_body(step.body())
    }

    fn last(&self) -> Result<domain::RecallId, String> {
        self.last_recall.ok_or_else(|| "nothing was recalled yet".to_owned())
    }
}

/// What someone says, to whom it is said, and in which conversation.
fn spoken(step: &Step, words: &str) -> Value {
    json!({ words: step.said, "subject": step.option("for"), "sessionId": step.option("in") })
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
        let provenance = json!({ "sessionId": session, "turnIndex": 0, "deploymentDid": "did:selfhood:cluj" });
        asked["provenance"] = provenance;
    }
    merge(&mut asked, body);
    asked
}
