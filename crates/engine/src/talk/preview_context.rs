//! `POST /v1/personas/{p}/context`: the whole prompt, part by part, without a model.

use domain::{RecallId, Text};
use wire::Problem;
use wire::context::{ContextAnswer, PreviewContext};

use crate::call::{Call, PersonaKey};
use crate::memory::recall::{CueWords, RecallTurn};
use crate::memory::recall_sequence::{RecallRequest, Selection};
use crate::talk::context::{DEFAULT_TIER, Layers, Setting};
use crate::talk::converse::earlier;
use crate::{Engine, boxed};

impl Engine {
    /// Shows the prompt of a message. Nothing is rehearsed and nothing is stored.
    #[boxed]
    pub async fn preview_context(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: PreviewContext,
    ) -> Result<ContextAnswer, Problem> {
        let persona = self.find(call, key).await?;
        let role = self.role(&persona.entry.tenant, asked.role.as_deref()).await?;
        let policy = self.safety_policy(call).await?;
        let listener = self.speaker(call, &persona, asked.subject.clone(), asked.session_id.clone()).await?;
        let layers = Layers {
            short: asked.include_short.into(),
            mid: asked.include_mid.into(),
            long: asked.include_long.into(),
        };
        let record = call.caller.recorded(asked.off_record.into());
        let session = self.previewed_session(&persona, &listener, record).await?;
        let earlier = session.as_ref().and_then(earlier);
        let role_context: Vec<Text> = role.context.iter().chain(&earlier).cloned().collect();
        let request = RecallRequest {
            persona: &persona,
            listener: &listener,
            turn: RecallTurn::Next,
            words: CueWords::of(asked.message.as_str()),
            as_of: None,
            selection: Selection::ByRanking,
        };
        let finished = self.recall_memories(call, &request).await?;
        let setting = Setting {
            persona: &persona,
            listener: &listener,
            now: call.now,
            tier: asked.tier.unwrap_or(DEFAULT_TIER),
            layers,
            record,
            clock: role.clock,
            window: role.context_window,
            policy: &policy,
            role_context: &role_context,
            view: Some(&finished.view),
        };
        let history = self.preview_history(&persona, session.as_ref(), &asked.message).await?;
        let context = self.context(&setting, &finished.recalled.rendered, history).await?;
        Ok(ContextAnswer {
            prompt: Text::new(context.prompt()),
            tokens: context.tokens(),
            window: context.window,
            recall_id: RecallId(self.new_uuid(call.now)?),
            history_turns: count(context.history.len()),
            history_left_out: count(context.forgone),
            parts: context.parts,
            notices: self.notices(&persona).await,
            reading: self.shortlist_reader().map(|_| "not-asked".to_owned()),
        })
    }
}

fn count(turns: usize) -> u32 {
    u32::try_from(turns).unwrap_or(u32::MAX)
}
