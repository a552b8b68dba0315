//! The right to be forgotten, and the keys that sign for it.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::NewOperator>(
        "POST",
        "/v1/operators",
        KeyScope::Admin,
        "Creates an operator's signing key (operators only).",
    )
    .gives(201),
    Route::of::<verb::ListOperators>(
        "GET",
        "/v1/operators",
        KeyScope::Admin,
        "Lists the operators' signing keys (operators only).",
    ),
    Route::of::<verb::RevokeOperator>(
        "DELETE",
        "/v1/operators/{did}",
        KeyScope::Admin,
        "Revokes an operator's signing key (operators only).",
    ),
    Route::of::<verb::RequestErasure>(
        "POST",
        "/v1/erasures",
        KeyScope::Erase,
        "Creates an erasure request, and gathers everything about the person.",
    )
    .by_speaker()
    .only_once()
    .gives(202),
    Route::of::<verb::ListErasures>(
        "GET",
        "/v1/erasures",
        KeyScope::Erase,
        "Lists the erasure requests, with their deadlines.",
    ),
    Route::of::<verb::ForeseeErasure>(
        "POST",
        "/v1/erasures/preview",
        KeyScope::Erase,
        "Shows what an erasure request would reach, and stores nothing.",
    )
    .reads(),
    Route::of::<verb::ShowErasure>(
        "GET",
        "/v1/erasures/{erasureId}",
        KeyScope::Erase,
        "Shows the state of an erasure request.",
    ),
    Route::of::<verb::WithdrawErasure>(
        "DELETE",
        "/v1/erasures/{erasureId}",
        KeyScope::Erase,
        "Withdraws an erasure request that was not executed.",
    ),
    Route::of::<verb::PreviewErasure>(
        "GET",
        "/v1/erasures/{erasureId}/preview",
        KeyScope::Erase,
        "Shows what would be destroyed, by place, and the manifest an operator signs.",
    ),
    Route::of::<verb::SignErasure>(
        "POST",
        "/v1/erasures/{erasureId}/sign",
        KeyScope::Erase,
        "Signs the manifest, or accepts an operator's signature of it.",
    ),
    Route::of::<verb::ExecuteErasure>(
        "POST",
        "/v1/erasures/{erasureId}/execute",
        KeyScope::Erase,
        "Destroys what was signed, scans for residue, destroys the keys, and issues the certificate.",
    )
    .only_once(),
    Route::of::<verb::ErasureCertificate>(
        "GET",
        "/v1/erasures/{erasureId}/certificate",
        KeyScope::Erase,
        "Returns the signed certificate of an erasure.",
    ),
];
