//! The rules section of a prompt.

use domain::{ConfabulationPolicy, SubjectRef};

use super::Setting;

const RULES: &str = include_str!("RULES.md");

/// Our rules, who is speaking, the tenant's prohibitions, and how to speak about faint memories.
pub(super) fn of(setting: &Setting<'_>) -> String {
    let edge = match setting.found.standing.document.memory_policy.confabulation_policy {
        ConfabulationPolicy::Strict => {
            "Assert only what you are told that you remember. When you don't remember, say so."
        }
        ConfabulationPolicy::Moderate => {
            "Where your memory has a gap you may fill it in with a hedge in the same sentence, but never with names, dates, numbers or promises."
        }
        ConfabulationPolicy::Permissive => {
            "Where your memory has a gap you may fill it in, but say in the same sentence that you are not sure."
        }
    };
    let tenant = setting.policy.rules();
    let speaker = setting.listener.subject.as_ref().and_then(SubjectRef::plain_name);
    let speaker = speaker.map(|name| format!("- The person you are talking with is {name}."));
    let rules = std::iter::once(RULES.trim().to_owned());
    let lines = rules.chain(speaker).chain(tenant).chain([format!("- {edge}")]);
    lines.collect::<Vec<_>>().join("\n")
}
