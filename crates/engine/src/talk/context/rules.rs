//! The rules section of a prompt.

use domain::ConfabulationPolicy;

use super::Setting;

const RULES: &str = include_str!("RULES.md");

/// Our rules, the tenant's prohibitions, and how to speak about faint memories.
pub(super) fn of(setting: &Setting<'_>) -> String {
    let edge = match setting.persona.loaded.document.memory_policy.confabulation_policy {
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
    let lines = std::iter::once(RULES.trim().to_owned()).chain(tenant).chain([format!("- {edge}")]);
    lines.collect::<Vec<_>>().join("\n")
}
