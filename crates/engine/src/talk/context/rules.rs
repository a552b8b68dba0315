//! What stands above everything a persona remembers.

use domain::ConfabulationPolicy;

use super::Setting;

const RULES: &str = include_str!("RULES.md");

/// The rules of a prompt: ours, what the tenant forbids, and what may be said at the edge of memory.
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
    let lines = std::iter::once(RULES.trim().to_owned()).chain(tenant).chain([format!("- {edge}")]);
    lines.collect::<Vec<_>>().join("\n")
}
