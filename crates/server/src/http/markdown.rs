//! `POST /v1/markdown`: renders Markdown to a tree of named nodes and text, never HTML.
//!
//! A page that builds elements from this tree has nothing to sanitise: only what is in [`Tag`] can occur.
//! HTML inside the Markdown is shown as text, and an image as its description.

use engine::Cancellation;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag as Begun};
use wire::markdown::{Node, RenderMarkdown, Rendered, Tag};
use wire::verb;

use super::handlers::{Handler, verb_handler};
use super::request_context::{Answer, HandlerResult, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[verb_handler!(verb::RenderMarkdown, |context| render(context))];

/// Up to this many bytes are rendered in place: that is faster than handing them to a thread.
const SHORT: usize = 16 * 1024;
/// Deeper nesting is flattened, because pages draw the tree recursively.
const DEEPEST: usize = 24;

async fn render(context: VerbContext<verb::RenderMarkdown>) -> HandlerResult {
    let asked: RenderMarkdown = context.body()?;
    if asked.text.as_str().len() <= SHORT {
        return context.answer(&Rendered { nodes: nodes(asked.text.as_str(), &Cancellation::default()) });
    }
    let work = move |cancellation: &Cancellation| {
        let nodes = nodes(asked.text.as_str(), cancellation);
        Answer::json(&Rendered { nodes })
    };
    context.engine.run_cpu_work(&context.call, work).await?
}

/// One node that is not closed yet.
struct Open {
    tag: Tag,
    href: Option<String>,
    nodes: Vec<Node>,
}

/// The tree built so far. A part without one of our tags, and one that nests too deeply, has no node of its
/// own: its content goes to the enclosing node at once, so that every event takes the same time.
#[derive(Default)]
struct Tree {
    root: Vec<Node>,
    open: Vec<Open>,
    /// For every open part, whether it has a node of its own.
    begun: Vec<bool>,
}

fn nodes(text: &str, cancellation: &Cancellation) -> Vec<Node> {
    let mut tree = Tree::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        if cancellation.is_cancelled() {
            break;
        }
        match event {
            Event::Start(begun) => tree.begin(&begun),
            Event::End(_) => tree.end(),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => tree.put(say(&words)),
            Event::Code(words) => tree.put(around(Tag::Code, vec![say(&words)])),
            Event::SoftBreak => tree.put(say("
")),
            Event::HardBreak => tree.put(around(Tag::Br, Vec::new())),
            Event::Rule => tree.put(around(Tag::Hr, Vec::new())),
            Event::FootnoteReference(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                tree.put(say(&words));
            }
            Event::TaskListMarker(done) => tree.put(say(if done { "☑ " } else { "☐ " })),
        }
    }
    while !tree.begun.is_empty() {
        tree.end();
    }
    tree.root
}

impl Tree {
    fn begin(&mut self, begun: &Begun<'_>) {
        let (tag, href) = named(begun);
        let tag = tag.filter(|_| self.open.len() < DEEPEST);
        self.begun.push(tag.is_some());
        self.open.extend(tag.map(|tag| Open { tag, href, nodes: Vec::new() }));
    }

    fn end(&mut self) {
        if self.begun.pop() == Some(true)
            && let Some(Open { tag, href, nodes }) = self.open.pop()
        {
            self.put(Node::Around { tag, href, nodes });
        }
    }

    fn put(&mut self, node: Node) {
        self.open.last_mut().map_or(&mut self.root, |open| &mut open.nodes).push(node);
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
            assert_eq!(nodes(text, &Cancellation::default()), expected, "{text}");
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
        let nested = nodes(&format!("{}x", "> ".repeat(500)), &Cancellation::default());
        assert!(depth(&nested) <= DEEPEST);
    }

    /// Inputs that parsers and tree builders are known to be slow with. Nested emphasis took a minute.
    #[test]
    fn no_shape_of_three_hundred_kilobytes_takes_long() {
        let shapes = [
            "*a ", "**a ", "_a ", "*a_ ", "a**b", "~~a ", "> ", "- ", "1. ", "[", "![", "[a](", "`", "``a",
            "<", "<a ", "|a",
        ];
        for shape in shapes {
            let text = shape.repeat(300_000 / shape.len());
            let started = std::time::Instant::now();
            let rendered = nodes(&text, &Cancellation::default());
            let took = started.elapsed();
            assert!(!rendered.is_empty() && took.as_secs() < 10, "{shape:?} took {took:?}");
        }
    }
}
