//! `POST /v1/markdown`: Markdown becomes a tree of named nodes and text, never HTML.
//!
//! A page that builds elements from such a tree has nothing to sanitise: what is not in [`Tag`] can't be
//! said. HTML inside the Markdown is shown as the text it is, and an image as its description.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag as Begun};
use wire::markdown::{Node, RenderMarkdown, Rendered, Tag};

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("render_markdown", |visit| Box::pin(async move { render(&visit) }))];

/// Deeper nesting is flattened; a page draws it recursively.
const DEEPEST: usize = 24;

fn render(visit: &Visit) -> Told {
    let asked: RenderMarkdown = visit.body()?;
    Answer::json(&Rendered { nodes: nodes(asked.text.as_str()) })
}

/// One node that is not closed yet; parts without a tag of ours belong to whatever is around them.
struct Open {
    tag: Option<Tag>,
    href: Option<String>,
    nodes: Vec<Node>,
}

fn nodes(text: &str) -> Vec<Node> {
    let mut open = vec![Open { tag: None, href: None, nodes: Vec::new() }];
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(begun) => {
                let fits = open.len() < DEEPEST;
                let (tag, href) = named(&begun);
                open.push(Open { tag: tag.filter(|_| fits), href, nodes: Vec::new() });
            }
            Event::End(_) => close(&mut open),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => put(&mut open, say(&words)),
            Event::Code(words) => put(&mut open, around(Tag::Code, vec![say(&words)])),
            Event::SoftBreak => put(&mut open, say("\n")),
            Event::HardBreak => put(&mut open, around(Tag::Br, Vec::new())),
            Event::Rule => put(&mut open, around(Tag::Hr, Vec::new())),
            Event::FootnoteReference(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                put(&mut open, say(&words));
            }
            Event::TaskListMarker(done) => put(&mut open, say(if done { "☑ " } else { "☐ " })),
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(|root| root.nodes).unwrap_or_default()
}

fn close(open: &mut Vec<Open>) {
    if open.len() < 2 {
        return;
    }
    let Some(Open { tag, href, nodes }) = open.pop() else { return };
    match tag {
        Some(tag) => put(open, Node::Around { tag, href, nodes }),
        None => nodes.into_iter().for_each(|node| put(open, node)),
    }
}

fn put(open: &mut [Open], node: Node) {
    if let Some(last) = open.last_mut() {
        last.nodes.push(node);
    }
}

fn say(words: &str) -> Node {
    Node::Text { text: words.to_owned() }
}

fn around(tag: Tag, nodes: Vec<Node>) -> Node {
    Node::Around { tag, href: None, nodes }
}

fn named(begun: &Begun<'_>) -> (Option<Tag>, Option<String>) {
    let tag = match begun {
        Begun::Paragraph => Tag::P,
        Begun::Heading { level, .. } => match level {
            HeadingLevel::H1 => Tag::H1,
            HeadingLevel::H2 => Tag::H2,
            HeadingLevel::H3 => Tag::H3,
            HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => Tag::H4,
        },
        Begun::BlockQuote(_) => Tag::Blockquote,
        Begun::CodeBlock(_) => Tag::Pre,
        Begun::List(None) => Tag::Ul,
        Begun::List(Some(_)) => Tag::Ol,
        Begun::Item => Tag::Li,
        Begun::Emphasis => Tag::Em,
        Begun::Strong => Tag::Strong,
        Begun::Strikethrough => Tag::Del,
        Begun::Table(_) => Tag::Table,
        Begun::TableHead => Tag::Thead,
        Begun::TableRow => Tag::Tr,
        Begun::TableCell => Tag::Td,
        Begun::Link { dest_url, .. } => {
            let href = is_harmless(dest_url).then(|| dest_url.to_string());
            return (href.is_some().then_some(Tag::A), href);
        }
        Begun::HtmlBlock
        | Begun::Image { .. }
        | Begun::FootnoteDefinition(_)
        | Begun::DefinitionList
        | Begun::DefinitionListTitle
        | Begun::DefinitionListDefinition
        | Begun::Superscript
        | Begun::Subscript
        | Begun::MetadataBlock(_) => return (None, None),
    };
    (Some(tag), None)
}

fn is_harmless(url: &str) -> bool {
    let url = url.trim().to_ascii_lowercase();
    ["http://", "https://", "mailto:"].iter().any(|scheme| url.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_nodes_and_html_stays_text() {
        for (text, expected) in [
            ("a *b*", vec![around(Tag::P, vec![say("a "), around(Tag::Em, vec![say("b")])])]),
            ("a <img src=x onerror=alert(1)>", {
                vec![around(Tag::P, vec![say("a "), say("<img src=x onerror=alert(1)>")])]
            }),
            ("![cat](http://evil.example/x.png)", vec![around(Tag::P, vec![say("cat")])]),
            ("[x](javascript:alert(1))", vec![around(Tag::P, vec![say("x")])]),
            ("[x](HTTPS://a.example)", {
                let link = Node::Around {
                    tag: Tag::A,
                    href: Some("HTTPS://a.example".to_owned()),
                    nodes: vec![say("x")],
                };
                vec![around(Tag::P, vec![link])]
            }),
        ] {
            assert_eq!(nodes(text), expected, "{text}");
        }
    }

    #[test]
    fn nothing_nests_deeper_than_a_page_can_draw() {
        fn depth(nodes: &[Node]) -> usize {
            let inner = |node: &Node| match node {
                Node::Text { .. } => 0,
                Node::Around { nodes, .. } => 1 + depth(nodes),
            };
            nodes.iter().map(inner).max().unwrap_or(0)
        }
        assert!(depth(&nodes(&format!("{}x", "> ".repeat(500)))) <= DEEPEST);
    }
}
