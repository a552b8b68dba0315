//! Markdown as a safe tree: nodes of a few kinds, with text in them.

use domain::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/markdown`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderMarkdown {
    /// The Markdown.
    #[schemars(length(max = 1_000_000))]
    pub text: Text,
}

/// The tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rendered {
    /// From top to bottom.
    pub nodes: Vec<Node>,
}

/// A node. HTML is plain text, images are their descriptions, and links lead to `http`, `https` and `mailto`
/// only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Node {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An element.
    Around {
        /// The element.
        tag: Tag,
        /// Its target, if it is a link.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        href: Option<String>,
        /// Its children.
        nodes: Vec<Node>,
    },
}

/// The elements; each is the HTML element of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are the names of HTML elements")]
pub enum Tag {
    P,
    H1,
    H2,
    H3,
    H4,
    Blockquote,
    Pre,
    Code,
    Ul,
    Ol,
    Li,
    Em,
    Strong,
    Del,
    A,
    Hr,
    Br,
    Table,
    Thead,
    Tbody,
    Tr,
    Th,
    Td,
}
