//! The routes and what they have in common.
//!
//! A request passes, in this order: [`observe`] (request id, log line, headers), [`origin`] (host name and
//! cross-site checks), [`admit`] (authentication, scopes, rate; browsers by their [`cookie`]), [`body`] and
//! [`query`] (parsing), and then the one function of its verb.

mod refusal;
mod observe;
mod origin;
mod cookie;
mod admit;
mod identity;
mod body;
mod query;
mod request_context;
mod entity_tag;
mod key_bound;
mod idempotency;
mod answer;
mod handlers;
mod personas;
mod timeline;
mod memories;
mod recalls;
mod subjects;
mod speech;
mod chat;
mod chat_model;
mod completions;
mod responses;
mod sessions;
mod files;
mod tools;
mod transfers;
mod keys;
mod agents;
mod operators;
mod erasures;
mod jobs;
mod upkeep;
mod audit;
mod events;
mod exchanges;
mod markdown;
mod mcp;
mod sign_in;
mod operations;
pub mod openapi;
mod pages;
mod page;

use std::collections::BTreeMap;
use std::future::{Ready, ready};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter};
use domain::Actor;
use wire::route::{ROUTES, Route};
use wire::{Code, Problem};

use crate::Limits;
use crate::state::ServerState;
use refusal::Refusal;

pub use admit::TENANT_HEADER;
pub(crate) use body::BodyLimits;
pub use mcp::{ASKING_HEADER, SUBJECT_HEADER};
pub(crate) use operations::counters;
pub(crate) use origin::{Addresses, Peer};
pub(crate) use sign_in::sign_in_link;

/// One entrance: TCP or the private socket.
#[derive(Clone)]
pub(crate) struct Entrance {
    pub(crate) state: Arc<ServerState>,
    pub(crate) kind: EntranceKind,
}

impl Entrance {
    /// The limits of this entrance. They apply to others, not to the operator.
    pub(crate) fn limits(&self) -> Limits {
        match self.kind {
            EntranceKind::Public(_) => self.state.limits,
            EntranceKind::Private { .. } => Limits::default(),
        }
    }
}

/// Who uses an entrance.
#[derive(Clone)]
pub(crate) enum EntranceKind {
    /// Anyone with a key.
    Public(Arc<Addresses>),
    /// The operator.
    Private {
        /// The operator's name in the audit log.
        actor: Actor,
    },
}

/// All routes behind `entrance`.
pub(crate) fn router(entrance: Entrance) -> Router {
    let mut router = Router::new();
    for (path, methods) in by_path() {
        router = router.route(path, methods);
    }
    router
        .merge(operations::router())
        .merge(pages::router())
        .merge(sign_in::router())
        .merge(mcp::router())
        .merge(page::router())
        .fallback(nothing_there)
        .layer(from_fn_with_state(entrance.clone(), origin::guard))
        .layer(from_fn_with_state(entrance.clone(), observe::observe))
        .with_state(entrance)
}

/// The routes of the route list, with the functions of their verbs.
fn by_path() -> BTreeMap<&'static str, MethodRouter<Entrance>> {
    let mut paths: BTreeMap<&'static str, MethodRouter<Entrance>> = BTreeMap::new();
    for route in ROUTES {
        let (Some(handler), Some(method)) = (handlers::handler(route.verb), filter(route.method)) else {
            continue;
        };
        let methods = paths
            .remove(route.path)
            .unwrap_or_else(|| MethodRouter::new().fallback(wrong_method(known_methods(route.path))));
        let answer = move |State(entrance): State<Entrance>, request: Request| {
            respond(entrance, route, handler, request)
        };
        paths.insert(route.path, methods.on(method, answer));
    }
    // The same path is a page for people: the onboarding of 002 in a browser.
    if let Some(methods) = paths.remove(page::ONBOARDING) {
        paths.insert(page::ONBOARDING, methods.get(page::onboarding));
    }
    paths
}

fn filter(method: &str) -> Option<MethodFilter> {
    match method {
        "GET" => Some(MethodFilter::GET),
        "POST" => Some(MethodFilter::POST),
        "PUT" => Some(MethodFilter::PUT),
        "PATCH" => Some(MethodFilter::PATCH),
        "DELETE" => Some(MethodFilter::DELETE),
        _ => None,
    }
}

async fn respond(
    entrance: Entrance,
    route: &'static Route,
    handler: handlers::Handler,
    request: Request,
) -> Result<Response, Refusal> {
    answer::answer(&entrance, route, handler, request).await
}

async fn nothing_there() -> Refusal {
    Problem::new(Code::NotFound, "no such route; `/docs` lists them all").into()
}

/// Refuses a method that a path doesn't have, and names those it has.
fn wrong_method(known: String) -> impl Fn(Request) -> Ready<Refusal> + Clone {
    move |request: Request| {
        let detail = format!("{} is not supported; this path supports {known}", request.method());
        ready(Refusal::new(Code::MethodNotAllowed, detail).allowing(&known))
    }
}

/// A read-only route.
fn reading<H: Handler<T, Entrance>, T: 'static>(handler: H) -> MethodRouter<Entrance> {
    MethodRouter::new().fallback(wrong_method("GET, HEAD".to_owned())).get(handler)
}

fn known_methods(path: &str) -> String {
    let mut known = Vec::new();
    for route in ROUTES.iter().filter(|route| route.path == path) {
        known.push(route.method);
        if route.method == "GET" {
            known.push("HEAD");
        }
    }
    known.join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_route_has_one_function_and_every_function_a_route() {
        let routes: Vec<&str> = ROUTES.iter().map(|route| route.verb).collect();
        let doors: Vec<&str> = handlers::all().map(|(verb, _)| verb).collect();
        let as_set = |verbs: &[&'static str]| verbs.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(as_set(&routes), as_set(&doors));
        assert_eq!(
            (as_set(&routes).len(), as_set(&doors).len()),
            (routes.len(), doors.len()),
            "each verb once"
        );
    }

    #[test]
    fn every_post_that_changes_something_says_how_it_is_answered_again_and_no_other_route_does() {
        let changing = ROUTES.iter().filter(|route| route.retry() == wire::route::Retry::NeedsKey);
        let changing: BTreeSet<&str> = changing.map(|route| route.verb).collect();
        let repeatable: Vec<&str> = handlers::all_repeated().map(|(verb, _)| verb).collect();
        assert_eq!(repeatable.iter().copied().collect::<BTreeSet<_>>(), changing);
        assert_eq!(repeatable.len(), changing.len(), "each verb once");
    }

    #[test]
    fn every_method_of_the_list_is_known_to_the_router() {
        for route in ROUTES {
            assert!(filter(route.method).is_some(), "{} {}", route.method, route.path);
        }
        let paths: BTreeSet<&str> = ROUTES.iter().map(|route| route.path).collect();
        assert_eq!(by_path().into_keys().collect::<BTreeSet<_>>(), paths);
    }
}
