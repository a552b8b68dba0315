//! What must hold after any fault, asked of the database itself when nobody has it open.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

/// Each query counts what must not be.
const NEVER: [(&str, &str); 9] = [
    ("a memory without its words", "SELECT count(*) FROM atoms WHERE n NOT IN (SELECT n FROM payloads)"),
    ("words without their memory", "SELECT count(*) FROM payloads WHERE n NOT IN (SELECT n FROM atoms)"),
    ("words without a key", "SELECT count(*) FROM payloads WHERE key NOT IN (SELECT n FROM keys)"),
    ("a key still dying", "SELECT count(*) FROM keys WHERE dying IS NOT NULL"),
    (
        "a tombstone with a memory",
        "SELECT count(*) FROM tombstones t JOIN atoms a ON hex(t.id) = printf('%016X', a.id)",
    ),
    ("a gap in the log", "SELECT coalesce(max(seq) + 1, 0) - count(*) + coalesce(min(seq), 0) FROM events"),
    (
        "a gap in the timeline",
        "SELECT count(*) FROM timeline WHERE sequence > 1 AND sequence - 1 NOT IN (SELECT sequence FROM timeline)",
    ),
    (
        "a memory from a later revision",
        "SELECT count(*) FROM atoms WHERE revision > (SELECT revision FROM meta)",
    ),
    ("a memory told before it was made", "SELECT count(*) FROM atoms WHERE last_rehearsed_at < created_at"),
];

/// What is wrong with the database at `path`; nothing, if all invariants hold.
pub(crate) fn broken(path: &Path) -> Vec<String> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    let mut wrong: Vec<String> = Vec::new();
    for (what, query) in NEVER {
        match count(query) {
            Ok(0) => {}
            Ok(found) => wrong.push(format!("{what}: {found}")),
            Err(error) => wrong.push(format!("{what}: {error}")),
        }
    }
    let mut dangling = connection.prepare("PRAGMA foreign_key_check").unwrap();
    if dangling.exists([]).unwrap() {
        wrong.push("a row that refers to nothing".to_owned());
    }
    wrong
}
