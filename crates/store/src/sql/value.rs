//! Conversion of values to statement parameters, and of result columns to values.

use std::fmt;

use uuid::Uuid;

use crate::error::StoreError;
use crate::records::Stored;

/// One parameter. It may contain sealed text, so `Debug` prints none of it.
pub(crate) enum Value {
    Null,
    Number(i64),
    Real(f64),
    Truth(bool),
    Text(String),
    Bytes(Vec<u8>),
    Id(Uuid),
    /// One column of many rows, for a statement of PostgreSQL that takes them all at once.
    Column(Vec<Value>),
}

/// Parameters of a statement, after the tenant and persona that PostgreSQL always gets.
macro_rules! columns {
    ($($value:expr),* $(,)?) => { vec![$(crate::sql::Value::from($value)),*] };
}
pub(crate) use columns;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Value")
    }
}

macro_rules! values {
    ($($kind:ty => |$value:ident| $made:expr;)+) => {
        $(impl From<$kind> for Value {
            fn from($value: $kind) -> Self {
                $made
            }
        })+
    };
}

values! {
    i64 => |number| Self::Number(number);
    u64 => |number| Self::Number(i64::try_from(number).unwrap_or(i64::MAX));
    u32 => |number| Self::Number(i64::from(number));
    u16 => |number| Self::Number(i64::from(number));
    f64 => |number| Self::Real(number);
    bool => |truth| Self::Truth(truth);
    &str => |text| Self::Text(text.to_owned());
    String => |text| Self::Text(text);
    Vec<u8> => |bytes| Self::Bytes(bytes);
    [u8; 32] => |bytes| Self::Bytes(bytes.to_vec());
    &[u8; 16] => |bytes| Self::Bytes(bytes.to_vec());
    Uuid => |id| Self::Id(id);
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::Column(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The columns of a result row by position; `None` is `NULL`.
pub(crate) trait Cells {
    fn number(&self, position: usize) -> Stored<Option<i64>>;
    fn real(&self, position: usize) -> Stored<Option<f64>>;
    fn truth(&self, position: usize) -> Stored<Option<bool>>;
    fn text(&self, position: usize) -> Stored<Option<String>>;
    fn bytes(&self, position: usize) -> Stored<Option<Vec<u8>>>;
    fn id(&self, position: usize) -> Stored<Option<Uuid>>;

    /// Whether the row's checksum is correct. PostgreSQL checks its pages itself.
    fn is_sound(&self) -> Stored<bool>;

    /// The error for a value that was not written by this program.
    fn malformed(&self) -> StoreError;
}

/// One result row.
pub(crate) struct Row<'a>(pub(crate) &'a dyn Cells);

impl Row<'_> {
    /// The column at `position`.
    pub(crate) fn get<T: Column>(&self, position: usize) -> Stored<T> {
        T::read(self.0, position)?.ok_or_else(|| self.0.malformed())
    }

    /// Whether the row's checksum is correct.
    pub(crate) fn is_sound(&self) -> Stored<bool> {
        self.0.is_sound()
    }
}

/// A type that a column can be read as.
pub(crate) trait Column: Sized {
    /// Reads the column; `None` if it is `NULL`.
    fn read(cells: &dyn Cells, position: usize) -> Stored<Option<Self>>;
}

macro_rules! plain_columns {
    ($($kind:ty => $read:ident;)+) => {
        $(impl Column for $kind {
            fn read(cells: &dyn Cells, position: usize) -> Stored<Option<Self>> {
                cells.$read(position)
            }
        })+
    };
}

plain_columns! {
    i64 => number;
    f64 => real;
    bool => truth;
    String => text;
    Vec<u8> => bytes;
    Uuid => id;
}

macro_rules! counted_columns {
    ($($kind:ty),+) => {
        $(impl Column for $kind {
            fn read(cells: &dyn Cells, position: usize) -> Stored<Option<Self>> {
                let number = cells.number(position)?.map(Self::try_from).transpose();
                number.map_err(|_| cells.malformed())
            }
        })+
    };
}

counted_columns!(u64, u32, u16);

impl<const LENGTH: usize> Column for [u8; LENGTH] {
    fn read(cells: &dyn Cells, position: usize) -> Stored<Option<Self>> {
        let bytes = cells.bytes(position)?.map(Self::try_from).transpose();
        bytes.map_err(|_| cells.malformed())
    }
}

impl<T: Column> Column for Option<T> {
    fn read(cells: &dyn Cells, position: usize) -> Stored<Option<Self>> {
        T::read(cells, position).map(Some)
    }
}
