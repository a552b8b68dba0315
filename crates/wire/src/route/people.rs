//! Subjects and their records.

use super::Route;
use crate::key::KeyScope;
use crate::{consent, schema, subject, sweep};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "GET",
        "/v1/subjects",
        "list_subjects",
        KeyScope::Admin,
        "Lists all people with records, across the tenant's personas.",
    )
    .gives(200, schema::of::<subject::SubjectList>),
    Route::new(
        "GET",
        "/v1/subjects/{s}",
        "show_subject",
        KeyScope::Admin,
        "Shows what is stored about a person, and until when.",
    )
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/merge",
        "merge_subjects",
        KeyScope::Admin,
        "Merges another reference into this person.",
    )
    .takes(schema::of::<subject::MergeSubjects>)
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/aliases",
        "add_alias",
        KeyScope::Admin,
        "Adds another reference to a person.",
    )
    .takes(schema::of::<subject::AddAlias>)
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/withdraw-consent",
        "withdraw_consent",
        KeyScope::Erase,
        "Withdraws a person's consent: memories that depend on it are hidden, and deleted by the next sweep.",
    )
    .only_once()
    .gives(200, schema::of::<subject::WithdrawalAnswer>),
    Route::new(
        "POST",
        "/v1/personas/{p}/subjects/{s}/consents",
        "give_consent",
        KeyScope::Write,
        "Records a person's consent to storing memories of some privacy classes.",
    )
    .takes(schema::of::<consent::GiveConsent>)
    .gives(201, schema::of::<consent::ConsentList>),
    Route::new(
        "GET",
        "/v1/personas/{p}/subjects/{s}/consents",
        "list_consents",
        KeyScope::Read,
        "Lists the consents a person has given to a persona, including withdrawn ones.",
    )
    .gives(200, schema::of::<consent::ConsentList>),
    Route::new(
        "DELETE",
        "/v1/personas/{p}/subjects/{s}/consents",
        "withdraw_consents",
        KeyScope::Write,
        "Withdraws every consent a person has given to a persona: memories that depend on it are hidden at \
        once and deleted by the next sweep.",
    )
    .gives(200, schema::of::<consent::ConsentWithdrawal>),
    Route::new(
        "POST",
        "/v1/subjects/{s}/hold",
        "hold_subject",
        KeyScope::Admin,
        "Puts a person's records under a legal hold, or lifts it.",
    )
    .takes(schema::of::<subject::SetHold>)
    .gives(200, schema::of::<subject::SubjectAnswer>),
    Route::new(
        "POST",
        "/v1/sweeps",
        "sweep",
        KeyScope::Erase,
        "Archives faded memories, deletes expired records, and reports the result.",
    )
    .takes(schema::of::<sweep::Sweep>)
    .only_once()
    .gives(200, schema::of::<sweep::SweepAnswer>),
];
