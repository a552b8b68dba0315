//! A table with a heading: a column of texts, and maybe columns of dates and tags.

use std::io::{BufRead, Read};

use serde_json::Value;

use crate::date::read_date;
use crate::elements::skip_mark;
use crate::record::{Note, Record, Why};
use crate::{Broken, Sink, Source};

/// The names under which a column is known.
const TEXTS: &[&str] = &["gist", "memory", "text", "content", "note", "fact", "observation"];
const DATES: &[&str] = &["createdat", "created_at", "created", "date", "timestamp", "time"];
const TAGS: &[&str] = &["tags", "tag", "categories", "category", "labels"];
/// The longest row that is read.
const LONGEST: usize = 1 << 20;

/// Reads a table; its first row names the columns.
pub(crate) fn read(source: &mut dyn BufRead, _: &Source<'_>, sink: &mut Sink<'_>) -> Result<(), Broken> {
    skip_mark(source)?;
    let mut rows = Rows { bytes: source.bytes(), separator: b',', line: 1, next: None };
    let Some((_, heading)) = rows.heading()? else { return sink(Record::skipped("the table", Why::Empty)) };
    let column =
        |names: &[&str]| heading.iter().position(|name| names.contains(&name.trim().to_lowercase().as_str()));
    let Some(text) = column(TEXTS) else {
        let way_out = "name the column with the texts `text`";
        return Err(Broken::at("line 1", "no column is called gist, memory, text, content or note", way_out));
    };
    let (date, tags) = (column(DATES), column(TAGS));
    while let Some((line, row)) = rows.row()? {
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).map_or("", |cell| cell.trim());
        let place = format!("line {line}");
        let words = cell(Some(text));
        if words.is_empty() {
            sink(Record::skipped(place, Why::Empty))?;
            continue;
        }
        let at = read_date(&Value::from(cell(date)));
        let tags = cell(tags).split([',', ';', '|']).map(str::trim).filter(|tag| !tag.is_empty());
        sink(Record::Note(Note { at, tags: tags.map(str::to_owned).collect(), ..Note::of(words) }))?;
    }
    Ok(())
}

/// The rows of a table (RFC 4180), each with the number of its first line.
struct Rows<R> {
    bytes: std::io::Bytes<R>,
    separator: u8,
    line: usize,
    next: Option<u8>,
}

type Row = (usize, Vec<String>);

impl<R: Read> Rows<R> {
    /// The first row also shows what separates cells: a comma, a semicolon or a tab.
    fn heading(&mut self) -> Result<Option<Row>, Broken> {
        let Some((line, row)) = self.row()? else { return Ok(None) };
        let [only] = row.as_slice() else { return Ok(Some((line, row))) };
        let Some(separator) = [';', '\t'].into_iter().find(|mark| only.contains(*mark)) else {
            return Ok(Some((line, row)));
        };
        self.separator = u8::try_from(separator).unwrap_or(b',');
        Ok(Some((line, only.split(separator).map(|cell| cell.trim_matches('"').to_owned()).collect())))
    }

    fn row(&mut self) -> Result<Option<Row>, Broken> {
        let first = self.line;
        let (mut cells, mut cell) = (Vec::new(), Vec::new());
        let (mut is_quoted, mut any, mut length) = (false, false, 0);
        while let Some(byte) = self.byte()? {
            any = true;
            length += 1;
            if length > LONGEST {
                let what = format!("the row has more than {LONGEST} bytes; is a quotation mark missing?");
                return Err(Broken::at(
                    format!("line {first}"),
                    what,
                    "close the quotation, or split the row",
                ));
            }
            match byte {
                b'"' if is_quoted => match self.byte()? {
                    Some(b'"') => cell.push(b'"'),
                    after => {
                        is_quoted = false;
                        self.next = after;
                    }
                },
                b'"' if cell.is_empty() => is_quoted = true,
                b'\n' if !is_quoted => break,
                b'\r' if !is_quoted => {}
                byte if byte == self.separator && !is_quoted => cells.push(text(&mut cell)),
                byte => cell.push(byte),
            }
        }
        if is_quoted {
            let what = "a quotation mark is not closed";
            return Err(Broken::at(format!("line {first}"), what, "close it, and import the file again"));
        }
        cells.push(text(&mut cell));
        Ok(any.then_some((first, cells)))
    }

    fn byte(&mut self) -> Result<Option<u8>, Broken> {
        let byte = match self.next.take() {
            Some(byte) => return Ok(Some(byte)),
            None => self.bytes.next().transpose()?,
        };
        self.line += usize::from(byte == Some(b'\n'));
        Ok(byte)
    }
}

fn text(cell: &mut Vec<u8>) -> String {
    String::from_utf8_lossy(&std::mem::take(cell)).into_owned()
}
