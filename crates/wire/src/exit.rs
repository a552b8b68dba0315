//! The exit statuses of commands.

use std::process::ExitCode;

/// The exit statuses scripts may rely on; the numbers never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything was done.
    Ok = 0,
    /// It could not be done; the message says why.
    Failure = 1,
    /// The command line or the configuration is invalid.
    Usage = 2,
    /// The named thing does not exist.
    NotFound = 3,
    /// The caller has no key that permits this.
    Auth = 4,
    /// Another process or change is in conflict.
    Conflict = 5,
    /// A signature, certificate or audit log is invalid.
    VerificationFailed = 6,
    /// A server, database or model did not answer.
    Unreachable = 7,
    /// Some of it was done; the message lists the rest.
    Partial = 8,
}

impl Exit {
    /// The number for the shell.
    #[must_use]
    pub const fn status(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}
