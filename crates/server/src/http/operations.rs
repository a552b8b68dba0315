//! What operators and their tools ask: does it live, is it ready, how is it doing.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use wire::Code;
use wire::key::KeyScope;

use super::admit::admit;
use super::refusal::Refusal;
use super::{Door, Entrance, reading};

/// The routes outside the list, with what they are for; only the last needs a key.
pub(crate) const OPERATIONS: [(&str, &str); 4] = [
    ("/healthz", "Whether the server is ready, under the name older tools use."),
    ("/livez", "Whether the process lives; anything but an answer means restart it."),
    ("/readyz", "Whether requests can be served, and if not, why."),
    ("/metrics", "Counters in the text format of Prometheus, for a key with the scope `audit`."),
];

pub(crate) fn router() -> Router<Door> {
    Router::new()
        .route("/healthz", reading(ready))
        .route("/livez", reading(live))
        .route("/readyz", reading(ready))
        .route("/metrics", reading(metrics))
}

async fn live() -> Response {
    well()
}

async fn ready(State(door): State<Door>) -> Result<Response, Refusal> {
    if door.house.is_closing() {
        return Err(Refusal::new(Code::NotReady, "the server is shutting down").until(1));
    }
    door.house.engine.ready().await.map_err(|reason| Refusal::new(Code::NotReady, reason))?;
    Ok(well())
}

fn well() -> Response {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"ok"}"#).into_response()
}

/// Over TCP the counters need a key: a connection from this machine may be a proxy's that hides who asks.
/// Whoever reaches the private socket holds the home.
async fn metrics(State(door): State<Door>, request: Request) -> Result<Response, Refusal> {
    let (head, _) = request.into_parts();
    match &door.entrance {
        Entrance::Private { .. } => {}
        Entrance::Public(_) => drop(admit(&door, KeyScope::Audit, &head, door.house.now()).await?),
    }
    let mut text = door.house.metrics.text();
    let open = door.house.engine.open_erasures(door.house.now()).await.unwrap_or_default();
    crate::metrics::write_erasures(&mut text, &open);
    crate::metrics::write_vectors(&mut text, door.house.engine.vector_counts());
    crate::metrics::write_readings(&mut text, &door.house.engine.reading_counts());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}
