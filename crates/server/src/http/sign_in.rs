//! Browser sign-in and sign-out, and the current caller.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use engine::{Call, Caller};
use wire::key::KeyScope;
use wire::route::Route;
use wire::sign_in::{Me, SignIn, SignInLink};
use wire::verb::{self, Verb};
use wire::{Code, Problem, read, schema};

use super::admit::slow_down;
use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::refusal::Refusal;
use super::request_context::{Answer, HandlerResult, VerbContext};
use super::{Entrance, EntranceKind, body, cookie, wrong_method};
use crate::Limits;
use crate::state::ServerState;

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::OfferSignIn, |context| offer(context)),
    verb_handler!(verb::ShowMe, |context| async move { Answer::json(&me(&context.call.caller)) }),
    verb_handler!(verb::SignOut, |context| async move { Ok(sign_out(&context)) }),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::OfferSignIn::NAME, RepeatPolicy::Rendered(|_| Box::pin(async { Err(shown_once()) }))),
    (
        verb::SignOut::NAME,
        RepeatPolicy::Rendered(|context| Box::pin(async move { Ok(sign_out(&context.of_verb())) })),
    ),
];
/// A link or a key is short, and the sender is not authenticated yet.
const LONGEST_SIGN_IN: usize = 4096;

/// The sign-in route, the only one that needs no key.
pub(crate) const SIGN_IN: Route = Route {
    method: "POST",
    path: "/v1/sign-in",
    verb: "sign_in",
    summary: "Signs a browser in with a link or a key, and sets a cookie.",
    scope: KeyScope::Read,
    status: 200,
    request: Some(schema::of::<SignIn>),
    body: wire::route::Body::Needed,
    query: None,
    answer: Some(schema::of::<Me>),
    once: wire::route::KeyRequirement::IfAsked,
    reads_only: true,
    speech: wire::route::Speech::Whole,
    by_speaker: true,
    off_record: wire::route::OffRecord::Unsupported,
};

pub(crate) fn router() -> Router<Entrance> {
    let methods = MethodRouter::new().fallback(wrong_method("POST".to_owned()));
    Router::new().route(SIGN_IN.path, methods.post(sign_in))
}

/// A sign-in link for the caller of `call`.
pub(crate) async fn sign_in_link(state: &ServerState, call: &Call) -> Result<SignInLink, Problem> {
    let url = state.url.get().ok_or_else(|| {
        Problem::new(
            Code::Unreachable,
            "no server runs on this home, so there is no page; see `selfhood serve`",
        )
    })?;
    let (secret, expires_at) = state.engine.offer_sign_in(call).await?;
    Ok(SignInLink { url: format!("{url}/ui/sign-in#{secret}"), expires_at })
}

async fn offer(context: VerbContext<verb::OfferSignIn>) -> HandlerResult {
    context.answer(&sign_in_link(&context.state, &context.call).await?)
}

fn sign_out(context: &VerbContext<verb::SignOut>) -> Answer {
    if let Some(secret) = cookie::shown(&context.state, &context.headers) {
        context.engine.sign_out(secret);
    }
    Answer::done().with_header("set-cookie", Some(cookie::dropped(&context.state)))
}

async fn sign_in(State(entrance): State<Entrance>, request: Request) -> Result<Response, Refusal> {
    let EntranceKind::Public(addresses) = &entrance.kind else {
        return Err(Refusal::new(Code::Usage, "the operator is signed in already"));
    };
    let (head, content) = request.into_parts();
    cookie::demand_own_page(&head.method, &head.headers)?;
    let sender = body::Sender { connection: head.extensions.get(), ..body::Sender::default() };
    let limits = Limits { body_bytes: LONGEST_SIGN_IN, ..entrance.limits() };
    let body = body::read(&SIGN_IN, &head.headers, content, &limits, sender).await?;
    let asked: SignIn = read::read(&body)?;
    let now = entrance.state.now();
    match entrance.state.engine.sign_in(&asked, now).await {
        Ok((secret, caller)) => Ok(welcome(&entrance.state, &secret, &caller)),
        Err(problem) => {
            slow_down(&entrance.state, addresses, &head, now, &problem)?;
            Err(problem.into())
        }
    }
}

fn welcome(state: &ServerState, secret: &str, caller: &Caller) -> Response {
    let json = serde_json::to_vec(&me(caller)).unwrap_or_default();
    let header = |name: HeaderName, value: &str| HeaderValue::from_str(value).ok().map(|value| (name, value));
    let mut response = (StatusCode::OK, json).into_response();
    response.headers_mut().extend(header(CONTENT_TYPE, "application/json"));
    response.headers_mut().extend(header(SET_COOKIE, &cookie::kept(state, secret)));
    response
}

fn me(caller: &Caller) -> Me {
    Me {
        tenant: caller.tenant.clone(),
        scopes: caller.scopes.iter().copied().collect(),
        speaks: caller.speaks,
        actor: caller.actor.as_str().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// The secret of a link is not stored, so it can't be shown again.
fn shown_once() -> Problem {
    Problem::new(
        Code::ResourceGone,
        "a sign-in link is shown once; make another with a new `Idempotency-Key`",
    )
}
