//! Edits JSON written by people: sets or removes one member, or one item of an array, and keeps every other
//! byte, including comments and trailing commas.

mod scan;

use serde_json::Value;

use scan::{Block, Kind, Member, Scanner};

/// A text that is not JSON, even with comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    /// The line of the error, from 1.
    pub(crate) line: usize,
}

/// The default indentation.
const INDENT: &str = "  ";

/// The value at `path`, if any.
pub(crate) fn get(text: &str, path: &[&str]) -> Result<Option<Value>, NotJson> {
    let plain = scan::plain(text)?;
    let value: Value = match plain.trim() {
        "" => return Ok(None),
        plain => serde_json::from_str(plain).map_err(|error| NotJson { line: error.line() })?,
    };
    let found = path.iter().try_fold(&value, |value, name| value.get(name));
    Ok(found.cloned())
}

/// `text` with `value` at `path`; missing objects are created.
pub(crate) fn set(text: &str, path: &[&str], value: &Value) -> Result<String, NotJson> {
    get(text, &[])?;
    if text.trim().is_empty() {
        return set("{\n}\n", path, value);
    }
    let mut object = Scanner::new(text).root()?;
    let mut rest = path;
    while let Some((name, below)) = rest.split_first() {
        let Some(member) = object.member(name).cloned() else { break };
        if below.is_empty() || !member.is(Kind::Object, text) {
            let shown = shown(&nested(below, value), line_indent(text, member.key), unit(text, &object));
            return Ok(spliced(text, member.value.start, member.value.end, &shown));
        }
        object = Scanner::new(text).block(Kind::Object, member.value.start)?;
        rest = below;
    }
    let Some((name, below)) = rest.split_first() else { return Ok(text.to_owned()) };
    Ok(inserted(text, &object, Some(name), &nested(below, value)))
}

/// `text` with `item` as the last one of the array at `path`; a missing array is created.
pub(crate) fn append(text: &str, path: &[&str], item: &Value) -> Result<String, NotJson> {
    get(text, &[])?;
    match array(text, path)? {
        Some(array) => Ok(inserted(text, &array, None, item)),
        None => set(text, path, &Value::Array(vec![item.clone()])),
    }
}

/// `text` without the items of the array at `path` that are `unwanted`.
pub(crate) fn remove_items(
    text: &str,
    path: &[&str],
    unwanted: impl Fn(&Value) -> bool,
) -> Result<String, NotJson> {
    let items = get(text, path)?.and_then(|value| value.as_array().cloned()).unwrap_or_default();
    let mut edited = text.to_owned();
    // From the end to the beginning, so that the items before keep their places.
    for (position, _) in items.iter().enumerate().rev().filter(|(_, item)| unwanted(item)) {
        if let Some(array) = array(&edited, path)? {
            edited = without(&edited, &array, position);
        }
    }
    Ok(edited)
}

/// `text` without the member at `path`.
pub(crate) fn remove(text: &str, path: &[&str]) -> Result<String, NotJson> {
    let Some((name, above)) = path.split_last() else { return Ok(text.to_owned()) };
    if get(text, path)?.is_none() {
        return Ok(text.to_owned());
    }
    let Some(object) = object(text, above)? else { return Ok(text.to_owned()) };
    match object.members.iter().position(|member| member.name.as_deref() == Some(*name)) {
        Some(position) => Ok(without(text, &object, position)),
        None => Ok(text.to_owned()),
    }
}

/// The object at `path`, if there is one.
fn object(text: &str, path: &[&str]) -> Result<Option<Block>, NotJson> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let mut object = Scanner::new(text).root()?;
    for name in path {
        let Some(member) = object.member(name).filter(|member| member.is(Kind::Object, text)) else {
            return Ok(None);
        };
        object = Scanner::new(text).block(Kind::Object, member.value.start)?;
    }
    Ok(Some(object))
}

/// The array at `path`, if there is one.
fn array(text: &str, path: &[&str]) -> Result<Option<Block>, NotJson> {
    let Some((name, above)) = path.split_last() else { return Ok(None) };
    let object = object(text, above)?;
    let member = object.as_ref().and_then(|object| object.member(name));
    let start = member.filter(|member| member.is(Kind::Array, text)).map(|member| member.value.start);
    start.map(|start| Scanner::new(text).block(Kind::Array, start)).transpose()
}

/// `value` below the missing names.
fn nested(path: &[&str], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, name| serde_json::json!({ *name: value }))
}

/// `text` with a member of this name, or an item if it has none, at the end of `block`.
fn inserted(text: &str, block: &Block, name: Option<&str>, value: &Value) -> String {
    let (outer, unit) = (line_indent(text, block.open), unit(text, block));
    let inner = format!("{outer}{unit}");
    let key = name.map(|name| format!("{}: ", Value::from(name))).unwrap_or_default();
    let member = format!("\n{inner}{key}{}", shown(value, &inner, unit));
    let mut edited = text.to_owned();
    // From the end to the beginning, so that positions found before stay valid.
    let is_closed_below = text.get(block.content_end..block.close).is_some_and(|gap| gap.contains('\n'));
    let closing = if is_closed_below { String::new() } else { format!("\n{outer}") };
    // If the last member has a trailing comma, the new one gets one too.
    let own_comma = if block.members.last().is_some_and(|last| last.comma.is_some()) { "," } else { "" };
    edited.insert_str(block.content_end, &format!("{member}{own_comma}{closing}"));
    if let Some(last) = block.members.last().filter(|last| last.comma.is_none()) {
        edited.insert(last.value.end, ',');
    }
    edited
}

fn without(text: &str, block: &Block, position: usize) -> String {
    let Some(member) = block.members.get(position) else { return text.to_owned() };
    let before = position.checked_sub(1).and_then(|before| block.members.get(before));
    let mut end = member.comma.map_or(member.value.end, |comma| comma + 1);
    let line = text.get(..member.key).and_then(|head| head.rfind('\n')).map_or(0, |newline| newline + 1);
    let is_alone = text.get(line..member.key).is_some_and(|gap| gap.trim().is_empty());
    let rest = text.get(end..).unwrap_or_default();
    let mut start = member.key;
    if is_alone && rest.trim_start_matches([' ', '\t']).starts_with('\n') {
        (start, end) = (line.saturating_sub(1), end + rest.find('\n').unwrap_or(0));
    }
    let mut edited = spliced(text, start, end, "");
    // The member before is the last one now, and must not have a comma.
    if let (None, Some(comma)) = (member.comma, before.and_then(|before| before.comma)) {
        edited.remove(comma);
    }
    edited
}

fn spliced(text: &str, start: usize, end: usize, with: &str) -> String {
    let (head, tail) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    format!("{head}{with}{tail}")
}

/// `value` on several lines, after a key indented by `indent`.
fn shown(value: &Value, indent: &str, unit: &str) -> String {
    let pretty = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut lines = pretty.lines();
    let mut shown = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let words = line.trim_start_matches(' ');
        let depth = (line.len() - words.len()) / INDENT.len();
        shown.extend(["\n", indent, &unit.repeat(depth), words]);
    }
    shown
}

/// The indentation of a line.
fn line_indent(text: &str, place: usize) -> &str {
    let head = text.get(..place).unwrap_or_default();
    let line = head.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text.get(line..).unwrap_or_default();
    let words = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - words.len()).unwrap_or_default()
}

/// The additional indentation of the members of `block`.
fn unit<'t>(text: &'t str, block: &Block) -> &'t str {
    let own = line_indent(text, block.open);
    let first = block.members.first().map(|first: &Member| line_indent(text, first.key));
    let usual = if own.starts_with('\t') { "\t" } else { INDENT };
    first.and_then(|first| first.strip_prefix(own)).filter(|unit| !unit.is_empty()).unwrap_or(usual)
}

#[cfg(test)]
mod tests;
