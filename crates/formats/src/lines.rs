//! Lines of JSON in our own shapes: what `selfhood export` writes, or the least that makes a memory.

use std::io::BufRead;

use serde_json::Value;

use crate::broken::MEND_IT;
use crate::record::Record;
use crate::text_lines::each_line;
use crate::{Broken, Sink, Source};

/// Reads lines; empty ones are passed over.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    each_line(source, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        match serde_json::from_str::<Value>(line) {
            Ok(value @ Value::Object(_)) => sink(Record::Line(number, value)),
            Ok(_) => sink(Record::refused(
                format!("line {number}"),
                "a line is one JSON object; this is something else",
                MEND_IT,
            )),
            Err(error) => {
                let what = format!("this line is not JSON (column {})", error.column());
                sink(Record::refused(format!("line {number}"), what, MEND_IT))
            }
        }
    })
}
