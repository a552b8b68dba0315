//! The face of a persona: an emoji or a picture to know it by, and the words it greets people with.
//!
//! They are properties of its document (`x-emoji`, `x-picture`, `x-greeting`), so they are signed, exported and imported
//! with it. A picture is small and inside the document: no page ever loads one from elsewhere.

use domain::PersonaDocument;
use serde_json::Value;
use wire::{Pointed, Problem};

const EMOJI: &str = "x-emoji";
const GREETING: &str = "x-greeting";
const PICTURE: &str = "x-picture";

/// What is to change; what is absent stays, and what is empty is removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewFace {
    pub(crate) emoji: Option<String>,
    pub(crate) greeting: Option<String>,
    pub(crate) picture: Option<String>,
}

impl NewFace {
    /// Writes it into a document that is yet to be signed.
    pub(crate) fn write(self, document: &mut PersonaDocument) -> Result<(), Problem> {
        if self.picture.as_deref().is_some_and(|picture| !picture.is_empty() && !is_picture(picture)) {
            let detail = "must be a data: URL of a PNG, JPEG or WebP in base64".to_owned();
            return Err(wire::read::invalid(vec![Pointed { pointer: "/picture".to_owned(), detail }]));
        }
        for (name, given) in [(EMOJI, self.emoji), (GREETING, self.greeting), (PICTURE, self.picture)] {
            if let Some(text) = given {
                let text = text.trim();
                document.extensions.set(name, (!text.is_empty()).then(|| Value::from(text)));
            }
        }
        Ok(())
    }
}

/// The emoji of a persona, if it has one.
pub(crate) fn emoji(document: &PersonaDocument) -> Option<String> {
    text(document, EMOJI)
}

/// The words it greets people with.
pub(crate) fn greeting(document: &PersonaDocument) -> Option<String> {
    text(document, GREETING)
}

/// Its picture. A document edited by hand may name an address; that is no picture.
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
