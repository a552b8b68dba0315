//! Cryptography of backups: the key that seals their plain documents, and the hash of a file of any length.
//!
//! The key is derived from the tenant's key of one epoch. So the documents of an older backup become
//! unreadable in the same step that makes destroyed records unreadable, and no backup restores text that
//! was to be forgotten.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

use crate::hash::{HASH_BYTES, hmac_sha256, length_prefixed};
use crate::key::{Dek, Kek, Secret};

const DOCUMENT_KEY: &[u8] = b"selfhood/v1/backup-documents";
const BLOCK_BYTES: usize = 64 * 1024;

/// The key that seals a tenant's documents in backups made during the epoch of `kek`: `HMAC-SHA-256(KEK,
/// purpose ‖ tenant ‖ epoch)`, each field prefixed with its length.
#[must_use]
pub fn document_key(kek: &Kek, tenant: &str) -> Dek {
    let epoch = kek.epoch().to_be_bytes();
    let message = length_prefixed(&[DOCUMENT_KEY, tenant.as_bytes(), &epoch]);
    Dek::new(Secret::from_bytes(hmac_sha256(kek.expose(), &[&message])))
}

/// Copies everything from `from` to `to`, and returns its SHA-256 and its length.
pub fn copy_and_hash(from: &mut impl Read, to: &mut impl io::Write) -> io::Result<([u8; HASH_BYTES], u64)> {
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        let read = match from.read(&mut block) {
            Ok(0) => return Ok((hash.finalize().into(), bytes)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let part = block.get(..read).unwrap_or_default();
        hash.update(part);
        to.write_all(part)?;
        bytes += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;

    #[test]
    fn the_key_of_documents_is_another_for_each_tenant_and_epoch() {
        let key = |byte, epoch, tenant| {
            *document_key(&Kek::new(epoch, Secret::from_bytes([byte; 32])), tenant).commitment()
        };
        let first = key(1, 1, "scott");
        assert_eq!(first, key(1, 1, "scott"));
        for other in [key(2, 1, "scott"), key(1, 2, "scott"), key(1, 1, "holly")] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn a_long_file_hashes_as_its_bytes_do_and_arrives_whole() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        let mut copy = Vec::new();
        let hashed = copy_and_hash(&mut bytes.as_slice(), &mut copy).unwrap();
        assert_eq!(hashed, (sha256(&[&bytes]), 200_000));
        assert_eq!(copy, bytes);
    }
}
