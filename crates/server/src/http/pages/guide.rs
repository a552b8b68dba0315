//! The guide: the Markdown of `docs/`, rendered by the program, so that it can be read without a network.
//!
//! Links between pages lead to their rendered forms. What is not part of the guide, such as the sources, is
//! named but not linked.

use std::path::Path;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use wire::Code;

use super::html::{escape, framed};

include!(concat!(env!("OUT_DIR"), "/guide.rs"));

/// The pages every page links to.
const NAVIGATION: [(&str, &str); 8] = [
    ("/guide", "Guide"),
    ("/guide/start", "Start"),
    ("/guide/glossary", "Concepts"),
    ("/guide/configuration", "Configuration"),
    ("/guide/commands", "Commands"),
    ("/guide/operate", "Operate"),
    ("/guide/not-promised", "Not promised"),
    ("/docs", "API"),
];

/// The page `name`, rendered.
pub(super) fn page(name: &str) -> Option<String> {
    if name == "errors" {
        return Some(framed("Errors", &navigation(), &errors()));
    }
    let text = markdown(&format!("{name}.md"))?;
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Guide");
    Some(framed(title, &navigation(), &rendered(text, name)))
}

/// The picture `name`, if it is one.
pub(super) fn picture(name: &str) -> Option<&'static [u8]> {
    file(name).filter(|_| Path::new(name).extension().is_some_and(|own| own == "png"))
}

fn file(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(own, _)| *own == name).map(|(_, bytes)| *bytes)
}

fn markdown(name: &str) -> Option<&'static str> {
    file(name).and_then(|bytes| str::from_utf8(bytes).ok())
}

fn navigation() -> String {
    let links = NAVIGATION.map(|(path, words)| format!("<a href=\"{path}\">{words}</a>"));
    format!("<nav aria-label=\"Guide\">{}</nav>", links.concat())
}

fn errors() -> String {
    let row = |code: &Code| {
        let (name, title) = (code.as_str(), escape(code.title()));
        format!("<tr><td><a href=\"/docs/errors/{name}\"><code>{name}</code></a></td><td>{title}</td></tr>")
    };
    let rows: String = Code::ALL.iter().map(row).collect();
    format!(
        "<h1>Errors</h1>\n<table><thead><tr><th>code</th><th>means</th></tr></thead><tbody>{rows}</tbody></table>"
    )
}

fn rendered(text: &str, name: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events = Vec::new();
    // Whether each open link has a target.
    let mut links: Vec<bool> = Vec::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(&dest_url, name);
                links.push(target.is_some());
                events.extend(
                    target.map(|target| {
                        Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id })
                    }),
                );
            }
            Event::End(TagEnd::Link) => {
                if links.pop() == Some(true) {
                    events.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let target = target(&dest_url, name).unwrap_or_default();
                events.push(Event::Start(Tag::Image { link_type, dest_url: target.into(), title, id }));
            }
            // Our pages contain no HTML but comments; anything else is shown as text.
            Event::Html(words) if words.starts_with("<!--") => {}
            Event::Html(words) | Event::InlineHtml(words) => events.push(Event::Text(words)),
            event @ (Event::Start(_)
            | Event::End(_)
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_)) => events.push(event),
        }
    }
    name_headings(&mut events);
    let mut page = String::new();
    html::push_html(&mut page, events.into_iter());
    page
}

/// Gives every heading the id that links use.
fn name_headings(events: &mut [Event<'_>]) {
    let mut begun: Option<(usize, String)> = None;
    let mut names: Vec<(usize, String)> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { .. }) => begun = Some((place, String::new())),
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, title)) = &mut begun {
                    title.push_str(words);
                }
            }
            Event::End(TagEnd::Heading(_)) => names.extend(begun.take()),
            Event::Start(_)
            | Event::End(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    for (place, title) in names {
        if let Some(Event::Start(Tag::Heading { id, level, .. })) = events.get_mut(place)
            && *level != HeadingLevel::H1
        {
            *id = Some(CowStr::from(slug(&title)));
        }
    }
}

/// The id of a heading: lower case, words joined by hyphens.
fn slug(title: &str) -> String {
    let kept = title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

/// The target of a link on the page `name`; `None` if the program has no such page.
fn target(link: &str, name: &str) -> Option<String> {
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (path, place) = link.split_once('#').map_or((link, None), |(path, place)| (path, Some(place)));
    let path = resolved(path, name)?;
    let page = match path.strip_suffix(".md") {
        Some("README") => "/guide".to_owned(),
        Some(page) if markdown(&path).is_some() => format!("/guide/{page}"),
        Some(page) => {
            let code =
                page.strip_prefix("errors/").filter(|code| Code::ALL.iter().any(|own| own.as_str() == *code));
            format!("/docs/errors/{}", code?)
        }
        None if path == "errors" => "/guide/errors".to_owned(),
        None if file(&path).is_some() => format!("/guide/{path}"),
        None => return None,
    };
    Some(place.map_or_else(|| page.clone(), |place| format!("{page}#{place}")))
}

/// The path of a link inside `docs/`; `None` outside of it.
fn resolved(path: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_guide_or_nowhere() {
        for (link, name, expected) in [
            ("talk.md", "README", Some("/guide/talk")),
            ("talk.md#open-webui", "models", Some("/guide/talk#open-webui")),
            ("../talk.md", "guides/hotel", Some("/guide/talk")),
            ("errors/home_locked.md", "operate", Some("/docs/errors/home_locked")),
            ("errors", "README", Some("/guide/errors")),
            ("pictures/talk.png", "README", Some("/guide/pictures/talk.png")),
            ("README.md", "talk", Some("/guide")),
            ("#watch", "operate", Some("#watch")),
            ("https://example.org/a", "talk", Some("https://example.org/a")),
            ("../README.md", "README", None),
            ("decisions/0001.md", "README", None),
            ("javascript:alert(1)", "README", None),
        ] {
            assert_eq!(target(link, name).as_deref(), expected, "{link} in {name}");
        }
    }

    #[test]
    fn headings_have_the_names_that_links_use() {
        assert_eq!(slug("Which conversation it is"), "which-conversation-it-is");
        assert_eq!(slug("`POST /chat`"), "post-chat");
        let page = rendered("## Open WebUI\n\n<b>bold</b> [out](../x.md)", "talk");
        assert_eq!(page, "<h2 id=\"open-webui\">Open WebUI</h2>\n<p>&lt;b&gt;bold&lt;/b&gt; out</p>\n");
    }
}
