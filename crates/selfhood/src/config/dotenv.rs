//! The `.env` of a home: lines of `NAME=value`.

/// One assignment and its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) value: String,
}

/// A line that is neither an assignment, a comment nor empty.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotAnAssignment {
    pub(super) line: usize,
}

/// Reads all assignments of `text`. Quotes around a value are removed; outside quotes ` #` starts a comment.
pub(super) fn parse(text: &str) -> Result<Vec<Assignment>, NotAnAssignment> {
    let numbered = text.lines().map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
    numbered
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| assignment(number, line).ok_or(NotAnAssignment { line: number }))
        .collect()
}

fn assignment(line: usize, text: &str) -> Option<Assignment> {
    let (name, value) = text.strip_prefix("export ").unwrap_or(text).split_once('=')?;
    let name = name.trim();
    let named = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    named.then(|| Assignment { line, name: name.to_owned(), value: unquoted(value.trim()).to_owned() })
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inside, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inside;
        }
    }
    match value.split_once(" #") {
        Some((before, _)) => before.trim_end(),
        None if value.starts_with('#') => "",
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_read_as_people_write_them() {
        for (line, name, value) in [
            ("A=1", "A", "1"),
            ("  export A = two words  ", "A", "two words"),
            ("A=true # off by default", "A", "true"),
            ("A=  # empty", "A", ""),
            ("A=\"x # y\" # z", "A", "x # y"),
            ("A='it is'", "A", "it is"),
            ("A=a=b#c", "A", "a=b#c"),
        ] {
            let expected = Assignment { line: 1, name: name.to_owned(), value: value.to_owned() };
            assert_eq!(parse(line), Ok(vec![expected]), "{line}");
        }
    }

    #[test]
    fn a_line_that_assigns_nothing_is_named() {
        for (text, line) in [("just words", 1), ("# fine\n\nA=1\n=2", 4), ("A B=1", 1)] {
            assert_eq!(parse(text), Err(NotAnAssignment { line }), "{text}");
        }
    }
}
