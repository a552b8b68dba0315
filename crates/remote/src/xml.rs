//! As much XML as the answers of S3 need: the text of elements by their name.

/// The text of the first element `name`, with its entities resolved.
pub(crate) fn text(xml: &str, name: &str) -> Option<String> {
    element(xml, name).map(|(inside, _)| unescaped(inside))
}

/// What stands inside each element `name`, in order.
pub(crate) fn elements<'x>(mut xml: &'x str, name: &str) -> Vec<&'x str> {
    let mut found = Vec::new();
    while let Some((inside, rest)) = element(xml, name) {
        found.push(inside);
        xml = rest;
    }
    found
}

/// The text as it stands in a document.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What stands inside the first element `name`, and what follows it.
fn element<'x>(xml: &'x str, name: &str) -> Option<(&'x str, &'x str)> {
    let (_, after) = xml.split_once(&format!("<{name}>"))?;
    after.split_once(&format!("</{name}>"))
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let (entity, following) = after.split_once(';').unwrap_or((after, ""));
        plain.extend(character(entity));
        rest = following;
    }
    plain + rest
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        number => {
            let number = number.strip_prefix('#')?;
            let hexadecimal = number.strip_prefix('x').map(|digits| u32::from_str_radix(digits, 16));
            char::from_u32(hexadecimal.unwrap_or_else(|| number.parse()).ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_by_their_name_with_their_entities_resolved() {
        let xml = "<List><Contents><Key>a&amp;b&#x2f;&#65;</Key></Contents><Contents><Key>c</Key></Contents></List>";
        let keys: Vec<_> = elements(xml, "Contents").into_iter().filter_map(|one| text(one, "Key")).collect();
        assert_eq!(keys, ["a&b/A", "c"]);
        assert_eq!(text(xml, "Size"), None);
        assert_eq!(text("<Key>cut &am", "Key"), None);
        assert_eq!(escaped("a<b>&c"), "a&lt;b&gt;&amp;c");
    }
}
