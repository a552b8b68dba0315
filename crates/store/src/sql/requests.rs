//! Answered requests.

use domain::Timestamp;

use super::statement::records;
use super::{Row, Sql, columns};
use crate::error::Conflict;
use crate::records::Stored;
use crate::request::{AnsweredRequest, RequestTag};

pub(crate) async fn record_request(sql: &impl Sql, request: &AnsweredRequest) -> Stored<()> {
    check_unanswered(sql, request.tag).await?;
    let AnsweredRequest { tag, fingerprint, status, resource, at } = request;
    let row = columns![tag.0, fingerprint.0, *status, resource.clone(), at.as_millis()];
    sql.put(records::PUT_REQUEST, row).await
}

pub(crate) async fn check_unanswered(sql: &impl Sql, tag: RequestTag) -> Stored<()> {
    match request(sql, tag).await? {
        None => Ok(()),
        Some(_) => Err(Conflict::RequestAnswered.into()),
    }
}

pub(crate) async fn request(sql: &impl Sql, tag: RequestTag) -> Stored<Option<AnsweredRequest>> {
    sql.first(records::REQUEST, columns![tag.0], request_row).await
}

/// All answered requests that are still recorded, by key.
pub(crate) async fn requests(sql: &impl Sql) -> Stored<Vec<AnsweredRequest>> {
    sql.all(records::REQUESTS, Vec::new(), request_row).await
}

pub(crate) fn request_row(row: &Row<'_>) -> Stored<AnsweredRequest> {
    Ok(AnsweredRequest {
        tag: RequestTag(row.get(0)?),
        fingerprint: RequestTag(row.get(1)?),
        status: row.get(2)?,
        resource: row.get(3)?,
        at: Timestamp::from_millis(row.get(4)?),
    })
}
