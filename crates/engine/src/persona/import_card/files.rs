//! The texts of a card as the files of a persona.

use std::fmt::Write as _;

use formats::card::Card;

/// Appended to every description: a persona says that it is an AI, whatever its card says.
const HONEST: &str = "I am an AI, and I say so when someone asks.";
const PROTOCOLS: &str = include_str!("../templates/PROTOCOLS.md");

/// `IDENTITY.md` of a card.
pub(crate) fn identity_file(card: &Card) -> String {
    let name = card.name().unwrap_or_default();
    let described = card.text("description").map(|text| filled(text, name) + "\n\n").unwrap_or_default();
    format!("# {name}\n\n{described}I am {name}. {HONEST}\n")
}

/// `SOUL.md` of a card.
pub(crate) fn soul_file(card: &Card) -> String {
    sections(
        card,
        &[("Personality", "personality"), ("Scenario", "scenario"), ("How I speak", "mes_example")],
    )
}

/// `PROTOCOLS.md` of a card, after the rules for every persona.
pub(crate) fn protocols_file(card: &Card) -> String {
    let own = [
        ("Instructions of the card", "system_prompt"),
        ("Reminders of the card", "post_history_instructions"),
    ];
    format!("{PROTOCOLS}\n{}", sections(card, &own)).trim_end().to_owned() + "\n"
}

/// `text` with the placeholders of cards filled in. `{{original}}` stands for instructions that are included
/// anyway.
pub(crate) fn filled(text: &str, name: &str) -> String {
    let mut filled = text.replace("{{original}}", "");
    for (open, closed) in [("{{char}}", name), ("{{Char}}", name), ("<BOT>", name)] {
        filled = filled.replace(open, closed);
    }
    for open in ["{{user}}", "{{User}}", "<USER>"] {
        filled = filled.replace(open, "the user");
    }
    filled
}

fn sections(card: &Card, wanted: &[(&str, &str)]) -> String {
    let name = card.name().unwrap_or_default();
    let mut file = String::new();
    for (heading, field) in wanted {
        if let Some(text) = card.text(field) {
            let _ = write!(file, "# {heading}\n\n{}\n\n", filled(text, name));
        }
    }
    file.trim_end().to_owned() + "\n"
}
