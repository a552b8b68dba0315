//! The right to be forgotten, and the keys that sign for it.

use super::Route;
use crate::key::KeyScope;
use crate::{erasure, operator, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "POST",
        "/v1/operators",
        "new_operator",
        KeyScope::Admin,
        "Creates an operator's signing key (operators only).",
    )
    .takes(schema::of::<operator::NewOperator>)
    .gives(201, schema::of::<operator::OperatorAnswer>),
    Route::new(
        "GET",
        "/v1/operators",
        "list_operators",
        KeyScope::Admin,
        "Lists the operators' signing keys (operators only).",
    )
    .gives(200, schema::of::<operator::OperatorList>),
    Route::new(
        "DELETE",
        "/v1/operators/{did}",
        "revoke_operator",
        KeyScope::Admin,
        "Revokes an operator's signing key (operators only).",
    )
    .gives(200, schema::of::<operator::OperatorAnswer>),
    Route::new(
        "POST",
        "/v1/erasures",
        "request_erasure",
        KeyScope::Erase,
        "Creates an erasure request, and gathers everything about the person.",
    )
    .takes(schema::of::<erasure::RequestErasure>)
    .only_once()
    .gives(202, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "GET",
        "/v1/erasures",
        "list_erasures",
        KeyScope::Erase,
        "Lists the erasure requests, with their deadlines.",
    )
    .gives(200, schema::of::<erasure::ErasureList>),
    Route::new(
        "POST",
        "/v1/erasures/preview",
        "foresee_erasure",
        KeyScope::Erase,
        "Shows what an erasure request would reach, and stores nothing.",
    )
    .takes(schema::of::<erasure::RequestErasure>)
    .reads()
    .gives(200, schema::of::<erasure::PreviewAnswer>),
    Route::new(
        "GET",
        "/v1/erasures/{erasureId}",
        "show_erasure",
        KeyScope::Erase,
        "Shows the state of an erasure request.",
    )
    .gives(200, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "GET",
        "/v1/erasures/{erasureId}/preview",
        "preview_erasure",
        KeyScope::Erase,
        "Shows what would be destroyed, by place, and the manifest an operator signs.",
    )
    .gives(200, schema::of::<erasure::PreviewAnswer>),
    Route::new(
        "POST",
        "/v1/erasures/{erasureId}/sign",
        "sign_erasure",
        KeyScope::Erase,
        "Signs the manifest, or accepts an operator's signature of it.",
    )
    .takes(schema::of::<erasure::SignErasure>)
    .gives(200, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "POST",
        "/v1/erasures/{erasureId}/execute",
        "execute_erasure",
        KeyScope::Erase,
        "Destroys what was signed, scans for residue, destroys the keys, and issues the certificate.",
    )
    .only_once()
    .gives(200, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "GET",
        "/v1/erasures/{erasureId}/certificate",
        "erasure_certificate",
        KeyScope::Erase,
        "Returns the signed certificate of an erasure.",
    )
    .gives(200, schema::of::<erasure::CertificateAnswer>),
];
