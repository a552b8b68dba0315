//! `GET /v1/events`: sends the current state at once, and then every change.
//!
//! Every write raises the revision of its persona, on whichever node of a deployment it happens, so it is
//! enough to poll these numbers every second.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use engine::{Call, Engine};
use futures_util::stream;
use tokio::time::sleep;
use wire::events::Changed;
use wire::verb;

use super::handlers::{Handler, verb_handler};
use super::request_context::{Answer, HandlerResult, RequestContext, Stream, VerbContext};
use super::speech::event;
use crate::state::ServerState;

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[verb_handler!(verb::FollowEvents, |context| follow(context))];

/// The polling interval.
const PAUSE: Duration = Duration::from_secs(1);
/// How many polls without a change until a comment keeps the connection alive.
const QUIET: u32 = 15;

struct Listener {
    engine: Arc<Engine>,
    state: Arc<ServerState>,
    call: Call,
    known: Vec<Changed>,
    /// The number of the next completed formation to report.
    next_formed: u64,
    quiet: u32,
}

async fn follow(context: VerbContext<verb::FollowEvents>) -> HandlerResult {
    let place = context.stream_permit(Stream::Events)?;
    let known = context.engine.revisions(&context.call).await?;
    let begin = known.iter().map(|persona| event("here", persona)).collect::<String>();
    let begin = format!(": listening\n\n{begin}");
    let next_formed = context.engine.next_formed();
    let RequestContext { engine, state, call, .. } = context.into_untyped();
    let listener = Listener { engine, state, call, known, next_formed, quiet: 0 };
    let pieces = stream::unfold((Some(begin), listener), |(begin, mut listener)| async move {
        let piece = match begin {
            Some(begin) => begin,
            None => listener.next().await?,
        };
        Some((Ok::<_, Infallible>(Bytes::from(piece)), (None, listener)))
    });
    Ok(Answer::stream(place, Body::from_stream(pieces)))
}

impl Listener {
    /// The next event; `None` once the server stops or the persona's records can't be read.
    async fn next(&mut self) -> Option<String> {
        loop {
            sleep(PAUSE).await;
            if self.state.is_closing() {
                return None;
            }
            let now = self.engine.revisions(&self.call).await.ok()?;
            let mut changed: String =
                now.iter().filter(|it| !self.known.contains(it)).map(|it| event("changed", it)).collect();
            let (formed, next) = self.engine.formed_since(&self.call, self.next_formed).await;
            changed.extend(formed.iter().map(|it| event("formed", it)));
            self.next_formed = next;
            self.known = now;
            self.quiet += 1;
            if !changed.is_empty() {
                self.quiet = 0;
                return Some(changed);
            }
            if self.quiet >= QUIET {
                self.quiet = 0;
                return Some(": still here\n\n".to_owned());
            }
        }
    }
}
