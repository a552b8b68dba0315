//! Scheduled work: digests, sweeps, cron jobs and the notifications they send.

pub(crate) mod scheduler;
pub(crate) mod crons;
pub(crate) mod list;
pub(crate) mod notifications;
