//! How a command ends, as the shell sees it.

use std::process::ExitCode;

/// The exit statuses scripts may rely on; the numbers never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything asked for was done.
    Ok = 0,
    /// It could not be done; the message says why.
    Failure = 1,
    /// The command line or the configuration can't be understood.
    Usage = 2,
    /// The named thing does not exist.
    NotFound = 3,
    /// The caller holds no key that permits this.
    Auth = 4,
    /// Something else changed, took or holds what was asked for.
    Conflict = 5,
    /// A signature, certificate or audit log does not prove what it claims.
    VerificationFailed = 6,
    /// A server, database or model did not answer.
    Unreachable = 7,
    /// Some of it was done, and the message lists what was not.
    Partial = 8,
}

impl Exit {
    /// The number given to the shell.
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
