//! Subjects and their records.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::ListSubjects>(
        "GET",
        "/v1/subjects",
        KeyScope::Admin,
        "Lists all people with records, across the tenant's personas.",
    ),
    Route::of::<verb::ShowSubject>(
        "GET",
        "/v1/subjects/{s}",
        KeyScope::Admin,
        "Shows what is stored about a person, and until when.",
    ),
    Route::of::<verb::MergeSubjects>(
        "POST",
        "/v1/subjects/{s}/merge",
        KeyScope::Admin,
        "Merges another reference into this person.",
    ),
    Route::of::<verb::AddAlias>(
        "POST",
        "/v1/subjects/{s}/aliases",
        KeyScope::Admin,
        "Adds another reference to a person.",
    ),
    Route::of::<verb::WithdrawConsent>(
        "POST",
        "/v1/subjects/{s}/withdraw-consent",
        KeyScope::Erase,
        "Withdraws a person's consent: memories that depend on it are hidden, and deleted by the next sweep.",
    )
    .by_speaker()
    .only_once(),
    Route::of::<verb::GiveConsent>(
        "POST",
        "/v1/personas/{p}/subjects/{s}/consents",
        KeyScope::Write,
        "Records a person's consent to storing memories of some privacy classes.",
    )
    .by_speaker()
    .gives(201),
    Route::of::<verb::ListConsents>(
        "GET",
        "/v1/personas/{p}/subjects/{s}/consents",
        KeyScope::Read,
        "Lists the consents a person has given to a persona, including withdrawn ones.",
    ),
    Route::of::<verb::WithdrawConsents>(
        "DELETE",
        "/v1/personas/{p}/subjects/{s}/consents",
        KeyScope::Write,
        "Withdraws every consent a person has given to a persona: memories that depend on it are hidden at \
        once and deleted by the next sweep.",
    )
    .by_speaker(),
    Route::of::<verb::HoldSubject>(
        "POST",
        "/v1/subjects/{s}/hold",
        KeyScope::Admin,
        "Puts a person's records under a legal hold, or lifts it.",
    ),
    Route::of::<verb::Sweep>(
        "POST",
        "/v1/sweeps",
        KeyScope::Erase,
        "Archives faded memories, deletes expired records, and reports the result.",
    )
    .only_once(),
];
