//! What a call doesn't say: `true` and `(a, b)` have no name where they are passed.

use std::fs;

use super::{root, sources};

/// Functions whose parameters a trait of others decides.
const BY_OTHERS: [&str; 2] = ["fn visit_bool", "fn from(is_off: bool)"];

/// The text after `open` up to the bracket that closes it.
fn enclosed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(open)?;
    let mut depth = 1;
    let mut before = ' ';
    for (at, letter) in inside.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close && (close != '>' || before != '-') {
            depth -= 1;
        }
        before = letter;
        if depth == 0 {
            return Some((&inside[..at], &inside[at + letter.len_utf8()..]));
        }
    }
    None
}

/// The parameters in `list`, each with its pattern and its type.
fn parameters(list: &str) -> Vec<(&str, &str)> {
    let (mut all, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !list[..at].ends_with(['-', '=']) => depth -= 1,
            ',' if depth == 0 => {
                all.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&list[start..]);
    let parts = all.into_iter().filter_map(|parameter| parameter.split_once(": "));
    parts.map(|(pattern, kind)| (pattern.trim(), kind.trim())).collect()
}

/// The functions in `text` that take a `bool` or a tuple.
fn nameless(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("fn ").skip(1) {
        let name: String =
            part.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let rest = &part[name.len()..];
        let rest = enclosed(rest, '<', '>').map_or(rest, |(_, rest)| rest);
        let Some((list, _)) = enclosed(rest, '(', ')') else { continue };
        let is_nameless = |(pattern, kind): &(&str, &str)| {
            let kind = kind.trim_start_matches('&').trim_start_matches("mut ");
            kind == "bool" || pattern.starts_with('(') || (kind.starts_with('(') && kind.contains(','))
        };
        let is_by_others = BY_OTHERS.iter().any(|own| format!("fn {part}").starts_with(own));
        if !name.is_empty() && !is_by_others && parameters(list).iter().any(is_nameless) {
            found.push(name);
        }
    }
    found
}

#[test]
fn a_bool_and_a_tuple_are_noticed_among_the_parameters() {
    for text in [
        "fn one(is_so: bool) {",
        "fn two<F: Fn() -> u8>(\n    &self,\n    run: F,\n    (first, second): (u8, u8),\n) {",
        "fn three(own: &(u8, u8)) {",
    ] {
        assert_eq!(nameless(text).len(), 1, "{text}");
    }
    for text in [
        "fn four(of: impl Fn(bool) -> bool, other: Vec<(u8, u8)>) -> bool {",
        "fn five(&self, all: &[(u8, bool)]) -> (u8, bool) {",
        "fn six(Own { a, b }: Own<'_>) {",
        "type Seven = fn(bool);",
    ] {
        assert_eq!(nameless(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn no_function_takes_a_bool_or_a_tuple() {
    let mut found = Vec::new();
    for path in sources(&root().join("crates")) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let is_program = name.contains("/src/") && !name.contains("testkit/") && !name.ends_with("/tests.rs");
        if !is_program {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let program = text.split("#[cfg(test)]").next().unwrap();
        found.extend(nameless(program).into_iter().map(|function| format!("{name}: {function}")));
    }
    assert!(found.is_empty(), "give it a name, with an enum or a struct: {found:#?}");
}
