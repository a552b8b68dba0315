//! Why a service did not do what it was asked. Nothing of a request or of a body is in an error: only the
//! service's address without its credentials, the status, and the short code it answered with.

use std::io;
use std::path::{Path, PathBuf};

/// Why a service did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("{service}: {reason}")]
pub struct RemoteError {
    /// Which service, such as `bucket backups at https://s3.example.org`.
    pub service: String,
    /// What happened.
    pub reason: Reason,
}

/// What happened.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The address can't be used.
    #[error("its address can't be used: {0}")]
    Address(&'static str),
    /// No TLS connection can be made.
    #[error("{0}")]
    Tls(&'static str),
    /// Nobody answers there.
    #[error("nobody answers there")]
    Unreachable,
    /// The answer did not come in time.
    #[error("it did not answer in time")]
    TimedOut,
    /// It said no.
    #[error("it answered {status}{}", .code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default())]
    Refused {
        /// The status of its answer.
        status: u16,
        /// Its short code, such as `NoSuchBucket`.
        code: Option<String>,
    },
    /// Its answer can't be read.
    #[error("its answer is not {0}")]
    Malformed(&'static str),
    /// What arrived is not what was sent.
    #[error("it keeps {found} bytes where {expected} were sent")]
    Length {
        /// How many were sent.
        expected: u64,
        /// How many it keeps.
        found: u64,
    },
    /// A file of this machine could not be read or written.
    #[error("could not {action} {path}: {source}")]
    File {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Reason {
    /// Whether the same request may succeed a little later.
    pub(crate) const fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable | Self::TimedOut => true,
            Self::Refused { status, .. } => *status >= 500 || *status == 429 || *status == 408,
            Self::Address(_)
            | Self::Tls(_)
            | Self::Malformed(_)
            | Self::Length { .. }
            | Self::File { .. } => false,
        }
    }

    /// Whether what was asked for is not there.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }
}

pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Reason {
    let path = path.to_owned();
    move |source| Reason::File { action, path, source }
}
