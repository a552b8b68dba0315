//! The register of revoked API keys: `revoked-api-keys.json`.
//!
//! API keys are rows of the database, so an older copy of the database contains keys that were revoked
//! since. The register is in the key directory, which no backup contains. It is signed, so that removing an
//! entry is detected.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::refusal::io_error;
use super::{KeyDirectory, KeyDirectoryError, permissions};
use crate::canonical::parse_strict;
use crate::durable;
use crate::signature::{ProofTerms, PublicKey, SigningKey, add_proof, verify_proof};
use crate::timestamp;

const FILE: &str = "revoked-api-keys.json";
/// The document's type, so that no other document signed with the same key can be used in its place.
const TYPE: &str = "selfhood-revoked-api-keys";

/// One revoked API key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokedApiKey {
    /// The tenant it belonged to.
    pub tenant: String,
    /// When it was revoked, in milliseconds UTC.
    #[serde(with = "timestamp::required")]
    pub revoked_at: i64,
}

/// The revoked API keys, by public id.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revocations(pub BTreeMap<String, RevokedApiKey>);

impl KeyDirectory {
    /// Reads the register; `None` if it does not exist. A register not signed by any of `signers` is
    /// `Damaged`.
    pub fn revocations(&self, signers: &[PublicKey]) -> Result<Option<Revocations>, KeyDirectoryError> {
        let path = self.path().join(FILE);
        let text = match permissions::read_private(&path, "the register of revoked API keys") {
            Err(KeyDirectoryError::Missing { .. }) => return Ok(None),
            text => text?,
        };
        let damaged = |reason| KeyDirectoryError::Damaged { path: path.clone(), reason };
        let mut document = parse_strict(text.as_bytes()).map_err(|_| damaged("not JSON"))?;
        // The signature never expires, so the time of reading doesn't matter.
        verify_proof(&document, signers, i64::MAX)
            .map_err(|_| damaged("no valid signer signed it as it is"))?;
        if document.get("type").and_then(Value::as_str) != Some(TYPE) {
            return Err(damaged("it is another document"));
        }
        let revoked = document.get_mut("revoked").map(Value::take).unwrap_or_default();
        let revoked = serde_json::from_value(revoked).map_err(|_| damaged("an entry is malformed"))?;
        Ok(Some(revoked))
    }

    /// Writes the register, signed by `operator`.
    pub fn write_revocations(
        &self,
        revoked: &Revocations,
        operator: &SigningKey,
        now: i64,
    ) -> Result<(), KeyDirectoryError> {
        let path = self.path().join(FILE);
        let unwritable = |error: String| io_error("write", &path)(std::io::Error::other(error));
        let mut document = json!({ "type": TYPE, "revoked": revoked });
        add_proof(&mut document, ProofTerms { created: now, expires: None }, operator)
            .map_err(|error| unwritable(error.to_string()))?;
        let text = serde_json::to_string_pretty(&document).map_err(|error| unwritable(error.to_string()))?;
        durable::replace(&path, format!("{text}\n").as_bytes()).map_err(io_error("write", &path))
    }
}
