//! A server without a trusted certificate gets neither prompt nor key.

use std::sync::Arc;

use llm::{OpenAi, Reason};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

use crate::{endpoint, streamed};

#[tokio::test]
async fn an_untrusted_certificate_is_refused_at_once() {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key.into())
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (report, mut attempts) = mpsc::channel(8);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let heard = match TlsAcceptor::from(Arc::new(config.clone())).accept(stream).await {
                Ok(mut stream) => stream.read(&mut [0; 16]).await.unwrap_or(0),
                Err(_) => 0,
            };
            report.send(heard).await.unwrap();
        }
    });
    let model = OpenAi::new(&endpoint(&format!("https://localhost:{port}/v1"))).unwrap();
    let (_, failed) = streamed(&model).await;
    assert!(matches!(failed.unwrap().reason, Reason::Untrusted));
    assert_eq!(attempts.recv().await, Some(0), "something was sent");
    assert!(attempts.try_recv().is_err(), "it was tried again");
}
