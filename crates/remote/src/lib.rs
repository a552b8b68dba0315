//! Services that operators run elsewhere, each by a thin client of our own: object storage that speaks S3
//! ([`Bucket`]), key services that wrap our keys ([`AwsKms`], [`VaultTransit`]), and collectors that take
//! OpenTelemetry's OTLP ([`otlp`]).
//!
//! What leaves here is sealed, wrapped, or counted: never a word of a person. Credentials are arguments, are
//! zeroed when dropped, and are never printed. Time is an argument too.

mod error;
mod http;
mod credentials;
mod signing;
mod xml;
mod region;
mod bucket;
mod blocking;
mod kms;
mod transit;
pub mod otlp;

use std::sync::Arc;

pub use bucket::{Bucket, BucketAddress, StoredObject};
pub use credentials::{AwsCredentials, Token};
pub use error::{Reason, RemoteError};
pub use http::Patience;
pub use kms::AwsKms;
pub use region::amazon_endpoint;
pub use transit::VaultTransit;

/// Tells the time in milliseconds since 1970, UTC; only the binary knows how.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;
