//! TLS with certificate and key files. A renewed certificate is used from the next connection on.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use wire::{Code, Problem};

use crate::TlsFiles;

/// The certificate in use, and the files it came from.
pub(crate) struct Certificate {
    files: TlsFiles,
    current: RwLock<Current>,
}

struct Current {
    /// When the files were last changed.
    changed: (SystemTime, SystemTime),
    config: Arc<ServerConfig>,
}

impl Certificate {
    /// Reads the certificate and its key.
    pub(crate) fn read(files: TlsFiles) -> Result<Self, Problem> {
        let current = Current { changed: changed(&files)?, config: load(&files)? };
        Ok(Self { files, current: RwLock::new(current) })
    }

    /// The acceptor of the next handshake. Invalid new files leave the old certificate in use.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        if let Err(problem) = self.renew() {
            tracing::warn!(detail = problem.detail, "the renewed certificate can't be used");
        }
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(Arc::clone(&current.config))
    }

    fn renew(&self) -> Result<(), Problem> {
        let changed = changed(&self.files)?;
        if self.current.read().unwrap_or_else(PoisonError::into_inner).changed == changed {
            return Ok(());
        }
        let config = load(&self.files)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Current { changed, config };
        tracing::info!("using the renewed certificate");
        Ok(())
    }
}

fn changed(files: &TlsFiles) -> Result<(SystemTime, SystemTime), Problem> {
    let of = |path: &Path| {
        path.metadata().and_then(|it| it.modified()).map_err(|error| unusable(path, &error.to_string()))
    };
    Ok((of(&files.certificate)?, of(&files.key)?))
}

fn load(files: &TlsFiles) -> Result<Arc<ServerConfig>, Problem> {
    let chain: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(&files.certificate).and_then(Iterator::collect);
    let chain = chain.map_err(|error| unusable(&files.certificate, &error.to_string()))?;
    let key =
        PrivateKeyDer::from_pem_file(&files.key).map_err(|error| unusable(&files.key, &error.to_string()))?;
    let with_key = |error: rustls::Error| unusable(&files.certificate, &error.to_string());
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(with_key)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(with_key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn unusable(path: &Path, why: &str) -> Problem {
    Problem::new(Code::ConfigInvalid, format!("can't use {} for TLS: {why}", path.display()))
}
