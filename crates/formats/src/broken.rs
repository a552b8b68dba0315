//! Why a source can't be read on: where, what is wrong, and the way out. Never a word of what it says.

use std::io;

use serde_json::error::Category;

/// A source that can't be read on.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The bytes can't be had.
    #[error("it can't be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is not what it should be.
    #[error("{place}: {what}; {way_out}")]
    Malformed {
        /// Where: a line, an entry, a part.
        place: String,
        /// What is wrong there.
        what: String,
        /// What to do about it.
        way_out: &'static str,
    },
    /// The receiver wants no more records.
    #[error("stopped")]
    Stopped,
}

/// What to do about a file that was cut off or damaged.
pub(crate) const EXPORT_AGAIN: &str = "export it again, or cut the file before this place";

/// What to do about a line or an element that its program would have written otherwise.
pub(crate) const MEND_IT: &str =
    "correct it in the file and import the file again; what is there already is left alone";
/// What to do about a file that holds something else.
pub(crate) const OTHER_FILE: &str = "check that this is the file you meant, or say what it is with --as";

impl Broken {
    /// Something wrong at `place`.
    pub fn at(place: impl Into<String>, what: impl Into<String>, way_out: &'static str) -> Self {
        Self::Malformed { place: place.into(), what: what.into(), way_out }
    }

    /// JSON that can't be read on. The message of the parser names only what it expected.
    pub(crate) fn json(error: &serde_json::Error) -> Self {
        if error.is_io() {
            return Self::Unreadable(io::Error::from(error.io_error_kind().unwrap_or(io::ErrorKind::Other)));
        }
        let (what, way_out) = match error.classify() {
            Category::Eof => ("the file ends too early", EXPORT_AGAIN),
            Category::Data => ("a list or an object was expected here", OTHER_FILE),
            Category::Syntax | Category::Io => ("this is not JSON", EXPORT_AGAIN),
        };
        Self::at(format!("line {}, column {}", error.line(), error.column()), what, way_out)
    }
}
