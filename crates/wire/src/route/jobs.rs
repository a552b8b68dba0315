//! Digests, and what happens by itself.

use super::Route;
use crate::key::KeyScope;
use crate::{cues, distill, job, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/distill/short",
        "distill_short",
        KeyScope::Admin,
        "Makes the digest of recent talk anew, as it was said.",
    )
    .may_take(schema::of::<distill::Distill>)
    .gives(200, schema::of::<distill::DistillAnswer>),
    Route::new(
        "POST",
        "/distill/mid",
        "distill_mid",
        KeyScope::Admin,
        "Condenses what was said since the last time into the digest of weeks.",
    )
    .may_take(schema::of::<distill::Distill>)
    .gives(200, schema::of::<distill::DistillAnswer>),
    Route::new(
        "POST",
        "/distill/long",
        "distill_long",
        KeyScope::Admin,
        "Takes the digest of weeks into the digest of what is known for good.",
    )
    .may_take(schema::of::<distill::Distill>)
    .gives(200, schema::of::<distill::DistillAnswer>),
    Route::new(
        "POST",
        "/distill/cues",
        "write_cues",
        KeyScope::Admin,
        "Has a model write cues for memories and timeline entries that have none, within the day's budget.",
    )
    .may_take(schema::of::<cues::WriteCues>)
    .gives(200, schema::of::<cues::CuesAnswer>),
    Route::new(
        "GET",
        "/distill/status",
        "distill_status",
        KeyScope::Read,
        "Shows when each digest is made next, and how it went last.",
    )
    .gives(200, schema::of::<distill::DistillStatus>),
    Route::new(
        "GET",
        "/v1/jobs",
        "list_jobs",
        KeyScope::Read,
        "Lists what happens by itself, when next, and how it went last.",
    )
    .gives(200, schema::of::<job::JobList>),
    Route::new(
        "PATCH",
        "/v1/personas/{p}/jobs/{job}",
        "pause_job",
        KeyScope::Admin,
        "Lets a job rest, or go on; what was due meanwhile is not owed.",
    )
    .takes(schema::of::<job::PauseJob>)
    .gives(200, schema::of::<job::JobAnswer>),
];
