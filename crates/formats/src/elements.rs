//! The elements of a large JSON list, one at a time.

use std::io::BufRead;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::Broken;

/// What stands around the elements of a source.
pub(crate) struct EnclosingObject {
    /// The other properties of the object that the source is.
    pub(crate) rest: Map<String, Value>,
    /// Whether the source is a list, or has one of the lists that were looked for.
    pub(crate) has_list: bool,
}

/// Hands over the elements of the list that a source is, or of the lists called `lists` in the object that it is, each
/// with its number from 1.
pub(crate) fn each_element(
    source: &mut dyn BufRead,
    lists: &[&str],
    mut take: impl FnMut(usize, Value) -> Result<(), Broken>,
) -> Result<EnclosingObject, Broken> {
    skip_mark(source)?;
    let mut stopped = None;
    let mut around = EnclosingObject { rest: Map::new(), has_list: false };
    let mut number = 0;
    let mut taken = |value: Value| {
        number += 1;
        take(number, value).map_err(|broken| stopped = Some(broken)).is_ok()
    };
    let mut parser = serde_json::Deserializer::from_reader(source);
    let read = parser.deserialize_any(Whole { lists, take: &mut taken, around: &mut around });
    let read = read.and_then(|()| parser.end());
    match (stopped, read) {
        (Some(broken), _) => Err(broken),
        (None, Err(error)) => Err(Broken::json(&error)),
        (None, Ok(())) => Ok(around),
    }
}

/// Some programs write a byte order mark first.
pub(crate) fn skip_mark(source: &mut dyn BufRead) -> Result<(), Broken> {
    if source.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        source.consume(3);
    }
    Ok(())
}

struct Whole<'w> {
    lists: &'w [&'w str],
    take: &'w mut dyn FnMut(Value) -> bool,
    around: &'w mut EnclosingObject,
}

impl<'de> Visitor<'de> for Whole<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.around.has_list = true;
        List(self.take).visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<String>()? {
            if self.lists.contains(&name.as_str()) {
                self.around.has_list = true;
                object.next_value_seed(List(&mut *self.take))?;
            } else {
                self.around.rest.insert(name, object.next_value()?);
            }
        }
        Ok(())
    }
}

struct List<'w>(&'w mut dyn FnMut(Value) -> bool);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<Value>()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    /// A list written as an object, its elements under any names.
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(_name) = object.next_key::<String>()? {
            let element = object.next_value::<Value>()?;
            if !(self.0)(element) {
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}
