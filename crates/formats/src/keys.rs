//! The names of properties at the beginning of a JSON text, with how deep they stand.

use std::collections::BTreeSet;

/// Properties of the first objects of a text that may end anywhere.
#[derive(Debug, Default)]
pub(crate) struct Keys(BTreeSet<(usize, String)>);

/// How deep names are looked for.
const DEEPEST: usize = 5;

impl Keys {
    /// Reads as much of `head` as there is. What is no JSON gives whatever was found before.
    pub(crate) fn of(head: &[u8]) -> Self {
        let mut keys = BTreeSet::new();
        let (mut depth, mut at) = (0_usize, 0);
        while let Some(byte) = head.get(at) {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                b'"' => {
                    let Some(end) = end_of_string(head, at + 1) else { break };
                    let is_name = next_mark(head, end + 1) == Some(b':');
                    if is_name && depth <= DEEPEST {
                        let name = head.get(at + 1..end).unwrap_or_default();
                        keys.insert((depth, String::from_utf8_lossy(name).into_owned()));
                    }
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
        Self(keys)
    }

    /// Whether a property of this name stands at this depth: 1 is the outermost object or list.
    pub(crate) fn has(&self, depth: usize, name: &str) -> bool {
        self.0.contains(&(depth, name.to_owned()))
    }

    /// Whether all these names stand at one depth.
    pub(crate) fn have(&self, depth: usize, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(depth, name))
    }
}

fn end_of_string(head: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match head.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn next_mark(head: &[u8], from: usize) -> Option<u8> {
    head.get(from..)?.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
