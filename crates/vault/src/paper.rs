//! HTML pages to read or print: self-contained, without scripts, and with all text escaped.

const STYLE: &str = include_str!("paper.css");

/// A page of `sections`, which are markup already.
#[must_use]
pub fn page(title: &str, sections: &[String]) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        title = escaped(title),
        body = sections.concat(),
    )
}

/// A section with a heading.
#[must_use]
pub fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escaped(title))
}

/// Rows of a name and a value; values are markup already.
#[must_use]
pub fn properties(rows: &[(&str, String)]) -> String {
    let row = |(name, value): &(&str, String)| {
        format!("<tr><td class=\"name\">{}</td><td>{value}</td></tr>\n", escaped(name))
    };
    format!("<table><tbody>\n{}</tbody></table>\n", rows.iter().map(row).collect::<String>())
}

/// A table. A column whose name begins with `#` holds numbers; cells are markup already.
#[must_use]
pub fn table<const N: usize>(columns: [&str; N], rows: &[[String; N]]) -> String {
    let class = |column: &str| if column.starts_with('#') { " class=\"number\"" } else { "" };
    let heading =
        |column: &&str| format!("<th{}>{}</th>", class(column), escaped(column.trim_start_matches('#')));
    let head: String = columns.iter().map(heading).collect();
    let line = |row: &[String; N]| {
        let cell = |(column, cell): (&&str, &String)| format!("<td{}>{cell}</td>", class(column));
        format!("<tr>{}</tr>\n", columns.iter().zip(row).map(cell).collect::<String>())
    };
    let body: String = rows.iter().map(line).collect();
    format!("<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n")
}

/// Text in a code font.
#[must_use]
pub fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Text with all markup escaped.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
