//! Decodes keys from the bytes of a terminal.

use std::io;

use super::line::Move;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Insert(char),
    Change(Move),
    Older,
    Newer,
    Enter,
    Interrupt,
    /// Ctrl-D: the end on an empty line, else the character under the cursor.
    EndOrDelete,
    Ignored,
}

const ESCAPE: u8 = 0x1b;

impl Key {
    /// The next key; `None` at the end of input.
    pub(super) fn read(bytes: &mut impl Iterator<Item = io::Result<u8>>) -> io::Result<Option<Self>> {
        let Some(first) = bytes.next().transpose()? else { return Ok(None) };
        match first {
            ESCAPE => sequence(bytes).map(Some),
            0x7f => Ok(Some(Self::Change(Move::Backspace))),
            0..0x20 => Ok(Some(control(first))),
            _ => letter(first, bytes).map(Some),
        }
    }
}

/// Ctrl with a letter.
fn control(byte: u8) -> Key {
    match char::from(byte | 0x60) {
        'c' => Key::Interrupt,
        'd' => Key::EndOrDelete,
        'j' | 'm' => Key::Enter,
        'a' => Key::Change(Move::Home),
        'e' => Key::Change(Move::End),
        'b' => Key::Change(Move::Left),
        'f' => Key::Change(Move::Right),
        'h' => Key::Change(Move::Backspace),
        'u' => Key::Change(Move::CutBefore),
        'k' => Key::Change(Move::CutAfter),
        'w' => Key::Change(Move::CutWord),
        'p' => Key::Older,
        'n' => Key::Newer,
        // A tab, as in pasted text, becomes a space.
        'i' => Key::Insert(' '),
        _ => Key::Ignored,
    }
}

/// A key sent as several bytes, such as an arrow.
fn sequence(bytes: &mut impl Iterator<Item = io::Result<u8>>) -> io::Result<Key> {
    if !matches!(bytes.next().transpose()?, Some(b'[' | b'O')) {
        return Ok(Key::Ignored);
    }
    let mut parameter = Vec::new();
    while let Some(byte) = bytes.next().transpose()? {
        if byte.is_ascii_digit() || byte == b';' {
            parameter.push(byte);
            continue;
        }
        return Ok(match (byte, parameter.as_slice()) {
            (b'A', _) => Key::Older,
            (b'B', _) => Key::Newer,
            (b'C', _) => Key::Change(Move::Right),
            (b'D', _) => Key::Change(Move::Left),
            (b'H', _) | (b'~', b"1" | b"7") => Key::Change(Move::Home),
            (b'F', _) | (b'~', b"4" | b"8") => Key::Change(Move::End),
            (b'~', b"3") => Key::Change(Move::Delete),
            _ => Key::Ignored,
        });
    }
    Ok(Key::Ignored)
}

/// A character of up to four bytes.
fn letter(first: u8, bytes: &mut impl Iterator<Item = io::Result<u8>>) -> io::Result<Key> {
    let more = match first {
        0xc0..0xe0 => 1,
        0xe0..0xf0 => 2,
        0xf0.. => 3,
        _ => 0,
    };
    let mut letter = vec![first];
    for _ in 0..more {
        letter.extend(bytes.next().transpose()?);
    }
    let letter = String::from_utf8(letter).ok().and_then(|text| text.chars().next());
    Ok(letter.filter(|letter| !letter.is_control()).map_or(Key::Ignored, Key::Insert))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(sent: &[u8]) -> Vec<Key> {
        let mut bytes = sent.iter().map(|byte| Ok(*byte));
        std::iter::from_fn(|| Key::read(&mut bytes).unwrap()).collect()
    }

    #[test]
    fn keys_are_read_from_what_terminals_send() {
        for (sent, expected) in [
            ("aș火".as_bytes(), vec![Key::Insert('a'), Key::Insert('ș'), Key::Insert('火')]),
            (b"\x03\x04\r\n", vec![Key::Interrupt, Key::EndOrDelete, Key::Enter, Key::Enter]),
            (b"\x7f\x08", vec![Key::Change(Move::Backspace); 2]),
            (b"\x1b[A\x1bOB", vec![Key::Older, Key::Newer]),
            (b"\x1b[D\x1b[1;5C", vec![Key::Change(Move::Left), Key::Change(Move::Right)]),
            (
                b"\x1b[3~\x1b[H\x1b[4~",
                vec![Move::Delete, Move::Home, Move::End].into_iter().map(Key::Change).collect(),
            ),
            (b"\x1b[99~\x1bx\xff", vec![Key::Ignored, Key::Ignored, Key::Ignored]),
            (b"", vec![]),
        ] {
            assert_eq!(keys(sent), expected, "{sent:?}");
        }
    }
}
