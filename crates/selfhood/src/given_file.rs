//! JSON given in a file, or on stdin.

use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};
use wire::{Code, Problem};

use crate::config::Bytes;
use crate::document::Document;

/// The JSON object in the file `name`, or on stdin for `-`; an empty object without a name.
pub(crate) fn object(name: Option<&str>, limit: Bytes) -> Result<Map<String, Value>, Problem> {
    let Some(name) = name else { return Ok(Map::new()) };
    let read = if name == "-" {
        Document::from_bytes(stdin(limit)?)
    } else {
        Document::read(Path::new(name), limit)?
    };
    let content =
        read.content().map_err(|error| Problem::new(Code::MalformedJson, format!("{name}: {error}")))?;
    match content {
        Value::Object(object) => Ok(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(Problem::new(Code::ValidationFailed, format!("{name}: must be one JSON object")))
        }
    }
}

fn stdin(limit: Bytes) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(limit.0).read_to_end(&mut bytes);
    read.map_err(|error| Problem::new(Code::IoFailed, format!("can't read stdin: {error}")))?;
    Ok(bytes)
}
