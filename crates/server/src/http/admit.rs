//! Authenticates a request, checks its scope, and limits its rate.

use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use domain::{Actor, TenantName, Timestamp};
use engine::{Call, Caller, Identity};
use wire::key::{KeyScope, Speaks};
use wire::route::{Concern, Route};
use wire::{Code, Problem};

use super::cookie;
use super::observe::RequestActor;
use super::origin::{Addresses, Peer};
use super::refusal::{A_SECOND, Refusal, whole_seconds};
use super::{Entrance, EntranceKind};
use crate::concurrency::Permit;
use crate::connections::ConnectionUse;
use crate::network::Network;
use crate::state::ServerState;

/// The header that names the tenant on the private socket.
pub const TENANT_HEADER: &str = "x-selfhood-tenant";

/// Admits the sender of `head` for something that needs `scope`, or refuses. Nothing of the body is read
/// before.
pub(crate) async fn admit(
    entrance: &Entrance,
    scope: KeyScope,
    head: &Parts,
    now: Timestamp,
) -> Result<Caller, Refusal> {
    let caller = match &entrance.kind {
        EntranceKind::Private { actor } => local_caller(&head.headers, actor)?,
        EntranceKind::Public(addresses) => {
            let caller = holder(&entrance.state, addresses, head, now).await?;
            entrance.state.pace.enter_in_turn(caller.actor.as_str(), now).await.map_err(too_often)?;
            caller
        }
    };
    if let Some(connection) = head.extensions.get::<ConnectionUse>() {
        connection.is_known();
    }
    if let Some(actor) = head.extensions.get::<RequestActor>() {
        actor.set(&caller.actor);
    }
    if !caller.may(scope) {
        return Err(not_covered(&caller, scope));
    }
    Ok(caller)
}

/// A permit for one more request of the caller's tenant. It is taken once the whole request has arrived, so that
/// a slow sender takes none.
pub(crate) fn request_permit(
    entrance: &Entrance,
    caller: &Caller,
) -> Result<Option<Permit<TenantName>>, Refusal> {
    let limit = match &entrance.kind {
        EntranceKind::Private { .. } => return Ok(None),
        EntranceKind::Public(_) => &entrance.state.requests,
    };
    limit.enter(&caller.tenant).map(Some).ok_or_else(|| {
        let detail =
            format!("{} requests of this tenant are being answered; retry in a second", limit.at_once);
        Refusal::new(Code::Busy, detail).until(A_SECOND)
    })
}

fn local_caller(headers: &HeaderMap, actor: &Actor) -> Result<Caller, Refusal> {
    let named = headers.get(TENANT_HEADER).and_then(|value| value.to_str().ok());
    let tenant: Option<TenantName> = named.and_then(|name| name.parse().ok());
    let tenant = tenant.ok_or_else(|| {
        Refusal::new(Code::Usage, format!("name the tenant with the header `{TENANT_HEADER}`"))
    })?;
    Ok(Caller::local(tenant, actor.clone()))
}

/// The holder of the key in `head`, or of its cookie.
async fn holder(
    state: &ServerState,
    addresses: &Addresses,
    head: &Parts,
    now: Timestamp,
) -> Result<Caller, Refusal> {
    let refused = match (key(&head.headers), cookie::shown(state, &head.headers)) {
        (Some(key), _) => state.engine.authenticate(key, now).await,
        (None, Some(secret)) => {
            cookie::demand_own_page(&head.method, &head.headers)?;
            state.engine.signed_in(secret, now).await
        }
        (None, None) => {
            return Err(Refusal::new(
                Code::Unauthorized,
                "no API key; send it as `x-api-key` or as `Authorization: Bearer`",
            ));
        }
    };
    let refused = match refused {
        Ok(caller) => return Ok(caller),
        Err(problem) => problem,
    };
    slow_down(state, addresses, head, now, &refused)?;
    Err(refused.into())
}

/// Slows down an address that shows unknown keys or cookies.
pub(super) fn slow_down(
    state: &ServerState,
    addresses: &Addresses,
    head: &Parts,
    now: Timestamp,
    refused: &Problem,
) -> Result<(), Refusal> {
    let peer = head.extensions.get::<Peer>().map(|peer| peer.0);
    if refused.code == Code::Unauthorized
        && let Some(client) = addresses.client(peer, &head.headers)
    {
        state.strangers.enter(&Network::from(client).to_string(), now).map_err(too_often)?;
    }
    Ok(())
}

fn key(headers: &HeaderMap) -> Option<&str> {
    let own = headers.get("x-api-key").and_then(|value| value.to_str().ok());
    own.map(str::trim).or_else(|| {
        let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    })
}

fn too_often(wait: Duration) -> Refusal {
    let seconds = whole_seconds(wait);
    let unit = if seconds == 1 { "second" } else { "seconds" };
    Refusal::new(Code::RateLimited, format!("too many requests; retry in {seconds} {unit}")).until(wait)
}

/// Refuses what concerns everyone to a caller who speaks for one person: with a forwarded key that needs `admin`. An
/// application may still set its personas up with an unnamed request, but delete nothing.
pub(super) fn check_concern(route: &Route, call: &Call) -> Result<(), Problem> {
    let Caller { speaks, identity, .. } = &call.caller;
    let is_named = match identity {
        Identity::Bound(_) | Identity::Claimed(Some(_)) | Identity::Signed(Some(_)) => true,
        Identity::Claimed(None) | Identity::Signed(None) => route.scope == KeyScope::Erase,
    };
    let is_guest = *speaks == Speaks::Forwarded && is_named && !call.caller.may(KeyScope::Admin);
    if is_guest && route.concern() == Concern::Everyone {
        let detail = "this concerns everyone who talks with the persona, and this key speaks for one person; use a \
                      key of the owner, or one with the scope `admin`";
        return Err(Problem::new(Code::Forbidden, detail));
    }
    Ok(())
}

pub(super) fn not_covered(caller: &Caller, scope: KeyScope) -> Refusal {
    let has: Vec<String> = caller.scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect();
    let detail =
        format!("this needs a key with the scope `{}`; this one has {}", scope.as_str(), has.join(", "));
    Refusal::new(Code::Forbidden, detail)
}
