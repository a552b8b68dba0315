//! Answered requests, of a persona or of a tenant.

use domain::Timestamp;

use super::connection::Row;
use super::statement::records;
use super::value::columns;
use super::write_transaction::WriteTransaction;
use crate::error::Conflict;
use crate::records::Stored;
use crate::request::{AnsweredRequest, RequestTag};

impl WriteTransaction {
    pub(super) async fn record_request(&self, request: &AnsweredRequest) -> Stored<()> {
        self.check_unanswered(request.tag).await?;
        let AnsweredRequest { tag, fingerprint, status, resource, at } = request;
        let row = columns![tag.0, fingerprint.0, *status, resource.clone(), at.as_millis()];
        self.sql().put(records::PUT_REQUEST, row).await
    }

    pub(super) async fn check_unanswered(&self, tag: RequestTag) -> Stored<()> {
        match self.sql().first(records::REQUEST, columns![tag.0], |_| Ok(())).await? {
            None => Ok(()),
            Some(()) => Err(Conflict::RequestAnswered.into()),
        }
    }

    pub(super) async fn expire_requests(&self, before: Timestamp) -> Stored<()> {
        self.sql().put(records::EXPIRE_REQUESTS, columns![before.as_millis()]).await
    }
}

pub(super) fn request(row: &Row<'_>) -> Stored<AnsweredRequest> {
    Ok(AnsweredRequest {
        tag: RequestTag(row.get(0)?),
        fingerprint: RequestTag(row.get(1)?),
        status: row.get(2)?,
        resource: row.get(3)?,
        at: Timestamp::from_millis(row.get(4)?),
    })
}
