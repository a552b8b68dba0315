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
        "Makes an operator's signing key, at the machine itself.",
    )
    .takes(schema::of::<operator::NewOperator>)
    .gives(201, schema::of::<operator::OperatorAnswer>),
    Route::new(
        "GET",
        "/v1/operators",
        "list_operators",
        KeyScope::Admin,
        "Lists the operators' signing keys, at the machine itself.",
    )
    .gives(200, schema::of::<operator::OperatorList>),
    Route::new(
        "DELETE",
        "/v1/operators/{did}",
        "revoke_operator",
        KeyScope::Admin,
        "Revokes an operator's signing key, at the machine itself.",
    )
    .gives(200, schema::of::<operator::OperatorAnswer>),
    Route::new(
        "POST",
        "/v1/erasures",
        "request_erasure",
        KeyScope::Erase,
        "Takes a request to be forgotten, and gathers everything about it.",
    )
    .takes(schema::of::<erasure::RequestErasure>)
    .only_once()
    .gives(202, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "GET",
        "/v1/erasures",
        "list_erasures",
        KeyScope::Erase,
        "Lists the requests to be forgotten, with their deadlines.",
    )
    .gives(200, schema::of::<erasure::ErasureList>),
    Route::new(
        "POST",
        "/v1/erasures/preview",
        "foresee_erasure",
        KeyScope::Erase,
        "Shows what a request to be forgotten would reach, and keeps nothing.",
    )
    .takes(schema::of::<erasure::RequestErasure>)
    .reads()
    .gives(200, schema::of::<erasure::PreviewAnswer>),
    Route::new(
        "GET",
        "/v1/erasures/{erasureId}",
        "show_erasure",
        KeyScope::Erase,
        "Shows how a request to be forgotten stands.",
    )
    .gives(200, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "GET",
        "/v1/erasures/{erasureId}/preview",
        "preview_erasure",
        KeyScope::Erase,
        "Shows what would go, Place by Place, and the manifest an operator signs.",
    )
    .gives(200, schema::of::<erasure::PreviewAnswer>),
    Route::new(
        "POST",
        "/v1/erasures/{erasureId}/sign",
        "sign_erasure",
        KeyScope::Erase,
        "Signs what has to go, or takes an operator's signature for it.",
    )
    .takes(schema::of::<erasure::SignErasure>)
    .gives(200, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "POST",
        "/v1/erasures/{erasureId}/execute",
        "execute_erasure",
        KeyScope::Erase,
        "Destroys what was signed, looks for what is left, lets the keys die, and certifies it.",
    )
    .only_once()
    .gives(200, schema::of::<erasure::ErasureAnswer>),
    Route::new(
        "GET",
        "/v1/erasures/{erasureId}/certificate",
        "erasure_certificate",
        KeyScope::Erase,
        "Gives out the signed certificate of an erasure.",
    )
    .gives(200, schema::of::<erasure::CertificateAnswer>),
];
