//! The HTTP server of Selfhood: it parses a request into a verb and prints the verb's answer.
//!
//! Nothing here decides anything about memories. The routes are in [`wire::route::ROUTES`]; this crate adds
//! what every route has in common: authentication and formats ([`http`]), limits ([`Limits`]), metrics and
//! logs ([`metrics`], [`logs`]), and listening ([`listen`]). The same routes answer on TCP, on a private
//! socket for the owner of the home, and in process.
//!
//! Time is an argument here too: [`Clock`] is given by the binary.

mod config;
mod broken;
mod forwarder;
mod network;
mod rate;
mod concurrency;
mod connections;
mod open_files;
mod guarded_body;
pub mod metrics;
mod request_id;
mod spans;
mod agents;
mod state;
pub mod http;
mod tls;
mod socket;
pub mod listen;
pub mod signals;
pub mod logs;
pub mod client;

pub use config::{Config, Exposure, Limits, Page, PrivateSocketConfig, PublicUrl, TlsFiles};
pub use forwarder::Forwarder;
pub use spans::Span;
pub use state::{Clock, Server, Telemetry};
