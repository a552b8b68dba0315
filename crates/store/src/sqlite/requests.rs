//! Answered requests, of a persona or of a tenant.

use domain::Timestamp;
use rusqlite::{Row, params};

use super::persona::Recorder;
use super::statement::records;
use crate::error::Conflict;
use crate::records::Stored;
use crate::request::{AnsweredRequest, RequestTag};

impl Recorder<'_, '_> {
    pub(super) fn record_request(&self, request: &AnsweredRequest) -> Stored<()> {
        self.check_unanswered(request.tag)?;
        let AnsweredRequest { tag, fingerprint, status, resource, at } = request;
        let row = params![tag.0, fingerprint.0, status, resource, at.as_millis()];
        self.sql().run(records::PUT_REQUEST, row).map(drop)
    }

    pub(super) fn check_unanswered(&self, tag: RequestTag) -> Stored<()> {
        match self.sql().first(records::REQUEST, params![tag.0], |_| Ok(()))? {
            None => Ok(()),
            Some(()) => Err(Conflict::RequestAnswered.into()),
        }
    }
}

pub(super) fn request(row: &Row<'_>) -> rusqlite::Result<AnsweredRequest> {
    Ok(AnsweredRequest {
        tag: RequestTag(row.get(0)?),
        fingerprint: RequestTag(row.get(1)?),
        status: row.get(2)?,
        resource: row.get(3)?,
        at: Timestamp::from_millis(row.get(4)?),
    })
}
