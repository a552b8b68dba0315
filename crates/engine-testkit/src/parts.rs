//! The parts of an engine, with defaults that a test replaces where it needs others.

use std::sync::Arc;

use engine::converse::Roles;
use engine::{Consent, Distillation, Encoding, Parts};
use store::Store;
use vault::hash::KeyedHash;
use vault::key::Secret;
use vault::randomness::OsRandomness;
use vault::signature::SigningKey;

/// The operator of every test deployment.
pub fn operator() -> SigningKey {
    SigningKey::from_seed(&Secret::from_bytes([5; 32]))
}

/// An engine on `store` without models, which computes sentence vectors when it is asked to.
pub fn parts(store: Store) -> Parts {
    parts_signed_by(operator(), store)
}

/// The same, with another operator.
pub fn parts_signed_by(operator: SigningKey, store: Store) -> Parts {
    Parts {
        store,
        signers: vec![operator.public_key()],
        operator,
        deployment: "did:selfhood:test".parse().unwrap(),
        pepper: KeyedHash::new(Secret::from_bytes([9; 32])),
        randomness: Arc::new(OsRandomness),
        consent: Consent { added: Vec::new(), formation: domain::ConsentBasis::service_delivery() },
        open_bytes: 1 << 30,
        roles: Roles::default(),
        distillation: Distillation::default(),
        encoders: engine::built_in_encoders(),
        encoding: Encoding::WhenAsked,
    }
}
