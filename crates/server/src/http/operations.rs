//! Health checks, readiness and metrics.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use wire::Code;
use wire::key::KeyScope;

use super::admit::admit;
use super::refusal::{A_SECOND, Refusal};
use super::{Entrance, EntranceKind, reading};
use crate::state::ServerState;

/// The routes outside the list; only the last needs a key.
pub(crate) const OPERATIONS: [(&str, &str); 4] = [
    ("/healthz", "Whether the server is ready, under the name older tools use."),
    ("/livez", "Whether the process is alive; no answer means restart it."),
    ("/readyz", "Whether requests can be served, and if not, why."),
    ("/metrics", "Counters in the text format of Prometheus, for a key with the scope `audit`."),
];

pub(crate) fn router() -> Router<Entrance> {
    Router::new()
        .route("/healthz", reading(ready))
        .route("/livez", reading(live))
        .route("/readyz", reading(ready))
        .route("/metrics", reading(metrics))
}

async fn live() -> Response {
    well()
}

async fn ready(State(entrance): State<Entrance>) -> Result<Response, Refusal> {
    if entrance.state.is_closing() {
        return Err(Refusal::new(Code::NotReady, "the server is shutting down").until(A_SECOND));
    }
    entrance.state.engine.ready().await.map_err(|reason| Refusal::new(Code::NotReady, reason))?;
    Ok(well())
}

fn well() -> Response {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"ok"}"#).into_response()
}

/// Over TCP the metrics need a key: a connection from this machine may be a proxy that hides its client. The
/// private socket is only open to the owner of the home.
async fn metrics(State(entrance): State<Entrance>, request: Request) -> Result<Response, Refusal> {
    let (head, _) = request.into_parts();
    match &entrance.kind {
        EntranceKind::Private { .. } => {}
        EntranceKind::Public(_) => {
            drop(admit(&entrance, KeyScope::Audit, &head, entrance.state.now()).await?);
        }
    }
    let text = counters(&entrance.state).await;
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

/// Everything that is counted, as Prometheus reads it.
pub(crate) async fn counters(state: &ServerState) -> String {
    let mut text = state.metrics.text();
    // Requests that can't be read are not none: without these metrics an alarm speaks up.
    match state.engine.open_erasures(state.now()).await {
        Ok(open) => crate::metrics::write_erasures(&mut text, &open),
        Err(problem) => tracing::warn!(code = %problem.code, "open erasures can't be counted"),
    }
    let (is_ready, has_encoders) = (state.engine.ready().await.is_ok(), state.engine.encoders().is_some());
    let working = [
        ("selfhood_ready", "1 if the store takes writes, 0 if it is read-only.", is_ready.into()),
        (
            "selfhood_encoders_usable",
            "1 if the sentence encoders can be used, 0 if recall goes by words and the static table.",
            has_encoders.into(),
        ),
    ];
    crate::metrics::write_working(&mut text, working);
    let (waiting, computed) = state.engine.vector_counts();
    crate::metrics::write_vectors(&mut text, waiting, computed);
    let (mirrors, behind) = state.engine.mirror_counts();
    crate::metrics::write_upkeep(&mut text, &state.engine.backup_record(), mirrors, behind);
    crate::metrics::write_readings(&mut text, &state.engine.reading_counts());
    text
}
