//! Conversion of values to statement parameters, and of result columns to values.
//!
//! Every integer is a `BIGINT`, so that no statement has to say which type it wants.

use std::error::Error;
use std::fmt;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// One parameter. It may contain sealed text, so `Debug` prints none of it.
pub(super) enum Value {
    Null,
    Number(i64),
    Real(f64),
    Truth(bool),
    Text(String),
    Bytes(Vec<u8>),
    Id(Uuid),
    /// One column of many rows, for a statement that takes them all at once.
    Column(Vec<Value>),
}

/// Parameters of a statement, after the tenant and persona it always gets.
macro_rules! columns {
    ($($value:expr),* $(,)?) => { vec![$(crate::postgres::value::Value::from($value)),*] };
}
pub(super) use columns;

/// Transposes rows into columns: all first values, all second ones, and so on.
pub(super) fn transpose(rows: impl IntoIterator<Item = Vec<Value>>) -> Vec<Value> {
    let mut columns: Vec<Vec<Value>> = Vec::new();
    for row in rows {
        columns.resize_with(row.len(), Vec::new);
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    columns.into_iter().map(Value::Column).collect()
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Value")
    }
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Number(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            Self::Truth(truth) => truth.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
            Self::Bytes(bytes) => bytes.to_sql(kind, out),
            Self::Id(id) => id.to_sql(kind, out),
            Self::Column(values) => values.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
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

/// A type that a column can be read as.
pub(super) trait Column: Sized {
    /// The type the database returns.
    type Given: for<'a> FromSql<'a>;

    /// Converts it; `None` if the value was not written by this program.
    fn read(given: Self::Given) -> Option<Self>;
}

macro_rules! plain_columns {
    ($($kind:ty),+) => {
        $(impl Column for $kind {
            type Given = Self;

            fn read(given: Self) -> Option<Self> {
                Some(given)
            }
        })+
    };
}

plain_columns!(i64, f64, bool, String, Vec<u8>, Uuid);

macro_rules! counted_columns {
    ($($kind:ty),+) => {
        $(impl Column for $kind {
            type Given = i64;

            fn read(given: i64) -> Option<Self> {
                Self::try_from(given).ok()
            }
        })+
    };
}

counted_columns!(u64, u32, u16);

impl<const LENGTH: usize> Column for [u8; LENGTH] {
    type Given = Vec<u8>;

    fn read(given: Vec<u8>) -> Option<Self> {
        given.try_into().ok()
    }
}

impl<T: Column> Column for Option<T> {
    type Given = Option<T::Given>;

    fn read(given: Option<T::Given>) -> Option<Self> {
        given.map_or(Some(None), |given| T::read(given).map(Some))
    }
}
