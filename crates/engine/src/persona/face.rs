//! The appearance of a persona: an emoji or a picture, and its greeting.
//!
//! They are properties of its document (`x-emoji`, `x-picture`, `x-greeting`), so they are signed, exported
//! and imported with it. A picture is small and inside the document: no page ever loads one from elsewhere.

use domain::PersonaDocument;
use serde_json::Value;
use wire::change::Change;
use wire::{Pointed, Problem};

const EMOJI: &str = "x-emoji";
const GREETING: &str = "x-greeting";
const PICTURE: &str = "x-picture";

/// The changes. An empty value is removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewFace {
    pub(crate) emoji: Change<String>,
    pub(crate) greeting: Change<String>,
    pub(crate) picture: Change<String>,
}

impl NewFace {
    /// Writes them into a document before it is signed.
    pub(crate) fn write(self, document: &mut PersonaDocument) -> Result<(), Problem> {
        if let Change::Set(picture) = &self.picture
            && !picture.is_empty()
            && !is_picture(picture)
        {
            let detail = "must be a data: URL of a PNG, JPEG or WebP in base64".to_owned();
            return Err(wire::read::invalid(vec![Pointed { pointer: "/picture".to_owned(), detail }]));
        }
        for (name, given) in [(EMOJI, self.emoji), (GREETING, self.greeting), (PICTURE, self.picture)] {
            let value = match &given {
                Change::Keep => continue,
                Change::Remove => None,
                Change::Set(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(Value::from),
            };
            document.extensions.set(name, value);
        }
        Ok(())
    }
}

/// The emoji of a persona, if it has one.
pub(crate) fn emoji(document: &PersonaDocument) -> Option<String> {
    text(document, EMOJI)
}

/// Its greeting.
pub(crate) fn greeting(document: &PersonaDocument) -> Option<String> {
    text(document, GREETING)
}

/// Its picture. A document edited by hand may contain a URL; that is ignored.
pub(crate) fn picture(document: &PersonaDocument) -> Option<String> {
    text(document, PICTURE).filter(|picture| is_picture(picture))
}

fn text(document: &PersonaDocument, name: &str) -> Option<String> {
    document.extensions.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn is_picture(text: &str) -> bool {
    let kinds = ["data:image/png;base64,", "data:image/jpeg;base64,", "data:image/webp;base64,"];
    let content = kinds.iter().find_map(|kind| text.strip_prefix(kind));
    content.is_some_and(|content| {
        content.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::is_picture;

    #[test]
    fn only_small_pictures_inside_the_document_are_pictures() {
        for (text, expected) in [
            ("data:image/png;base64,iVBORw0KGgo=", true),
            ("data:image/webp;base64,UklGRg==", true),
            ("data:image/svg+xml;base64,PHN2Zz4=", false),
            ("data:image/png;base64,abc\" onload=", false),
            ("https://example.org/nora.png", false),
            ("", false),
        ] {
            assert_eq!(is_picture(text), expected, "{text}");
        }
    }
}
