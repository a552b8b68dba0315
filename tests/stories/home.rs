//! What stories change about the persona itself: through the door, and by hand.

use domain::{Text, Timestamp};
use engine::Call;
use serde_json::{Value, json};
use store::{Batch, Change, Deployment, DocumentName, Documents, Records, Scope};
use wire::read::read_value;

use crate::stage::{PERSONA, Silent, Stage, TENANT, merge};
use crate::step::Step;

impl Stage {
    /// Changes what the step names and leaves the rest of the policy as it is.
    pub(crate) async fn change(&mut self, call: &Call, step: &Step) -> Silent {
        let mut asked = step.body();
        if let Some(changes) = asked.get_mut("memoryPolicy").map(Value::take) {
            let shown = self.engine.show_persona(call, &self.persona).await?;
            let mut policy = json!(shown.document.memory_policy);
            merge(&mut policy, changes);
            asked["memoryPolicy"] = policy;
        }
        self.engine.update_persona(call, &self.persona, read_value(asked)?).await?;
        Ok(())
    }

    /// As a person would do it: with an editor, past every door.
    pub(crate) async fn edit(&mut self, step: &Step) -> Silent {
        let (scope, store) = (self.scope().await, self.engine.store());
        let read = store.read(&scope, DocumentName::Persona).await.unwrap().unwrap();
        let mut document: Value = serde_json::from_str(read.content.as_str()).unwrap();
        merge(&mut document, step.body());
        let text = Text::new(document.to_string());
        store.write(&scope, DocumentName::Persona, Some(read.hash), text).await.unwrap();
        Ok(())
    }

    pub(crate) async fn sign(&mut self, call: &Call) -> Silent {
        self.engine.sign_persona(call, &self.persona).await?;
        Ok(())
    }

    /// The owner's file as an editor leaves it, or a guest's sealed document.
    pub(crate) async fn write(&mut self, now: Timestamp, step: &Step) -> Silent {
        let (scope, store) = (self.scope().await, self.engine.store());
        let name: DocumentName = step.names[0].parse().map_err(|_| "no such document".to_owned())?;
        let text = Text::new(step.said.clone().unwrap_or_default());
        if let Some(guest) = step.option("for") {
            let guest = guest.parse().map_err(|_| format!("`{guest}` is nobody"))?;
            store.commit(&scope, Batch::at(now).with(Change::PutDocument(guest, name, text))).await.unwrap();
        } else {
            let found = store.read(&scope, name).await.unwrap().map(|document| document.hash);
            store.write(&scope, name, found, text).await.unwrap();
        }
        Ok(())
    }

    async fn scope(&self) -> Scope {
        let (tenant, name) = (TENANT.parse().unwrap(), PERSONA.parse().unwrap());
        let found = self.engine.store().persona_named(&tenant, &name).await;
        found.unwrap().unwrap().scope()
    }
}
