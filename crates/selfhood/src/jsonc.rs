//! Edits JSON written by people: sets or removes one member, and keeps every other byte, including comments
//! and trailing commas.

mod scan;

use serde_json::Value;

use scan::{Member, Object, Scanner};

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
        if below.is_empty() || !member.is_object(text) {
            let shown = shown(&nested(below, value), line_indent(text, member.key), unit(text, &object));
            return Ok(spliced(text, member.value.start, member.value.end, &shown));
        }
        object = Scanner::new(text).object(member.value.start)?;
        rest = below;
    }
    let Some((name, below)) = rest.split_first() else { return Ok(text.to_owned()) };
    Ok(inserted(text, &object, name, &nested(below, value)))
}

/// `text` without the member at `path`.
pub(crate) fn remove(text: &str, path: &[&str]) -> Result<String, NotJson> {
    let Some((name, above)) = path.split_last() else { return Ok(text.to_owned()) };
    if get(text, path)?.is_none() {
        return Ok(text.to_owned());
    }
    let mut object = Scanner::new(text).root()?;
    for step in above {
        let Some(member) = object.member(step).cloned() else { return Ok(text.to_owned()) };
        object = Scanner::new(text).object(member.value.start)?;
    }
    let Some(position) = object.members.iter().position(|member| member.name == *name) else {
        return Ok(text.to_owned());
    };
    Ok(without(text, &object, position))
}

/// `value` below the missing names.
fn nested(path: &[&str], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |value, name| serde_json::json!({ *name: value }))
}

fn inserted(text: &str, object: &Object, name: &str, value: &Value) -> String {
    let (outer, unit) = (line_indent(text, object.open), unit(text, object));
    let inner = format!("{outer}{unit}");
    let key = serde_json::to_string(name).unwrap_or_default();
    let member = format!("\n{inner}{key}: {}", shown(value, &inner, unit));
    let mut edited = text.to_owned();
    // From the end to the beginning, so that positions found before stay valid.
    let is_closed_below = text.get(object.content_end..object.close).is_some_and(|gap| gap.contains('\n'));
    let closing = if is_closed_below { String::new() } else { format!("\n{outer}") };
    // If the last member has a trailing comma, the new one gets one too.
    let own_comma = if object.members.last().is_some_and(|last| last.comma.is_some()) { "," } else { "" };
    edited.insert_str(object.content_end, &format!("{member}{own_comma}{closing}"));
    if let Some(last) = object.members.last().filter(|last| last.comma.is_none()) {
        edited.insert(last.value.end, ',');
    }
    edited
}

fn without(text: &str, object: &Object, position: usize) -> String {
    let Some(member) = object.members.get(position) else { return text.to_owned() };
    let before = position.checked_sub(1).and_then(|before| object.members.get(before));
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

/// The additional indentation of the members of `object`.
fn unit<'t>(text: &'t str, object: &Object) -> &'t str {
    let own = line_indent(text, object.open);
    let first = object.members.first().map(|first: &Member| line_indent(text, first.key));
    let usual = if own.starts_with('\t') { "\t" } else { INDENT };
    first.and_then(|first| first.strip_prefix(own)).filter(|unit| !unit.is_empty()).unwrap_or(usual)
}

#[cfg(test)]
mod tests;
