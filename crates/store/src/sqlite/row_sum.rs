//! A checksum over the clear columns of a row, so that a flipped bit is detected where no seal covers it.
//!
//! It guards against a failing disk, not against people: anyone who can write to the database can write the
//! checksum too. Whatever must withstand people is sealed or in the audit log.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Registers the SQL function `row_sum` on `connection`.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("row_sum", -1, flags, |columns| Ok(row_sum(columns)))
}

fn row_sum(columns: &Context<'_>) -> i64 {
    let sum = (0..columns.len()).fold(START, |sum, column| add_value(sum, columns.get_raw(column)));
    i64::from_ne_bytes(sum.to_ne_bytes())
}

fn add_value(sum: u64, value: ValueRef<'_>) -> u64 {
    match value {
        ValueRef::Null => add(sum, &[0]),
        ValueRef::Integer(number) => add(add(sum, &[1]), &number.to_le_bytes()),
        ValueRef::Real(number) => add(add(sum, &[2]), &number.to_bits().to_le_bytes()),
        ValueRef::Text(text) => add(add(add(sum, &[3]), &text.len().to_le_bytes()), text),
        ValueRef::Blob(blob) => add(add(add(sum, &[4]), &blob.len().to_le_bytes()), blob),
    }
}

/// FNV-1a. Each step can be undone when its byte is known, so two rows that differ in one byte never have
/// the same checksum.
fn add(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(connection: &Connection, columns: &str) -> i64 {
        connection.query_row(&format!("SELECT row_sum({columns})"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn the_published_values_of_fnv_come_out() {
        assert_eq!(add(START, b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(add(START, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(add(START, b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn rows_that_differ_have_different_sums() {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        let rows = [
            "1, 2", "2, 1", "1, 2.0", "1, '2'", "1, x'32'", "1, NULL", "NULL, 1", "'1', '2'", "'12', ''",
            "12",
        ];
        let sums: std::collections::BTreeSet<i64> = rows.iter().map(|row| sum_of(&connection, row)).collect();
        assert_eq!(sums.len(), rows.len());
        assert_eq!(sum_of(&connection, "1, 2"), sum_of(&connection, "1, 2"));
    }
}
