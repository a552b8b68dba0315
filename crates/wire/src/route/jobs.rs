//! Digests and scheduled jobs.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::DistillShort>(
        "POST",
        "/distill/short",
        KeyScope::Admin,
        "Rebuilds the digest of recent conversations, verbatim.",
    )
    .body_is_optional(),
    Route::of::<verb::DistillMid>(
        "POST",
        "/distill/mid",
        KeyScope::Admin,
        "Condenses new conversations into the digest of weeks.",
    )
    .body_is_optional(),
    Route::of::<verb::DistillLong>(
        "POST",
        "/distill/long",
        KeyScope::Admin,
        "Condenses the digest of weeks into the long-term digest.",
    )
    .body_is_optional(),
    Route::of::<verb::WriteCues>(
        "POST",
        "/distill/cues",
        KeyScope::Admin,
        "Lets a model write missing cues for memories and timeline entries, within the day's budget.",
    )
    .body_is_optional(),
    Route::of::<verb::DistillStatus>(
        "GET",
        "/distill/status",
        KeyScope::Read,
        "Shows when each digest is made next, and the last result.",
    ),
    Route::of::<verb::ListJobs>(
        "GET",
        "/v1/jobs",
        KeyScope::Read,
        "Lists scheduled jobs, with their next run and last result.",
    ),
    Route::of::<verb::PauseJob>(
        "PATCH",
        "/v1/personas/{p}/jobs/{job}",
        KeyScope::Admin,
        "Pauses or resumes a job; runs that were due in the pause are skipped.",
    ),
];
