//! What stories do about people, and how they sweep.

use domain::{MemoryId, SubjectRef};
use engine::Call;
use serde_json::json;
use wire::read::read_value;
use wire::redaction::DerivedOutcome;
use wire::sweep::SweptPersona;

use crate::names::Names;
use crate::stage::{Silent, Stage, StepResult};
use crate::step::Step;
use crate::telling::NOTHING;

impl Stage {
    pub(crate) async fn merge(&mut self, call: &Call, step: &Step) -> Silent {
        let into = step.option("into").unwrap_or_default().to_owned();
        let asked = read_value(json!({ "from": step.names[0] }))?;
        self.engine.merge_subjects(call, &subject(&into)?, asked).await?;
        Ok(())
    }

    pub(crate) async fn alias(&mut self, call: &Call, step: &Step) -> Silent {
        let asked = read_value(json!({ "alias": step.names[1] }))?;
        self.engine.add_alias(call, &subject(&step.names[0])?, asked).await?;
        Ok(())
    }

    pub(crate) async fn consent(&mut self, call: &Call, step: &Step) -> Silent {
        let asked = read_value(step.body())?;
        self.engine.give_consent(call, &self.persona, subject(&step.names[0])?, asked).await?;
        Ok(())
    }

    pub(crate) async fn withdraw(&mut self, call: &Call, step: &Step) -> StepResult {
        let answer = self.engine.withdraw_consent(call, &subject(&step.names[0])?).await?;
        let mut lines = Vec::new();
        for (what, ids) in
            [("pending deletion", &answer.pending), ("held", &answer.held), ("hidden", &answer.hidden)]
        {
            lines.extend(named(what, ids, &self.names));
        }
        lines.push(format!("kept on another ground: {}", answer.kept));
        Ok(lines.join("\n"))
    }

    pub(crate) async fn hold(&mut self, call: &Call, step: &Step) -> Silent {
        let asked = read_value(json!({ "hold": if step.option("and").is_some() { "lift" } else { "set" } }))?;
        self.engine.hold_subject(call, &subject(&step.names[0])?, asked).await?;
        Ok(())
    }

    pub(crate) async fn people(&mut self, call: &Call) -> StepResult {
        let list = self.engine.list_subjects(call).await?;
        let lines = list.data.iter().map(|person| {
            let aliases: Vec<&str> = person.aliases.iter().map(SubjectRef::as_str).collect();
            let also =
                if aliases.is_empty() { String::new() } else { format!(", also {}", aliases.join(", ")) };
            let held = if person.held_since.is_some() { ", held" } else { "" };
            format!("{}: {} memories{also}{held}", person.subject.as_str(), person.memories)
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    pub(crate) async fn sweep(&mut self, call: &Call, step: &Step) -> StepResult {
        let answer = self.engine.sweep(call, read_value(step.body())?).await?;
        let swept_texts = answer.sweep.personas.iter().flat_map(|swept| swept_lines(swept, &self.names));
        let lines: Vec<String> = swept_texts.chain(answer.sweep.warnings).collect();
        Ok(if lines.is_empty() { NOTHING.to_owned() } else { lines.join("\n") })
    }
}

fn swept_lines(swept: &SweptPersona, names: &Names) -> Vec<String> {
    let mut lines = Vec::new();
    for (what, ids) in [
        ("archived", &swept.archived),
        ("deleted", &swept.deleted),
        ("held", &swept.held),
        ("to be reviewed", &swept.flagged),
    ] {
        lines.extend(named(what, ids, names));
    }
    for derived in &swept.derived {
        let name = names.of(&derived.id.to_string());
        lines.push(match derived.outcome {
            DerivedOutcome::Rederived => format!("told anew: {name}"),
            DerivedOutcome::Redacted => format!("deleted with its source: {name}"),
            DerivedOutcome::Hidden => format!("hidden: {name}"),
        });
    }
    for (what, count) in [("traces", swept.traces), ("tombstones", swept.tombstones)] {
        lines.extend((count > 0).then(|| format!("{what} let go: {count}")));
    }
    lines
}

fn named(what: &str, ids: &[MemoryId], names: &Names) -> Option<String> {
    let mut known: Vec<String> = ids.iter().map(|id| names.of(&id.to_string())).collect();
    known.sort();
    (!known.is_empty()).then(|| format!("{what}: {}", known.join(", ")))
}

fn subject(text: &str) -> Result<SubjectRef, String> {
    text.parse().map_err(|error| format!("{error}"))
}
