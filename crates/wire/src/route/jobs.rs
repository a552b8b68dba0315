//! Digests and scheduled jobs.

use super::Route;
use crate::key::KeyScope;
use crate::{cues, distill, job, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/distill/short",
        "distill_short",
        KeyScope::Admin,
        "Rebuilds the digest of recent conversations, verbatim.",
    )
    .may_take(schema::of::<distill::Distill>)
    .gives(200, schema::of::<distill::DistillAnswer>),
    Route::new(
        "POST",
        "/distill/mid",
        "distill_mid",
        KeyScope::Admin,
        "Condenses new conversations into the digest of weeks.",
    )
    .may_take(schema::of::<distill::Distill>)
    .gives(200, schema::of::<distill::DistillAnswer>),
    Route::new(
        "POST",
        "/distill/long",
        "distill_long",
        KeyScope::Admin,
        "Condenses the digest of weeks into the long-term digest.",
    )
    .may_take(schema::of::<distill::Distill>)
    .gives(200, schema::of::<distill::DistillAnswer>),
    Route::new(
        "POST",
        "/distill/cues",
        "write_cues",
        KeyScope::Admin,
        "Lets a model write missing cues for memories and timeline entries, within the day's budget.",
    )
    .may_take(schema::of::<cues::WriteCues>)
    .gives(200, schema::of::<cues::CuesAnswer>),
    Route::new(
        "GET",
        "/distill/status",
        "distill_status",
        KeyScope::Read,
        "Shows when each digest is made next, and the last result.",
    )
    .gives(200, schema::of::<distill::DistillStatus>),
    Route::new(
        "GET",
        "/v1/jobs",
        "list_jobs",
        KeyScope::Read,
        "Lists scheduled jobs, with their next run and last result.",
    )
    .gives(200, schema::of::<job::JobList>),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/jobs/{job}",
        "pause_job",
        KeyScope::Admin,
        "Pauses or resumes a job; runs that were due in the pause are skipped.",
    )
    .takes(schema::of::<job::PauseJob>)
    .gives(200, schema::of::<job::JobAnswer>),
];
