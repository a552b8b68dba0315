//! A response body that holds a guard until it has been sent, or the client has disconnected.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

/// `inner`, holding `guard` as long as it lives.
struct GuardedBody<G> {
    inner: Body,
    _guard: G,
}

/// The same body, holding `guard` until it ends.
pub(crate) fn guarded<G: Send + Unpin + 'static>(inner: Body, guard: G) -> Body {
    Body::new(GuardedBody { inner, _guard: guard })
}

impl<G: Unpin> HttpBody for GuardedBody<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
