//! The trusted certificates: those of the system.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

use crate::endpoint::BaseUrl;

/// The TLS configuration for `base_url`. A server without TLS needs no certificates, so that a machine
/// without any can still use it.
pub(super) fn config(base_url: &BaseUrl) -> Result<ClientConfig, &'static str> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|_| "this program can't speak TLS")?;
    if !base_url.is_encrypted() {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let verifier = Verifier::new(provider)
        .map_err(|_| "this machine has no root certificates; install its `ca-certificates`")?;
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}
