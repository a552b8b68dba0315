//! A stream that ends when its key becomes invalid.
//!
//! Every streamed answer passes here, so no route can forget it: before each piece, and at least once a
//! second without one, the caller's key is looked up. Once it is revoked or expired, the stream ends and the
//! current piece is not sent.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use engine::Caller;
use futures_util::{StreamExt as _, stream};
use tokio::time::timeout;

use crate::state::ServerState;

/// How long a stream without pieces may outlive its key.
const BETWEEN_CHECKS: Duration = Duration::from_secs(1);

struct KeyBound {
    pieces: BodyDataStream,
    state: Arc<ServerState>,
    caller: Caller,
}

/// `body` for as long as the key of `caller` is valid.
pub(crate) fn key_bound(body: Body, state: Arc<ServerState>, caller: Caller) -> Body {
    if caller.key.is_none() {
        return body;
    }
    let bound = KeyBound { pieces: body.into_data_stream(), state, caller };
    Body::from_stream(stream::unfold(bound, |mut bound| async move {
        let piece = bound.next().await?;
        Some((piece, bound))
    }))
}

impl KeyBound {
    async fn next(&mut self) -> Option<Result<Bytes, axum::Error>> {
        loop {
            let waited = timeout(BETWEEN_CHECKS, self.pieces.next()).await;
            let now = self.state.now();
            self.state.engine.check_still_admitted(&self.caller, now).await.ok()?;
            if let Ok(piece) = waited {
                return piece;
            }
        }
    }
}
