//! The HTTP door of Selfhood: it parses a request into a verb and prints the verb's answer.
//!
//! Nothing here decides anything about memories. What a route is stands in [`wire::route::ROUTES`];
//! this crate adds what every route has in common: who comes in ([`http`]), how much and how often
//! ([`Limits`]), what is counted and logged ([`metrics`], [`logs`]), and where it listens ([`listen`]).
//! The same routes answer on TCP, on a private socket for whoever holds the home, and in process.
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
mod state;
pub mod http;
mod tls;
mod socket;
pub mod listen;
pub mod signals;
pub mod logs;
pub mod client;

pub use config::{Config, Limits, Page, PrivateDoor, PublicUrl, Reach, TlsFiles};
pub use forwarder::Forwarder;
pub use state::{Clock, Server};
