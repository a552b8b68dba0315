//! Services that wrap keys, such as a KMS: the alternative to a passphrase, behind the same interface.

use std::fmt;
use std::sync::Arc;

use zeroize::Zeroizing;

use super::wrapping::Passphrase;

/// A service that encrypts a key so that only itself can decrypt it. It is asked when a key is made and when
/// one is read, from plain functions, so it waits for its answer itself.
pub trait KeyService: fmt::Debug + Send + Sync {
    /// What a key file says of it: its kind and which of its keys, in one line and without secrets.
    fn label(&self) -> String;

    /// The key, encrypted and bound to what it `holds`.
    fn wrap(&self, holds: &str, key: &[u8; 32]) -> Result<Vec<u8>, KeyServiceError>;

    /// What [`wrap`](Self::wrap) was given.
    fn unwrap(&self, holds: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyServiceError>;
}

/// Why a service did not wrap or unwrap; never with a key in it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct KeyServiceError(String);

impl KeyServiceError {
    /// An error that says this.
    #[must_use]
    pub fn new(detail: String) -> Self {
        Self(detail)
    }
}

/// How new keys are wrapped, and what wrapped ones are opened with. Without either, keys lie bare in their
/// files. With both, new keys are wrapped by the service, and what the passphrase wrapped still opens.
#[derive(Clone, Debug, Default)]
pub struct KeyWrapping {
    /// A passphrase.
    pub passphrase: Option<Passphrase>,
    /// A service.
    pub service: Option<Arc<dyn KeyService>>,
}

impl From<Option<Passphrase>> for KeyWrapping {
    fn from(passphrase: Option<Passphrase>) -> Self {
        Self { passphrase, service: None }
    }
}
