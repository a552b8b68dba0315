//! Tries a change again if it came too late: the record was changed by another request between reading and
//! writing it.

use wire::{Code, Problem};

/// How often a change is tried. A conflict needs another writer of the same record at the same moment, and
/// that writer has succeeded; more than this many in a row is more than an answer should wait for.
const TRIES: usize = 16;

/// Does `attempt`, which reads before it writes, again if it conflicts with others, at most [`TRIES`] times. The last
/// conflict is the answer.
pub(crate) async fn retry_conflicts<T, F>(attempt: impl Fn() -> F) -> Result<T, Problem>
where
    F: Future<Output = Result<T, Problem>>,
{
    for _ in 1..TRIES {
        match attempt().await {
            Err(problem) if problem.code == Code::Conflict => {}
            done => return done,
        }
    }
    attempt().await
}
