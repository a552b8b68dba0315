//! The audit log: a Merkle tree over events, and signed checkpoints of it.
//!
//! An event contains no text and no identifiers, only a commitment to its private part. So a person can be
//! forgotten while every root stays valid: the private part and its salt are sealed under the person's key,
//! and without them the commitment reveals nothing. The formats are published in `docs/formats/audit.md`.

mod checkpoint;
mod export;
mod note;
mod proof;
mod tree;

use serde::Serialize;

use crate::canonical::{CanonicalError, canonicalize_serializable};
use crate::hash::hmac_sha256;
use crate::key::Secret;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use export::{ExportError, ExportLine, ExportReport, ExportVerifier, origin_of_export};
pub use note::{NoteError, open_note, sign_note};
pub use proof::{TreeHead, consistency_proof, inclusion_proof, verify_consistency, verify_inclusion};
pub use tree::{Frontier, TreeHash, leaf_of_bytes};

/// The leaf of an event: `SHA-256(0x00 ‖ JCS(event))`.
pub fn leaf_of<T: Serialize + ?Sized>(event: &T) -> Result<TreeHash, CanonicalError> {
    canonicalize_serializable(event).map(|bytes| leaf_of_bytes(&bytes))
}

/// The commitment of an event to its private part: `HMAC-SHA-256(salt, JCS(private part))`. Every event has
/// a new random salt; otherwise equal private parts could be recognised.
pub fn commitment<T: Serialize + ?Sized>(salt: &Secret, private: &T) -> Result<[u8; 32], CanonicalError> {
    canonicalize_serializable(private).map(|bytes| hmac_sha256(salt.expose(), &[&bytes]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_leaf_does_not_depend_on_the_order_of_members() {
        let event = json!({"v": 1, "seq": 0, "type": "memory.created"});
        let reordered = json!({"type": "memory.created", "v": 1, "seq": 0});
        assert_eq!(leaf_of(&event), leaf_of(&reordered));
        assert_ne!(leaf_of(&event), leaf_of(&json!({"v": 1, "seq": 1, "type": "memory.created"})));
    }

    #[test]
    fn a_commitment_holds_for_its_salt_and_private_part_only() {
        let commit =
            |salt, private: &serde_json::Value| commitment(&Secret::from_bytes([salt; 32]), private).unwrap();
        let committed = commit(1, &json!({"subject": "guest"}));
        assert_eq!(committed, commit(1, &json!({"subject": "guest"})));
        assert_ne!(committed, commit(2, &json!({"subject": "guest"})));
        assert_ne!(committed, commit(1, &json!({"subject": "owner"})));
    }
}
