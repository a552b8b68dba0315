//! Requests, answers and errors of Selfhood's API.
//!
//! Every door (HTTP, MCP, command line) takes its codes, statuses and problem shape from here, so a refusal
//! is the same at every door. Only this crate maps codes to numbers; no handler does.

mod code;
mod exit;
mod problem;
mod refusal;
pub mod read;
pub mod schema;
pub mod change;
pub mod persona;
pub mod timeline;
pub mod memory;
pub mod note;
pub mod redaction;
pub mod subject;
pub mod consent;
pub mod sweep;
pub mod distill;
pub mod cues;
pub mod job;
pub mod recall;
pub mod context;
pub mod exchange;
pub mod chat;
pub mod session;
pub mod search;
pub mod file;
pub mod tool;
pub mod openai;
pub mod responses;
pub mod safety;
pub mod key;
pub mod sign_in;
pub mod events;
pub mod markdown;
pub mod operator;
pub mod erasure;
pub mod transfer;
pub mod bundle;
pub mod card;
pub mod backup;
pub mod doctor;
pub mod local_model;
pub mod chat_model;
pub mod vault;
pub mod vectors;
pub mod agent;
pub mod audit;
pub mod residue;
pub mod route;
pub mod verb;
pub mod fields;
pub mod rpc;
pub mod mcp;

pub use code::Code;
pub use exit::Exit;
pub use problem::{Pointed, Problem};
