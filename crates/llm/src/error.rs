//! Errors of model calls, without any text of the prompt.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::endpoint::Label;

/// Which model failed, and why.
#[derive(Debug, thiserror::Error)]
#[error("{model} {reason}")]
pub struct LlmError {
    /// The model that was called.
    pub model: Arc<Label>,
    /// What happened, and the way out.
    pub reason: Reason,
}

/// Why there is no response. A server's own message is never passed on, since it may repeat the prompt or
/// the key; its short code is.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The connection failed.
    #[error("can't be reached; is its server running? check `base_url`")]
    Unreachable,
    /// The server's certificate is not trusted, or it has no TLS.
    #[error("can't be trusted: its certificate or TLS is not accepted; check `base_url`")]
    Untrusted,
    /// A timeout.
    #[error("{0} within {after} s; wait for its server, or raise the timeout in selfhood.toml", after = .1.as_secs_f64())]
    TimedOut(Phase, Duration),
    /// The API key is wrong or missing.
    #[error("refused the key (HTTP {status}); check `api_key_env` or `api_key_file`")]
    KeyRefused {
        /// The HTTP status.
        status: u16,
    },
    /// The model or the route does not exist.
    #[error("was not found (HTTP 404); check `model` and `base_url`")]
    NotThere,
    /// Too many requests.
    #[error("is rate limited (HTTP 429); try again {}", when(*.after))]
    RateLimited {
        /// When the server may be asked again, if it said so.
        after: Option<Duration>,
    },
    /// The prompt is too long.
    #[error(
        "has too small a window for this prompt; lower the persona's `contextWindowTokens`, or choose a model with a larger window"
    )]
    PromptTooLong,
    /// The server does not support `stream_options`, which only ask it to count tokens.
    #[error("refused `stream_options` (HTTP {status}); check `kind` and `base_url`")]
    NoStreamOptions {
        /// The HTTP status.
        status: u16,
    },
    /// The server refused the request.
    #[error("refused the request (HTTP {status}{})", in_brackets(.code.as_deref()))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's own code.
        code: Option<String>,
    },
    /// The server failed before the first byte of its response.
    #[error("failed (HTTP {status}{}); try again, or check its server", in_brackets(.code.as_deref()))]
    Failed {
        /// The HTTP status.
        status: u16,
        /// The server's own code.
        code: Option<String>,
    },
    /// The server failed after the first byte of its response.
    #[error("broke off with an error{}; try again, or check its server", in_brackets(.code.as_deref()))]
    BrokeOff {
        /// The server's own code.
        code: Option<String>,
    },
    /// The connection was closed before the response was complete.
    #[error("stopped in the middle of its answer; try again, or check its server")]
    Truncated,
    /// The response violates the protocol.
    #[error("answered with something that is not {expected}; check `kind` and `base_url`")]
    Malformed {
        /// The expected form.
        expected: &'static str,
    },
    /// The response is larger than any correct server sends.
    #[error("answered with more than {limit} {of}; check its server")]
    TooLarge {
        /// The limit.
        limit: usize,
        /// What exceeded it.
        of: &'static str,
    },
    /// The client itself can't be created.
    #[error("can't be asked: {0}")]
    Unusable(&'static str),
}

/// What a timeout was waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first byte.
    FirstByte,
    /// The next piece.
    NextChunk,
    /// The complete response.
    Whole,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FirstByte => "did not begin to answer",
            Self::NextChunk => "fell silent in the middle of its answer and said nothing more",
            Self::Whole => "did not answer",
        })
    }
}

fn when(after: Option<Duration>) -> String {
    after.map_or_else(|| "later".to_owned(), |after| format!("in {} s", after.as_secs()))
}

fn in_brackets(code: Option<&str>) -> String {
    code.map(|code| format!(" `{code}`")).unwrap_or_default()
}
