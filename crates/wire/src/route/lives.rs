//! The timelines of personas.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::AppendEntry>(
        "POST",
        "/personas/{p}/timeline",
        KeyScope::Write,
        "Appends an event to the timeline, or a revision of one.",
    )
    .gives(201),
    Route::of::<verb::ListTimeline>(
        "GET",
        "/personas/{p}/timeline",
        KeyScope::Read,
        "Lists the timeline by \
        sequence.",
    ),
    Route::of::<verb::SupersedeEntry>(
        "POST",
        "/personas/{p}/timeline/{timelineId}/supersede",
        KeyScope::Write,
        "Marks an entry as superseded.",
    ),
    Route::of::<verb::CheckConsistency>(
        "GET",
        "/personas/{p}/consistency",
        KeyScope::Read,
        "Checks for gaps, backward steps and contradictions.",
    ),
    Route::of::<verb::RedactEntry>(
        "POST",
        "/v1/personas/{p}/timeline/{timelineId}/redact",
        KeyScope::Erase,
        "Destroys a timeline entry with its earlier versions; its number stays.",
    )
    .only_once(),
];
