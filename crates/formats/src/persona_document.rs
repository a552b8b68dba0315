//! A persona's document with its memories under `memory`.

use std::io::BufRead;

use crate::elements::each_element;
use crate::record::Record;
use crate::{Broken, Sink, Source};

/// Reads the memories; what else the document says is not a memory.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let around = each_element(source, &["memory"], |number, memory| sink(Record::Line(number, memory)))?;
    if around.has_list {
        return Ok(());
    }
    sink(Record::other_file("a document has its memories under `memory`; this has none"))
}
