//! Operations: backups, health checks, audit logs, key epochs, local model servers and change events.

pub mod backup;
pub mod doctor;
pub(crate) mod audit;
pub(crate) mod key_epochs;
pub(crate) mod local_models;
pub(crate) mod events;
