//! TLS for outgoing connections: one cryptography provider, the system's certificates, no client certificate.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, ConfigBuilder, Error, RootCertStore, WantsVerifier};
use rustls_platform_verifier::Verifier;

/// The configuration for a server with this URL scheme. A server without TLS needs no certificates, so that a
/// machine without any can still use it.
pub fn client_config(scheme: &str) -> Result<ClientConfig, &'static str> {
    let builder = client_builder().map_err(|_| "this program can't speak TLS")?;
    if scheme != "https" {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let verifier = Verifier::new(provider())
        .map_err(|_| "this machine has no root certificates; install its `ca-certificates`")?;
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

/// The beginning of a configuration, for a caller who has certificates of its own.
pub fn client_builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, Error> {
    ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}
