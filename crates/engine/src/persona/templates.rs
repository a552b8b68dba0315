//! The files a new persona starts with. They are Markdown beside this code, for people to edit.

use domain::Text;
use store::DocumentName;

const IDENTITY: &str = include_str!("templates/IDENTITY.md");
const SOUL: &str = include_str!("templates/SOUL.md");
const PROTOCOLS: &str = include_str!("templates/PROTOCOLS.md");
const CONTEXT_TIERS: &str = include_str!("templates/CONTEXT_TIERS.md");
const USER: &str = include_str!("templates/USER.md");
const HELP: &str = include_str!("templates/HELP.md");

/// IDENTITY.md of a persona called `name`, made from facts.
pub(crate) fn identity(name: &str, described: &str) -> String {
    let documents = documents(name, None, described);
    let found = documents.into_iter().find(|(document, _)| *document == DocumentName::Identity);
    found.map(|(_, text)| text.as_str().to_owned()).unwrap_or_default()
}

/// The documents of a new persona called `name`.
pub(crate) fn documents(name: &str, emoji: Option<&str>, described: &str) -> Vec<(DocumentName, Text)> {
    let description = if described.is_empty() { "An AI persona." } else { described };
    let title = emoji.map_or_else(|| name.to_owned(), |emoji| format!("{emoji} {name}"));
    let fill = |template: &str| {
        let filled = template.replace("{title}", &title).replace("{name}", name);
        Text::new(filled.replace("{description}", description))
    };
    vec![
        (DocumentName::Identity, fill(IDENTITY)),
        (DocumentName::Soul, fill(SOUL)),
        (DocumentName::Protocols, fill(PROTOCOLS)),
        (DocumentName::ContextTiers, fill(CONTEXT_TIERS)),
        (DocumentName::User, fill(USER)),
        (DocumentName::Help, fill(HELP)),
        (DocumentName::Reminders, Text::default()),
        (DocumentName::Scratch, Text::default()),
        (DocumentName::Tasks, Text::new("[]\n")),
        (DocumentName::Crons, Text::new("[]\n")),
    ]
}
