//! The timelines of personas.

use super::Route;
use crate::key::KeyScope;
use crate::{persona, redaction, schema, timeline, verb};

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::AppendEntry>(
        "POST",
        "/personas/{p}/timeline",
        KeyScope::Write,
        "Appends an event to the timeline, or a revision of one.",
    )
    .takes(schema::of::<timeline::AppendEntry>)
    .gives(201),
    Route::of::<verb::ListTimeline>(
        "GET",
        "/personas/{p}/timeline",
        KeyScope::Read,
        "Lists the timeline by \
        sequence.",
    )
    .asks(schema::of::<timeline::TimelineFilter>),
    Route::of::<verb::SupersedeEntry>(
        "POST",
        "/personas/{p}/timeline/{timelineId}/supersede",
        KeyScope::Write,
        "Marks an entry as superseded.",
    )
    .takes(schema::of::<timeline::SupersedeEntry>),
    Route::of::<verb::CheckConsistency>(
        "GET",
        "/personas/{p}/consistency",
        KeyScope::Read,
        "Checks for gaps, backward steps and contradictions.",
    )
    .asks(schema::of::<persona::OfTenant>),
    Route::of::<verb::RedactEntry>(
        "POST",
        "/v1/personas/{p}/timeline/{timelineId}/redact",
        KeyScope::Erase,
        "Destroys a timeline entry with its earlier versions; its number stays.",
    )
    .takes(schema::of::<redaction::RedactEntry>)
    .only_once(),
];
