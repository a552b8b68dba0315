//! Why a model did not answer, in words that hold no word of the prompt.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::endpoint::Label;

/// Which model did not answer, and why.
#[derive(Debug, thiserror::Error)]
#[error("{model} {reason}")]
pub struct LlmError {
    /// The model that was asked.
    pub model: Arc<Label>,
    /// What happened, and the way out.
    pub reason: Reason,
}

/// Why there is no answer. A server's own message is never passed on, since it may repeat the prompt or
/// the key; its short code is.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// No connection.
    #[error("can't be reached; is its server running? check `base_url`")]
    Unreachable,
    /// The server isn't who it says it is, or speaks no TLS.
    #[error("can't be trusted: its certificate or TLS is not accepted; check `base_url`")]
    Untrusted,
    /// It took too long.
    #[error("{0} within {after} s; wait for its server, or raise the timeout in selfhood.toml", after = .1.as_secs_f64())]
    TimedOut(Phase, Duration),
    /// Wrong key, or none.
    #[error("refused the key (HTTP {status}); check `api_key_env` or `api_key_file`")]
    KeyRefused {
        /// The HTTP status.
        status: u16,
    },
    /// No such model, or no such route.
    #[error("is not there (HTTP 404); check `model` and `base_url`")]
    NotThere,
    /// Too many questions.
    #[error("is asked too often (HTTP 429); ask again {}", when(*.after))]
    RateLimited {
        /// When the server wants to be asked again, if it said so.
        after: Option<Duration>,
    },
    /// The prompt doesn't fit.
    #[error(
        "has no room for this prompt; lower the persona's `contextWindowTokens`, or take a model with a larger window"
    )]
    PromptTooLong,
    /// The server knows no `stream_options`, which only ask it to count.
    #[error("refused `stream_options` (HTTP {status}); check `kind` and `base_url`")]
    NoStreamOptions {
        /// The HTTP status.
        status: u16,
    },
    /// The server did not take the question.
    #[error("refused the request (HTTP {status}{})", in_brackets(.code.as_deref()))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's own code.
        code: Option<String>,
    },
    /// The server failed before its first word.
    #[error("failed (HTTP {status}{}); ask again, or look at its server", in_brackets(.code.as_deref()))]
    Failed {
        /// The HTTP status.
        status: u16,
        /// The server's own code.
        code: Option<String>,
    },
    /// The server failed after its first word.
    #[error("broke off with an error{}; ask again, or look at its server", in_brackets(.code.as_deref()))]
    BrokeOff {
        /// The server's own code.
        code: Option<String>,
    },
    /// The connection ended before the answer did.
    #[error("stopped in the middle of its answer; ask again, or look at its server")]
    Truncated,
    /// Not what the protocol says.
    #[error("answered with something that is not {expected}; check `kind` and `base_url`")]
    Malformed {
        /// What it should have been.
        expected: &'static str,
    },
    /// More than any honest server says.
    #[error("answered with more than {limit} {of}; look at its server")]
    TooLarge {
        /// The most that is read.
        limit: usize,
        /// Of what.
        of: &'static str,
    },
    /// The client itself can't be made.
    #[error("can't be asked: {0}")]
    Unusable(&'static str),
}

/// What was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first byte.
    FirstByte,
    /// The next piece.
    NextChunk,
    /// The whole answer.
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
