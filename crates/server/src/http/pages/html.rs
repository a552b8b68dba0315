//! The frame of every page, and escaping.

/// A whole page of the API reference with `body` in it.
pub(crate) fn page(title: &str, body: &str) -> String {
    framed(
        title,
        "<p class=\"home\"><a href=\"/docs\">Selfhood API</a> · <a href=\"/guide\">Guide</a></p>",
        body,
    )
}

/// A whole page with `head` above `body`.
pub(crate) fn framed(title: &str, head: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Selfhood</title>\n<link rel=\"stylesheet\" href=\"/docs/style.css\">\n</head>\n\
         <body>\n<main>\n{head}\n{body}\n</main>\n</body>\n</html>\n"
    )
}

/// `text` escaped for element content and quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// `text` escaped, with text in backquotes set as code.
pub(crate) fn prose(text: &str) -> String {
    let parts = escape(text);
    let parts = parts
        .split('`')
        .enumerate()
        .map(|(n, part)| if n % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_not_become_markup() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
        assert_eq!(prose("use `a<b>` now"), "use <code>a&lt;b&gt;</code> now");
    }
}
