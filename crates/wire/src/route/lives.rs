//! The timelines of personas.

use super::Route;
use crate::key::KeyScope;
use crate::{persona, redaction, schema, timeline};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/personas/{p}/timeline",
        "append_entry",
        KeyScope::Write,
        "Appends an event to the timeline, or a revision of one.",
    )
    .takes(schema::of::<timeline::AppendEntry>)
    .gives(201, schema::of::<timeline::TimelineEntryAnswer>),
    Route::new(
        "GET",
        "/personas/{p}/timeline",
        "list_timeline",
        KeyScope::Read,
        "Lists the timeline by \
        sequence.",
    )
    .asks(schema::of::<timeline::TimelineFilter>)
    .gives(200, schema::of::<timeline::TimelinePage>),
    Route::new(
        "POST",
        "/personas/{p}/timeline/{timelineId}/supersede",
        "supersede_entry",
        KeyScope::Write,
        "Marks an entry as superseded.",
    )
    .takes(schema::of::<timeline::SupersedeEntry>)
    .gives(200, schema::of::<timeline::TimelineEntryAnswer>),
    Route::new(
        "GET",
        "/personas/{p}/consistency",
        "check_consistency",
        KeyScope::Read,
        "Checks for gaps, backward steps and contradictions.",
    )
    .asks(schema::of::<persona::OfTenant>)
    .gives(200, schema::of::<timeline::ConsistencyAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/timeline/{timelineId}/redact",
        "redact_entry",
        KeyScope::Erase,
        "Destroys a timeline entry with its earlier versions; its number stays.",
    )
    .takes(schema::of::<redaction::RedactEntry>)
    .only_once()
    .gives(200, schema::of::<redaction::RedactEntryAnswer>),
];
